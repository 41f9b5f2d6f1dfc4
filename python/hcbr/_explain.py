"""Explanations: why a case was decided as it was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence, overload

import numpy as np

from . import _hcbr
from ._check import MOST, count_or_all, whole
from ._data import column_of, label_texts
from ._notebook import fragment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._options import Label

_Bound = tuple[str, "str | None", "str | None", bool, bool]


def _end(value: Any) -> str | None:
    """An end of a range as the program reads it."""
    if value is None or isinstance(value, str):
        return value
    if hasattr(value, "isoformat"):
        return str(value.isoformat())[:10]
    return repr(float(value))


def _past_case(case: Any) -> str:
    """The id of a past case, or the number of its row."""
    return case if isinstance(case, str) else str(whole("case", case, -MOST))


def _columns(names: Sequence[str] | None) -> Sequence[str]:
    return [names] if isinstance(names, str) else names or ()


def _bounds(
    ranges: Mapping[str, tuple[Any, Any]] | None,
    increase_only: Sequence[str] | None,
    decrease_only: Sequence[str] | None,
) -> list[_Bound]:
    for column, ends in (ranges or {}).items():
        if not isinstance(ends, (list, tuple)) or len(ends) != 2:
            raise _hcbr.UsageError(
                f"ranges: (from, to) was expected for {column!r}, not {_hcbr.shown(ends)}"
            )
    return [
        *((c, _end(low), _end(high), False, False) for c, (low, high) in (ranges or {}).items()),
        *((c, None, None, True, False) for c in _columns(increase_only)),
        *((c, None, None, False, True) for c in _columns(decrease_only)),
    ]


class Explanation:
    """Why one case was decided as it was.

    `to_dict()` is the object of `hcbr explain --json`. In a notebook it shows itself as the
    program's page, which has no script.
    """

    def __init__(
        self,
        core: _hcbr.Model,
        found: dict[str, Any],
        row: _hcbr.Row,
        top: int = 10,
        cases: int = 5,
    ) -> None:
        self._core = core
        self._found = found
        self._row = row
        self._top, self._cases = top, cases

    @property
    def label(self) -> Label | None:
        """What was answered, or None."""
        label: str | None = self._found["label"]
        if label is None:
            return None
        return self._core.labels[self._core.label_names.index(label)]

    @property
    def case(self) -> list[tuple[str, str | None]]:
        """The features of the case: pairs of key and value; None: a bare key."""
        return self._row.features

    def __getitem__(self, key: str) -> Any:
        return self._found[key]

    def to_dict(self) -> dict[str, Any]:
        """All that is known, by the keys of docs/JSON.md."""
        return dict(self._found)

    def to_frame(self) -> Any:
        """The columns that weighed, as a DataFrame of pandas: lead, and a column for each label."""
        import pandas

        rows = [
            {"column": c["name"], "lead": c["lead"], **c["contribution"]}
            for c in self._found["columns"]
        ]
        labels = list(self._found["support"])
        return pandas.DataFrame(rows, columns=["column", "lead", *labels])

    def plot(self, most: int = 10, atoms: int = 8) -> Any:
        """A figure of matplotlib: what columns add to the lead, and the strongest atoms.

        `most` columns are shown, the others as one.
        """
        from ._plot import plot_one

        return plot_one(self._found, self.case, whole("most", most, 1), whole("atoms", atoms))

    def _ask(self, **asked: Any) -> tuple[dict[str, Any], str]:
        text, page = self._core.reasons(
            self._row, row=self._found["row"] or 0, atoms=self._top, cases=self._cases, **asked
        )
        return json.loads(text), page

    def versus(self, case: str | int) -> dict[str, Any]:
        """The case beside a past case, named by its id or its row."""
        found: dict[str, Any] = self._ask(versus=_past_case(case))[0]["versus"]
        return found

    def flip(
        self,
        most: int = 3,
        fixed: Sequence[str] | None = None,
        *,
        only: Sequence[str] | None = None,
        ranges: Mapping[str, tuple[Any, Any]] | None = None,
        increase_only: Sequence[str] | None = None,
        decrease_only: Sequence[str] | None = None,
    ) -> dict[str, Any]:
        """The smallest changes that would change the answer, with the nearest values that do.

        `fixed` columns stay as they are; with `only`, no others change. `ranges` says from where
        to where a column of numbers or dates may go, as in `{"age": (30, 60)}`; None is no end.
        Numbers of `increase_only` may only grow, those of `decrease_only` only fall.
        """
        bounds = _bounds(ranges, increase_only, decrease_only)
        most = whole("most", most, 1)
        found: dict[str, Any] = self._ask(flip=most, fixed=fixed, only=only, bounds=bounds)[0][
            "flip"
        ]
        return found

    def ask(self, most: int = 5) -> dict[str, Any]:
        """The missing values that are worth asking for first, by their expected change."""
        found: dict[str, Any] = self._ask(ask=whole("most", most, 1))[0]["ask"]
        return found

    def to_html(self, *, versus: str | int | None = None, flip: int = 0, ask: int = 0) -> str:
        """The program's page: complete, without script, loads nothing."""
        name = None if versus is None else _past_case(versus)
        return self._ask(versus=name, flip=whole("flip", flip), ask=whole("ask", ask))[1]

    def _repr_html_(self) -> str:
        return fragment(self.to_html())

    def __repr__(self) -> str:
        columns = ", ".join(f"{c['name']} {c['lead']:+.3g}" for c in self._found["columns"][:5])
        against = self._found["against"]
        return f"<hcbr.Explanation {self.label!r} against {against!r}: {columns or 'nothing'}>"


class Explanations(Sequence[Explanation]):
    """Why each row was decided as it was.

    `values`, `base_values` and `data` have the shapes that the plots of SHAP expect. They are not
    Shapley values: what an atom adds is divided equally over the columns that it tests.
    For each row and label, `base_values` and the `values` of all columns add up to the support.
    """

    def __init__(self, items: list[Explanation], core: _hcbr.Model) -> None:
        self._items = items
        self._core = core
        self._names = core.label_names
        self.labels = core.labels
        self._arrays: tuple[Any, Any, Any, list[str]] | None = None

    @overload
    def __getitem__(self, index: int) -> Explanation: ...

    @overload
    def __getitem__(self, index: slice) -> Explanations: ...

    def __getitem__(self, index: int | slice) -> Explanation | Explanations:
        if isinstance(index, slice):
            return Explanations(self._items[index], self._core)
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self._items)

    def _by_column(self) -> tuple[Any, Any, Any, list[str]]:
        if self._arrays:
            return self._arrays
        names: dict[str, int] = {}
        for one in self._items:
            for key, _ in one.case:
                names.setdefault(key, len(names))
        if self._items:
            for kind in json.loads(self._items[0]._core.inspect(0)).get("kinds") or []:
                names.setdefault(kind["name"], len(names))
        given = set(names)
        for one in self._items:
            for column in one["columns"]:
                names.setdefault(column_of(column["name"], given), len(names))
        shape = (len(self._items), len(names), len(self.labels))
        values = np.zeros(shape)
        base = np.zeros((shape[0], shape[2]))
        data = np.full(shape[:2], None, dtype=object)
        for i, one in enumerate(self._items):
            base[i] = [one["bias"][k] + one["rest"][k] for k in self._names]
            for column in one["columns"]:
                place = names[column_of(column["name"], given)]
                values[i, place] += [column["contribution"][k] for k in self._names]
            for key, value in one.case:
                data[i, names[key]] = key if value is None else value
        self._arrays = (values, base, data, list(names))
        return self._arrays

    @property
    def values(self) -> NDArray[np.float64]:
        """What each column adds to the support of each label: rows × columns × labels.

        What was made of a column, words of a text or the month of a date, counts for the column.
        """
        return self._by_column()[0]

    @property
    def base_values(self) -> NDArray[np.float64]:
        """What no column adds: rows × labels."""
        return self._by_column()[1]

    @property
    def data(self) -> NDArray[np.object_]:
        """The values of the rows as texts, None where there is none: rows × columns."""
        return self._by_column()[2]

    @property
    def feature_names(self) -> list[str]:
        """Names of the columns of `values` and `data`."""
        return self._by_column()[3]

    @property
    def output_names(self) -> list[str]:
        return list(self._names)

    def summary(self, most: int = 10) -> dict[str, Any]:
        """The reasons of these rows together, the object of `hcbr explain --summary --json`.

        Which columns and atoms speak how often for and against which answers, rows with strong
        reasons for and against, rows unlike past cases. Rows are counted from 1, without the labels
        of the data. `most` of each are shown; -1: all.
        """
        if not self._items:
            raise ValueError("there are no rows to sum up")
        text = self._items[0]._core.summary(
            [one._row for one in self._items], count_or_all("most", most)
        )
        found: dict[str, Any] = json.loads(text)
        return found

    def to_dict(self) -> list[dict[str, Any]]:
        """The objects of all rows, by the keys of docs/JSON.md."""
        return [one.to_dict() for one in self._items]

    def to_shap(self, label: Any = None) -> Any:
        """An object of the package shap, for its plots; these are no Shapley values.

        With a label: rows × columns of that label. Without: rows × columns × labels; of two labels
        those of the second alone.
        """
        try:
            import shap
        except ImportError as error:
            raise ImportError("to_shap needs shap: pip install shap") from error
        if label is None and len(self.labels) == 2:
            label = self._names[1]
        elif label is not None and not isinstance(label, str):
            label = label_texts([label])[0]  # a class of an estimator
        values, base, data, names = self._by_column()
        if label is not None:
            if label not in self._names:
                raise _hcbr.UsageError(
                    f"label={_hcbr.shown(label)}: one of {list(self._names)} was expected"
                )
            place = self._names.index(label)
            values, base = values[:, :, place], base[:, place]
        outputs = label if label is not None else list(self._names)
        return shap.Explanation(
            values, base_values=base, data=data, feature_names=names, output_names=outputs
        )

    def plot(self, most: int = 15) -> Any:
        """A figure of matplotlib: how much columns add to the leads of these rows, in the mean."""
        from ._plot import plot_many

        if not self._items:
            raise ValueError("there are no rows to plot")
        given = {key for one in self._items for key, _ in one.case}
        return plot_many([one._found for one in self._items], given, whole("most", most, 1))

    def to_frame(self) -> Any:
        """All columns of all rows, as a DataFrame of pandas with the row's number in front."""
        import pandas

        frames = [one.to_frame() for one in self._items]
        for number, frame in enumerate(frames):
            frame.insert(0, "row", number)
        return pandas.concat(frames, ignore_index=True) if frames else pandas.DataFrame()

    def _repr_html_(self) -> str:
        most = 5
        shown = "".join(one._repr_html_() for one in self._items[:most])
        more = len(self._items) - most
        return shown + (f"<p>and {more} more</p>" if more > 0 else "")

    def __repr__(self) -> str:
        return f"<hcbr.Explanations of {len(self._items)} rows>"


def explain_table(
    core: _hcbr.Model, table: _hcbr.Table, top: int, cases: int, threads: int, progress: Any
) -> Explanations:
    top, cases = count_or_all("top", top), count_or_all("cases", cases)
    if table.rows == 0:
        return Explanations([], core)
    text, rows = core.explain(table, atoms=top, cases=cases, threads=threads, progress=progress)
    lines = [json.loads(line) for line in text.split("\n") if line]
    items = [Explanation(core, found, row, top, cases) for found, row in zip(lines, rows)]
    return Explanations(items, core)
