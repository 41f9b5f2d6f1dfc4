"""rich.py FOLDER OUT NAME [--bench PATH] [--sets a,b] [--folds N] [name=value ...]: run the rich
model on prepared sets and store the figures of each fold in OUT (JSON) under NAME, in the form of
those of the peers. Sets that NAME has already are not run again."""
import argparse
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
from sets import SETS
from stored import load, save

LARGE = 20000  # from here on three folds are run, as for the peers


def run(bench, folder, name, folds, options):
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("name")
    parser.add_argument("--bench", default="rich_bench")
    parser.add_argument("--sets", default="")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("options", nargs="*")
    a = parser.parse_intermixed_args()
    results = load(a.out)
    for name in a.sets.split(",") if a.sets else [s[0] for s in SETS]:
        if a.name in results.get(name, {}):
            continue
        results.setdefault(name, {})[a.name] = run(a.bench, a.folder, name, a.folds, a.options)
        print(a.name, name, flush=True)
        save(a.out, results)


if __name__ == "__main__":
    main()
