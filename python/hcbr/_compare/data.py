"""What is compared: tables with a label, from files or from memory."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from .._data import is_arrow, is_frame, is_pandas
from .._hcbr import DataError, UsageError

LABELS = ("label", "y", "class", "target", "outcome")


class DataSet(NamedTuple):
    """Rows that have a label."""

    name: str
    X: Any  # a frame of pandas
    codes: Any  # the label of each row, as its place in `labels`
    labels: list[str]
    label: str
    notes: list[str]


def need_pandas() -> Any:
    try:
        import pandas
        import sklearn  # noqa: F401
    except ImportError as wrong:
        raise UsageError(
            f"{wrong.name} is missing, which a comparison needs: pip install pandas scikit-learn"
        ) from None
    return pandas


def read(path: str, delimiter: str | None, encoding: str | None) -> Any:
    """A file as pandas reads it, which is what users of the other libraries have."""
    pandas = need_pandas()
    if not os.path.isfile(path):
        # The words that the system has for it: no such file, is a directory.
        with open(path, "rb"):
            pass
    lower = path.lower()
    for ending in (".gz", ".bz2", ".xz", ".zst"):
        lower = lower.removesuffix(ending)
    try:
        if lower.endswith((".parquet", ".pq")):
            return pandas.read_parquet(path)
        if lower.endswith((".jsonl", ".ndjson")):
            return pandas.read_json(path, lines=True)
        tab = lower.endswith((".tsv", ".tab"))
        return pandas.read_csv(
            path, sep=delimiter or ("\t" if tab else ","), encoding=encoding or "utf-8",
            low_memory=False, skipinitialspace=True,
        )
    except UnicodeDecodeError as wrong:
        raise DataError(
            f"{path}: byte {wrong.start + 1} is not {encoding or 'utf-8'}; name the encoding "
            "(--encoding windows-1252)"
        ) from None
    except ImportError as wrong:
        raise UsageError(f"{path}: cannot be read: {wrong}") from None
    except ValueError as wrong:  # pandas' errors of parsing are some
        words = str(wrong).strip().splitlines() or ["it cannot be read"]
        raise DataError(f"{path}: {words[0]}") from None


def as_pandas(data: Any, name: str) -> Any:
    pandas = need_pandas()
    if is_pandas(data):
        return data
    if is_frame(data) and is_arrow(data):
        import pyarrow

        return pyarrow.table(data).to_pandas()
    if isinstance(data, np.ndarray) and data.ndim == 2:
        return pandas.DataFrame(data, columns=[str(i + 1) for i in range(data.shape[1])])
    raise TypeError(
        f"{name}: a path, a DataFrame or an array of two dimensions was expected, "
        f"not {type(data).__name__}"
    )


def find_label(frame: Any, label: str | None, name: str) -> str:
    if label is not None:
        if label in frame.columns:
            return label
        names = ", ".join(map(str, list(frame.columns)[:12]))
        more = ", ..." if len(frame.columns) > 12 else ""
        raise UsageError(f"{name}: no column '{label}' (--label); there are {names}{more}")
    lower = {str(c).lower(): c for c in reversed(list(frame.columns))}
    for wanted in LABELS:
        if wanted in lower:
            return str(lower[wanted])
    raise UsageError(
        f"{name}: no column is called {', '.join(LABELS[:-1])} or {LABELS[-1]}; "
        "name the one to predict (--label COLUMN)"
    )


def text_of(value: Any) -> str:
    """A label's text: 1.0 of a column with gaps is 1."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def settle(
    name: str, frame: Any, label: Any, ignore: list[str], folds: int
) -> DataSet:
    """The rows that have a label, their columns and their labels, checked."""
    notes: list[str] = []
    if label is None or isinstance(label, str):
        label = find_label(frame, label, name)
        if list(frame.columns).count(label) > 1:
            raise DataError(f"{name}: two columns are called '{label}'; rename one")
        y = frame[label]
        X = frame.drop(columns=label)
    else:
        X, y = frame, np.asarray(label, dtype=object)
        if y.ndim != 1 or len(y) != len(X):
            raise DataError(f"{name}: {len(X)} rows, but labels of shape {y.shape}")
        label = "label"
    y = need_pandas().Series(np.asarray(y, dtype=object))
    for one in ignore:
        if one not in X.columns:
            raise UsageError(f"{name}: no column '{one}' (--ignore)")
    X = X.drop(columns=list(ignore))
    X.columns = [str(c) for c in X.columns]
    if len(set(X.columns)) != len(X.columns):
        raise DataError(f"{name}: two columns have the same name; rename one")
    have = ~y.isna().to_numpy()
    if not have.all():
        notes.append(f"{int((~have).sum())} rows without a label are left out")
    X, y = X[have].reset_index(drop=True), y[have]
    if X.shape[1] == 0:
        raise DataError(f"{name}: no column beside the label '{label}'")
    numbers = [c for c in X if X[c].dtype.kind == "f"]
    if numbers and np.isinf(X[numbers].to_numpy()).any():
        bad = next(c for c in numbers if np.isinf(X[c].to_numpy()).any())
        raise DataError(f"{name}: column '{bad}' holds infinite numbers; make them missing")
    labels, codes = np.unique([text_of(v) for v in y], return_inverse=True)
    check_labels(name, label, labels, codes, folds, notes)
    return DataSet(name, X, codes.astype(np.int64), labels.tolist(), label, notes)


def check_labels(
    name: str, label: str, labels: Any, codes: Any, folds: int, notes: list[str]
) -> None:
    if len(labels) < 2:
        raise DataError(f"{name}: column '{label}' has {len(labels)} labels; two are needed")
    if len(codes) < 2 * folds:
        raise DataError(
            f"{name}: {len(codes)} rows are too few for {folds} folds (--folds 2 or more)"
        )
    if len(labels) > 30 and len(labels) > len(codes) / 10:
        raise DataError(
            f"{name}: column '{label}' has {len(labels)} different values in {len(codes)} rows: "
            "measurements? Only labels are predicted (--label names another column)"
        )
    few = int((np.bincount(codes) < folds).sum())
    if few:
        notes.append(
            f"{few} labels have fewer cases than there are folds: some folds do not test them, or "
            "do not train on them"
        )


def data_sets(
    data: Any, label: Any, ignore: list[str], folds: int, delimiter: str | None,
    encoding: str | None,
) -> list[DataSet]:
    """All data sets, each with a name of its own."""
    if isinstance(data, dict):
        given = list(data.items())
    elif isinstance(data, (list, tuple)):
        given = [(None, one) for one in data]
    else:
        given = [(None, data)]
    if not given:
        raise UsageError("no data: a path, a DataFrame, or a list of them was expected")
    if len(given) > 1 and label is not None and not isinstance(label, str):
        raise UsageError("labels of several data sets are columns: label='NAME'")
    out: list[DataSet] = []
    for place, (name, one) in enumerate(given):
        if isinstance(one, (str, os.PathLike)):
            path = os.fspath(one)
            name = name or path
            frame = read(str(path), delimiter, encoding)
        else:
            name = name or ("data" if len(given) == 1 else f"data {place + 1}")
            frame = as_pandas(one, str(name))
        out.append(settle(str(name), frame, label, ignore, folds))
    return out
