"""Cases that experts state, as the file that the library reads."""

from __future__ import annotations

import csv
import os
import tempfile
from typing import Any

from . import _data, _hcbr
from ._read import plain


def _rows(given: Any) -> tuple[list[str], list[list[Any]]]:
    """Names and rows of a frame or of a list of dicts."""
    if _data.is_pandas(given) and hasattr(given, "columns"):
        return [str(name) for name in given.columns], given.astype(object).values.tolist()
    for method in ("to_pylist", "to_dicts"):  # pyarrow, polars
        if hasattr(given, method):
            given = getattr(given, method)()
    if isinstance(given, dict):
        given = [given]
    if not isinstance(given, (list, tuple)) or not all(isinstance(one, dict) for one in given):
        raise _hcbr.UsageError(
            f"belief: a file, a frame or a list of dicts was expected, not {type(given).__name__}"
        )
    names = list(dict.fromkeys(name for one in given for name in one))
    return names, [[one.get(name) for name in names] for one in given]


class stated:
    """`with stated(options):` makes a file of beliefs that are a frame or a list of dicts."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        given = options.get("belief")
        if given is None or isinstance(given, (str, bytes, os.PathLike)):
            return
        names, rows = _rows(given)
        texts = [[_hcbr.value_text(plain(one)) or "" for one in row] for row in rows]
        self._folder = tempfile.TemporaryDirectory()
        options["belief"] = os.path.join(self._folder.name, "belief")
        with open(options["belief"], "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([names, *texts])

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self._folder is None:
            return
        self._folder.cleanup()
        if isinstance(error, _hcbr.Error):  # the file is nothing to the caller
            said = str(error).replace(self._folder.name + os.sep, "")
            raise type(error)(said) from None
