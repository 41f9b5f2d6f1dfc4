"""The data sets of bench/quality, the same rows and folds for every method.

`prepare(folder)` writes, for each set, `<name>.csv` or `<name>.jsonl` (what hcbr reads) and
`<name>.folds` (the fold of each row). Rows of large sets are cut to 50,000; folds are stratified
and drawn from a fixed key, so everybody who prepares the sets has the same ones.
"""
import csv
import gzip
import hashlib
import json
import os
import re

DATA = os.environ.get("HCBR_DATA") or os.path.join(os.path.dirname(__file__), "..", "..", "..",
                                                   "shared", "data")
MOST = 50000

# name, file, columns left out, "choose": settings were chosen on it; "confirm": they were not
SETS = [
    ("adult", "paper/adult.csv", [], "choose"),
    ("breast", "paper/breast.csv", ["id"], "confirm"),
    ("heart", "paper/heart.csv", [], "choose"),
    ("mushrooms", "paper/mushrooms.csv", [], "confirm"),
    ("phishing", "paper/phishing.csv", [], "choose"),
    ("skin", "paper/skin.csv.gz", [], "confirm"),
    ("splice", "paper/splice_acgt_binary.csv", [], "choose"),
    ("splice3", "paper/splice.csv", [], "confirm"),
    ("bank", "more/bank-additional.csv.gz", [], "confirm"),
    ("car", "more/car.csv", [], "choose"),
    ("credit-g", "more/credit-g.csv", [], "choose"),
    ("electricity", "more/electricity.csv.gz", [], "choose"),
    ("kdd", "more/kddcup99-10pct.csv.gz", [], "confirm"),
    ("kr-vs-kp", "more/kr-vs-kp.csv", [], "confirm"),
    ("nursery", "more/nursery.csv", [], "confirm"),
    ("sms-spam", "more/sms-spam.csv", [], "confirm"),
    ("soybean", "more/soybean.csv", [], "confirm"),
    ("spambase", "more/spambase.csv", [], "choose"),
    ("titanic", "more/titanic.csv", [], "choose"),
    ("whats-cooking", "more/whats-cooking_sets.csv.gz", [], "confirm"),
]
BAGS = {"sms-spam": lambda row: re.findall(r"\w+", row[0].lower()),
        "whats-cooking": lambda row: row[0].split("|")}


def draw(*key):
    """A number that depends on the key alone."""
    return int.from_bytes(hashlib.blake2b(repr(key).encode(), digest_size=8).digest(), "big")


def load(name):
    """Header (without the label) and rows (label last) of a set, cut to the most rows."""
    path, drop = next((s[1], s[2]) for s in SETS if s[0] == name)
    path = os.path.join(DATA, path)
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    header, rows = rows[0], rows[1:]
    keep = [i for i, h in enumerate(header) if h not in drop]
    header = [header[i] for i in keep]
    rows = [[r[i] for i in keep] for r in rows]
    if len(rows) > MOST:
        order = sorted(range(len(rows)), key=lambda i: draw(name, "row", i))[:MOST]
        rows = [rows[i] for i in sorted(order)]
    return header[:-1], rows


def folds(name, rows):
    """The fold of each row: stratified, three for sets that were cut, else ten."""
    count = 3 if len(rows) >= MOST else 10
    order = sorted(range(len(rows)), key=lambda i: (rows[i][-1], draw(name, "fold", i)))
    out = [0] * len(rows)
    for place, i in enumerate(order):
        out[i] = place % count
    return out


def write(base, header, rows, fold):
    """A table as `<base>.csv`, and the fold of each row as `<base>.folds`."""
    with open(base + ".csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header + ["label"])
        writer.writerows(rows)
    write_folds(base, fold)


def write_folds(base, fold):
    with open(base + ".folds", "w", encoding="utf-8") as file:
        file.write("\n".join(map(str, fold)) + "\n")


def prepare(folder):
    os.makedirs(folder, exist_ok=True)
    for name, *_ in SETS:
        base = os.path.join(folder, name)
        if os.path.exists(base + ".folds"):
            continue
        header, rows = load(name)
        if name in BAGS:
            with open(base + ".jsonl", "w", encoding="utf-8") as file:
                for r in rows:
                    words = sorted(set(BAGS[name](r)))
                    file.write(json.dumps({"features": words, "label": r[-1]}) + "\n")
            write_folds(base, folds(name, rows))
        else:
            write(base, header, rows, folds(name, rows))


if __name__ == "__main__":
    import sys
    prepare(sys.argv[1])
