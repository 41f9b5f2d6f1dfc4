"""One library on all folds of one data set, in a process of its own.

Reads the pickled parts of a task, and writes a line of JSON for each fold to what was its standard
output; what libraries print goes to standard error. Probabilities go to files, and are judged by
the parent.
"""

from __future__ import annotations

import copy
import json
import os
import pickle
import resource
import sys
import time
import warnings
from typing import Any

import numpy as np


def take(X: Any, rows: Any) -> Any:
    """Rows of a frame, of a matrix, or of a list of cases."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if isinstance(X, list):
        return [X[i] for i in rows]
    return X[rows]


def full(probability: Any, seen: Any, labels: int, rows: int) -> Any:
    """Probabilities of all labels: 0 for those that training has not seen."""
    probability = np.asarray(probability, dtype=np.float64)
    if probability.shape != (rows, len(seen)):
        raise ValueError(
            f"predict_proba gave an array of {probability.shape}, not ({rows}, {len(seen)})"
        )
    if not np.all(np.isfinite(probability)) or np.any(probability < -1e-9):
        raise ValueError("predict_proba gave numbers that are no probabilities")
    if np.any(np.abs(probability.sum(axis=1) - 1) > 1e-3):
        raise ValueError("predict_proba gave rows that do not add up to 1")
    out = np.zeros((rows, labels))
    out[:, seen] = probability
    return out


def made(library: Any, X: Any, threads: int) -> Any:
    """A fresh estimator."""
    if hasattr(library.make, "fit"):
        return copy.deepcopy(library.make)
    return library.make(X, threads)


def fit_predict(library: Any, X: Any, codes: Any, names: Any, train: Any, test: Any,
                threads: int) -> tuple[Any, float, float]:
    """Probabilities of the tested rows, and the CPU seconds of fit and predict."""
    X_train, X_test = take(X, train), take(X, test)
    seen = np.unique(codes[train])
    place = np.searchsorted(seen, codes[train])
    model = made(library, X_train, threads)
    y = place if library.codes else np.asarray(names, dtype=object)[seen][place].astype(str)
    start = time.process_time()
    model.fit(X_train, y)
    middle = time.process_time()
    found = model.predict_proba(X_test)
    end = time.process_time()
    classes = [str(c) for c in model.classes_]
    wanted = [str(c) for c in (range(len(seen)) if library.codes else np.asarray(names)[seen])]
    order = [classes.index(c) for c in wanted]
    found = np.asarray(found)
    if found.ndim == 2 and found.shape[1] == len(order):
        found = found[:, order]
    return full(found, seen, len(names), len(test)), middle - start, end - middle


def resident() -> int:
    """Bytes in memory now, and from here on the peak is counted anew (Linux); else 0."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
        return status("VmRSS")
    except OSError:
        return 0


def status(key: str) -> int:
    with open("/proc/self/status", encoding="ascii") as file:
        for line in file:
            if line.startswith(key + ":"):
                return int(line.split()[1]) * 1024
    return 0


def peak() -> int:
    try:
        return status("VmHWM")
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def run(task: dict[str, Any], out: Any) -> None:
    """All folds; a line for each."""
    warnings.filterwarnings("ignore")
    library, X, codes, names = task["library"], task["X"], task["codes"], task["names"]
    made(library, X, task["threads"])  # imports it
    for number, fold in enumerate(task["folds"]):
        for k in range(task["count"]):
            train, test = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
            base = resident()
            p, fit, predict = fit_predict(
                library, X, codes, names, train, test, task["threads"]
            )
            np.save(os.path.join(task["folder"], f"{number}-{k}.npy"), p)
            said = {"fit": fit, "predict": predict, "base": base, "peak": peak()}
            out.write(json.dumps(said) + "\n")
            out.flush()


def main() -> None:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if os.name == "posix":
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    try:
        task: dict[str, Any] = {}
        for path in sys.argv[1:]:
            with open(path, "rb") as file:
                task.update(pickle.load(file))
        run(task, out)
    except BaseException as wrong:  # pylint: disable=broad-except
        words = str(wrong).strip().splitlines() or [""]
        out.write(json.dumps({"error": f"{type(wrong).__name__}: {words[0]}"[:500]}) + "\n")
        out.flush()
        sys.exit(1)


if __name__ == "__main__":
    main()
