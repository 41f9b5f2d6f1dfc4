"""Cases converted to any target are the same cases, and give the same model, byte for byte.

Random case bases full of odd text are given to the program as pairs of JSON Lines. What it writes
is read back by the modules csv and json and a few lines here, and compared with the cases that were
drawn; and a model of each result with the model of what was given. HCBR_SEED repeats a run.
"""
import csv
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from seeds import take_seed

PROGRAM = os.path.abspath(os.environ["HCBR"])
SEED = take_seed()
ROUNDS = int(os.environ.get("HCBR_ROUNDS") or 45)
MISSING = {"", "?", "NA", "NaN", "null"}
KEYS = ["a", "b", "c", "a.b", "label", "y", "class", "name", "features", "", "tab\t", "NA", "?",
        "ü", "a long key that is not packed", "x=y", "{", "\ufeffm", "1", "back\\slash", "q\"q",
        "a,b"]
VALUES = ["1", "2", "01", "1.0", "1", "", "NA", "null", "?", "true", " ", "a,b", '"q"', "\r",
          "\r\n", "two\nlines", "tab\t", "\\", "\\t", "\ufeffv", "ü" * 9, "=", "x" * 30, "\x01",
          "\x7f",
          "\\x41"]
PLAIN_KEYS = ["a", "b", "c", "dd", "a long key that is not packed", "y", "ü", "a,b", "{"]
PLAIN_VALUES = ["1", "2", "01", "1.0", "true", " ", "a,b", '"q"', "two\nlines", "\r", "tab\t",
                "x" * 30]
MODELS = [], ["--model", "plain"]  # the default, and the other
failed = turn = 0
random.seed(SEED)


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, stdin=subprocess.DEVNULL,
                          timeout=60)


def check(condition, what, *more):
    global failed
    if not condition:
        failed += 1
        print(f"FAILED seed {SEED}:", what, *more)


def draw(kind):
    """A case base: (label, id or None, features), the order of the features included."""
    plain, table = kind != "odd", kind == "table"
    keys = random.sample(PLAIN_KEYS if plain else KEYS, random.randint(1, 6))
    values = PLAIN_VALUES if plain else VALUES
    labels = random.choice([["1", "0"], ["yes", "no"], ["-1.5", "+1", "3"], ["two words", "a:b,c"]])
    ids = random.random() < 0.5
    cases = []
    for _ in range(random.randint(1, 12)):
        features = []
        for key in keys:
            for _ in range(1 if table else random.choice([0, 1, 1, 2])):
                feature = (key, random.choice(values) if table or random.random() < 0.8 else None)
                if random.random() < 0.8 and feature not in features:
                    features.append(feature)
        if kind == "odd" and random.random() < 0.5:
            random.shuffle(features)
        name = random.choice(["Ann", "Bob \"B\"", "\t", "7", None]) if ids else None
        cases.append((random.choice(labels), name, features))
    return cases


def write_pairs(cases, path):
    with open(path, "w", encoding="utf-8") as file:
        for label, name, features in cases:
            line = {"class": label}
            if name is not None:
                line["name"] = name
            line["features"] = [[k] if v is None else [k, v] for k, v in features]
            file.write(json.dumps(line) + "\n")


def read_jsonl(text, named):
    cases = []
    for line in text.decode().split("\n")[:-1]:
        label, name, features = None, None, []
        for key, value in json.loads(line, object_pairs_hook=lambda pairs: pairs):
            if key == "class":
                label = value
            elif key == "name" and named:
                name = value
            elif key == "features":
                for item in value:
                    features.append((item, None) if isinstance(item, str)
                                    else (item[0], item[1] if len(item) > 1 else None))
            else:
                for item in value if isinstance(value, list) else [value]:
                    check(isinstance(item, str), "a value is no string", line)
                    if item not in MISSING:
                        features.append((key, item))
        cases.append((label, name, features))
    return cases


def read_csv(text, delimiter, named):
    text = io.StringIO(text.decode(), newline="")
    rows = list(csv.reader(text, delimiter=delimiter, strict=True))
    cases = []
    for row in rows[1:]:
        fields = dict(zip(rows[0], row, strict=True))
        name = (fields.pop("name") or None) if named else None
        label = fields.pop("class")
        cases.append((label, name, [(k, v) for k, v in fields.items() if v not in MISSING]))
    return cases


ESCAPES = {b"t": b"\t", b"n": b"\n", b"r": b"\r", b"\\": b"\\"}


def unescape(text):
    return re.sub(rb"\\(x..|.)", lambda m: ESCAPES.get(m[1]) or bytes([int(m[1][1:], 16)]),
                  text).decode()


def read_ids(data, names, outcomes):
    features, labels, ids, cases = {}, {}, {}, []
    for line in names.split(b"\n")[:-1]:
        kind, *fields = [unescape(f) for f in line.split(b"\t")]
        if kind == "feature":
            features[fields[0]] = (fields[1], fields[2] if len(fields) > 2 else None)
        elif kind == "label":
            labels[fields[0]] = fields[1]
        elif kind == "case":
            ids[int(fields[0])] = fields[1]
        elif line != b"table":
            check(kind == "label_name" and fields == ["class"], "a line of names", line)
    for row, line in enumerate(data.decode().split("\n")[:-1], 1):
        tokens = line.split(" ") if line else []
        label = outcomes.pop(0) if outcomes is not None else tokens.pop(0)
        if outcomes is None:
            check(all(t.endswith(":1") for t in tokens), "a value other than 1", line)
            tokens = [t[:-2] for t in tokens]
        cases.append((labels.get(label, label) if labels else label, ids.get(row),
                      [features[t] for t in tokens]))
    return cases


def holds_table(cases):
    """The row that a table cannot hold, or None."""
    named = any(name for _, name, _ in cases)
    for row, (_, _, features) in enumerate(cases, 1):
        keys = [k for k, _ in features]
        if len(set(keys)) < len(keys) or any(
                v is None or v in MISSING or k in ("", "class") or (named and k == "name") or
                "\ufeff" in k + v for k, v in features):
            return row
    return None


def same_sets(a, b):
    a, b = ([(x, y, sorted(z, key=str)) for x, y, z in cases] for cases in (a, b))
    return a == b


def read(path):
    with open(path, "rb") as file:
        return file.read()


def train(path, *options):
    return train_with(path, "--label", "class", *options)


def train_with(path, *options):
    result = run("train", *MODELS[turn % len(MODELS)], "--strict", "-q", path, "-o", "m.hcbr",
                 *options)
    check(result.returncode == 0, "train", path, result.stderr)
    return read("m.hcbr")


def try_base(kind):
    cases = draw(kind)
    write_pairs(cases, "in.jsonl")
    named = any(name for _, name, _ in cases)
    options = ["--id", "name"] if named else []
    want = train("in.jsonl", *options)
    convert = ["convert", "-q", "in.jsonl", "--label", "class", *options, "-o"]

    result = run(*convert, "out.jsonl")
    check(result.returncode == 0, "jsonl", result.stderr)
    check(read_jsonl(read("out.jsonl"), named) == cases, "jsonl differs", cases, read("out.jsonl"))
    check(train("out.jsonl", *options) == want, "the model of jsonl differs", cases)

    result = run(*convert, "out.libsvm")
    check(result.returncode == 0, "libsvm", result.stderr)
    found = read_ids(read("out.libsvm"), read("out.libsvm.names"), None)
    check(found == cases, "libsvm differs", cases, found)
    check(train_with("out.libsvm", "--names", "out.libsvm.names", *options) == want,
          "the model of libsvm differs", cases)
    result = run(*convert, "sorted.libsvm", "--sorted", "--names-out", "n")
    ids = [[int(t.split(":")[0]) for t in line.split()[1:]]
           for line in read("sorted.libsvm").decode().split("\n")]
    check(all(line == sorted(line) for line in ids), "ids do not ascend", cases)
    found = read_ids(read("sorted.libsvm"), read("n"), None)
    check(same_sets(found, cases), "sorted differs", cases)

    result = run(*convert, "out.cases", "--names-out", "n", "--outcomes-out", "o")
    check(result.returncode == 0, "cases", result.stderr)
    found = read_ids(read("out.cases"), read("n"), read("o").decode().split("\n"))
    check(found == cases, "cases differ", cases, found)
    check(train_with("out.cases", "--names", "n", "--outcomes", "o", *options) == want,
          "the model of cases differs", cases)

    for target, delimiter in ("csv", ","), ("tsv", "\t"):
        bad = holds_table(cases)
        result = run(*convert, "out." + target, "--json")
        if bad:
            start = b"hcbr convert: row %d: " % bad
            check(result.returncode == 3 and result.stderr.startswith(start),
                  target, "held what it cannot", cases, result.stderr)
            check(not os.path.exists("out." + target), "a file is left behind")
            continue
        check(result.returncode == 0, target, result.stderr)
        found = read_csv(read("out." + target), delimiter, named)
        check(same_sets(found, cases), target, "differs", cases, found)
        model = train("out." + target, *options)
        if json.loads(result.stdout)["order_kept"]:
            check(found == cases, "the order differs", cases, found)
            check(model == want, "the model of", target, "differs", cases)
        else:
            check(kind != "table", "a table has an order", cases)
        os.remove("out." + target)


def main():
    global turn
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for n in range(ROUNDS):
            turn = n
            try_base(["odd", "plain", "table"][n % 3])
            if failed:
                break
        os.chdir("/")
    print(f"seed {SEED}: {ROUNDS} case bases, {failed} failed")
    sys.exit(1 if failed else 0)


main()
