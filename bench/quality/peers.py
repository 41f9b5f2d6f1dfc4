"""peers.py FOLDER OUT [METHOD,... [SET,...]]: run the peers with their defaults on prepared sets.

Results of each fold go to OUT (JSON) as it ends; a set of which OUT has any is not run again, so
one that was broken off keeps the folds it has. One thread each;
CPU time is that of fit and predict. Categories are one-hot for XGBoost, LightGBM and the forest
(sparse where there are many), native for CatBoost and HistGradientBoosting (up to 255 values);
missing numbers stay missing where the method knows them, else -1e9 for the forest.
"""
import json
import os
import sys
import time
import warnings

import numpy as np
import pandas as pd
from scipy import sparse

sys.path.insert(0, os.path.dirname(__file__))
from metrics import ece, metrics
from sets import SETS
from stored import load, save

warnings.filterwarnings("ignore")
LARGE = 20000  # from here on three folds are run
SLOW = 20.0    # seconds: a method that takes longer for a fold is run on three, too


def read(folder, name):
    fold = np.loadtxt(os.path.join(folder, name + ".folds"), dtype=int)
    path = os.path.join(folder, name + ".jsonl")
    if os.path.exists(path):
        rows = [json.loads(line) for line in open(path, encoding="utf-8")]
        words = {}
        ids = [[words.setdefault(w, len(words)) for w in r["features"]] for r in rows]
        start = np.cumsum([0] + [len(i) for i in ids])
        x = sparse.csr_matrix((np.ones(start[-1], np.float32), np.concatenate(ids).astype(int),
                               start), shape=(len(rows), len(words)))
        return x, np.array([str(r["label"]) for r in rows]), fold
    frame = pd.read_csv(os.path.join(folder, name + ".csv"), dtype=str, keep_default_na=False)
    y = frame.pop("label").to_numpy().astype(str)
    for c in frame:
        v = frame[c].replace("", None)
        n = pd.to_numeric(v, errors="coerce")
        frame[c] = n if n.isna().sum() == v.isna().sum() else v.astype(object)
    return frame, y, fold


def one_hot(x):
    if sparse.issparse(x):
        return x
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


def ordinal(x):
    if sparse.issparse(x):
        order = np.argsort(-np.asarray(x.sum(0)).ravel(), kind="stable")[:1000]
        return x[:, order].toarray(), None
    out = np.empty(x.shape, np.float64)
    cat = []
    for j, c in enumerate(x):
        if x[c].dtype == object:
            codes = pd.Categorical(x[c]).codes.astype(float)
            codes[codes < 0] = np.nan
            cat.append(bool(codes.max() < 255))
            out[:, j] = codes
        else:
            cat.append(False)
            out[:, j] = x[c]
    return out, cat


def make(method, cat, k):
    if method == "xgboost":
        import xgboost
        return xgboost.XGBClassifier(n_jobs=1)
    if method == "forest":
        from sklearn.ensemble import RandomForestClassifier
        return RandomForestClassifier(random_state=1)
    if method == "hgb":
        from sklearn.ensemble import HistGradientBoostingClassifier
        return HistGradientBoostingClassifier(categorical_features=cat, random_state=1)
    if method == "lightgbm":
        import lightgbm
        return lightgbm.LGBMClassifier(n_jobs=1, verbose=-1)
    import catboost
    return catboost.CatBoostClassifier(thread_count=1, verbose=0, allow_writing_files=False)


def main():
    folder, path = sys.argv[1:3]
    methods = (sys.argv[3] if len(sys.argv) > 3 else "xgboost,forest,hgb,lightgbm,catboost")
    chosen = sys.argv[4].split(",") if len(sys.argv) > 4 else [s[0] for s in SETS]
    results = load(path)
    for method in methods.split(","):
        for name in chosen:
            if method in results.get(name, {}):
                continue
            x, y, fold = read(folder, name)
            names = sorted(set(y))
            y = np.array([names.index(v) for v in y])
            cat = None
            if method in ("xgboost", "lightgbm", "forest"):
                z = one_hot(x)
                if method == "forest" and not sparse.issparse(z):
                    z = np.where(np.isnan(z), -1e9, z)
                elif method == "forest":
                    z.data = np.where(np.isnan(z.data), -1e9, z.data)
            elif method == "hgb":
                z, cat = ordinal(x)
            elif sparse.issparse(x):
                z = x
            else:
                cat = [c for c in x if x[c].dtype == object]
                z = x.copy()
                z[cat] = z[cat].fillna("").astype(str)
            rows, pooled_t, pooled_p = [], [], []
            for k in range(fold.max() + 1 if len(y) < LARGE else 3):
                a, b = fold != k, fold == k
                model = make(method, cat, len(names))
                begin = time.process_time()
                za, zb = z[a], z[b]
                present = np.unique(y[a])
                ya = np.searchsorted(present, y[a])
                if method == "catboost":
                    model.fit(za, ya, cat_features=cat)
                elif method == "hgb" and np.bincount(ya).min() < 2:
                    model.set_params(early_stopping=False).fit(za, ya)  # cannot hold one case out
                else:
                    model.fit(za, ya)
                q = model.predict_proba(zb)
                cpu = time.process_time() - begin
                p = np.zeros((len(q), len(names)))
                p[:, present] = q
                r = metrics(y[b].tolist(), p.tolist())
                r.update(fold=k, cpu=round(cpu, 4))
                rows.append({key: round(v, 6) for key, v in r.items()})
                pooled_t += y[b].tolist()
                pooled_p += p.tolist()
                results.setdefault(name, {})[method] = {
                    "ece": round(ece(pooled_t, pooled_p), 5), "folds": rows}
                save(path, results)  # what was run stays, also where the rest takes too long
                if k == 2 and cpu > SLOW:
                    break
            print(method, name, {m: round(float(np.mean([r[m] for r in rows])), 4)
                                 for m in ("accuracy", "mcc", "log_loss", "cpu")}, flush=True)


if __name__ == "__main__":
    main()
