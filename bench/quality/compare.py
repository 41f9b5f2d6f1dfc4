"""compare.py FOLDER PEERS [--bench PATH] [--sets a,b] [--folds N] [name=value ...]: the rich model
beside the peers whose figures are stored, on the same folds."""
import argparse
import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
from sets import SETS

METHODS = ["xgboost", "forest", "hgb", "lightgbm", "catboost"]


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def run(bench, folder, name, folds, options):
    base = os.path.join(folder, name)
    data = base + (".jsonl" if os.path.exists(base + ".jsonl") else ".csv")
    command = [bench, data, base + ".folds", *options] + ([f"folds={folds}"] if folds else [])
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    return rows[:-1], rows[-1]["ece"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("peers")
    parser.add_argument("--bench", default="rich_bench")
    parser.add_argument("--sets", default="")
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("options", nargs="*")
    a = parser.parse_args()
    with open(a.peers, encoding="utf-8") as file:
        peers = json.load(file)
    names = a.sets.split(",") if a.sets else [s[0] for s in SETS]
    sums = {}
    print("set            acc    mcc    loss   ece   fit+pred s  | atoms boost votes (mcc; loss)"
          "  | mcc of " + ", ".join(METHODS) + " | loss xgb, time/xgb; trust; trees")
    for name in names:
        rows, ece = run(a.bench, a.folder, name, a.folds, a.options)
        k = len(rows)
        cpu = mean(r["fit"] + r["predict"] for r in rows)
        ours = {m: mean(r["blend"][m] for r in rows) for m in ("accuracy", "mcc", "log_loss")}
        parts = " ".join(f"{mean(r[f]['mcc'] for r in rows):.3f}" if f in rows[0] else "  -  "
                         for f in ("atoms", "boosted", "votes"))
        parts += ";" + " ".join(f"{mean(r[f]['log_loss'] for r in rows):.3f}"
                                if f in rows[0] else "-" for f in ("atoms", "boosted", "votes"))
        theirs = []
        for m in METHODS:
            p = peers.get(name, {}).get(m)
            if not p:
                theirs.append("  -  ")
                continue
            f = p["folds"][:k]
            mcc = mean(r["mcc"] for r in f)
            theirs.append(f"{mcc:.3f}")
            s = sums.setdefault(m, [])
            s.append((ours["mcc"] - mcc, ours["log_loss"] - mean(r["log_loss"] for r in f),
                      cpu / mean(r["cpu"] for r in f), ours["accuracy"] -
                      mean(r["accuracy"] for r in f)))
        x = peers.get(name, {}).get("xgboost")
        last = ""
        if x:
            f = x["folds"][:k]
            last = (f"{mean(r['log_loss'] for r in f):.3f} "
                    f"{cpu / mean(r['cpu'] for r in f):5.2f}x")
        print(f"{name:14} {ours['accuracy']:.4f} {ours['mcc']:.4f} {ours['log_loss']:.4f} "
              f"{ece:.3f} {cpu:6.3f} | {parts} | {' '.join(theirs)} | {last} "
              f"{rows[0]['trust']} {rows[0]['trees']} {rows[0]['vote_nodes']}", flush=True)
    for m, s in sums.items():
        print(f"against {m:9}: mcc {mean(v[0] for v in s):+.4f} wins {sum(v[0] > 0 for v in s)}/"
              f"{len(s)} worst {min(v[0] for v in s):+.3f}, loss {mean(v[1] for v in s):+.4f}, "
              f"time {math.exp(mean(math.log(v[2]) for v in s)):.2f}x, "
              f"accuracy {mean(v[3] for v in s):+.4f}")


main()
