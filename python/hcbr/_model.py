"""A model: what services need. No part of it needs scikit-learn."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Sequence, cast

import numpy as np

from . import _data, _hcbr
from ._belief import stated
from ._check import whole
from ._explain import Explanations, explain_table
from ._progress import Progress, watching
from ._read import Data

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from ._options import Cost, EvaluateOptions, Label, Metric, ModelOptions, TrainOptions, What


class Model:
    """A model. It never changes; any number of threads may use it at once.

    Make one with `Model.fit`, `Model.load`, `Model.from_bytes` or `hcbr.train`. `predict_one(case)`
    decides a dict, a set, a list of tokens or a text, and gives an `Answer`.
    """

    __slots__ = ("_core", "predict_one", "__weakref__")

    def __init__(self, core: _hcbr.Model) -> None:
        if not isinstance(core, _hcbr.Model):
            raise TypeError("use Model.fit, Model.load or Model.from_bytes")
        self._core = core
        self.predict_one = core.predict_one

    # ---- making ------------------------------------------------------------------------------

    @classmethod
    def fit(
        cls,
        X: Any,
        y: Any = None,
        *,
        sample_weight: Any = None,
        groups: Any = None,
        n_jobs: int | None = None,
        progress: Progress | bool | None = None,
        **options: Unpack[TrainOptions],
    ) -> Model:
        """A model of X with labels y; without y they are the column `label` of X.

        Rows without a label are left out, with a `DataWarning`. Rows of one of `groups` belong
        together (a patient, a household): no part of training holds out one and learns from
        another. Options have the names of the program's, with `_` for `-`. `belief` is a file, or a
        frame or list of dicts, of cases that experts state.
        """
        fit = _hcbr.Model.fit
        return cls(_learn(fit, X, y, sample_weight, groups, n_jobs, progress, options))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """A model from a file that `save` or the program has written."""
        return cls(_hcbr.Model.load(path))

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Model:
        """A model from the bytes of a file. Any bytes give a valid model or `ModelError`."""
        return cls(_hcbr.Model.from_bytes(bytes(data)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file: completely, or not at all."""
        self._core.save(path)

    def to_bytes(self) -> bytes:
        """The bytes that `save` writes."""
        return self._core.to_bytes()

    def to_onnx(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """The model as a file of ONNX, whose probabilities are those of `predict_proba`.

        Each column is an input of shape (rows, 1): doubles for numbers, NaN where there is none;
        texts for categories, "" where there is none. The outputs are `probability`, by `labels`,
        and `label`, unless the model decides by thresholds or costs. A model of texts, sets or
        dates cannot be said in ONNX: UsageError names the column.
        """
        from . import _onnx

        return _onnx.write(_onnx.make(self._core, None, None), path)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Model.from_bytes, (self.to_bytes(),))

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: Any) -> Model:
        return self

    # ---- deciding ----------------------------------------------------------------------------

    @property
    def labels(self) -> tuple[Label, ...]:
        """All labels as training got them, in the order of the model."""
        return self._core.labels

    @property
    def has_probability(self) -> bool:
        """Whether answers have probabilities: rich models, and calibrated ones."""
        return self._core.has_probability

    def decide(
        self,
        X: Any,
        what: What | Sequence[What] = ("label", "probability"),
        *,
        n_jobs: int | None = None,
        progress: Progress | bool | None = None,
    ) -> dict[str, NDArray[Any]]:
        """Arrays with an element or row for each row of X.

        `what` names them: label (numbers of `labels`, -1: undecided), probability, support, lead,
        known, reason.
        """
        table = _data.as_table(X, self._core)
        rows, labels = table.rows, len(self.labels)
        shapes = {
            "label": ((rows,), np.int32),
            "probability": ((rows, labels), np.float64),
            "support": ((rows, labels), np.float64),
            "lead": ((rows,), np.float64),
            "known": ((rows,), np.float64),
            "reason": ((rows,), np.uint8),
        }
        out: dict[str, NDArray[Any]] = {}
        for name in [what] if isinstance(what, str) else what:
            if name not in shapes:
                raise _hcbr.UsageError(
                    f"what={_hcbr.shown(name)}: one of {', '.join(shapes)} was expected"
                )
            out[name] = np.empty(shapes[name][0], dtype=shapes[name][1])
        if rows:
            with watching(progress) as call:
                self._core.decide(
                    table, threads=_data.thread_count(n_jobs), progress=call, **out
                )
        return out

    def predict(self, X: Any, *, n_jobs: int | None = None) -> NDArray[Any]:
        """The label of each row as training got it, None where there is no decision.

        Numbers and booleans are an array of these if every row is decided, else of objects.
        """
        names: Any = np.empty(len(self.labels) + 1, dtype=object)
        names[: len(self.labels)] = self.labels
        found = self.decide(X, ("label",), n_jobs=n_jobs)["label"]
        if not isinstance(self.labels[0], str) and (found >= 0).all():
            plain = np.array(self.labels)
            if plain.dtype.kind in "bif" and len({type(one) for one in self.labels}) == 1:
                return plain[found]
        return names[found]

    def predict_proba(self, X: Any, *, n_jobs: int | None = None) -> NDArray[np.float64]:
        """Probabilities: a row for each row of X, a column for each of `labels`."""
        return self.decide(X, ("probability",), n_jobs=n_jobs)["probability"]

    # ---- explaining --------------------------------------------------------------------------

    def explain(
        self,
        X: Any,
        *,
        top: int = 10,
        cases: int = 5,
        n_jobs: int | None = None,
        progress: Progress | bool | None = None,
    ) -> Explanations:
        """Why each row of X is decided as it is; a single case may be given as it is."""
        if isinstance(X, _data.CASE_TYPES):
            X = [X]
        elif _data.is_pandas(X) and X.ndim == 1:  # a row of a frame
            X = [X.to_dict()]
        table = _data.as_table(X, self._core)
        with watching(progress) as call:
            return explain_table(
                self._core, table, top, cases, _data.thread_count(n_jobs), call
            )

    def importance(self, most: int = 0) -> list[tuple[str, float, float, int]]:
        """Columns by falling importance: (name, importance, mean lead, cases)."""
        return self._core.importance(whole("most", most))

    def inspect(self, top: int = 10) -> dict[str, Any]:
        """What the model holds, as `hcbr inspect --json` says it."""
        found: dict[str, Any] = json.loads(self._core.inspect(whole("top", top)))
        return found

    def __repr__(self) -> str:
        info = self.inspect(0)
        return f"<hcbr.Model {info['model']}, {info['cases']} cases, labels {list(self.labels)}>"


def _names(X: Any, table: _hcbr.Table) -> set[str]:
    """Names that a label or weight must not have."""
    if _data.is_cases(X):
        return {key for case in X if isinstance(case, dict) for key in case if isinstance(key, str)}
    return set(table.names)


def settle(options: dict[str, Any], n_jobs: int | None) -> dict[str, Any]:
    """Options for the library: None leaves one at its default."""
    if not isinstance(options.get("group"), (str, type(None))):
        said = _hcbr.shown(options["group"])
        raise _hcbr.UsageError(
            f"group={said}: the name of a column was expected; groups= has values"
        )
    given = {name: value for name, value in options.items() if value is not None}
    for name in ("eta", "eta_share"):  # labels are known by their texts
        if isinstance(given.get(name), dict):
            given[name] = dict(zip(_data.label_texts(given[name]), given[name].values()))
    for name in ("positive", "fallback"):
        if isinstance(given.get(name), (bool, int, float, np.generic)):
            given[name] = _data.label_texts([given[name]])[0]
    given.setdefault("max_memory", _data.machine_memory())
    given["threads"] = _data.thread_count(n_jobs)
    return given


def _given(
    X: Any, y: Any, sample_weight: Any, groups: Any, n_jobs: int | None, options: dict[str, Any]
) -> dict[str, Any]:
    """The arguments of the library's functions that learn: data, labels, weights, options."""
    beside = y is not None or sample_weight is not None or groups is not None
    if isinstance(X, Data):
        if beside:
            raise TypeError(
                "the data has its labels, weights and groups; use data.X to give others"
            )
        source, options = X.given(options)
        return {"data": source, "options": settle(options, n_jobs)}
    if not beside and _is_paths(X):
        paths = [X] if isinstance(X, (str, os.PathLike)) else list(X)
        return {"data": paths, "options": settle(options, n_jobs)}
    table = _data.as_table(X)
    if table.rows == 0 and hasattr(X, "shape") and X.shape[0] > 0:
        raise _hcbr.DataError("X has no column")
    taken = _names(X, table)
    given: dict[str, Any] = {"data": table}
    if y is not None:
        given.update(_labels(y, table.rows))
        name = _data.name_of(y)
        wanted = name if isinstance(name, str) and name and name not in taken else "label"
        options.setdefault("label", _data.free_name(wanted, taken))
    else:
        given["types"] = _data.types_in_column(X, options.get("label"))
    if sample_weight is not None:
        weight = np.ascontiguousarray(sample_weight, dtype=np.float64)
        if weight.shape != (table.rows,):
            raise ValueError(f"sample_weight.shape == {weight.shape}, expected ({table.rows},)")
        given["weight"] = weight
        options.setdefault("weight", _data.free_name("weight", taken))
    if groups is not None:
        if options.get("group") is not None:
            raise _hcbr.UsageError("group names a column and groups are values: give one of them")
        given["group"] = _data.group_numbers(groups, table.rows)
        options["group"] = _data.free_name("group", taken)
    return {**given, "options": settle(options, n_jobs)}


def _labels(y: Any, rows: int) -> dict[str, Any]:
    """Labels as texts, and the number of each row's; the last text is None: there is no label."""
    values = _data.one_each(y)
    if len(values) != rows:
        raise ValueError(f"X has {rows} rows, but y has {len(values)}")
    classes, codes = _data.coded(values)
    texts = _data.label_texts(classes)
    types = _data.label_types(classes, texts)
    return {"labels": [*texts, None], "codes": codes, "types": types}


def _learn(
    what: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    groups: Any,
    n_jobs: int | None,
    progress: Progress | bool | None,
    options: Any,
) -> Any:
    """Call a function of the library with data to learn from."""
    with stated(options), watching(progress) as call:
        return what(**_given(X, y, sample_weight, groups, n_jobs, options), progress=call)


def _is_paths(X: Any) -> bool:
    if isinstance(X, (str, os.PathLike)):
        return True
    return isinstance(X, (list, tuple)) and bool(X) and all(
        isinstance(one, (str, os.PathLike)) for one in X
    )


def train(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
    **options: Unpack[TrainOptions],
) -> Model:
    """A model of files, as `hcbr train` makes it: the same bytes."""
    if not _is_paths(paths):
        raise TypeError("a path or a list of paths was expected; Model.fit takes data")
    return Model(_learn(_hcbr.Model.fit, paths, None, None, None, n_jobs, progress, options))


def tune(
    X: Any,
    y: Any = None,
    *,
    metric: Metric | None = None,
    cost: Cost | None = None,
    max_error: float | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
    **options: Unpack[ModelOptions],
) -> Model:
    """A model whose rule is chosen on held-out cases, as `hcbr tune` does.

    One of: metric (accuracy, balanced, f1 or mcc; accuracy if nothing is given), cost (a dict of
    fp, fn and unknown) or max_error. X is data as for `Model.fit`, or a path or paths of files.
    """
    goals = {"metric": metric, "cost": cost, "max_error": max_error}
    given = {name: goal for name, goal in goals.items() if goal is not None}
    if len(given) > 1:
        raise _hcbr.UsageError(f"one goal was expected, not {' and '.join(given)}")
    all_options = cast("Any", {**options, **(given or {"metric": "accuracy"})})
    if _is_paths(X) and y is None:
        return train(X, n_jobs=n_jobs, progress=progress, **all_options)
    return Model.fit(
        X, y, sample_weight=sample_weight, groups=groups, n_jobs=n_jobs, progress=progress,
        **all_options,
    )


def evaluate(
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
    **options: Unpack[EvaluateOptions],
) -> dict[str, Any]:
    """How well cases are decided that training has not seen: the object of `hcbr evaluate --json`.

    X is data as for `Model.fit`, or a path or paths of files. Rows of one of `groups` are held out
    together; `group` names a column of them instead. Options are those of the program: folds,
    repeats, holdout, past_only, equal_rows, positive, and those of training.
    """
    said = _learn(_hcbr.evaluate, X, y, sample_weight, groups, n_jobs, progress, options)
    found: dict[str, Any] = json.loads(said)
    return found


def audit(
    X: Any,
    y: Any = None,
    *,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
    **options: Unpack[TrainOptions],
) -> dict[str, Any]:
    """What is to be known of cases before training: the object of `hcbr audit --json`."""
    said = _learn(_hcbr.audit, X, y, None, None, n_jobs, progress, options)
    found: dict[str, Any] = json.loads(said)
    return found
