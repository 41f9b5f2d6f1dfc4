"""Data from files: what the program reads, and Parquet and Excel."""

from __future__ import annotations

import datetime
import os
import re
from typing import TYPE_CHECKING, Any, Iterator, Protocol, Sequence, cast

import numpy as np

from . import _data, _hcbr
from ._check import whole
from ._options import ReadOptions
from ._progress import Progress, watching

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Format

Path = str | os.PathLike[str]

# The options of reading; others belong to training.
READING = tuple(ReadOptions.__annotations__)
_NUMBER = re.compile(r"[+-]?(?!0[0-9])(?=[0-9.]{1,16}(?:[eE]|\Z))[0-9]*\.?[0-9]*"
                     r"(?:[eE][+-]?[0-9]{1,2})?\Z")


class Data:
    """Cases from files, for `Model.fit`, `evaluate`, `audit` and the estimators.

    `X, y = data` gives both. `hcbr.Model.fit(data)` gives the very model that the program makes of
    the files, with the options that were given in reading.
    """

    def __init__(self, source: Any, options: dict[str, Any], paths: Any = None) -> None:
        self._source = source  # _hcbr.Cases, or names and columns
        self._options = options
        self._paths = paths  # of _hcbr.Cases
        self._made: tuple[Any, Any] | None = None

    # ---- for those that learn ------------------------------------------------------------------

    def given(self, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """What the library learns from, and the options for it."""
        said = {name: value for name, value in options.items() if value is not None}
        for name in said.keys() & set(READING):
            if said[name] != self._options.get(name):
                raise _hcbr.UsageError(f"{name}: the data is read already; give it to the reader")
        source = self._source
        if self._options.get("no_label"):
            raise _hcbr.UsageError("the data was read with no_label=True: there is none to learn")
        if said.get("belief") is not None and self._paths is not None:
            source = self._paths  # beliefs stand behind the cases of one reading
        if isinstance(source, dict):
            source = _hcbr.Table.columns(list(source), list(source.values()))
        return source, {**self._options, **said}

    def cases(self) -> Any:
        """X for a model that decides; columns that it is told to leave out are there, but empty."""
        X = self.X
        if _data.is_pandas(X):
            beside = [self._options.get(name) for name in ("id", "weight", "group")]
            beside += self._options.get("ignore") or []
            X = X.assign(**{name: None for name in beside if name and name not in X})
        return X

    # ---- for people ----------------------------------------------------------------------------

    @property
    def label(self) -> str:
        """The name of the column of labels."""
        if isinstance(self._source, _hcbr.Cases):
            return self._source.label
        given = self._options.get("label")
        names = {name.casefold(): name for name in reversed(self._source)}
        found = given or next((names[name] for name in _data.LABELS if name in names), None)
        if found not in self._source:
            raise _hcbr.DataError(f"no column of labels; label=... names one of {self.columns}")
        return str(found)

    @property
    def columns(self) -> list[str]:
        """Names of the columns of X."""
        if isinstance(self._source, _hcbr.Cases):
            return self._source.names
        beside = {self._options.get(name) for name in ("label", "id", "weight", "group")}
        beside |= set(self._options.get("ignore") or ())
        if "label" not in self._options and not self._options.get("no_label"):
            beside |= {name for name in self._source if name.casefold() in _data.LABELS[:1]}
        return [name for name in self._source if name not in beside]

    @property
    def X(self) -> Any:
        """The cases: a DataFrame of pandas, numbers as numbers and the rest as texts.

        Where a case has several values in a column, or none in a column that it has (sets, words
        of texts), a list of cases: lists of features, as `HCBRSetClassifier` takes them.
        """
        return self._parts()[0]

    @property
    def y(self) -> Any:
        """The label of each case; None if the data was read with no_label=True."""
        return self._parts()[1]

    @property
    def weight(self) -> Any:
        """The weight of each case; None without a column of weights."""
        name = self._options.get("weight")
        if name is None:
            return None
        if isinstance(self._source, _hcbr.Cases):
            return np.array(self._source.weights)
        return np.array(self._source[name], dtype=np.float64)

    @property
    def ids(self) -> list[Any] | None:
        """The name of each case; None without a column of names."""
        if isinstance(self._source, _hcbr.Cases):
            found = self._source.ids
            return found if any(one is not None for one in found) else None
        name = self._options.get("id")
        return None if name is None else list(self._source[name])

    def __len__(self) -> int:
        if isinstance(self._source, _hcbr.Cases):
            return self._source.rows
        return len(next(iter(self._source.values()), ()))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._parts())

    def __repr__(self) -> str:
        label = "no label" if self._options.get("no_label") else f"label {self.label!r}"
        return f"<hcbr.Data of {len(self)} cases, {label}>"

    def _parts(self) -> tuple[Any, Any]:
        if self._made is None:
            bare = bool(self._options.get("no_label"))
            if isinstance(self._source, _hcbr.Cases):
                labels = np.array(self._source.labels, dtype=object)
                X = _cases_of(self._source)
                self._made = (X, None if bare else labels[self._source.codes])
            elif bare:
                self._made = (_frame({name: self._source[name] for name in self.columns}), None)
            else:
                chosen = {name: self._source[name] for name in self.columns if name != self.label}
                self._made = (_frame(chosen), np.array(self._source[self.label], dtype=object))
        return self._made


def _frame(columns: dict[str, list[Any]]) -> Any:
    return _need("pandas", "X").DataFrame(columns)


def _need(name: str, what: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        first = name.split(".")[0]
        raise ImportError(f"{what} needs {first}: pip install {first}") from error


def _cases_of(cases: _hcbr.Cases) -> Any:
    """A frame if every case has at most one value in each column; else lists of features."""
    names, values = cases.names, cases.values()
    columns: list[list[Any]] = [[None] * len(values) for _ in names]
    for i, case in enumerate(values):
        for key, value in case:
            if value is None or columns[key][i] is not None:
                return _lists_of(names, values)
            columns[key][i] = value
    return _frame({name: _numbers(column) for name, column in zip(names, columns)})


def _lists_of(names: list[str], values: list[list[tuple[int, str | None]]]) -> list[list[Any]]:
    return [
        [names[key] if value is None else (names[key], value) for key, value in case]
        for case in values
    ]


def _numbers(column: list[Any]) -> Any:
    """A column as numbers, if all its values are numbers that doubles tell apart."""
    if all(one is None or _is_number(one) for one in column):
        return np.array([np.nan if one is None else float(one) for one in column])
    return column


def _is_number(text: str) -> bool:
    return bool(_NUMBER.match(text)) and any(char.isdigit() for char in text)


# ---- the readers -------------------------------------------------------------------------------


def _checked(options: Any) -> dict[str, Any]:
    for name in options:
        if name not in READING:
            raise TypeError(f"{name!r} is no option of reading; give it to what learns")
    return {name: value for name, value in options.items() if value is not None}


def read(
    paths: Path | Sequence[Path],
    *,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
    **options: Unpack[ReadOptions],
) -> Data:
    """Read one file or several, by the endings of their names, as the program does.

    Endings are those that the program knows, and .parquet, .xlsx, .db and .sqlite. Options are
    those of the program, with `_` for `-`: label, id, weight, ignore, text, split and so on. New
    cases without labels are read with `no_label=True`.
    """
    several = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    ending = os.path.splitext(os.fspath(several[0]))[1].lower() if several else ""
    other = _OTHERS.get(ending)
    if other and len(several) == 1 and "format" not in options:
        return other(several[0], **options)
    checked = _checked(options)
    # As for plain models: numbers as they are spelled. Rich models come out the same.
    given = {**checked, "model": "plain", "threads": _data.thread_count(n_jobs)}
    with watching(progress) as call:
        return Data(_hcbr.Cases.read(several, options=given, progress=call), checked, several)


class _Reader(Protocol):
    def __call__(
        self,
        paths: Path | Sequence[Path],
        *,
        n_jobs: int | None = None,
        progress: Progress | bool | None = None,
        **options: Unpack[ReadOptions],
    ) -> Data: ...


def _reader(name: Format, what: str) -> _Reader:
    def read_one(paths: Path | Sequence[Path], **options: Any) -> Data:
        return read(paths, format=name, **options)

    read_one.__name__ = read_one.__qualname__ = f"read_{name}"
    read_one.__doc__ = f"Read {what}; see `hcbr.read` for the options."
    return cast(_Reader, read_one)


read_csv = _reader("csv", "fields between commas, or another `delimiter`")
read_tsv = _reader("tsv", "fields between tabs")
read_jsonl = _reader("jsonl", "lines of JSON")
read_libsvm = _reader("libsvm", "lines of LIBSVM: a label, and numbers with their values")
read_text = _reader("text", "lines of a label, a tab and a text")
read_cases = _reader("cases", "lines of the numbers of features; labels by `outcomes`")


def read_parquet(path: Path, **options: Unpack[ReadOptions]) -> Data:
    """Read a Parquet file; needs pyarrow."""
    parquet = _need("pyarrow.parquet", "read_parquet")
    table = parquet.read_table(os.fspath(path))
    columns = {}
    for name in table.column_names:
        columns[name] = [plain(one) for one in table.column(name).to_pylist()]
    return Data(columns, _checked(options))


def read_excel(path: Path, *, sheet: str | int = 0, **options: Unpack[ReadOptions]) -> Data:
    """Read a sheet of an Excel file (.xlsx) whose first row is names; needs openpyxl."""
    openpyxl = _need("openpyxl", "read_excel")
    book = openpyxl.load_workbook(os.fspath(path), read_only=True, data_only=True)
    try:
        if isinstance(sheet, str) and sheet not in book.sheetnames:
            said = _hcbr.shown(sheet)
            raise _hcbr.UsageError(f"sheet={said}: one of {book.sheetnames} was expected")
        if not isinstance(sheet, str):
            sheet = book.sheetnames[whole("sheet", sheet, 0, len(book.sheetnames) - 1)]
        page = book[sheet]
        rows = [row for row in page.iter_rows(values_only=True) if any(v is not None for v in row)]
    finally:
        book.close()
    return Data(_by_name(rows[0], rows[1:]) if rows else {}, _checked(options))


def read_sqlite(
    path: Path,
    *,
    table: str | None = None,
    query: str | None = None,
    **options: Unpack[ReadOptions],
) -> Data:
    """Read a table or the rows of a query of an SQLite file; without either, its only table."""
    import sqlite3
    from urllib.parse import quote

    where = f"file:{quote(os.fspath(path))}?mode=ro"
    base = sqlite3.connect(where, uri=True)
    try:
        if query is None:
            if table is None:
                found = base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                tables = [one for (one,) in found if not one.startswith("sqlite_")]
                if len(tables) != 1:
                    raise _hcbr.UsageError(f"table=... must name one of {tables}")
                table = str(tables[0])
            query = 'SELECT * FROM "' + table.replace('"', '""') + '"'
        asked = base.execute(query)
        names = [one[0] for one in asked.description]
        return Data(_by_name(names, asked.fetchall()), _checked(options))
    finally:
        base.close()


_OTHERS = {
    ".parquet": read_parquet, ".xlsx": read_excel, ".db": read_sqlite, ".sqlite": read_sqlite,
    ".sqlite3": read_sqlite,
}


def _by_name(names: Sequence[Any], rows: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {}
    for i, name in enumerate(names):
        text = _data.free_name(str(i + 1) if name is None else str(name), columns)
        columns[text] = [plain(row[i]) if i < len(row) else None for row in rows]
    return columns


def plain(value: Any) -> Any:
    """Dates as texts of ISO 8601, decimals as texts; a day without a time is the day."""
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time() and value.tzinfo is None
        return value.date().isoformat() if midnight else value.isoformat(" ")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "replace")
    if value is None or isinstance(value, (bool, int, float, str, list)):
        return value
    return str(value)
