"""A model: what services need. No part of it needs scikit-learn."""

from __future__ import annotations

import json
import os
from typing import Any, Sequence

import numpy as np

from . import _data, _hcbr
from ._belief import stated
from ._explain import Explanations, explain_table
from ._progress import Progress, watching
from ._read import Data


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
        n_jobs: int | None = None,
        progress: Progress | bool | None = None,
        **options: Any,
    ) -> Model:
        """A model of X with labels y; without y they are the column `label` of X.

        Options have the names of the program's, with `_` for `-`. `belief` is a file, or a frame
        or list of dicts, of cases that experts state.
        """
        with stated(options), watching(progress) as call:
            return cls(_hcbr.Model.fit(*_given(X, y, sample_weight, n_jobs, options), call))

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
    def labels(self) -> tuple[str, ...]:
        """All labels, in the order of the model."""
        return self._core.labels

    @property
    def has_probability(self) -> bool:
        """Whether answers have probabilities: rich models, and calibrated ones."""
        return self._core.has_probability

    def decide(
        self,
        X: Any,
        what: Sequence[str] = ("label", "probability"),
        *,
        n_jobs: int | None = None,
        progress: Progress | bool | None = None,
    ) -> dict[str, Any]:
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
        out: dict[str, Any] = {}
        for name in what:
            if name not in shapes:
                raise ValueError(f"{name!r}: one of {', '.join(shapes)} was expected")
            out[name] = np.empty(shapes[name][0], dtype=shapes[name][1])
        if rows:
            with watching(progress) as call:
                self._core.decide(
                    table, threads=_data.thread_count(n_jobs), progress=call, **out
                )
        return out

    def predict(self, X: Any, *, n_jobs: int | None = None) -> Any:
        """The label of each row, None where there is no decision: an array of objects."""
        names: Any = np.empty(len(self.labels) + 1, dtype=object)
        names[: len(self.labels)] = self.labels
        return names[self.decide(X, ("label",), n_jobs=n_jobs)["label"]]

    def predict_proba(self, X: Any, *, n_jobs: int | None = None) -> Any:
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
        return self._core.importance(most)

    def inspect(self, top: int = 10) -> dict[str, Any]:
        """What the model holds, as `hcbr inspect --json` says it."""
        found: dict[str, Any] = json.loads(self._core.inspect(top))
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
    given = {name: value for name, value in options.items() if value is not None}
    given.setdefault("max_memory", _data.machine_memory())
    given["threads"] = _data.thread_count(n_jobs)
    return given


def _given(
    X: Any, y: Any, sample_weight: Any, n_jobs: int | None, options: dict[str, Any]
) -> tuple[Any, Any, list[str] | None, Any, dict[str, Any]]:
    """The arguments of the library's functions that learn: data, labels, weights, options."""
    if isinstance(X, Data):
        if y is not None or sample_weight is not None:
            raise TypeError("the data has its labels and weights; use data.X to give others")
        source, options = X.given(options)
        return source, None, None, None, settle(options, n_jobs)
    if y is None and sample_weight is None and _is_paths(X):
        paths = [X] if isinstance(X, (str, os.PathLike)) else list(X)
        return paths, None, None, None, settle(options, n_jobs)
    table = _data.as_table(X)
    codes = names = weight = None
    if y is not None:
        classes, codes = np.unique(_one_each(y), return_inverse=True)
        if len(codes) != table.rows:
            raise ValueError(f"X has {table.rows} rows, but y has {len(codes)}")
        codes = np.ascontiguousarray(codes, dtype=np.int64)
        names = _data.label_texts(classes)
        taken, name = _names(X, table), getattr(y, "name", None)
        wanted = name if isinstance(name, str) and name and name not in taken else "label"
        options.setdefault("label", _data.free_name(wanted, taken))
    if sample_weight is not None:
        weight = np.ascontiguousarray(sample_weight, dtype=np.float64)
        if weight.shape != (table.rows,):
            raise ValueError(f"sample_weight.shape == {weight.shape}, expected ({table.rows},)")
        options.setdefault("weight", _data.free_name("weight", _names(X, table)))
    return table, codes, names, weight, settle(options, n_jobs)


def _one_each(y: Any) -> Any:
    """Labels as an array of one dimension; objects as their texts."""
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {labels.shape} instead.")
    if labels.dtype.kind == "O":
        missing = np.fromiter(map(_data.is_nan, labels), bool, len(labels))
    else:
        missing = labels != labels
    if np.any(missing):
        raise ValueError(f"y contains NaN in row {int(np.argmax(missing)) + 1}: it has no label")
    if labels.dtype.kind == "O":
        labels = np.array([_hcbr.value_text(one) for one in labels], dtype=object)
    return labels


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
    **options: Any,
) -> Model:
    """A model of files, as `hcbr train` makes it: the same bytes."""
    if not _is_paths(paths):
        raise TypeError("a path or a list of paths was expected; Model.fit takes data")
    with stated(options), watching(progress) as call:
        return Model(_hcbr.Model.fit(*_given(paths, None, None, n_jobs, options), call))


def tune(
    X: Any,
    y: Any = None,
    *,
    metric: str | None = None,
    cost: dict[str, float] | None = None,
    max_error: float | None = None,
    **options: Any,
) -> Model:
    """A model whose rule is chosen on held-out cases, as `hcbr tune` does.

    One of: metric (accuracy, balanced, f1 or mcc; accuracy if nothing is given), cost (a dict of
    fp, fn and unknown) or max_error. X is data as for `Model.fit`, or a path or paths of files.
    """
    goals = {"metric": metric, "cost": cost, "max_error": max_error}
    given = {name: goal for name, goal in goals.items() if goal is not None}
    if len(given) > 1:
        raise _hcbr.UsageError(f"one goal was expected, not {' and '.join(given)}")
    options.update(given or {"metric": "accuracy"})
    if _is_paths(X) and y is None:
        return train(X, **options)
    return Model.fit(X, y, **options)


def evaluate(
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
    **options: Any,
) -> dict[str, Any]:
    """How well cases are decided that training has not seen: the object of `hcbr evaluate --json`.

    X is data as for `Model.fit`, or a path or paths of files. Options are those of the program:
    folds, repeats, holdout, past_only, group, positive, and those of training.
    """
    with stated(options), watching(progress) as call:
        said = _hcbr.evaluate(*_given(X, y, sample_weight, n_jobs, options), call)
    found: dict[str, Any] = json.loads(said)
    return found


def audit(
    X: Any,
    y: Any = None,
    *,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
    **options: Any,
) -> dict[str, Any]:
    """What is to be known of cases before training: the object of `hcbr audit --json`."""
    with watching(progress) as call:
        said = _hcbr.audit(*_given(X, y, None, n_jobs, options), call)
    found: dict[str, Any] = json.loads(said)
    return found
