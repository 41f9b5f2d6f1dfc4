"""tables.py [--peers peers.json] [--rich rich.json] [--times times.json] [--unseen unseen.json]:
the tables of docs/QUALITY.md, from the stored figures alone."""
import argparse
import json
import math
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from sets import SETS
from unseen import UNSEEN

HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = ["xgboost", "forest", "hgb", "lightgbm", "catboost"]
TITLES = {"rich": "rich", "lite": "lite", "max": "max", "xgboost": "XGBoost", "forest": "forest",
          "hgb": "HistGB", "lightgbm": "LightGBM", "catboost": "CatBoost"}
CASES = {"adult": 32561, "breast": 699, "heart": 270, "mushrooms": 8124, "phishing": 11055,
         "skin": 50000, "splice": 3175, "splice3": 3190, "bank": 41188, "car": 1728,
         "credit-g": 1000, "electricity": 45312, "kdd": 50000, "kr-vs-kp": 3196, "nursery": 12960,
         "sms-spam": 5574, "soybean": 683, "spambase": 4601, "titanic": 891,
         "whats-cooking": 39774}
SEVERAL = ["splice3", "car", "kdd", "nursery", "soybean", "whats-cooking"]


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def figure(data, name, method, what, folds=None):
    r = data.get(name, {}).get(method)
    if not r:
        return None
    return mean(f[what] for f in r["folds"][:folds])


def row(cells):
    print("| " + " | ".join(cells) + " |")


def table(data, methods, what, digits, best):
    """A row for each set: the mean over its folds. The best is bold, unless all are equal."""
    row(["set"] + [TITLES[m] for m in methods])
    row(["---"] * (len(methods) + 1))
    for name, *_ in SETS:
        values = [figure(data, name, m, what) for m in methods]
        seen = [round(v, digits) for v in values if v is not None]
        if not seen:
            continue
        top = best(seen) if len(set(seen)) > 1 else None
        row([name] + ["" if v is None else f"**{v:.{digits}f}**" if round(v, digits) == top
                      else f"{v:.{digits}f}" for v in values])


def ranks(data, methods, names):
    """Mean rank by MCC over the sets that all methods have."""
    total = {m: 0.0 for m in methods}
    for name in names:
        v = {m: round(figure(data, name, m, "mcc"), 6) for m in methods}
        for m in methods:
            above = sum(v[o] > v[m] for o in methods)
            same = sum(v[o] == v[m] for o in methods)
            total[m] += above + (same + 1) / 2
    return {m: total[m] / len(names) for m in methods}


def against(data, ours):
    """Differences to each peer, on the folds that both have."""
    row(["against", "sets", "MCC", "wins, ties, losses", "log-loss", "accuracy, several labels",
         "worst MCC"])
    row(["---"] * 7)
    for peer in PEERS:
        mcc, loss, several, worst = [], [], [], (9, "")
        for name, *_ in SETS:
            a, b = data.get(name, {}).get(ours), data.get(name, {}).get(peer)
            if not a or not b:
                continue
            n = min(len(a["folds"]), len(b["folds"]))
            d = {w: figure(data, name, ours, w, n) - figure(data, name, peer, w, n)
                 for w in ("mcc", "log_loss", "accuracy")}
            mcc.append(d["mcc"])
            loss.append(d["log_loss"])
            if name in SEVERAL:
                several.append(d["accuracy"])
            worst = min(worst, (d["mcc"], name))
        row([TITLES[peer], str(len(mcc)), f"{mean(mcc):+.4f}", outcomes(mcc), f"{mean(loss):+.4f}",
             f"{mean(several):+.4f}" if several else "", f"{worst[0]:+.4f} ({worst[1]})"])


def two_errors(a, b):
    """Mean difference in MCC of the folds that both have, and two standard errors of it."""
    d = [x["mcc"] - y["mcc"] for x, y in zip(a["folds"], b["folds"])]
    m = mean(d)
    return m, 2 * math.sqrt(sum((x - m) ** 2 for x in d) / (len(d) - 1) / len(d))


def outcomes(differences):
    """How many are wins, ties, losses."""
    wins, losses = sum(d > 1e-6 for d in differences), sum(d < -1e-6 for d in differences)
    return f"{wins}, {len(differences) - wins - losses}, {losses}"


def losses_to_xgboost(data):
    """Where XGBoost is better: by how much, and two standard errors of the paired folds."""
    row(["set", "cases", "MCC − XGBoost", "2 standard errors", "allowed"])
    row(["---"] * 5)
    for name, *_ in SETS:
        a, b = data[name].get("rich"), data[name].get("xgboost")
        if not a or not b:
            continue
        m, error = two_errors(a, b)
        if m < 0:
            allowed = 0.03 if CASES[name] >= 2000 else error
            row([name, f"{CASES[name]:,}", f"{m:+.4f}", f"{error:.4f}",
                 "yes" if -m <= allowed else "NO"])


def times(path):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    row(["set", "XGBoost, s", "lite, s", "rich, s", "lite / XGBoost", "rich / XGBoost"])
    row(["---"] * 6)
    ratio = {"lite": [], "rich": [], "max": []}
    for name, *_ in SETS:
        t = data.get(name)
        if not t:
            continue
        for m in ratio:
            if m in t:
                ratio[m].append(math.log(t[m] / t["xgboost"]))
        row([name] + [f"{t[m]:.3f}" for m in ("xgboost", "lite", "rich")] +
            [f"{t[m] / t['xgboost']:.2f}" for m in ("lite", "rich")])
    print("\nGeometric mean of the ratios: " + ", ".join(
        f"{m} {math.exp(mean(v)):.2f} ({len(v)} sets)" for m, v in ratio.items() if v))


def unseen(path):
    """Sets on which nothing was chosen: the rich model, and how far it is above each peer."""
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    peers = [p for p in PEERS if all(p in data[name] for name in UNSEEN)]
    above = {(p, w): [] for p in peers for w in ("mcc", "log_loss", "accuracy")}
    cpu, mcc_rows, loss_rows = [], [], []
    for name in UNSEEN:
        ours = {w: figure(data, name, "rich", w) for w in ("mcc", "log_loss", "accuracy", "cpu")}
        for p, w in above:
            above[p, w].append(ours[w] - figure(data, name, p, w))
        _, error = two_errors(data[name]["rich"], data[name]["xgboost"])
        cpu.append(math.log(ours["cpu"] / figure(data, name, "xgboost", "cpu")))
        mcc_rows.append([name, f"{ours['mcc']:.4f}"] +
                        [f"{above[p, 'mcc'][-1]:+.4f}" for p in peers] + [f"{error:.4f}"])
        loss_rows.append([name, f"{ours['log_loss']:.4f}"] +
                         [f"{above[p, 'log_loss'][-1]:+.4f}" for p in peers])
    minus = [f"− {TITLES[p]}" for p in peers]
    for head, rows in ((["set", "MCC"] + minus + ["2 standard errors, XGBoost"], mcc_rows),
                       (["set", "log-loss"] + minus, loss_rows)):
        row(head)
        row(["---"] * len(head))
        for cells in rows:
            row(cells)
        print()
    row(["against", "sets", "MCC", "wins, ties, losses", "log-loss", "accuracy"])
    row(["---"] * 6)
    for p in peers:
        mcc = above[p, "mcc"]
        row([TITLES[p], str(len(mcc)), f"{mean(mcc):+.4f}", outcomes(mcc),
             f"{mean(above[p, 'log_loss']):+.4f}", f"{mean(above[p, 'accuracy']):+.4f}"])
    print(f"\nCPU time: {math.exp(mean(cpu)):.2f} of XGBoost's (geometric mean)")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for which in ("peers", "rich", "times", "unseen"):
        parser.add_argument("--" + which, default=os.path.join(HERE, which + ".json"))
    a = parser.parse_args()
    data = {}
    for path in (a.peers, a.rich):
        with open(path, encoding="utf-8") as file:
            for name, methods in json.load(file).items():
                data.setdefault(name, {}).update(methods)
    methods = ["rich", "lite"] + PEERS
    print("## MCC\n")
    table(data, methods, "mcc", 4, max)
    common = [s[0] for s in SETS if all(m in data.get(s[0], {}) for m in methods)]
    print(f"\nMean rank by MCC over the {len(common)} sets that all methods have: " + ", ".join(
        f"{TITLES[m]} {r:.2f}" for m, r in
        sorted(ranks(data, methods, common).items(), key=lambda x: x[1])))
    print("\n## The rich model against each peer\n")
    against(data, "rich")
    print("\n## `lite` against each peer\n")
    against(data, "lite")
    if any("max" in m for m in data.values()):
        print("\n## `max` against each peer\n")
        against(data, "max")
    print("\n## Where XGBoost is better\n")
    losses_to_xgboost(data)
    print("\n## Accuracy\n")
    table(data, methods, "accuracy", 4, max)
    print("\n## Log-loss\n")
    table(data, methods, "log_loss", 4, min)
    print("\n## Calibration error of sets with more than 5,000 cases\n")
    large = {n: {m: {"folds": [{"ece": r["ece"]}]} for m, r in d.items()}
             for n, d in data.items() if CASES[n] > 5000}
    table(large, methods, "ece", 4, min)
    if os.path.exists(a.times):
        print("\n## CPU time\n")
        times(a.times)
    if os.path.exists(a.unseen):
        print("\n## Sets on which nothing was chosen\n")
        unseen(a.unseen)


if __name__ == "__main__":
    main()
