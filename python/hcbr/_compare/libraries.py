"""The libraries that are compared: each at its defaults, behind what its documentation advises.

Everything has one thread and a stated seed. Labels come as 0, 1, ..., but as texts where a library
is the user's own or hcbr.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
from typing import Any, Callable, NamedTuple

import numpy as np

from .._hcbr import version as OWN_VERSION

SEED = 1
SEEDED: dict[str, Any] = {"random_state": SEED}
MANY = 255  # categories that HistGradientBoosting takes as such


class Library(NamedTuple):
    """A library, or one estimator of it: how it is called and made."""

    name: str  # on the command line
    title: str
    package: str  # on the package index
    module: str
    how: str  # what was prepared, and how
    make: Callable[[Any, int], Any] | Any  # (X, threads) -> estimator; or an estimator
    codes: bool = True  # labels as numbers

    def version(self) -> str | None:
        """The installed version, or None."""
        if self.module == "hcbr":
            return OWN_VERSION
        try:
            if importlib.util.find_spec(self.module) is None:
                return None
        except (ImportError, ValueError):
            return None
        try:
            return importlib.metadata.version(self.package)
        except importlib.metadata.PackageNotFoundError:
            return ""


class Native:
    """A frame for libraries that know categories: texts become categories of the training rows,
    dates become days, and a category that was never seen is missing."""

    def __init__(self, missing: str | None = None) -> None:
        self.missing = missing  # a category of its own; texts instead of categories

    def fit(self, X: Any, y: Any = None) -> Native:
        self.categories_ = {}
        for name in categorical(X):
            values = texts(X[name])
            self.categories_[name] = sorted(values.dropna().unique())
        return self

    def transform(self, X: Any) -> Any:
        import pandas

        out = {}
        for name in X.columns:
            column = X[name]
            if name in self.categories_:
                column = texts(column)
                if self.missing is not None:
                    out[name] = column.fillna(self.missing).astype(str)
                else:
                    out[name] = pandas.Categorical(column, categories=self.categories_[name])
            elif column.dtype.kind in "Mm":
                out[name] = days(column)
            else:
                out[name] = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return pandas.DataFrame(out, index=X.index)


class Behind:
    """A classifier behind a preparation, which learns from training rows alone."""

    def __init__(self, model: Any, missing: str | None = None, name_categories: bool = False):
        self.model, self.missing, self.name_categories = model, missing, name_categories

    def fit(self, X: Any, y: Any) -> Behind:
        more = {}
        if hasattr(X, "columns"):
            self.native_ = Native(self.missing).fit(X)
            if self.name_categories:
                more["cat_features"] = list(self.native_.categories_)
            X = self.native_.transform(X)
        self.model.fit(X, y, **more)
        self.classes_ = self.model.classes_
        return self

    def predict_proba(self, X: Any) -> Any:
        return self.model.predict_proba(self.native_.transform(X) if hasattr(X, "columns") else X)


def categorical(X: Any) -> list[str]:
    """Columns whose values are no numbers and no dates."""
    return [name for name in X.columns if X[name].dtype.kind not in "biufMm"]


def texts(column: Any) -> Any:
    """A column of objects with every value as its text, and None where it is missing."""
    column = column.astype(object)
    return column.where(column.isna(), column.astype(str)).where(~column.isna(), None)


def days(column: Any) -> Any:
    """Dates and spans as days, NaN where missing."""
    unit = "datetime64[s]" if column.dtype.kind == "M" else "timedelta64[s]"
    if getattr(column.dtype, "tz", None) is not None:
        column = column.dt.tz_convert(None)
    seconds = column.to_numpy().astype(unit)
    out = seconds.astype(np.int64) / 86400.0
    return np.where(np.isnat(seconds), np.nan, out)


def _hcbr(X: Any, threads: int) -> Any:
    from .._estimators import HCBRClassifier, HCBRSetClassifier

    if isinstance(X, list):
        return HCBRSetClassifier(n_jobs=threads, progress=False)
    return HCBRClassifier(n_jobs=threads, progress=False)


def _xgboost(X: Any, threads: int) -> Any:
    import xgboost

    return Behind(xgboost.XGBClassifier(enable_categorical=True, n_jobs=threads))


def _lightgbm(X: Any, threads: int) -> Any:
    import lightgbm

    return Behind(PlainNames(lightgbm.LGBMClassifier(n_jobs=threads, verbose=-1)))


class PlainNames(Behind):
    """LightGBM refuses some characters in the names of columns: they are numbered instead."""

    def fit(self, X: Any, y: Any) -> PlainNames:
        self.model.fit(numbered(X), y)
        self.classes_ = self.model.classes_
        return self

    def predict_proba(self, X: Any) -> Any:
        return self.model.predict_proba(numbered(X))


def numbered(X: Any) -> Any:
    return X.set_axis([f"c{i}" for i in range(X.shape[1])], axis=1) if hasattr(X, "columns") else X


def _catboost(X: Any, threads: int) -> Any:
    import catboost

    model = catboost.CatBoostClassifier(thread_count=threads, verbose=0, allow_writing_files=False)
    return Behind(model, missing="", name_categories=True)


class Histogram(Behind):
    """HistGradientBoosting: categories as they are up to 255, more by TargetEncoder."""

    def fit(self, X: Any, y: Any) -> Histogram:
        if hasattr(X, "columns"):
            many = [name for name in categorical(X) if texts(X[name]).nunique() > MANY - 1]
            if many:
                from sklearn.compose import make_column_transformer
                from sklearn.preprocessing import TargetEncoder

                self.before_ = make_column_transformer(
                    (TargetEncoder(**SEEDED), many),
                    remainder="passthrough", verbose_feature_names_out=False,
                ).set_output(transform="pandas")
                X = X.assign(**{name: texts(X[name]).fillna("") for name in many})
                self.many_, X = many, self.before_.fit_transform(X, y)
        if np.unique(y, return_counts=True)[1].min() < 2:
            self.model.set_params(early_stopping=False)  # it cannot hold one case out
        return super().fit(X, y)  # type: ignore[return-value]

    def predict_proba(self, X: Any) -> Any:
        if hasattr(self, "before_"):
            X = X.assign(**{name: texts(X[name]).fillna("") for name in self.many_})
            X = self.before_.transform(X)
        return super().predict_proba(X)


def _histogram(X: Any, threads: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    how = dict(SEEDED)
    if hasattr(X, "columns"):
        how["categorical_features"] = "from_dtype"
    return Histogram(HistGradientBoostingClassifier(**how))


def _logistic(X: Any, threads: int) -> Any:
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    model = LogisticRegression(max_iter=1000)
    if not hasattr(X, "columns"):
        return Behind(model)
    kinds = categorical(X)
    before = make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), [c for c in X if c not in kinds]),
        (OneHotEncoder(handle_unknown="ignore"), kinds),
    )
    return Behind(make_pipeline(before, model), missing="")


def _skrub(X: Any, threads: int) -> Any:
    import skrub

    make = getattr(skrub, "tabular_pipeline", None) or skrub.tabular_learner
    return make("classifier", n_jobs=threads)


def _ebm(X: Any, threads: int) -> Any:
    from interpret.glassbox import ExplainableBoostingClassifier

    return Behind(ExplainableBoostingClassifier(n_jobs=threads))


HCBR = Library("hcbr", "hcbr", "hcbr", "hcbr", "the table as it is", _hcbr, codes=False)
LIBRARIES = [
    Library("xgboost", "XGBoost", "xgboost", "xgboost", "categories native, dates as days",
            _xgboost),
    Library("lightgbm", "LightGBM", "lightgbm", "lightgbm", "categories native, dates as days",
            _lightgbm),
    Library("catboost", "CatBoost", "catboost", "catboost", "categories native, dates as days",
            _catboost),
    Library("sklearn", "HistGradientBoosting", "scikit-learn", "sklearn",
            "categories native (TargetEncoder beyond 254), dates as days", _histogram),
    Library("sklearn", "LogisticRegression", "scikit-learn", "sklearn",
            "SimpleImputer, StandardScaler, OneHotEncoder; dates as days; max_iter=1000",
            _logistic),
    Library("skrub", "skrub", "skrub", "skrub", "tabular_pipeline('classifier')", _skrub),
    Library("ebm", "EBM", "interpret", "interpret", "the table as it is, dates as days", _ebm),
]
NAMES = tuple(dict.fromkeys(library.name for library in LIBRARIES))


def own(name: str, estimator: Any) -> Library:
    """An estimator of the user's."""
    module = type(estimator).__module__.split(".")[0]
    return Library(name, name, module, module, "as given", estimator, codes=False)


def machine() -> str:
    return f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
