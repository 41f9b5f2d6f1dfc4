"""Runs every library on the same folds, each in a process of its own."""

from __future__ import annotations

import functools
import importlib
import json
import os
import pickle
import subprocess
import sys
import tempfile
import threading
from typing import Any, Callable, Sequence

import numpy as np

from .._hcbr import UsageError
from .data import DataSet
from .libraries import HCBR, LIBRARIES, NAMES, Library, own
from .measures import (
    LEVEL, MEASURES, calibration_error, draw_folds, interval, mean_sd, measure,
)
from .text import plain

START = "from hcbr._compare.child import main; main()"


def choose(against: Any) -> tuple[list[Library], list[dict[str, str]]]:
    """The libraries asked for that are installed, and those that are not."""
    if against is None:
        wanted: list[Any] = list(NAMES)
    elif isinstance(against, str):
        wanted = [name.strip() for name in against.split(",") if name.strip()]
    elif isinstance(against, dict):
        wanted = list(against.items())
    else:
        wanted = list(against)
    found: list[Library] = []
    missing: dict[str, dict[str, str]] = {}
    for one in wanted:
        if isinstance(one, Library):
            found.append(one)
        elif isinstance(one, tuple) and len(one) == 2 and hasattr(one[1], "fit"):
            found.append(own(str(one[0]), one[1]))
        elif one not in NAMES:
            raise UsageError(f"'{one}' is no library (--against); known: {', '.join(NAMES)}")
        else:
            for library in LIBRARIES:
                if library.name != one or library in found:
                    continue
                if library.version() is None:
                    missing[library.name] = {"name": library.name, "package": library.package}
                else:
                    found.append(library)
    titles = [library.title for library in [HCBR, *found]]
    for title in titles:
        if titles.count(title) > 1:
            raise UsageError(f"two libraries are called '{title}'")
    return found, list(missing.values())


def pickler() -> Any:
    """cloudpickle, which joblib brings: it takes classes that were defined in a notebook, too."""
    for name in ("cloudpickle", "joblib.externals.cloudpickle"):
        try:
            return importlib.import_module(name)
        except ImportError:
            pass
    return pickle


def pickled(path: str, what: dict[str, Any]) -> None:
    with open(path, "wb") as file:
        file.write(pickler().dumps(what))


def environment(threads: int) -> dict[str, str]:
    found = dict(os.environ)
    found["PYTHONPATH"] = os.pathsep.join(p or os.getcwd() for p in sys.path)
    for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "POLARS"):
        found[f"{name}_NUM_THREADS" if name != "POLARS" else "POLARS_MAX_THREADS"] = str(threads)
    return found


def in_child(
    library: Library, folder: str, threads: int, limit: float | None,
    step: Callable[[list[dict[str, Any]]], Any],
) -> tuple[list[dict[str, Any]], str | None]:
    """What the process said of each fold, and why it failed, if it did.

    `step` is called with that after each fold; False ends the process, and what there is counts.
    """
    try:
        pickled(os.path.join(folder, "library"), {"library": library})
    except Exception as wrong:  # pylint: disable=broad-except
        return [], f"it cannot be sent to another process: {wrong}"
    command = [sys.executable, "-c", START, os.path.join(folder, "data"),
               os.path.join(folder, "library")]
    lines: list[dict[str, Any]] = []
    late = threading.Event()
    with open(os.path.join(folder, "words"), "w+b") as words, subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=words, stdin=subprocess.DEVNULL, text=True,
        env=environment(threads),
    ) as child:

        def stop() -> None:
            late.set()
            child.kill()

        timer = threading.Timer(limit, stop) if limit else None
        try:
            if timer:
                timer.start()
            assert child.stdout is not None
            for line in child.stdout:
                lines.append(json.loads(line))
                if "error" not in lines[-1] and step(lines) is False:
                    child.kill()
                    return lines, None
            child.wait()
        except BaseException:
            child.kill()
            raise
        finally:
            if timer:
                timer.cancel()
        if late.is_set():
            return lines, f"stopped after {limit:g} seconds (--limit)"
        if lines and "error" in lines[-1]:
            return lines[:-1], str(lines[-1]["error"])
        if child.returncode != 0:
            words.seek(0)
            said = words.read().decode("utf-8", "replace").strip().splitlines()
            end = f"; it said: {said[-1][:300]}" if said else ""
            return lines, f"its process ended with status {child.returncode}{end}"
    return lines, None


def judge(
    data: DataSet, folds: Sequence[Any], count: int, folder: str, lines: list[dict[str, Any]]
) -> dict[str, Any]:
    """Figures of each fold that was run, and their means."""
    rows, eces = [], []
    for number, fold in enumerate(folds):
        truth, said = [], []
        for k, cost in enumerate(lines[number * count : (number + 1) * count]):
            test = fold == k
            p = np.load(os.path.join(folder, f"{number}-{k}.npy"))
            rows.append({
                "repeat": number + 1, "fold": k + 1, "cases": int(test.sum()),
                **measure(data.codes[test], p),
                "fit_seconds": cost["fit"], "predict_seconds": cost["predict"],
            })
            truth.append(data.codes[test])
            said.append(p)
        eces.append(calibration_error(np.concatenate(truth), np.concatenate(said)))
    return {
        **{m: mean_sd([row[m] for row in rows]) for m in MEASURES},
        "ece": mean_sd(eces),
        "fit_seconds": mean_sd([row["fit_seconds"] for row in rows]),
        "predict_seconds": mean_sd([row["predict_seconds"] for row in rows]),
        "memory": max(line["peak"] - line["base"] for line in lines),
        "peak_memory": max(line["peak"] for line in lines),
        "parts": rows,
    }


def differences(ours: dict[str, Any], other: dict[str, Any], ratio: float) -> dict[str, Any]:
    """hcbr minus the other, fold by fold."""
    out: dict[str, Any] = {}
    for m in MEASURES:
        pairs = [(a[m], b[m]) for a, b in zip(ours["parts"], other["parts"])]
        d = [a - b for a, b in pairs if a is not None and b is not None]
        if d:
            mean, low, high = interval(d, ratio, 1.0)
            out[m] = {"mean": mean, "low": low, "high": high}
    return out


def on_folds(
    data: DataSet, libraries: list[Library], folds: Sequence[Any], count: int, threads: int = 1,
    limit: float | None = None, step: Callable[[str, list[dict[str, Any]]], Any] | None = None,
) -> list[dict[str, Any]]:
    """The figures of each library: of the folds 0 to `count` - 1 of each of `folds`, which hold the
    fold of each row. The first library has no limit of time."""
    found: list[dict[str, Any]] = []
    call: Callable[[str, list[dict[str, Any]]], Any] = step or (lambda title, lines: None)
    with tempfile.TemporaryDirectory(prefix="hcbr-compare-") as folder:
        pickled(os.path.join(folder, "data"), {
            "X": data.X, "codes": data.codes, "names": data.labels, "folds": folds, "count": count,
            "threads": threads, "folder": folder,
        })
        for library in libraries:
            title = library.title
            call(title, [])
            one: dict[str, Any] = {
                "name": library.name, "title": title, "version": library.version() or "",
                "preparation": library.how, "error": None,
            }
            lines, one["error"] = in_child(
                library, folder, threads, limit if found else None,
                functools.partial(call, title),
            )
            if one["error"] is None:
                one.update(judge(data, folds, count, folder, lines))
            found.append(one)
    return found


def compare_set(
    data: DataSet, libraries: list[Library], count: int, seeds: list[int], threads: int,
    limit: float | None, step: Callable[[str, int], Any],
) -> dict[str, Any]:
    """The object of one data set."""
    folds = [draw_folds(data.codes, count, seed) for seed in seeds]
    found = on_folds(
        data, libraries, folds, count, threads, limit,
        lambda title, lines: step(plain(f"{data.name}, {title}"), bool(lines)),
    )
    ratio = 1 / (count - 1)
    for one in found[1:]:
        if one["error"] is None and found[0]["error"] is None:
            one["difference"] = differences(found[0], one, ratio)
    counts = np.bincount(data.codes, minlength=len(data.labels)).tolist()
    return {
        "name": data.name, "label": data.label, "cases": len(data.codes),
        "columns": int(data.X.shape[1]), "labels": dict(zip(data.labels, counts)),
        "notes": data.notes, "libraries": found,
    }


def summary(sets: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Over several sets: the mean difference to each library, and how often it is clear."""
    out = []
    for title in dict.fromkeys(one["title"] for s in sets for one in s["libraries"][1:]):
        seen = [one["difference"] for s in sets for one in s["libraries"][1:]
                if one["title"] == title and one.get("difference")]
        if not seen:
            continue
        row: dict[str, Any] = {"title": title, "sets": len(seen)}
        for m in MEASURES:
            d = [one[m] for one in seen if m in one]
            if d:
                row[m] = {
                    "mean": float(np.mean([x["mean"] for x in d])),
                    "above": sum(x["low"] is not None and x["low"] > 0 for x in d),
                    "below": sum(x["high"] is not None and x["high"] < 0 for x in d),
                    "sets": len(d),
                }
        out.append(row)
    return out


__all__ = ["LEVEL", "choose", "compare_set", "summary"]
