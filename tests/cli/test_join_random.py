"""Joined sources against a few lines that do the same the slow way, and a table cut in two.

Random data and sources of several formats, with keys that are missing, repeated and of odd text,
are converted to JSON Lines and compared with what is expected. HCBR_SEED repeats a run.
"""
import csv
import json
import os
import random
import subprocess
import sys
import tempfile

from seeds import take_seed

PROGRAM = os.path.abspath(os.environ["HCBR"])
SEED = take_seed()
ROUNDS = int(os.environ.get("HCBR_ROUNDS") or 60)
VALUES = ["1", "2", "3", "x", "y", "a value of many bytes", "ü", " ", "a,b", "7.0", '"']
NUMBERS = ["1", "2", "3", "7.5", "12345678901"]
MODELS = [], ["--model", "plain"]  # the default, and the other
failed = 0
random.seed(SEED)


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, stdin=subprocess.DEVNULL,
                          timeout=60)


def check(condition, what, *more):
    global failed
    if not condition:
        failed += 1
        print(f"FAILED seed {SEED}:", what, *more)


def draw_rows(count, keys, columns, values, several):
    """Rows as lists of (column, value), in the order of the columns."""
    rows = []
    for _ in range(count):
        row = []
        for column in keys + columns:
            if random.random() < 0.2:
                continue
            times = random.randint(1, 3) if several else 1
            row += [(column, v) for v in random.sample(values, min(times, len(values)))]
        rows.append(row)
    return rows


def write(path, rows, columns, labels=None):
    """Columns of a table may be empty, and their order is that of the rows."""
    kind = path.rsplit(".", 1)[1]
    with open(path, "w", encoding="utf-8", newline="") as file:
        if kind in ("csv", "tsv"):
            writer = csv.writer(file, delimiter="\t" if kind == "tsv" else ",", lineterminator="\n")
            writer.writerow((["label"] if labels else []) + columns)
            for i, row in enumerate(rows):
                fields = dict(row)
                writer.writerow(([labels[i]] if labels else []) +
                                [fields.get(c, "") for c in columns])
        for i, row in enumerate(rows if kind == "jsonl" else []):
            line = {"label": labels[i]} if labels else {}
            for column, value in row:
                line.setdefault(column, []).append(value)
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        for i, row in enumerate(rows if kind == "libsvm" else []):
            file.write(" ".join([labels[i] if labels else "0"] +
                                [f"{c}:{v}" for c, v in row]) + "\n")


def read_cases(text):
    cases = []
    for line in text.decode().split("\n")[:-1]:
        label, features = None, []
        for key, value in json.loads(line, object_pairs_hook=lambda pairs: pairs):
            if key == "label":
                label = value
            elif key == "features":
                features += [tuple(pair) for pair in value]
            else:
                features += [(key, v) for v in (value if isinstance(value, list) else [value])]
        cases.append((label, features))
    return cases


def unique(features):
    return list(dict.fromkeys(features))


def expect(rows, labels, sources, hidden):
    cases = []
    for row, label in zip(rows, labels):
        features = list(row)
        for name, key, others in sources:
            done = set()
            for column, value in row:
                if column != key or value in done:
                    continue
                done.add(value)
                for other in others:
                    if (key, value) in other:
                        features += [(f"{name}.{c}", v) for c, v in other if c != key]
        cases.append((label, unique(f for f in features if f[0] not in hidden)))
    return cases


def try_sources():
    kind = random.choice(["csv", "tsv", "jsonl", "libsvm"])
    numbers = kind == "libsvm"
    keys = ["10", "11"] if numbers else ["k", "a key of many bytes"]
    own = ["1", "2"] if numbers else ["a", "b", "y"]
    values = NUMBERS if numbers else VALUES
    rows = draw_rows(random.randint(1, 12), keys, own, values, kind == "jsonl")
    labels = [random.choice(["0", "1"]) for _ in rows]
    write("data." + kind, rows, keys + own, labels)
    sources, options = [], []
    for n in range(random.randint(1, 3)):
        key = random.choice(keys)
        ending = random.choice(["libsvm"] if numbers else ["csv", "tsv", "jsonl"])
        columns = ["5", "6"] if numbers else ["c", "label", "a", "the column of a source"]
        others = draw_rows(random.randint(1, 9), [key], columns, values, ending == "jsonl")
        others.append([(key, values[0])])  # there is one at least
        name = random.choice(["s", "another name"]) + str(n)
        write(f"{name}.{ending}", others, [key] + columns)
        options += ["--join", f"{name}.{ending}:{key}" + random.choice(["", f"@{name}"])]
        sources.append((name, key, others))
    hidden = random.sample(keys, random.randint(0, 2))
    for key in hidden:
        options += ["--ignore", key]
    result = run("convert", "-q", "data." + kind, "--label", "label", *options, "-o", "out.jsonl")
    check(result.returncode == 0, options, result.stderr)
    if result.returncode == 0:
        with open("out.jsonl", "rb") as file:
            found = read_cases(file.read())
        wanted = expect(rows, labels, sources, hidden)
        check(found == wanted, kind, options, rows, sources, "\nfound ", found, "\nwanted", wanted)
        model = random.choice(MODELS)
        for n in "2", "3":
            threads = run("train", *model, "-q", "data." + kind, *options, "-j", n, "-o",
                          f"{n}.hcbr")
            check(threads.returncode == 0, threads.stderr)
        with open("2.hcbr", "rb") as two, open("3.hcbr", "rb") as three:
            check(two.read() == three.read(), "threads change the model")


def try_cut():
    """A table, and the same cut into two by its columns."""
    own, other = ["a", "b"], ["c", "a longer column"]
    rows = [draw_rows(1, [], own, VALUES, False)[0] for _ in range(random.randint(1, 15))]
    more = [draw_rows(1, [], other, VALUES, False)[0] for _ in rows]
    labels = [random.choice(["yes", "no"]) for _ in rows]
    ids = [[("id", str(i))] for i in range(len(rows))]
    order = random.sample(range(len(rows)), len(rows))
    write("whole.csv", [i + r + [("s." + c, v) for c, v in m] for i, r, m in zip(ids, rows, more)],
          ["id"] + own + ["s." + c for c in other], labels)
    write("left.csv", [i + r for i, r in zip(ids, rows)], ["id"] + own, labels)
    ending = random.choice(["csv", "tsv", "jsonl"])
    write("s." + ending, [ids[n] + more[n] for n in order], ["id"] + other)
    bytes_of, model = [], random.choice(MODELS)
    for data, options in ("whole.csv", []), ("left.csv", ["--join", f"s.{ending}:id"]):
        result = run("convert", "-q", data, "--id", "id", *options, "-o", "all.jsonl")
        check(result.returncode == 0, result.stderr)
        result = run("train", *model, "-q", "all.jsonl", "--id", "id", "-o", "m.hcbr")
        check(result.returncode == 0, result.stderr)
        with open("m.hcbr", "rb") as file:
            bytes_of.append(file.read())
    check(bytes_of[0] == bytes_of[1], "a table that was cut gives another model", rows, more)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for n in range(ROUNDS):
            try_sources() if n % 3 else try_cut()
            if failed:
                break
        os.chdir("/")
    print(f"seed {SEED}: {ROUNDS} rounds, {failed} failed")
    sys.exit(1 if failed else 0)


main()
