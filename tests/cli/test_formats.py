"""The same cases give the same model, byte for byte, in whatever format they are read.

usage: test_formats.py [PROGRAM]    (else the program is $HCBR)

Random case bases are written in every format that can hold them, whole and in pieces, with labels
inside and in a separate file, and compressed. If options are stored in the model, only the
fingerprint of the cases can be the same.
"""
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

from seeds import take_seed

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.environ["HCBR"])
ROUNDS = 12
MODELS = [], ["--model", "plain"]  # the default, and the other
model = []
problems = []
checked = 0


def write(path, lines):
    data = "".join(line + "\n" for line in lines).encode()
    if path.endswith(".gz"):
        data = gzip.compress(data)
    with open(path, "wb") as file:
        file.write(data)


def train(*arguments, stdin=None):
    """Bytes of the model that the command line gives."""
    run = subprocess.run([PROGRAM, "train", *model, "-q", *arguments, "-o", "m"],
                         capture_output=True,
                         stdin=open(stdin, "rb") if stdin else subprocess.DEVNULL)
    if run.returncode != 0:
        raise SystemExit(f"train {' '.join(arguments)}: {run.stderr.decode()}")
    with open("m", "rb") as file:
        return file.read()


def fingerprint():
    """Of the model made last."""
    run = subprocess.run([PROGRAM, "inspect", "m", "--json"], check=True, capture_output=True)
    return json.loads(run.stdout)["fingerprint"]


def same(what, models):
    global checked
    first, wanted = next(iter(models.items()))
    for name, model in models.items():
        checked += 1
        if model != wanted:
            problems.append(f"{what}: {name} differs from {first}")


def draw_cases(draw, keys, values):
    """Cases of a label and a dictionary, keys in order; every key and label is met."""
    cases = [("yes", {k: draw.choice(values) for k in keys})]
    for _ in range(draw.randrange(3, 30)):
        chosen = [k for k in keys if draw.random() < 0.5]
        label = draw.choice(["yes", "no", "may be"])
        cases.append((label, {k: draw.choice(values) for k in chosen}))
    cases.append(("no", {}))
    return cases


def table(cases, keys, separator):
    """Lines of csv or tsv; the label stands in the middle."""
    half = len(keys) // 2
    names = keys[:half] + ["label"] + keys[half:]
    yield separator.join(names)
    for label, x in cases:
        yield separator.join(label if n == "label" else x.get(n, "") for n in names)


def objects(cases):
    return (json.dumps({"label": label, **x}) for label, x in cases)


def check_pairs(draw):
    """Ids with numbers: everything but text and cases can hold them."""
    keys = [str(n) for n in sorted(draw.sample(range(1, 200), 6))]
    cases = draw_cases(draw, keys, ["1", "2", "0.5", "17"])
    cases = [(label.replace(" ", ""), x) for label, x in cases]
    half = len(cases) // 2
    write("a.csv", table(cases, keys, ","))
    write("a.tsv", table(cases, keys, "\t"))
    write("a.csv.gz", table(cases, keys, ","))
    write("a.jsonl", objects(cases))
    write("a.svm", (" ".join([label] + [f"{k}:{v}" for k, v in x.items()]) for label, x in cases))
    write("b.csv", table(cases[:half], keys, ","))
    write("c.csv", table(cases[half:], keys, ","))
    write("d.jsonl", (json.dumps(x) for _, x in cases))
    write("labels", (label for label, _ in cases))
    models = {name: train(name) for name in ("a.csv", "a.tsv", "a.csv.gz", "a.jsonl", "a.svm")}
    models["two files"] = train("b.csv", "c.csv")
    models["a pipe"] = train("-", "--format", "csv", stdin="a.csv")
    models["a compressed pipe"] = train("-", "--format", "csv", stdin="a.csv.gz")
    models["labels apart"] = train("d.jsonl", "--outcomes", "labels")
    models["two threads"] = train("a.csv", "-j", "2")
    same("pairs", models)


def check_names(draw):
    """Bare names: lists of jsonl, cases, and columns of which only the presence counts."""
    keys = [f"n{k}" for k in range(6)]
    cases = draw_cases(draw, keys, ["1"])
    cases = [(label.replace(" ", ""), x) for label, x in cases]
    write("a.jsonl", (json.dumps({"label": label, "features": list(x)}) for label, x in cases))
    write("a.cases", (" ".join([*x, label]) for label, x in cases))
    write("b.cases", (" ".join(x) for _, x in cases))
    write("labels.gz", (label for label, _ in cases))
    write("a.csv", table(cases, keys, ","))
    models = {name: train(name) for name in ("a.jsonl", "a.cases")}
    models["labels apart"] = train("b.cases", "--outcomes", "labels.gz")
    same("names", models)
    prints = {"a.cases": fingerprint()}
    train("a.csv", "--presence", ",".join(keys))
    prints["--presence"] = fingerprint()
    same("names", prints)


def check_words(draw):
    """Words with counts: texts, and tables that hold the counts."""
    keys = ["ant", "bee", "cat", "dog", "elk", "fox_9"]
    cases = draw_cases(draw, keys, ["1", "2", "3"])
    write("a.txt", (label + "\t" + ", ".join(" ".join([k.upper()] * int(v)) for k, v in x.items())
                    for label, x in cases))
    write("b.txt", (" ".join(" ".join([k] * int(v)) for k, v in x.items()) for _, x in cases))
    write("labels", (label for label, _ in cases))
    write("a.csv", table(cases, keys, ","))
    write("a.jsonl", (json.dumps({"label": label, **{k: int(v) for k, v in x.items()}})
                      for label, x in cases))
    models = {name: train(name) for name in ("a.txt", "a.csv", "a.jsonl")}
    models["labels apart"] = train("b.txt", "--outcomes", "labels")
    same("words", models)


def check_columns(draw):
    """Sets and texts in columns: the same options, whatever the format."""
    words = ["Red", "green,", "BLUE!", "don't", "été"]
    rows = [("yes" if i % 2 else "no", "|".join(draw.sample("pqrst", draw.randrange(4))),
             " ".join(draw.choice(words) for _ in range(draw.randrange(5))))
            for i in range(draw.randrange(2, 20))]
    write("a.csv", ["label,tags,note"] + [f'{y},{t},"{n}"' for y, t, n in rows])
    write("a.tsv", ["label\ttags\tnote"] + [f"{y}\t{t}\t{n}" for y, t, n in rows])
    write("a.jsonl", (json.dumps({"note": n, "label": y, "tags": t}) for y, t, n in rows))
    options = ["--split", "tags:|", "--text", "note", "--ngrams", "2", "--min-count", "2"]
    same("columns", {name: train(name, *options) for name in ("a.csv", "a.tsv", "a.jsonl")})
    prints = {"--split": fingerprint()}
    write("b.jsonl", (json.dumps({"note": n, "label": y, "tags": t.split("|")})
                      for y, t, n in rows))
    train("b.jsonl", *options[2:])
    prints["a list"] = fingerprint()
    same("columns", prints)
    answers = {}
    train("a.csv", *options)
    for name in ("a.csv", "a.tsv", "a.jsonl"):  # by the options that the model stores
        run = subprocess.run([PROGRAM, "predict", "-q", "m", name], capture_output=True)
        answers[name] = run.stdout if run.returncode == 0 else run.stderr
    same("answers", answers)


def check_threads(draw):
    """Files that are large enough to be read by several threads."""
    words = [f"w{n}" for n in range(40)] + ["7:1", "a,b", "Été"]
    rows = [(draw.choice("xyz"), [draw.choice(words) for _ in range(6)]) for _ in range(120000)]
    rows[0][1][:] = words[:6]  # the first line is plainly what it is
    write("a.cases", (" ".join([*x, y]) for y, x in rows))
    write("b.cases", (" ".join(x) for _, x in rows))
    write("a.txt", (y + "\t" + " ".join(x) for y, x in rows))
    write("a.csv", ["label,t"] + [f'{y},"{" ".join(x)}"' for y, x in rows])
    write("labels", (y for y, _ in rows))
    options = {"a.cases": [], "b.cases": ["--outcomes", "labels"], "a.txt": ["--ngrams", "2"],
               "a.csv": ["--split", "t: "]}
    for name, given in options.items():
        given = [name, *given, "--keep-cases", "none"]
        same("threads " + name, {n: train(*given, "-j", n) for n in ("1", "2", "3")})


def main():
    global model
    draw = random.Random(take_seed())
    with tempfile.TemporaryDirectory(prefix="hcbr-formats-") as folder:
        os.chdir(folder)
        for turn in range(ROUNDS):
            model = MODELS[turn % len(MODELS)]
            for check in check_pairs, check_names, check_words, check_columns:
                check(draw)
        model = ["--model", "plain", "--passes", "0"]  # much to read, little to fit
        check_threads(draw)
        os.chdir("/")
    for problem in problems[:20]:
        print(problem)
    print(f"{checked - len(problems)} passed, {len(problems)} failed")
    sys.exit(1 if problems else 0)


main()
