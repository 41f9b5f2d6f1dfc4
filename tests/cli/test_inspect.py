"""hcbr inspect: the hypergraph counted here in another way, what past cases put in adds up to the
strengths, one atom and one case in full, and what is not kept is said."""
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from seeds import take_seed

HCBR = os.environ["HCBR"]
PLAIN = ["--model", "plain"]
SOURCE = os.environ.get("HCBR_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
failed = []


def run(*args, code=0):
    got = subprocess.run([HCBR, *map(str, args)], capture_output=True, text=True)
    if got.returncode != code:
        failed.append(f"{args}: exit status {got.returncode}, expected {code}: {got.stderr}")
    return got


def look(*args):
    return json.loads(run("inspect", *args, "--json").stdout)


def check(what, holds):
    if not holds:
        failed.append(what)


def near(a, b):
    return abs(a - b) <= 1e-12


def class_of(n):
    for name, least in (("10000 or more", 10000), ("1000-9999", 1000), ("100-999", 100),
                        ("10-99", 10), ("2-9", 2), ("1", 1)):
        if n >= least:
            return name


def random_bases():
    draw = random.Random(take_seed(7))
    for turn in range(12):
        names = [f"f{i}" for i in range(draw.randint(2, 30))]
        cases = [(draw.choice("abc"[:draw.randint(2, 3)]),
                  draw.sample(names, draw.randint(0, len(names)))) for _ in range(40)]
        with open("x.jsonl", "w") as f:
            for i, (label, features) in enumerate(cases):
                f.write(json.dumps({"id": f"n{i}", "label": label, "features": features}) + "\n")
        run("train", *PLAIN, "x.jsonl", "--id", "id", "-q", "-o", "m", "--passes", str(turn % 3),
            "--scope", ["class", "all"][turn % 2])
        got = look("m", "--top", "1000")
        where = collections.defaultdict(set)
        for i, (_, features) in enumerate(cases):
            for f in features:
                where[f].add(i)
        atoms = collections.Counter(frozenset(s) for s in where.values())
        h = got["hypergraph"]
        counts = [sum(i in s for s in atoms) for i in range(40)]
        check("atoms per case", near(h["atoms_per_case"], sum(counts) / 40) and
              (h["least_atoms"], h["most_atoms"]) == (min(counts), max(counts)) and
              h["incidences"] == sum(counts))
        check("sizes", {k: v for k, v in h["atoms_by_size"].items() if v} ==
              collections.Counter(class_of(n) for n in atoms.values()))
        check("degrees", {k: v for k, v in h["atoms_by_cases"].items() if v} ==
              collections.Counter(class_of(len(s)) for s in atoms))
        check("largest", h["largest_atom"] == max(atoms.values()) and
              h["most_cases"] == max(map(len, atoms)))
        check("overlap", near(h["overlap"], sum(len(s) * n for s, n in atoms.items()
                                                if len(s) > 1) / got["occurrences"]))
        total = collections.Counter()
        for e in range(got["atoms"]):
            a = look("m", "--atom", str(e))["atom"]
            rows = {i + 1 for i in where[a["features"][0]]}
            check("rows of an atom", set(a["rows"]) == rows and sum(a["cases"].values()) ==
                  len(rows))
            check("by a feature", look("m", "--atom", a["features"][-1])["atom"] == a)
            for label, mu in a["strength"].items():
                total[label] += mu
        for label in total:
            check("what is put in is all there is",
                  near(total[label], sum(c["put_in"][label] for c in got["weightiest"])))
        weights = [c["weight"] for c in got["weightiest"]]
        check("the weightiest first", weights == sorted(weights, reverse=True) and
              len(weights) == 40)
        one = got["weightiest"][0]
        c = look("m", "--case", one["id"])["case"]
        check("a case in full", c["put_in"] == one["put_in"] and c == look(
            "m", "--case", str(one["row"]))["case"] and
              {f for a in c["atoms"] for f in a["features"]} == set(cases[one["row"] - 1][1]))


def privacy():
    run("train", *PLAIN, "x.jsonl", "--id", "id", "-q", "-o", "none", "--keep-cases", "none")
    got = look("none")
    check("none", got["weightiest"] is None and "option keep_cases none" in got["no_cases"] and
          got["hypergraph"]["least_atoms"] is None)
    check("said", "past cases cannot be shown: the model was trained with --keep-cases none" in
          run("inspect", "none").stdout)
    check("an atom without rows", look("none", "--atom", "0")["atom"]["rows"] is None)
    check("refused", "--keep-cases none" in run("inspect", "none", "--case", "1", code=2).stderr)
    run("train", *PLAIN, "x.jsonl", "--id", "id", "-q", "-o", "anonymous", "--keep-cases",
        "anonymous")
    check("no names", '"n1"' not in run("inspect", "anonymous", "--json", "--top", "99").stdout)
    run("inspect", "anonymous", "--case", "n1", code=2)
    check("a row", look("anonymous", "--case", "2")["case"]["id"] is None)
    run("inspect", "m", "--atom", "99999", code=2)
    run("inspect", "m", "--atom", "nothing", code=2)
    run("inspect", "m", "--case", "nobody", code=2)


def documented():
    with open(os.path.join(SOURCE, "docs", "JSON.md")) as f:
        text = re.search(r"^## hcbr\.inspect/1\n(.*?)(^## |\Z)", f.read(), re.M | re.S).group(1)
    named = set(re.findall(r"`(\w+)`", text))
    got = look("m")
    for thing in (got, got["hypergraph"], got["weightiest"][0], look("m", "--atom", "0")["atom"],
                  look("m", "--case", "2")["case"], look("m", "--case", "2")["case"]["atoms"][0]):
        check(f"keys {set(thing) - named}", set(thing) <= named)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    random_bases()
    privacy()
    documented()
    os.chdir("/")
print("\n".join(failed) or "all good")
sys.exit(bool(failed))
