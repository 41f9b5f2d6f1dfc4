"""peers.py FOLDER OUT [METHOD,... [SET,...]]: run the peers with their defaults on prepared sets.

The libraries, the measures and the way they are run are those of hcbr.compare: one thread each, in
a process of its own. Results of a set go to OUT (JSON) when it ends; a set that OUT has already is
not run again. Categories are one-hot for XGBoost, LightGBM and the forest (sparse where there are
many), native for CatBoost and HistGradientBoosting; missing numbers stay missing where the method
knows them, else -1e9 for the forest. PYTHONPATH names the package (build/test/python).
"""
import json
import os
import sys

import numpy as np
import pandas as pd
from scipy import sparse

from hcbr._compare.data import DataSet
from hcbr._compare.libraries import HCBR, LIBRARIES, Behind, Library
from hcbr._compare.run import on_folds

sys.path.insert(0, os.path.dirname(__file__))
from sets import SETS
from stored import load, save

LARGE = 20000  # from here on three folds are run
SLOW = 20.0    # seconds: a method that takes longer for a fold is run on three, too
FEW = 3


def read(folder, name):
    """A prepared set as hcbr.compare knows it, and the fold of each row. Bags are lists of sets."""
    fold = np.loadtxt(os.path.join(folder, name + ".folds"), dtype=int)
    path = os.path.join(folder, name + ".jsonl")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        x, y = [r["features"] for r in rows], [str(r["label"]) for r in rows]
    else:
        x = pd.read_csv(os.path.join(folder, name + ".csv"), dtype=str, keep_default_na=False)
        y = x.pop("label").astype(str)
        for c in x:
            v = x[c].replace("", None)
            n = pd.to_numeric(v, errors="coerce")
            x[c] = n if n.isna().sum() == v.isna().sum() else v.astype(object)
    labels, codes = np.unique(np.asarray(y, dtype=str), return_inverse=True)
    return DataSet(name, x, codes, labels.tolist(), "label", []), fold


def bags(x):
    """Lists of words as a sparse matrix of ones."""
    words = {}
    ids = [[words.setdefault(w, len(words)) for w in row] for row in x]
    start = np.cumsum([0] + [len(i) for i in ids])
    return sparse.csr_matrix((np.ones(start[-1], np.float32), np.concatenate(ids).astype(int),
                              start), shape=(len(x), len(words)))


def one_hot(x):
    parts = []
    for c in x:
        if x[c].dtype == object:
            codes = pd.Categorical(x[c]).codes
            have = codes >= 0
            m = sparse.csr_matrix((np.ones(have.sum(), np.float32),
                                   (np.where(have)[0], codes[have])),
                                  shape=(len(x), max(codes.max() + 1, 1)))
            parts.append(m)
        else:
            parts.append(x[[c]].to_numpy(np.float32))
    if sum(p.shape[1] for p in parts) <= 600:
        return np.hstack([p.toarray() if sparse.issparse(p) else p for p in parts])
    return sparse.csr_matrix(sparse.hstack([sparse.csr_matrix(p) for p in parts]))


def present(z):
    """Without missing numbers."""
    if sparse.issparse(z):
        z.data = np.where(np.isnan(z.data), -1e9, z.data)
        return z
    return np.where(np.isnan(z), -1e9, z)


def frequent(x):
    """The 1,000 most frequent columns, for a method that knows no sparse matrices."""
    order = np.argsort(-np.asarray(x.sum(0)).ravel(), kind="stable")[:1000]
    return x[:, order].toarray()


def forest(_, threads):
    from sklearn.ensemble import RandomForestClassifier
    return Behind(RandomForestClassifier(random_state=1, n_jobs=threads))


TITLES = {"xgboost": "XGBoost", "lightgbm": "LightGBM", "catboost": "CatBoost",
          "hgb": "HistGradientBoosting"}
METHODS = {method: next(one for one in LIBRARIES if one.title == title)
           for method, title in TITLES.items()}
METHODS["forest"] = Library("forest", "forest", "scikit-learn", "sklearn", "one-hot", forest)
METHODS["rich"] = HCBR


def prepared(method, data):
    """The set as the method takes it."""
    x = data.X
    if method != "rich" and isinstance(x, list):
        x = bags(x)
    if method in ("xgboost", "lightgbm", "forest") and not sparse.issparse(x):
        x = one_hot(x)
    if method == "forest":
        x = present(x)
    elif method == "hgb" and sparse.issparse(x):
        x = frequent(x)
    return data._replace(X=x)


def figures(method, library, data, fold, most=10):
    """What is stored of a method and a set: figures of each fold, and the calibration error."""
    count = min(fold.max() + 1, most if len(fold) < LARGE else FEW)

    def step(_, lines):
        return not (len(lines) == FEW and lines[-1]["fit"] + lines[-1]["predict"] > SLOW
                    and method != "rich")

    found = on_folds(prepared(method, data), [library], [fold], count, step=step)[0]
    if found["error"]:
        return found["error"]
    rows = [{"fold": r["fold"] - 1, "cpu": round(r["fit_seconds"] + r["predict_seconds"], 4),
             **{m: round(r[m], 6) for m in ("accuracy", "mcc", "log_loss")}}
            for r in found["parts"]]
    return {"ece": round(found["ece"]["mean"], 5), "folds": rows}


def main():
    folder, path = sys.argv[1:3]
    methods = (sys.argv[3] if len(sys.argv) > 3 else "xgboost,forest,hgb,lightgbm,catboost")
    chosen = sys.argv[4].split(",") if len(sys.argv) > 4 else [s[0] for s in SETS]
    results = load(path)
    for method in methods.split(","):
        for name in chosen:
            if method in results.get(name, {}):
                continue
            data, fold = read(folder, name)
            found = figures(method, METHODS[method], data, fold)
            if isinstance(found, str):
                print(method, name, "failed:", found, flush=True)
                continue
            results.setdefault(name, {})[method] = found
            save(path, results)
            print(method, name, {m: round(float(np.mean([r[m] for r in found["folds"]])), 4)
                                 for m in ("accuracy", "mcc", "log_loss", "cpu")}, flush=True)


if __name__ == "__main__":
    main()
