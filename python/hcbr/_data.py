"""Data of Python as tables of the library, without copies where the memory allows it."""

from __future__ import annotations

import os
from typing import Any, Collection, Iterable

import numpy as np

from . import _hcbr

CASE_TYPES = (dict, set, frozenset, str)


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
        import pyarrow

        return pyarrow.table(X)
    except (ImportError, TypeError):
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
        import pyarrow

        made = pyarrow.array(column, from_pandas=True)
        return made.combine_chunks() if hasattr(made, "combine_chunks") else made
    except (ImportError, NotImplementedError, TypeError, ValueError):
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
    """The texts that the library knows labels by; they must differ and mean something."""
    texts: list[str] = []
    for one in classes:
        text = _hcbr.value_text(one)
        if text is None or _hcbr.is_missing(text):
            said = one.item() if isinstance(one, np.generic) else one
            raise ValueError(f"the label {said!r} means that there is none; give it another name")
        texts.append(text)
    if len(set(texts)) != len(texts):
        raise ValueError("two labels have the same text")
    return texts


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
    if n_jobs == 0:
        raise ValueError("n_jobs=0 has no meaning; 1 or more, or -1 for all processors")
    if n_jobs > 0:
        return int(n_jobs)
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, (count or 1) + 1 + int(n_jobs))


def machine_memory() -> float:
    """All memory of the machine, which training must not exceed; 0 if that is not known."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):
        return 0.0
