"""times.py FOLDER OUT [--bench PATH] [--sets a,b] [--repeats N]: CPU seconds of fit and predict of
the rich model (lite, normal, max) and of default XGBoost on the first fold of each set, in
alternation in one run, one thread each; the minimum of the repeats is stored in OUT (JSON)."""
import argparse
import json
import os
import subprocess
import sys

import numpy as np

from hcbr._compare.child import fit_predict

sys.path.insert(0, os.path.dirname(__file__))
from peers import METHODS, prepared, read
from sets import SETS
from stored import load, save

EFFORTS = {"lite": 0, "rich": 1, "max": 2}


def rich(bench, folder, name, effort):
    base = os.path.join(folder, name)
    data = base + (".jsonl" if os.path.exists(base + ".jsonl") else ".csv")
    out = subprocess.run([bench, data, base + ".folds", "folds=1", f"effort={effort}"], check=True,
                         capture_output=True, text=True).stdout.splitlines()
    row = json.loads(out[0])
    return row["fit"] + row["predict"]


def xgboost(data, fold):
    a, b = np.flatnonzero(fold != 0), np.flatnonzero(fold == 0)
    _, fit, predict = fit_predict(METHODS["xgboost"], data.X, data.codes, data.labels, a, b, 1)
    return fit + predict


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--bench", default="rich_bench")
    parser.add_argument("--sets", default="")
    parser.add_argument("--efforts", default="lite,rich,max")
    parser.add_argument("--repeats", type=int, default=3)
    a = parser.parse_args()
    results = load(a.out)
    for name in a.sets.split(",") if a.sets else [s[0] for s in SETS]:
        data, fold = read(a.folder, name)
        data = prepared("xgboost", data)
        times = {}
        for turn in range(a.repeats):
            for effort in a.efforts.split(","):
                times.setdefault(effort, []).append(rich(a.bench, a.folder, name, EFFORTS[effort]))
            times.setdefault("xgboost", []).append(xgboost(data, fold))
        results[name] = {m: round(min(t), 4) for m, t in times.items()}
        print(name, results[name], flush=True)
        save(a.out, results)


if __name__ == "__main__":
    main()
