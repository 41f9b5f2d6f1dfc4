"""ablate.py FOLDER [--bench PATH]: what each part and each constant of the rich model is worth, on
the sets that were used for choosing (the first three folds; of the two large ones the first)."""
import argparse
import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
from sets import SETS

CHANGES = [
    ("as it is", ""),
    ("no atoms", "atoms=0"),
    ("no boosted trees", "boosted=0"),
    ("no votes", "votes=0"),
    ("atoms only", "boosted=0 votes=0"),
    ("boosted trees only", "atoms=0 votes=0"),
    ("votes only", "atoms=0 boosted=0"),
    ("depth 6, no trial", "depth[1]=0"),
    ("depth 12 from 2,000 cases on, no trial", "depth[0]=12 depth[1]=6 medium=2000"),
    ("trees grown on 70 % of the cases", "draw=0.7"),
    ("trees grown on all cases", "draw=1"),
    ("20 % of the columns per node", "columns=0.2"),
    ("all columns per node", "columns=0.9999"),
    ("another cut for every 50 cases", "cases_per_cut=50"),
    ("all cuts", "cuts=300"),
    ("steps of half the size", "rate=0.1 most_trees=1000"),
    ("patience 30", "patience=30"),
    ("lambda 0.3", "lambda=0.3"),
    ("lambda 3", "lambda=3"),
    ("twice as many trees of the forest", "forest_trees=200"),
    ("forest with three cuts per column", "forest_cuts=3"),
    ("forest prior 3", "forest_prior=3"),
    ("linear with C = 3", "linear_c=3"),
    ("linear with C = 30", "linear_c=30"),
    ("8 cuts for single tests", "linear_cuts=8"),
    ("linear stopped at a tenth of the precision", "linear_precision=2"),
    ("linear stopped at ten times the precision", "linear_precision=0.02 linear_passes=100"),
    ("no pull towards equal trust", "stack_pull=0.001"),
    ("strong pull towards equal trust", "stack_pull=500"),
]


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def run(bench, folder, name, options):
    base = os.path.join(folder, name)
    folds = 1 if name in ("adult", "electricity") else 3
    out = subprocess.run([bench, base + ".csv", base + ".folds", f"folds={folds}", *options],
                         check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [json.loads(line) for line in out][:-1]
    return [mean(r["blend"]["mcc"] for r in rows), mean(r["blend"]["log_loss"] for r in rows),
            math.log(mean(r["fit"] + r["predict"] for r in rows))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--bench", default="rich_bench")
    a = parser.parse_args()
    names = [s[0] for s in SETS if s[3] == "choose"]
    base = None
    print("| change | MCC | log-loss | CPU time |\n| --- | --- | --- | --- |")
    for title, options in CHANGES:
        r = [mean(v) for v in zip(*(run(a.bench, a.folder, n, options.split()) for n in names))]
        base = base or r
        print(f"| {title} | {r[0]:.4f} ({r[0] - base[0]:+.4f}) | {r[1]:.4f} "
              f"({r[1] - base[1]:+.4f}) | {math.exp(r[2] - base[2]):.2f} × |", flush=True)


if __name__ == "__main__":
    main()
