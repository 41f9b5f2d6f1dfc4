"""An honest comparison with other libraries: the same folds for all, and paired differences."""

from __future__ import annotations

from numbers import Real
from typing import Any

from .. import _hcbr
from .._check import whole
from .._notebook import fragment
from .._progress import Progress, watching
from .libraries import HCBR, machine
from .measures import LEVEL

METHOD = "corrected resampled t-test (Nadeau and Bengio 2003)"


class Comparison:
    """What was measured. `str()` is the table of the terminal; in a notebook it is a page without
    script."""

    def __init__(self, found: dict[str, Any]) -> None:
        self._found = found

    def to_dict(self) -> dict[str, Any]:
        """The object of `python -m hcbr.compare --json`."""
        return dict(self._found)

    def to_frame(self) -> Any:
        """A row for each data set and library, as a DataFrame of pandas."""
        import pandas

        from .text import rows

        return pandas.DataFrame(rows(self._found))

    def to_html(self) -> str:
        """A page: complete, without script, loads nothing."""
        from .page import page

        return page(self._found)

    def __getitem__(self, key: str) -> Any:
        return self._found[key]

    def __str__(self) -> str:
        from .text import text

        return text(self._found)

    def __repr__(self) -> str:
        sets, libraries = self._found["sets"], self._found["libraries"]
        return f"<hcbr.Comparison of {len(libraries)} libraries on {len(sets)} data sets>"

    def _repr_html_(self) -> str:
        return fragment(self.to_html())


def compare(
    data: Any,
    label: Any = None,
    *,
    against: Any = None,
    folds: int = 5,
    repeats: int = 2,
    seed: int = 1,
    ignore: Any = (),
    limit: float | None = 600.0,
    n_jobs: int = 1,
    delimiter: str | None = None,
    encoding: str | None = None,
    progress: Progress | bool | None = None,
    **options: Any,
) -> Comparison:
    """Measure hcbr and other libraries on the same folds.

    `data` is a path, a DataFrame, or a list or dict of them; `label` names the column to predict,
    or holds the labels. `against` are names of libraries (None: all that are installed), or a dict
    of estimators of your own, which get the frame as it is. `options` are those of HCBRClassifier.

    Folds are stratified and drawn from `seed`, `seed` + 1, ...; each library runs with `n_jobs`
    threads in a process of its own; other libraries have `limit` seconds for a data set.
    """
    from .data import data_sets
    from .run import choose, compare_set, summary

    folds, repeats = whole("folds", folds, 2), whole("repeats", repeats, 1)
    n_jobs, seed = whole("n_jobs", n_jobs, 1), whole("seed", seed)
    if limit is not None and not (isinstance(limit, Real) and limit > 0 and limit is not True):
        said = _hcbr.shown(limit)
        raise _hcbr.UsageError(f"limit={said}: seconds above 0 were expected, or None")
    left_out = [ignore] if isinstance(ignore, str) else list(ignore)
    others, missing = choose(against)
    ours = HCBR
    if options:
        from .._estimators import HCBRClassifier

        ours = ours._replace(make=HCBRClassifier(n_jobs=n_jobs, progress=False, **options))
    libraries = [ours, *others]
    sets = data_sets(data, label, left_out, folds, delimiter, encoding)
    seeds = [seed + i for i in range(repeats)]
    total = len(sets) * len(libraries) * folds * repeats
    found: list[dict[str, Any]] = []
    done = 0
    with watching(progress) as call:

        def step(where: str, ended: int) -> None:
            nonlocal done
            done += ended
            if call:
                call(where, done, total)

        for place, one in enumerate(sets):
            done = place * total // len(sets)
            found.append(compare_set(one, libraries, folds, seeds, n_jobs, limit, step))
            wrong = found[-1]["libraries"][0]["error"]
            if wrong:
                raise _hcbr.DataError(f"{one.name}: hcbr failed: {wrong}")
    return Comparison({
        "schema": "hcbr.compare/1", "version": _hcbr.version, "machine": machine(),
        "folds": folds, "repeats": repeats, "seeds": seeds, "threads": n_jobs,
        "interval": {"level": LEVEL, "method": METHOD, "of": "hcbr minus the library"},
        "libraries": [library.title for library in libraries],
        "not_installed": missing, "sets": found, "summary": summary(found) if found[1:] else [],
    })
