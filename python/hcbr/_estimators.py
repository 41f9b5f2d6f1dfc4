"""Estimators of scikit-learn, 1.2 or later."""

from __future__ import annotations

import inspect
import os
import textwrap
from typing import TYPE_CHECKING, Any, Callable, Literal, Mapping, TypeVar, get_args

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_array
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

try:  # 1.6 and later
    from sklearn.utils.validation import validate_data

    _FINITE = {"ensure_all_finite": "allow-nan"}
except ImportError:
    validate_data = None
    _FINITE = {"force_all_finite": "allow-nan"}

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Self, Unpack

    from ._options import Cost, Metric, What

    _Method = TypeVar("_Method")

    def available_if(check: Callable[[Any], bool]) -> Callable[[_Method], _Method]:
        """What it gives is the method."""
        raise NotImplementedError
else:
    from sklearn.utils.metaestimators import available_if

from . import _data, _hcbr, _options
from ._belief import stated
from ._explain import Explanations, explain_table
from ._model import Model, settle
from ._options import EstimatorOptions
from ._progress import Progress, watching

# The options that an estimator takes; None leaves one at its default.
_OPTIONS = EstimatorOptions.__annotations__
_DEFAULTS = {"model": "rich"}
_Estimator = TypeVar("_Estimator", bound="_HCBR")


def _has_probability(self: Any) -> bool:
    if self.model == "rich" or self.calibrate not in (None, "none"):
        return True
    raise AttributeError("a plain model has probabilities if calibrate is platt or isotonic")


def _has_cases(self: Any) -> bool:
    check_is_fitted(self)
    return True


class _HCBR(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What both estimators share: X is a table already."""

    # What fit sets.
    classes_: NDArray[Any]
    model_: Model
    n_features_in_: int

    def __init__(
        self,
        *,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        unknown: Any = False,
        n_jobs: int | None = None,
        progress: Progress | bool | None = None,
        **options: Unpack[EstimatorOptions],
    ) -> None:
        for name, value in options.items():
            if name not in _OPTIONS:
                raise TypeError(f"there is no parameter {name!r}")
            setattr(self, name, value)
        for name in _OPTIONS.keys() - options.keys():
            setattr(self, name, _DEFAULTS.get(name))
        self.class_weight = class_weight
        self.unknown = unknown
        self.n_jobs = n_jobs
        self.progress = progress

    def _table(self, X: Any) -> _hcbr.Table:
        raise NotImplementedError

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        raise NotImplementedError

    def _options(self) -> dict[str, Any]:
        """Options of the program."""
        return {name: getattr(self, name) for name in _OPTIONS}

    def _fit_table(
        self, table: _hcbr.Table, y: Any, sample_weight: Any, taken: set[str], label: Any
    ) -> None:
        missing = _data.missing_of(y)
        there = y
        if missing.any():
            there = y[~missing]
            plain = np.array(there.tolist())  # numbers that stood beside None
            there = plain if plain.dtype.kind in "biuf" else there
        if y.dtype.kind not in "biuU":  # these are classes, and looking through all takes long
            check_classification_targets(there)
        self.classes_, found = np.unique(there, return_inverse=True)
        codes: Any = np.full(len(y), len(self.classes_), dtype=np.int64)
        codes[~missing] = found
        texts = _data.label_texts(self.classes_)
        types = _data.label_types(self.classes_.tolist(), texts)
        if len(texts) < 2:
            raise ValueError(
                f"The number of classes has to be greater than one; got {len(texts)} class in y"
            )
        options = self._options()
        if not isinstance(label, str) or not label or label in taken:
            label = _data.free_name("label", taken)
        options["label"] = label
        weight = None
        if sample_weight is not None or self.class_weight is not None:
            weight = np.ones(table.rows) if sample_weight is None else sample_weight
            if self.class_weight is not None:
                weight = np.array(weight, dtype=np.float64)
                weight[~missing] *= compute_sample_weight(self.class_weight, there)
            if np.any(weight < 0):
                raise ValueError("Negative values in sample_weight: a weight is 0 or more")
            weight = np.ascontiguousarray(weight, dtype=np.float64)
            options["weight"] = _data.free_name("weight", taken | {label})
        given = settle(options, self.n_jobs)
        with stated(given), watching(self.progress) as call:
            core = _hcbr.Model.fit(
                table, codes, [*texts, None], weight, given, call, types=types
            )
        self.model_ = Model(core)
        self._set_order(texts)

    def _set_order(self, texts: list[str]) -> None:
        """Which class each label of the model is: labels have an order of their own."""
        places = {text: i for i, text in enumerate(texts)}
        names = self.model_._core.label_names
        self._order = np.array([places[name] for name in names], dtype=np.intp)
        self._same_order = np.array_equal(self._order, np.arange(len(texts)))

    def _by_class(self, table: _hcbr.Table, what: What, absent: float) -> Any:
        """An array with a column for each class; of classes without weight, `absent`."""
        found = self.model_.decide(table, (what,), n_jobs=self.n_jobs, progress=self.progress)[what]
        if self._same_order:
            return found
        out = np.full((found.shape[0], len(self.classes_)), absent)
        out[:, self._order] = found
        return out

    def _predict_table(self, table: _hcbr.Table) -> Any:
        scored: What = "probability" if self.model_.has_probability else "support"
        found = self.model_.decide(table, ("label",), n_jobs=self.n_jobs, progress=self.progress)
        labels = found["label"]
        undecided = labels < 0
        if not undecided.any():
            return self.classes_[self._order[labels]]
        if self.unknown is False:
            scores = self.model_.decide(table, scored, n_jobs=self.n_jobs)[scored]
            labels = np.where(undecided, scores.argmax(axis=1), labels)
            return self.classes_[self._order[labels]]
        out = self.classes_[self._order[np.where(undecided, 0, labels)]]
        answer = np.asarray([self.unknown])
        if answer.dtype.kind != out.dtype.kind:
            out = out.astype(object)
        elif answer.dtype.itemsize > out.dtype.itemsize:
            out = out.astype(answer.dtype)  # a longer text
        out[undecided] = self.unknown
        return out

    # ---- what scikit-learn asks ----------------------------------------------------------------

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row; `unknown` where there is no decision, if that is given."""
        return self._predict_table(self._table(X))

    @available_if(_has_probability)
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities: a row for each row of X, a column for each of `classes_`."""
        return self._by_class(self._table(X), "probability", 0.0)

    @available_if(_has_probability)
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Logarithms of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Supports of the classes; of two classes, that of the second minus that of the first."""
        support = self._by_class(self._table(X), "support", -np.inf)
        return support[:, 1] - support[:, 0] if len(self.classes_) == 2 else support

    def explain(self, X: Any, *, top: int = 10, cases: int = 5) -> Explanations:
        """Why each row is decided as it is."""
        table = self._table(X)
        with watching(self.progress) as call:
            return explain_table(
                self.model_._core, table, top, cases, _data.thread_count(self.n_jobs), call
            )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file that the program and `hcbr.Model.load` read."""
        check_is_fitted(self)
        self.model_.save(path)

    def tune(
        self,
        X: Any,
        y: Any,
        *,
        metric: Metric | None = None,
        cost: Cost | None = None,
        max_error: float | None = None,
        sample_weight: Any = None,
    ) -> Self:
        """Set the goal, one of the three, and fit: the rule is chosen on held-out cases.

        Without a goal the share of right answers counts.
        """
        if metric is None and cost is None and max_error is None:
            metric = "accuracy"
        self.set_params(metric=metric, cost=cost, max_error=max_error)
        return self.fit(X, y, sample_weight=sample_weight)

    def to_onnx(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """The model as a file of ONNX; its output `probability` is by `classes_`.

        See `hcbr.Model.to_onnx`.
        """
        from . import _onnx

        check_is_fitted(self)
        made = _onnx.make(self.model_._core, self.classes_, self._order)
        return _onnx.write(made, path)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"allow_nan": True, "X_types": ["2darray", "sparse", "string"]}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        return tags


def _name_parameters() -> None:
    """Give the constructor a signature that names every option, for help and scikit-learn."""
    old = inspect.signature(_HCBR.__init__)
    first, *own = (p for p in old.parameters.values() if p.kind is not p.VAR_KEYWORD)
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_DEFAULTS.get(name))
        for name in _OPTIONS
    ]
    setattr(_HCBR.__init__, "__signature__", old.replace(parameters=[first, *options, *own]))


_name_parameters()


# How the docstring says types.
_PLAIN = {
    "Any": "file, frame or list of dicts", "Cost": "dict", "Label": "label", "Names": "list of str",
    "Mapping[Any, float]": "dict", "Mapping[str, str]": "dict", "Sequence[int]": "list of int",
}


def _documented(made: type[_Estimator]) -> type[_Estimator]:
    """Write what every option does into the docstring of a class."""
    parts = []
    says = _hcbr.options()
    for name, kind in _OPTIONS.items():
        kind = getattr(kind, "__forward_arg__", str(kind)).replace(" | None", "")
        words = get_args(getattr(_options, kind, None))
        if words and all(isinstance(word, str) for word in words):
            kind = "{" + ", ".join(f'"{word}"' for word in words) + "}"
        text = textwrap.fill(says[name], 90, initial_indent=" " * 8, subsequent_indent=" " * 8)
        parts.append(f"    {name} : {_PLAIN.get(kind, kind)}\n{text}")
    made.__doc__ = (made.__doc__ or "").replace("    {options}", "\n".join(parts))
    return made


@_documented
class HCBRClassifier(_HCBR):
    """A classifier whose reasons are past cases, for arrays, frames and sparse matrices.

    Frames are taken as they are: numbers, texts, categories, dates and missing values. Parameters
    have the names of the program's options, with `_` for `-`; None leaves one at its default.

    Parameters
    ----------
    {options}
    class_weight : dict, "balanced" or None
        Weights of the classes; rich models.
    unknown : object, default False
        What `predict` gives where the rule of the model decides nothing. False: the most probable
        class is given all the same.
    n_jobs : int or None
        Threads, as `-j`. The result is the same for any number.
    progress : bool, callable or None
        None shows a line in a terminal or a notebook.

    Attributes
    ----------
    classes_ : array
    model_ : hcbr.Model
    n_features_in_ : int
    feature_names_in_ : array, if X had names
    feature_importances_ : array
        The mean, over past cases, of what each column adds to the lead of the answer, as shares of
        1. What was made of a column, words or parts of dates, counts for the column.
    """

    def _checked(self, X: Any, reset: bool) -> Any:
        """X with its names and its number of columns checked; frames stay as they are."""
        _data.check_collected(X)
        if _data.is_cases(X):
            raise ValueError(
                f"Expected 2D array, got a list of {type(X[0]).__name__} instead:"
                " HCBRSetClassifier takes lists of dicts, sets and texts"
            )
        if _data.is_pandas(X) and X.ndim != 2:
            raise ValueError(
                f"Expected 2D data, got a {type(X).__name__} instead. A row is a frame of one row"
                " (frame[:1]), a column one of one column (frame[['name']])"
            )
        if _data.is_frame(X):
            if validate_data is not None:
                return validate_data(self, X, reset=reset, skip_check_array=True)
            old: Any = self
            old._check_feature_names(X, reset=reset)
            old._check_n_features(X, reset=reset)
            return X
        how: dict[str, Any] = {"dtype": None, "accept_sparse": "csr", **_FINITE}
        if validate_data is not None:
            return validate_data(self, X, reset=reset, **how)
        before: Any = self  # 1.6
        return before._validate_data(X, reset=reset, **how)

    def _as_in_fit(self, X: Any) -> Any:
        """Zeros are stored, or are not, as in the data that was learnt from."""
        if _data.is_sparse(X) == self._sparse:
            return X
        if not self._sparse:
            return X.toarray()
        for method in ("to_numpy", "to_pandas"):
            if hasattr(X, method):
                X = getattr(X, method)()
        try:
            return csr_matrix(np.asarray(X, dtype=np.float64))
        except (TypeError, ValueError):  # texts, of which nothing is known
            return X

    def _make_table(self, X: Any, reset: bool) -> _hcbr.Table:
        X = self._checked(_data.gathered(_data.unmasked(X)), reset)
        names = None
        if not reset:
            X = self._as_in_fit(X)
            if not _data.has_names(X):
                names = self._columns
            elif self._columns is None:
                names = _data.numbered(self.n_features_in_)
        table = _data.as_table(X, names=names)
        if _data.is_frame(X):
            if table.rows == 0:
                raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
            if table.has_infinity():
                raise ValueError("Input X contains infinity or a value too large.")
        return table

    def _table(self, X: Any) -> _hcbr.Table:
        check_is_fitted(self)
        return self._make_table(X, reset=False)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from X and its classes y."""
        if y is None:
            raise ValueError(
                "This HCBRClassifier estimator requires y to be passed, but the target y is None"
            )
        name = _data.name_of(y)
        table = self._make_table(X, reset=True)
        y = _checked_classes(y)
        if len(y) != table.rows:
            check_consistent_length(X, y)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, np.empty((table.rows, 1)))
        taken = set(table.names) or set(_data.numbered(self.n_features_in_))
        self._sparse = _data.is_sparse(X)
        self._columns = list(table.names) if _data.has_names(X) else None
        self._fit_table(table, y, sample_weight, taken, name)
        return self

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Importance of the columns, by the model's own contributions; they add up to 1."""
        check_is_fitted(self)
        names = self._columns or _data.numbered(self.n_features_in_)
        places = {name: i for i, name in enumerate(names)}
        out = np.zeros(len(names))
        for part, importance, _, _ in self.model_.importance():
            name = _data.column_of(part, places)
            if name in places:
                out[places[name]] += importance
        total = out.sum()
        return out / total if total > 0 else out


class HCBRSetClassifier(_HCBR):
    """The same for cases that are no rows: dicts, sets, lists of tokens, and texts.

    X is a list. A dict is what a line of JSON is: keys and values, lists of values, nested dicts.
    A set, list or tuple holds bare features. Texts are cut into words. Parameters are those of
    `HCBRClassifier`; what they say of columns holds for the keys of dicts.
    """

    def _make_table(self, X: Any, core: Any) -> tuple[_hcbr.Table, list[Any]]:
        if isinstance(X, (str, bytes, dict, set, frozenset)) or not hasattr(X, "__len__"):
            raise TypeError("X must be a list of cases: dicts, sets, lists of tokens, or texts")
        if _data.is_table(X):
            raise TypeError("X must be a list of cases, not a table; HCBRClassifier takes tables")
        for method in ("to_pylist", "to_list"):  # columns of Arrow, polars and pandas
            if hasattr(X, method):
                X = getattr(X, method)()
        cases = list(X)
        if not cases:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
        cases = [case.tolist() if isinstance(case, np.ndarray) else case for case in cases]
        texts = self.texts_ if core is not None else all(isinstance(c, str) for c in cases)
        if texts:
            for case in cases:
                if not isinstance(case, str):
                    raise TypeError(f"X must hold texts, as in fit, not {type(case).__name__}")
            return _hcbr.Table.columns(["text"], [cases]), cases
        return _hcbr.Table.cases(cases, core), cases

    def _table(self, X: Any) -> _hcbr.Table:
        check_is_fitted(self)
        return self._make_table(X, self.model_._core)[0]

    def _options(self) -> dict[str, Any]:
        options = super()._options()
        if self.texts_:
            options["text"] = ["text"]
        return options

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from a list of cases and their classes y."""
        if y is None:
            raise ValueError(
                "This HCBRSetClassifier estimator requires y to be passed, but the target y is None"
            )
        table, cases = self._make_table(X, None)
        self.texts_ = all(isinstance(case, str) for case in cases)
        name = _data.name_of(y)
        y = _checked_classes(y)
        check_consistent_length(cases, y)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, np.empty((table.rows, 1)))
        taken = {str(key) for case in cases if isinstance(case, dict) for key in case} | {"text"}
        self._fit_table(table, y, sample_weight, taken, name)
        return self

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["string", "dict"], "no_validation": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.sparse = False
        tags.input_tags.dict = True
        tags.no_validation = True
        return tags


def _checked_classes(y: Any) -> Any:
    """y as an array of one dimension."""
    if (_data.is_arrow(y) and not _data.is_pandas(y)) or (
        isinstance(y, (list, tuple)) and any(one is None or one != one for one in y)
    ):
        y = _data.one_each(y)  # numpy would make the text nan of a NaN beside texts
    y = column_or_1d(_data.unmasked(y), warn=True)
    if y.dtype.kind == "f":
        finite: dict[str, Any] = _FINITE
        y = check_array(y, ensure_2d=False, input_name="y", **finite)
    return y
