"""The paper's seven data sets as its author encoded them, and as matrices for scikit-learn."""
import csv
import gzip
import os
import sys

import numpy as np

from store import DATA, HCBR, ROOT

os.environ.setdefault("HCBR", HCBR)
sys.path.insert(0, os.path.join(ROOT, "tests", "cli"))
from test_paper import FOLDER, SETS as RUNS  # pylint: disable=wrong-import-position

# the label that the paper's recall and precision are about, by its prevalence
POSITIVE = {"adult": "-1", "breast": "4", "heart": "1", "mushrooms": "1", "phishing": "1",
            "skin": "1", "splice": "1"}
NAMES = sorted(POSITIVE)
MOST_ROWS = 6000  # of a set when it is compared with scikit-learn


def missing():
    """What must be there and is not."""
    wanted = [os.path.join(FOLDER, name + ".gz") for name in
              [run[1] for run in RUNS] + ["skin_outcomes.fold_0.txt"]]
    wanted += [os.path.join(DATA, "paper", "skin.csv.gz"),
               os.path.join(DATA, "echr", "a3_full.jsonl.gz")]
    return [path for path in wanted if not os.path.exists(path)]


def unpacked(store, name):
    def write(path):
        with gzip.open(os.path.join(FOLDER, name + ".gz")) as packed, open(path, "wb") as plain:
            plain.write(packed.read())
    return store.file(name, write)


def plain_run(store, name):
    """The arguments that read a set as the author did, with his number of passes."""
    _, path, options, *_ = next(run for run in RUNS if run[0] == name)
    options = [unpacked(store, o) if o.endswith(".txt") else o for o in options]
    return [unpacked(store, path), *options]


def without(options, *names):
    """Options without some of them and their values."""
    out, skip = [], False
    for option in options:
        if not skip and option not in names:
            out.append(option)
        skip = option in names and option not in ("--given-order", "--memory")
    return out


def reading(store, name):
    """The arguments that read a set as it is; of skin, whose file has no numbers, the raw table."""
    if name == "skin":
        return [skin_table(store)]
    return without(plain_run(store, name), "--passes", "--given-order")


def skin_table(store):
    def write(path):
        with gzip.open(os.path.join(DATA, "paper", "skin.csv.gz")) as packed:
            with open(path, "wb") as plain:
                plain.write(packed.read())
    return store.file("skin.csv", write)


def lines_of(store, name):
    """Rows of the file that reading() names, and its header or none."""
    with open(reading(store, name)[0], encoding="utf-8") as file:
        rows = file.read().splitlines()
    return (rows[0], rows[1:]) if name == "skin" else (None, rows)


def label_of(name, row):
    return row.split(",")[-1] if name in ("breast", "skin") else row.split()[0]


def matrix(name, rows):
    """Rows as numbers: what is not in a LIBSVM row is 0, a missing value of breast is 0, too."""
    if name in ("breast", "skin"):
        cells = [row[:-1] for row in csv.reader(rows)]
        cells = [row[1:] if name == "breast" else row for row in cells]
        return np.array([[float(c) if c not in ("", "?") else 0. for c in row] for row in cells])
    pairs = [[item.partition(":")[::2] for item in row.split()[1:]] for row in rows]
    out = np.zeros((len(rows), max(int(k) for row in pairs for k, _ in row) + 1))
    for i, row in enumerate(pairs):
        for column, value in row:
            out[i, int(column)] = float(value or 1)
    return out[:, out.any(axis=0)]


def sample(store, name, most=MOST_ROWS, folds=10):
    """Header, rows, labels and folds of a set: stratified, at most so many rows."""
    header, rows = lines_of(store, name)
    labels = np.array([label_of(name, row) for row in rows])
    draw = np.random.RandomState(1)
    order = draw.permutation(len(rows))
    order = order[np.argsort(labels[order], kind="stable")]  # by label, in a random order
    if len(order) > most:
        order = order[np.linspace(0, len(order) - 1, most).astype(int)]
    fold = np.empty(len(order), int)
    fold[np.argsort(labels[order], kind="stable")] = np.arange(len(order)) % folds
    mix = draw.permutation(len(order))
    order, fold = order[mix], fold[mix]
    return header, [rows[i] for i in order], labels[order], fold
