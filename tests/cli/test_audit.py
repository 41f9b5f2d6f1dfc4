"""hcbr audit against figures counted here in another way, on random and on made-up data."""
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
SOURCE = os.environ.get("HCBR_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
failed = []


def run(*args, code=None, stdin=None):
    got = subprocess.run([HCBR, *args], input=stdin, capture_output=True, text=True)
    if code is not None and got.returncode != code:
        failed.append(f"{args}: exit status {got.returncode}, expected {code}: {got.stderr}")
    return got


def check(what, holds):
    if not holds:
        failed.append(what)


def audit(cases, *args, code=None):
    """cases: (label, list of tokens)"""
    with open("x.jsonl", "w") as f:
        for label, features in cases:
            f.write(json.dumps({"label": label, "features": features}) + "\n")
    got = run("audit", "x.jsonl", "--json", "-q", "--top", "100000", *args, code=code)
    return json.loads(got.stdout), got.returncode


def of_kind(found, kind):
    return [f for f in found["findings"] if f["kind"] == kind]


def random_bases():
    draw = random.Random(take_seed(5))
    for _ in range(60):
        n, width = draw.randint(1, 60), draw.randint(1, 6)
        names = [f"f{i}" for i in range(width)]
        cases = [(draw.choice("ab" if draw.random() < .5 else "abc"),
                  draw.sample(names, draw.randint(0, width))) for _ in range(n)]
        got, code = audit(cases)
        groups = collections.defaultdict(list)
        for row, (label, features) in enumerate(cases, 1):
            groups[frozenset(features)].append((row, label))
        best = {s: collections.Counter(l for _, l in g).most_common(1)[0][1]
                for s, g in groups.items()}
        check("different", got["different"] == len(groups))
        check("limit", abs(got["accuracy_limit"] - sum(best.values()) / n) < 1e-15)
        check("empty", got["empty"] == len(groups.get(frozenset(), [])))
        check("contradictory", got["contradictory"] ==
              sum(len(g) for s, g in groups.items() if best[s] < len(g)))
        check("duplicates", got["duplicates"] ==
              sum(len(g) - len({l for _, l in g}) for s, g in groups.items() if s))
        degree = collections.Counter(f for _, features in cases for f in features)
        full = n - got["empty"]
        check("constant", got["constant"] ==
              (sum(d == full for d in degree.values()) if full > 1 else 0))
        check("one-off", got["one_off"] ==
              (sum(d == 1 for d in degree.values()) if full > 1 else 0))
        check("atoms", got["atoms"] ==
              len({frozenset(i for i, c in enumerate(cases) if f in c[1]) for f in degree}))
        expected = {frozenset(s): sorted(r for r, _ in g) for s, g in groups.items()
                    if s and best[s] < len(g)}
        shown = {frozenset(f["features"]): f["rows"] for f in of_kind(got, "contradiction")}
        check("rows of contradictions",
              {s: rows[:10] for s, rows in expected.items()} == shown)
        check("exit status", code == (1 if got["serious"] else 0) and
              got["serious"] == sum(f["serious"] for f in got["findings"]))
        for f in got["findings"]:
            check("rows are named", f["rows"] and f["rows"] == sorted(f["rows"]) and
                  all(1 <= r <= n for r in f["rows"]) or f["kind"] == "coverage")


def made_up():
    draw = random.Random(3)
    base = [("yes" if i % 2 else "no", [f"w{draw.randint(0, 5)}", f"v{draw.randint(0, 5)}"])
            for i in range(200)]
    got, _ = audit(base)
    check("no leak in noise", not of_kind(got, "leak") and not of_kind(got, "ids") and
          not of_kind(got, "order"))
    got, code = audit([(l, f + ["paid", "sent"] if l == "yes" else f) for l, f in base])
    leak = of_kind(got, "leak")
    check("a leak", code == 1 and len(leak) == 1 and leak[0]["label"] == "yes" and
          sorted(leak[0]["features"]) == ["paid", "sent"] and leak[0]["rows"][0] == 2)
    got, _ = audit(sorted(base))
    order = of_kind(got, "order")
    check("sorted", len(order) == 1 and order[0]["rows"] == [101] and not order[0]["serious"])
    got, code = audit([("only", f) for _, f in base])
    check("one label", code == 1 and of_kind(got, "one label"))
    got, _ = audit(base + [("rare", ["w1"])])
    rare = of_kind(got, "rare label")
    check("rare", len(rare) == 1 and rare[0]["rows"] == [201] and rare[0]["label"] == "rare")
    got, code = audit([(l, f[:0]) for l, f in base[:30]] + base)
    check("many empty", code == 1 and of_kind(got, "empty")[0]["count"] == 30)
    got, code = audit([(l, [f"u{i}"]) for i, (l, _) in enumerate(base)])
    check("nothing shared", code == 1 and of_kind(got, "coverage")[0]["count"] == 20 and
          got["coverage"] == 0)
    with open("t.csv", "w") as f:
        f.write("label,code,number,colour\n")
        for i, (l, _) in enumerate(base):
            colour = {"yes": ["red", "blue"], "no": ["green", "grey"]}[l][i // 2 % 2]
            f.write(f"{l},{i + 1000},{i % 7},{colour}\n")
    got = json.loads(run("audit", "t.csv", "--json", "-q", code=1).stdout)
    check("a column of ids", [f["key"] for f in of_kind(got, "ids")] == ["code"])
    check("a column that knows", [f["key"] for f in of_kind(got, "leaking key")] == ["colour"])
    text = run("audit", "t.csv", "-q", "--ignore", "colour", code=1).stdout
    check(text, "SERIOUS  code has 200 values in 200 cases, like an id" in text)
    text = run("audit", "t.csv", "-q", "--ignore", "colour,code").stdout
    check(text, "like an id" not in text and "give the labels away" not in text)
    with open("m.csv", "w") as f:  # measurements, dates and texts are new in every case
        f.write("label,length,day,note\n")
        for i, (l, _) in enumerate(base):
            f.write(f"{l},{i * 37 % 1009 / 8},2019-{i % 12 + 1:02}-{i % 28 + 1:02},"
                    f"came in {i} by {i * 7 % 11} men\n")
    for options in ([], ["--ignore", "note,day"], ["--ignore", "length"]):
        text = run("audit", "m.csv", "-q", *options).stdout
        check(f"no strangers: {text}", "SERIOUS" not in text and "coverage" not in text)
    got = json.loads(run("audit", "m.csv", "--json", "-q").stdout)
    check("nothing to be known", got["coverage"] is None and got["held_out"] == 20)


def documented():
    with open(os.path.join(SOURCE, "docs", "JSON.md")) as f:
        text = re.search(r"^## hcbr\.audit/1\n(.*?)^## ", f.read(), re.M | re.S).group(1)
    keys = set(re.findall(r"`(\w+)`", " ".join(line.split("|")[1] for line in text.splitlines()
                                              if line.startswith("|"))))
    votes = os.path.join(SOURCE, "examples", "votes.csv")
    got = json.loads(run("audit", votes, "--json", code=0).stdout)
    check(f"keys {keys ^ set(got)}", keys == set(got))
    named = set(re.findall(r"`([\w -]+)`", text.split("A finding is an object")[1]))
    check("keys of a finding", set(got["findings"][0]) <= named)
    check("kinds", set(got["found"]) <= named)
    check("the same again", run("audit", votes).stdout == run("audit", votes).stdout)
    run("audit", code=2)
    run("audit", votes, "--passes", "2", code=2)
    run("audit", "nowhere.csv", code=5)
    bad = run("audit", "-", "--format", "jsonl",
              stdin='{"label":"a\\u001b[1m","features":["b\\u001b[1m"]}\n' * 3)
    check("text of the data steers no terminal", "\x1b" not in bad.stdout)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    random_bases()
    made_up()
    documented()
    os.chdir("/")
print("\n".join(failed) or "all good")
sys.exit(bool(failed))
