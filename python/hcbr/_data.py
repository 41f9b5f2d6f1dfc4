"""Data of Python as tables of the library, without copies where the memory allows it."""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
from typing import Any, Collection, Iterable

import numpy as np

from . import _hcbr
from ._check import threads

# Columns that hold the labels if nothing else is said.
LABELS = ("label", "y", "class", "target", "outcome")
CASE_TYPES = (dict, set, frozenset, str)

# An import holds a lock that a child of a fork never gets if another thread has it. So whether
# pyarrow is installed is asked once, and a fork waits until it is imported.
_HAS_PYARROW = importlib.util.find_spec("pyarrow") is not None
_pyarrow: Any = None
_importing = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_importing.acquire,
        after_in_parent=_importing.release,
        after_in_child=_importing.release,
    )


def pyarrow() -> Any:
    """The module pyarrow, or None."""
    global _HAS_PYARROW, _pyarrow
    if _pyarrow is None and _HAS_PYARROW:
        with _importing:
            try:
                found = importlib.import_module("pyarrow")
                if "pandas" in sys.modules:
                    importlib.import_module("pyarrow.pandas_compat")  # its array() would
                _pyarrow = found
            except ImportError:  # installed, but broken
                _HAS_PYARROW = False
    return _pyarrow


def is_pandas(X: Any) -> bool:
    return type(X).__module__.split(".")[0] == "pandas" and hasattr(X, "iloc")


def is_arrow(X: Any) -> bool:
    return hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__")


def is_sparse(X: Any) -> bool:
    return hasattr(X, "tocsr") and hasattr(X, "nnz")


def is_frame(X: Any) -> bool:
    """Columns with names and types of their own: pandas, or anything that speaks Arrow."""
    return is_pandas(X) or is_arrow(X)


def gathered(X: Any) -> Any:
    """A source of Arrow that tells neither its columns nor its size, as a reader of batches or a
    relation of DuckDB, as a table of pyarrow, if that is installed."""
    if is_pandas(X) or not is_arrow(X) or hasattr(X, "__dataframe__"):
        return X
    try:
        return pyarrow().table(X) if pyarrow() else X
    except TypeError:
        return X


def check_collected(X: Any) -> None:
    """Refuse a plan of a table that was not carried out."""
    if type(X).__name__ == "LazyFrame" and hasattr(X, "collect"):
        raise TypeError("a LazyFrame has no rows yet; collect() gives the frame to use")


def is_table(X: Any) -> bool:
    """Something whose rows are cases only together with its columns?"""
    if isinstance(X, np.ndarray):
        return X.ndim == 2 and X.dtype.kind == "f"
    return is_sparse(X) or (is_frame(X) and hasattr(X, "columns"))


def has_names(X: Any) -> bool:
    """A frame whose columns are called by texts: their names count, not their places."""
    if is_pandas(X):
        return hasattr(X, "columns") and all(isinstance(name, str) for name in X.columns)
    return is_arrow(X)


def is_cases(X: Any) -> bool:
    """A list of dicts, sets or texts?"""
    return isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], CASE_TYPES)


def _sparse_table(X: Any) -> _hcbr.Table:
    rows = X.tocsr()
    if rows.ndim != 2:
        raise ValueError(f"a sparse matrix of 2 dimensions was expected, not {rows.ndim}")
    values = rows.data
    if values.dtype not in (np.float32, np.float64):
        if values.dtype.kind not in "biuf":
            raise TypeError(f"a sparse matrix of {values.dtype} cannot be used")
        values = values.astype(np.float64)
    indices, starts = rows.indices, rows.indptr
    if indices.dtype != starts.dtype or indices.dtype not in (np.int32, np.int64):
        indices, starts = indices.astype(np.int64), starts.astype(np.int64)
    return _hcbr.Table.sparse(
        np.ascontiguousarray(starts), np.ascontiguousarray(indices), np.ascontiguousarray(values),
        rows.shape[1],
    )


def unmasked(values: Any) -> Any:
    """What a masked array hides is missing."""
    if not isinstance(values, np.ma.MaskedArray):
        return values
    if values.dtype.kind in "biuf":
        return np.ma.filled(values.astype(np.float64), np.nan)
    return np.ma.filled(values.astype(object), None)


def _plain(values: Any) -> Any:
    """An array of numpy itself, in the byte order of the machine, with steps that can be taken."""
    values = np.asarray(unmasked(values))
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    if values.dtype.kind == "f" and values.dtype.itemsize > 8:
        values = values.astype(np.float64)
    if values.ndim == 2 and values.shape[0] > 1 and values.strides[0] == 0:
        values = values.copy()
    return values


def _objects(values: Any) -> list[Any]:
    """A column as a list: dates as texts of ISO 8601, what is no date as None."""
    if values.dtype.kind == "M":
        texts = [str(text) for text in np.datetime_as_string(values)]
        short = [text.rstrip("0").rstrip(".") if "." in text else text for text in texts]
        return [None if text == "NaT" else text for text in short]
    return values.tolist()  # type: ignore[no-any-return]


def numbered(count: int) -> list[str]:
    """Names of columns that have none, as those of a csv file without a header."""
    return [str(i + 1) for i in range(count)]


def _matrix_table(X: Any, names: list[str] | None) -> _hcbr.Table:
    X = _plain(X)
    if X.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {X.ndim}D array instead. Reshape your data: a row is a case"
        )
    if X.dtype.kind in "biuf":
        return _hcbr.Table.matrix(X, names)
    if X.dtype.kind not in "OUM":
        raise TypeError(f"an array of {X.dtype} cannot be used")
    count = X.shape[1]
    return _hcbr.Table.columns(names or numbered(count), [_objects(X[:, i]) for i in range(count)])


def _simple(column: Any) -> Any:
    """A column of pandas without types that Arrow cannot say: periods become the moments at which
    they begin, intervals their texts."""
    kind = type(column.dtype).__name__
    if kind == "PeriodDtype":
        return column.dt.to_timestamp()
    if kind == "IntervalDtype":
        return column.astype(object).map(str, na_action="ignore").astype(object)
    if kind == "CategoricalDtype":
        inner = type(column.cat.categories.dtype).__name__
        if inner == "IntervalDtype":
            return column.cat.rename_categories(str)
        if inner == "PeriodDtype":
            return _simple(column.astype(column.cat.categories.dtype))
    return column


def _pandas_column(column: Any) -> Any:
    column = _simple(column)
    kind = getattr(column.dtype, "kind", "O")
    if isinstance(column.dtype, np.dtype) and kind in "biuf":
        return np.ascontiguousarray(_plain(column.to_numpy()))
    if isinstance(column.dtype, np.dtype) and kind == "O":
        return column.tolist()
    try:
        if arrow := pyarrow():
            made = arrow.array(column, from_pandas=True)
            return made.combine_chunks() if hasattr(made, "combine_chunks") else made
    except (NotImplementedError, TypeError, ValueError):
        pass
    return column.astype(object).tolist()


def _pandas_table(X: Any, names: list[str] | None) -> _hcbr.Table:
    if not hasattr(X, "columns"):
        raise ValueError(
            "Expected 2D data, got a Series instead: a frame of one row has one case (frame[:1])"
        )
    if names is None:
        names = list(X.columns) if has_names(X) else numbered(X.shape[1])
    kinds = {dtype.kind if isinstance(dtype, np.dtype) else "O" for dtype in X.dtypes}
    if len(set(X.dtypes)) == 1 and kinds <= set("biuf"):
        return _hcbr.Table.matrix(_plain(X.to_numpy()), names)
    columns = [_pandas_column(column) for _, column in X.items()]  # a third of iloc's time
    return _hcbr.Table.columns(names, columns)


def as_table(X: Any, model: Any = None, names: list[str] | None = None) -> _hcbr.Table:
    """A table of X, which is a matrix, a frame, a sparse matrix, or a list of cases.

    Cases are read as `model` reads them. `names` are those of all columns, in the place of the
    ones that they have; a sparse matrix has numbers.
    """
    if isinstance(X, _hcbr.Table):
        return X
    check_collected(X)
    if type(X).__name__ == "Data" and type(X).__module__ == "hcbr._read":
        X = X.cases()
    if is_sparse(X):
        return _sparse_table(X)
    if is_pandas(X):
        return _pandas_table(X, names)
    if is_arrow(X):
        return _hcbr.Table.stream(X, names)
    if is_cases(X):
        return _hcbr.Table.cases(X, model)
    if isinstance(X, (str, bytes, dict)):
        raise TypeError(f"many cases were expected, not one {type(X).__name__}")
    try:
        array = np.asarray(unmasked(X))
    except ValueError:  # lists of several lengths: cases of tokens
        array = None
    if array is None or array.ndim != 2:
        if isinstance(X, (list, tuple)) and X and isinstance(X[0], (list, tuple)):
            return _hcbr.Table.cases(X, model)
    if array is None:
        raise ValueError("the rows of X differ in length")
    return _matrix_table(array, names)


def label_texts(classes: Iterable[Any]) -> list[str]:
    """The texts that the library knows labels by; they must differ."""
    texts: dict[str, Any] = {}
    if isinstance(classes, np.ndarray):
        classes = _objects(classes)
    for one in classes:
        try:
            text = _hcbr.value_text(one)
        except TypeError:
            text = None
        if not text:
            raise _no_label(one)
        if text in texts:
            raise _hcbr.DataError(
                f"two labels have the same text: {_hcbr.shown(texts[text])} and {_hcbr.shown(one)}"
            )
        texts[text] = one
    return list(texts)


_BOOLEAN, _INTEGER, _NUMBER = 1, 2, 3


def _label_type(value: Any) -> int:
    """What a label is, as models store it; 0: a text."""
    if isinstance(value, (bool, np.bool_)):
        return _BOOLEAN
    if isinstance(value, (int, np.integer)):
        return _INTEGER
    return _NUMBER if isinstance(value, (float, np.floating)) and np.isfinite(value) else 0


def label_types(classes: Iterable[Any], texts: Iterable[str]) -> dict[str, int]:
    """Of labels that are no texts, what they are, by their texts."""
    classes = list(classes)
    types = {text: _label_type(value) for value, text in zip(classes, texts) if len(text) < 1000}
    if not any(types.values()) or len(set(classes)) < len(classes):  # True and 1 are one key
        return {}
    return {text: kind for text, kind in types.items() if kind}


def types_in_column(X: Any, label: str | None) -> dict[str, int]:
    """The same of the labels in a column of a frame."""
    names = getattr(X, "column_names", getattr(X, "columns", None))
    if not is_frame(X) or names is None:
        return {}
    folded = {str(name).casefold(): name for name in reversed(list(names))}
    found = label or next((folded[name] for name in LABELS if name in folded), None)
    try:
        classes, _ = coded(one_each(X[found]))
        return label_types(classes, label_texts(classes))
    except (AttributeError, KeyError, TypeError, ValueError):  # training says what is wrong
        return {}


def one_each(y: Any, what: str = "y") -> Any:
    """A value for each row as an array of one dimension: of anything that holds a column."""
    check_collected(y)
    if isinstance(y, (str, bytes, dict, set, frozenset)) or not hasattr(y, "__len__"):
        if not is_arrow(y):
            raise _hcbr.UsageError(f"{what}={_hcbr.shown(y)}: a label for each row was expected")
    if is_arrow(y) and not isinstance(y, np.ndarray) and not is_pandas(y):
        y = _arrow_column(y, what)
    values = np.asarray(unmasked(y))
    if values.dtype.kind == "S":
        values = values.astype(np.str_)
    elif values.dtype.kind == "U" and isinstance(y, (list, tuple)):
        if not all(isinstance(one, str) for one in y):  # numpy makes texts of all, of NaN, too
            values = np.array(y, dtype=object)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(
            f"{what} should be a 1d array, got an array of shape {values.shape} instead."
        )
    return values


def _arrow_column(y: Any, what: str) -> Any:
    """The only column of a frame or a relation, or a column itself, of polars, pyarrow, DuckDB."""
    names = getattr(y, "column_names", getattr(y, "columns", None))
    if names is not None and len(names) != 1:
        raise ValueError(
            f"{what} should be a 1d array, got a table of {len(names)} columns instead."
        )
    if not hasattr(y, "to_numpy"):  # a relation
        y = gathered(y)
        if not hasattr(y, "to_numpy") and not hasattr(y, "column"):
            return [row[0] for row in y.fetchall()]
    if hasattr(y, "column"):  # a table of pyarrow
        y = y.column(0)
    return y.to_pylist() if hasattr(y, "to_pylist") else y.to_numpy()


def missing_of(values: Any) -> Any:
    """Which values of an array are None, NaN, NaT or NA."""
    if values.dtype.kind == "O":
        return np.fromiter(map(is_nan, values), bool, len(values))
    return values != values


def name_of(y: Any) -> Any:
    """The name of a column, where it has one."""
    names = getattr(y, "column_names", getattr(y, "columns", None))
    if names is not None and len(names) == 1:
        return str(next(iter(names)))
    return getattr(y, "name", None)


def coded(values: Any) -> tuple[Any, Any]:
    """The different values that are not missing, in their order, and the number of each value:
    as many as there are for one that is missing."""
    missing = missing_of(values)
    if values.dtype.kind == "O":
        return _coded_objects(values, missing)
    there = values if not missing.any() else values[~missing]
    classes, codes = np.unique(there, return_inverse=True)
    if len(there) == len(values):
        return classes, codes.astype(np.int64)
    out: Any = np.full(len(values), len(classes), dtype=np.int64)
    out[~missing] = codes
    return classes, out


def _coded_objects(values: Any, missing: Any) -> tuple[Any, Any]:
    """The same of objects, by their texts: those of several types have no order."""
    places: dict[str | None, int] = {}
    classes: list[Any] = []
    codes: Any = np.empty(len(values), dtype=np.int64)
    for i, value in enumerate(values):
        if missing[i]:
            codes[i] = -1
            continue
        try:
            text = _hcbr.value_text(value)
        except TypeError:
            text = None
        if not text:
            raise _no_label(value)
        codes[i] = place = places.setdefault(text, len(classes))
        if place == len(classes):
            classes.append(value)
        elif type(classes[place]) is not type(value) and classes[place] != value:
            raise _hcbr.DataError(
                f"two labels have the same text: {_hcbr.shown(classes[place])} and"
                f" {_hcbr.shown(value)}"
            )
    codes[codes < 0] = len(classes)
    return classes, codes


def _no_label(value: Any) -> Exception:
    said = _hcbr.shown(value)
    return _hcbr.DataError(f"{said} cannot be a label; a text, a number, a boolean or a date can")


def group_numbers(groups: Any, rows: int) -> Any:
    """A number for each row, the same for rows that share a group; NaN: the row has none."""
    values = one_each(groups, "groups")
    if len(values) != rows:
        raise ValueError(f"X has {rows} rows, but groups has {len(values)}")
    if values.dtype.kind == "O":
        values = values.copy()
        values[:] = [None if is_nan(one) else _hcbr.value_text(one) for one in values]
    classes, codes = coded(values)
    return np.where(codes == len(classes), np.nan, codes.astype(np.float64))


def is_nan(value: Any) -> bool:
    """None, NaN, NaT, or what pandas calls NA?"""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """`wanted`, or with a number behind it if that name is taken."""
    names = set(taken)
    name, number = wanted, 2
    while name in names:
        name, number = f"{wanted}.{number}", number + 1
    return name


def column_of(part: str, columns: Collection[str]) -> str:
    """The column that a part of it belongs to: `when: month` to `when`, `note:word` to `note`."""
    name = part
    while name not in columns and ":" in name:
        name = name.rsplit(":", 1)[0]
    return name if name in columns else part


def thread_count(n_jobs: int | None) -> int:
    if n_jobs is None:
        return 1
    wanted = threads("n_jobs", n_jobs)
    if wanted > 0:
        return wanted
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, (count or 1) + 1 + wanted)


def machine_memory() -> float:
    """All memory of the machine, which training must not exceed; 0 if that is not known."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):
        return 0.0
