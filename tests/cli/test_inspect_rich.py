"""hcbr inspect of a rich model: what it says of each feature and conjunction is rebuilt from the
reasons of every past case (hcbr explain --json --all), which never look at the model as a whole;
counts of features come from the data. Two and more labels, weights, missing values, sets, cases
kept and not."""
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
counted = []  # conjunctions of each model: not all may have none


def run(*args, code=0):
    got = subprocess.run([HCBR, *map(str, args)], capture_output=True, text=True)
    if got.returncode != code:
        failed.append(f"{args}: exit status {got.returncode}, expected {code}: {got.stderr}")
    return got.stdout


def look(*args):
    return json.loads(run("inspect", *args, "--json"))


def check(what, holds):
    if not holds and len(failed) < 40:
        failed.append(what)


def near(a, b):
    return abs(a - b) <= 1e-9 * (1 + abs(a) + abs(b))


def draw_data(draw, labels, weights):
    """Rows with a number, one of few values, one that is mostly missing, a category and words."""
    rows = []
    for i in range(draw.randint(40, 70)):
        label = draw.choice(labels)
        at = labels.index(label)
        age = round(draw.gauss(30 + 8 * at, 9), 1)
        words = {w for w in ("red", "green", "blue", "odd", "even")
                 if draw.random() < (.6 if hash_of(w) % len(labels) == at else .25)}
        if "odd" in words:  # always together: one atom
            words.add("twin")
        rows.append({"label": label, "weight": draw.randint(0, 3) if weights else 1,
                     "age": "" if draw.random() < .1 else str(age),
                     "grade": str(draw.randint(0, 2) + (at == 0)),
                     "rare": str(draw.randint(0, 20)) if draw.random() < .1 else "",
                     "job": draw.choice(["clerk", "cook", "smith" if at else "clerk", ""]),
                     "words": words})
    rows += [dict(r) for r in draw.sample(rows, 6)]
    with open("x.csv", "w") as f:
        f.write("label,weight,age,grade,rare,job,words\n")
        for r in rows:
            f.write(f"{r['label']},{r['weight']},{r['age']},{r['grade']},{r['rare']},"
                    f"{r['job']},{'|'.join(sorted(r['words']))}\n")
    return rows


def hash_of(word):
    return sum(map(ord, word))


def explained():
    return [json.loads(line) for line in
            run("explain", "m", "x.csv", "--json", "--all", "-q").splitlines()]


def lead_of(by_label, label):
    others = [v for l, v in by_label.items() if l != label]
    return by_label[label] - max(others)


class Group:
    """What the reasons of past cases say of a group, added up."""

    def __init__(self):
        self.weight = 0
        self.of = collections.Counter()
        self.cases = collections.Counter()
        self.sums = collections.Counter()

    def add(self, row, contribution):
        self.weight += row["weight"]
        self.of[row["label"]] += row["weight"]
        self.cases[row["label"]] += 1
        for label, value in contribution.items():
            self.sums[label] += row["weight"] * value

    def mean(self):
        return {label: value / self.weight for label, value in self.sums.items()}


def gather(rows, reasons):
    """Conjunctions by their tests, from the reasons of all past cases that count."""
    groups = collections.defaultdict(Group)
    for row, reason in zip(rows, reasons):
        if row["weight"] == 0:
            continue
        for a in reason["atoms"]:
            if a["kind"] == "tests":
                groups[tuple(a["features"])].add(row, a["contribution"])
    return groups


def check_list(name, label, got, want, total):
    """A ranked list against groups: the same ones, the same figures, in order."""
    for g in got:
        key = tuple(g.get("tests") or g["features"])
        check(f"{name} {key} is not in any reason", key in want)
        if key not in want:
            continue
        mean = want[key].mean()
        check(f"{name} {key} adds {g['strength']}, expected {mean}",
              near(g["strength"], mean[label]))
        check(f"{name} {key} lead", near(g["lead"], lead_of(mean, label)) and g["lead"] > 0)
        share = want[key].of[label] / total[label]
        check(f"{name} {key} average", near(g["average"], g["lead"] * share))
        check(f"{name} {key} cases {g['cases']}, expected {want[key].cases}",
              {l: n for l, n in g["cases"].items() if n} == +want[key].cases)
    order = [g["average"] for g in got]
    check(f"{name}: the strongest first", order == sorted(order, reverse=True))
    listed = {tuple(g.get("tests") or g["features"]) for g in got}
    check(f"{name}: each once", len(listed) == len(got))
    for key, group in want.items():
        check(f"{name} {key} is left out",
              key in listed or lead_of(group.mean(), label) <= 1e-9)


def has(row, text):
    """Does a row have a feature, or a value in a range, as it is written?"""
    m = re.fullmatch(r"(?:([-\d.e]+)<)?(age|grade|rare)(?:(<=|>| known)([-\d.e]+)?)?", text)
    if not m:
        key, value = text.split("=", 1)
        return value in row[key] if key == "words" else row[key] == value
    low, key, sign, number = m.groups()
    if row[key] == "":
        return False
    x = float(row[key])
    return (not low or x > float(low)) and \
        (x <= float(number) if sign == "<=" else x > float(number) if sign == ">" else True)


def features_of(rows, reasons, got):
    """The groups of single features that are listed, from the reasons of the cases that have them:
    a reason names the value, a model the range that it falls into."""
    want = collections.defaultdict(Group)
    for key in {tuple(g["features"]) for label in got.values() for g in label}:
        names = {re.split("=", f)[0] if "=" in f and "<=" not in f else
                 re.search("age|grade|rare", f).group() for f in key}
        for row, reason in zip(rows, reasons):
            if row["weight"] == 0 or not all(has(row, f) for f in key):
                continue
            if names == {"words"}:
                of = [a for a in reason["atoms"] if a["kind"] == "features" and
                      set(a["features"]) == set(key)]
            else:
                of = [a for a in reason["atoms"] if a["kind"] == "features" and
                      a["features"][0].split("=")[0] in names]
            check(f"{key} is no group of row {reason['row']}", len(of) == 1)
            if of:
                want[key].add(row, of[0]["contribution"])
    return want


def part_merged(rows, reasons, got):
    """A conjunction of one test that reads as a feature is a part of the feature in the reasons of
    a case. Here it gets a group again, of what it adds on average, and the feature the rest."""
    want = gather(rows, reasons)
    merged = {tuple(g["tests"]) for l in got["conjunctions"] for g in got["conjunctions"][l]
              if len(g["tests"]) == 1} - want.keys()
    for key in sorted(merged):
        adds = [g["contribution"] for g in
                look("m", "--atom", key[0], "--top", "1000000")["atom"]["conjunctions"]
                if tuple(g["tests"]) == key]
        check(f"{key} once", len(adds) == 1)
        for row, reason in zip(rows, reasons):
            of = [a for a in reason["atoms"] if a["features"] == list(key)]
            if not has(row, key[0]) or not adds:
                continue
            check(f"{key} is a part of one group", [a["kind"] for a in of] == ["features"])
            for a in of[:1]:
                for label, value in adds[0].items():
                    a["contribution"][label] -= value
                reason["atoms"].append({**a, "kind": "tests", "contribution": adds[0]})


def rebuilt(turn, draw):
    labels = ["no", "yes", "c", "d", "e"][:(2, 3, 5)[turn % 3]]
    weights = turn % 2 == 1
    rows = draw_data(draw, labels, weights)
    keep = ("full", "anonymous")[turn // 2 % 2]
    run("train", "x.csv", "--model", "rich", "--split", "words:|", "-q", "-o", "m", "--keep-cases",
        keep, "--effort", ("lite", "normal")[turn // 3 % 2], "--ignore" if not weights else
        "--weight", "weight")
    reasons = explained()
    got = look("m", "--top", "1000000")
    total = {l: sum(r["weight"] for r in rows if r["label"] == l) for l in labels}
    part_merged(rows, reasons, got)
    want = gather(rows, reasons)
    check("conjunctions are counted", got["atom_count"]["conjunctions"] == len(want))
    check("features that nothing is trusted to are none", got["atom_count"]["features"] or not any(
        any(a["contribution"].values()) for r in reasons for a in r["atoms"]
        if a["kind"] == "features"))
    counted.append(len(want))
    singles = features_of(rows, reasons, got["strongest"])
    for label in labels:
        check_list(f"conjunctions of {label}", label, got["conjunctions"][label], want, total)
        check_list(f"features of {label}", label, got["strongest"][label], singles, total)
        few = look("m", "--top", "2")
        check("--top", few["conjunctions"][label] == got["conjunctions"][label][:2] and
              few["strongest"][label] == got["strongest"][label][:2])
    for a in {a for r in reasons[:20] for g in r["atoms"] if g["kind"] == "features"
              for a in g["features"] if a.split("=")[0] in ("job", "words")}:
        check(f"{a} is listed for no label", any(a in g["features"] for l in labels
                                                 for g in got["strongest"][l]) or
              all(abs(v) < 1e-9 for r in reasons for g in r["atoms"]
                  if a in g["features"] and g["kind"] == "features"
                  for v in g["contribution"].values()))
    return rows, reasons, got


def accepts(test, key, value):
    """Does a test of a category, as it is written, ask for this key and accept this value?"""
    m = re.fullmatch(r"\(?" + key +
                     r"(=| not | known| missing)(.*?)(?: or missing\)| nor missing)?", test)
    if not m:
        return False
    how, values = m.group(1), m.group(2).split("|")
    return how == " known" or (how == "=" and value in values) or \
        (how == " not " and value not in values)


def one_atom(rows, reasons, got):
    atom = look("m", "--atom", "job=clerk", "--top", "1000000")["atom"]
    check("plain strengths are not shown", atom["strength"] is None)
    clerk = Group()
    for row, reason in zip(rows, reasons):
        for a in reason["atoms"]:
            if a["features"] == ["job=clerk"] and a["kind"] == "features" and row["weight"]:
                clerk.add(row, a["contribution"])
    own = clerk.mean() if clerk.weight else {}
    trusted = any(own.values())  # a family of atoms that has earned no trust is not listed
    check("of the atom, by itself",
          [g["features"] for g in atom["strongest"]] == [["job=clerk"]] * trusted)
    for group in atom["strongest"]:
        check("what it adds", all(near(own[l], group["contribution"][l]) for l in own))
    listed = {tuple(g["tests"]): g for g in atom["conjunctions"]}
    everywhere = {tuple(g["tests"]): g for l in got["conjunctions"]
                  for g in got["conjunctions"][l] if g["lead"] > 0}
    asked = {key for key in everywhere if any(accepts(test, "job", "clerk") for test in key)}
    check(f"conjunctions with it: {set(listed) ^ asked}",
          set(listed) == asked and bool(asked) == bool(everywhere))
    for key, g in listed.items():
        check("the label it speaks for", g["label"] == max(g["contribution"],
                                                           key=g["contribution"].get))
        check("the same group", near(g["average"], everywhere[key]["average"]))


def values_of(row):
    """The features of a row, as a model names them."""
    return sorted([f"{key}={row[key].removesuffix('.0')}" for key in ("age", "grade", "rare", "job")
                   if row[key]] + [f"words={w}" for w in row["words"]])


def one_case(rows):
    """Past cases in full: their features, each in an atom, and the cases of an atom."""
    atoms = collections.defaultdict(set)
    shown = {}
    for i, row in enumerate(rows, 1):
        case = look("m", "--case", i)["case"]
        features = [f for a in case["atoms"] for f in a["features"]]
        check(f"row {i} has {features}", sorted(features) == values_of(row))
        check("its label", case["row"] == i and case["label"] == row["label"])
        for a in case["atoms"]:
            atoms[a["number"]].add(i)
            shown[a["number"]] = a["case_count"]
        text = run("inspect", "m", "--case", i)
        check(f"row {i} for people", all(f"\n    {f}\n" in text for f in features))
    for number, where in atoms.items():
        check(f"cases of atom {number}", shown[number] == len(where))
    for number in sorted(atoms)[::7]:
        atom = look("m", "--atom", number)["atom"]
        check(f"rows of atom {number}", atom["rows"] == sorted(atoms[number]) and
              sum(atom["cases"].values()) == len(atoms[number]))
        text = run("inspect", "m", "--atom", number, "--top", "1000")
        check(f"atom {number} for people",
              [int(n) for n in re.findall(r"^  row (\d+)", text, re.M)] == sorted(atoms[number]))


def none_kept(rows, got):
    """Without cases: features as they were, conjunctions without counts, and the reader is told."""
    run("train", "x.csv", "--model", "rich", "--split", "words:|", "-q", "-o", "none",
        "--keep-cases", "none", "--ignore", "weight")
    run("train", "x.csv", "--model", "rich", "--split", "words:|", "-q", "-o", "m", "--ignore",
        "weight")
    full, none = look("m", "--top", "1000000"), look("none", "--top", "1000000")
    for label in full["strongest"]:
        a, b = full["strongest"][label], none["strongest"][label]
        check("features need no cases", [g["features"] for g in a] == [g["features"] for g in b] and
              all(x["cases"] == y["cases"] and near(x["average"], y["average"]) and
                  near(x["lead"], y["lead"]) for x, y in zip(a, b)))
        leads = [g["lead"] for g in none["conjunctions"][label]]
        check("conjunctions go by what they add", leads == sorted(leads, reverse=True) and leads)
        check("no counts", all(g["cases"] is None and g["average"] is None
                               for g in none["conjunctions"][label]))
    check("the same conjunctions", full["atom_count"] == none["atom_count"])
    text = run("inspect", "none", "--top", "2")
    check("said", "no past cases are kept (--keep-cases none)" in text and
          "past cases cannot be shown" in text)
    atom = look("none", "--atom", "job=clerk")["atom"]
    check("an atom", atom["rows"] is None and all(g["cases"] for g in atom["strongest"]) and
          atom["conjunctions"][0]["cases"] is None)
    run("inspect", "none", "--case", "1", code=2)


def text_for_people():
    text = run("inspect", "m", "--top", "7")
    tables = text[text.index("adds:"):text.index("\nweight: ")]
    check("80 columns", max(map(len, tables.splitlines())) <= 80)
    got = look("m", "--top", "7")
    for label, groups in got["conjunctions"].items():
        part = tables[tables.index(f"conjunctions for {label}"):]
        joined = re.sub(r" {2,}[-\d. ]+\n  (?=&|\()", " ", part)
        for g in groups:
            for test in g.get("words", g["tests"]):
                check(f"{test} can be read", test in joined)
    check("no plain strengths", "strength" not in text and "scope" not in text)
    check("one case", "adds to a case just like it" in run("inspect", "m", "--case", "1"))
    atom = run("inspect", "m", "--atom", "job=clerk", "--top", "3")
    check("one atom", "adds by itself" in atom and "adds in conjunctions" in atom and
          "strength" not in atom and max(map(len, atom.splitlines())) <= 80)


def documented():
    with open(os.path.join(SOURCE, "docs", "JSON.md")) as f:
        text = re.search(r"^## hcbr\.inspect/1\n(.*?)(^## |\Z)", f.read(), re.M | re.S).group(1)
    named = set(re.findall(r"`(\w+)`", text))
    got, atom = look("m"), look("m", "--atom", "job=clerk")["atom"]
    for thing in (got, got["atom_count"], got["conjunctions"]["no"][0], atom,
                  atom["conjunctions"][0], *got["strongest"]["no"], *atom["strongest"]):
        check(f"keys {set(thing) - named} are in docs/JSON.md", set(thing) <= named)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    source = random.Random(take_seed(11))
    for number in range(6):
        data = rebuilt(number, source)
        one_atom(*data)
        if number == 0:
            one_case(data[0])
    check(f"conjunctions: {counted}", sum(map(bool, counted)) >= 4)
    none_kept(data[0], data[2])
    text_for_people()
    documented()
    os.chdir("/")
print("\n".join(failed) or "all good")
sys.exit(bool(failed))
