"""rich.py FOLDER OUT NAME [--bench PATH] [--sets a,b] [--folds N] [name=value ...]: run the rich
model on prepared sets and store the figures of each fold in OUT (JSON) under NAME, in the form of
those of the peers. Sets that NAME has already are not run again.

It is run as hcbr.compare runs it, with `effort=lite` or another option of hcbr.Model.fit behind it,
and with values taken as they stand.
With --bench it is run by rich_bench, whose name=value are constants of the method."""
import argparse
import json
import os
import subprocess
import sys

import hcbr
from hcbr._compare.libraries import HCBR

sys.path.insert(0, os.path.dirname(__file__))
from peers import LARGE, figures, read
from sets import SETS
from stored import load, save


def run_bench(bench, folder, name, folds, options):
    base = os.path.join(folder, name)
    data = base + (".jsonl" if os.path.exists(base + ".jsonl") else ".csv")
    with open(base + ".folds", encoding="utf-8") as file:
        large = sum(1 for _ in file) >= LARGE
    folds = min(folds, 3) if large else folds
    command = [bench, data, base + ".folds", f"folds={folds}", *options]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    figures = [{"fold": r["fold"], "cpu": round(r["fit"] + r["predict"], 4), **r["blend"]}
               for r in rows[:-1]]
    return {"ece": rows[-1]["ece"], "folds": figures}


class AsTheyStand:
    """The rich model with values taken as they stand: nothing is seen as a date, price or text."""

    def __init__(self, **options):
        self.options = options

    def fit(self, X, y):
        self.model_ = hcbr.Model.fit(X, y, strict=True, n_jobs=1, progress=False, **self.options)
        self.classes_ = list(self.model_.labels)
        return self

    def predict_proba(self, X):
        return self.model_.predict_proba(X, n_jobs=1)


def run(folder, name, folds, options):
    data, fold = read(folder, name)
    given = dict(option.split("=", 1) for option in options)
    found = figures("rich", HCBR._replace(make=AsTheyStand(**given)), data, fold, folds)
    return found if isinstance(found, dict) else sys.exit(f"{name}: {found}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("name")
    parser.add_argument("--bench")
    parser.add_argument("--sets", default="")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("options", nargs="*")
    a = parser.parse_intermixed_args()
    results = load(a.out)
    for name in a.sets.split(",") if a.sets else [s[0] for s in SETS]:
        if a.name in results.get(name, {}):
            continue
        results.setdefault(name, {})[a.name] = (
            run_bench(a.bench, a.folder, name, a.folds, a.options) if a.bench
            else run(a.folder, name, a.folds, a.options))
        print(a.name, name, flush=True)
        save(a.out, results)


if __name__ == "__main__":
    main()
