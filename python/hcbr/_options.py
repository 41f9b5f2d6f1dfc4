"""The options as types: what a checker of types knows of the keywords.

Made by tools/options from the library's table.
"""

from __future__ import annotations

import os
from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

Path = Union[str, "os.PathLike[str]"]
Label = Union[str, int, float, bool]
"""A label as training got it."""
What = Literal["label", "probability", "support", "lead", "known", "reason"]
Names = Sequence[str]
Format = Literal["auto", "csv", "tsv", "libsvm", "jsonl", "text", "cases"]
Dates = Literal["auto", "dmy", "mdy"]
BadRows = Literal["stop", "skip", "auto"]
ModelKind = Literal["plain", "rich"]
Effort = Literal["lite", "normal", "max"]
Scope = Literal["class", "all"]
KeepCases = Literal["none", "anonymous", "full"]
Calibrate = Literal["none", "platt", "isotonic"]
EqualRows = Literal["beside", "apart", "together"]
Metric = Literal["none", "accuracy", "balanced", "f1", "mcc"]


class Cost(TypedDict, total=False):
    """The costs of wrong answers."""

    fp: float
    fn: float
    unknown: float


class ColumnOptions(TypedDict, total=False):
    """What columns are."""

    strict: bool | None
    id: str | None
    ignore: Names | None
    na: Names | None
    na_only: Names | None
    type: Mapping[str, str] | None
    dates: Dates | None
    split: Mapping[str, str] | None
    text: Names | None
    presence: Names | None
    ngrams: int | None
    min_count: int | None
    max_grams: int | None


class ReadOptions(ColumnOptions, total=False):
    """How data is read."""

    format: Format | None
    no_header: bool | None
    header: int | None
    delimiter: str | None
    quote: str | None
    escape: str | None
    encoding: str | None
    label: str | None
    no_label: bool | None
    bins: str | None
    labels_as_they_are: bool | None
    group: str | None
    weight: str | None
    outcomes: Path | None
    join: Mapping[str, str | tuple[str, str]] | None
    names: Path | None
    bad_rows: BadRows | None
    max_line: int | None
    max_depth: int | None
    max_names: int | None
    max_expand: int | None
    max_window: int | None


class FitOptions(TypedDict, total=False):
    """How a model is made and decides, without a goal of tuning."""

    model: ModelKind | None
    effort: Effort | None
    max_memory: float | None
    min_cases: int | None
    prune: bool | None
    importance: Mapping[Any, float] | None
    belief: Any | None
    numeric: Names | None
    categorical: Names | None
    scope: Scope | None
    passes: int | None
    seed: int | None
    given_order: bool | None
    keep_cases: KeepCases | None
    calibrate: Calibrate | None
    folds: int | None
    confidence: float | None
    try_passes: Sequence[int] | None
    try_scopes: bool | None
    eta: Mapping[Any, float] | None
    eta_share: Mapping[Any, float] | None
    fallback: Label | None
    memory: bool | None
    positive: Label | None


class GoalOptions(TypedDict, total=False):
    """What a rule is tuned for."""

    metric: Metric | None
    cost: Cost | None
    max_error: float | None


class EstimatorOptions(FitOptions, ColumnOptions, GoalOptions, total=False):
    """The options that estimators take."""


class ModelOptions(ReadOptions, FitOptions, total=False):
    """How data is read, and a model made without a goal of tuning."""

    threads: int | None


class TrainOptions(ModelOptions, GoalOptions, total=False):
    """How data is read, and a model made."""


class EvaluateOptions(TrainOptions, total=False):
    """How models are measured."""

    repeats: int | None
    holdout: float | None
    past_only: bool | None
    equal_rows: EqualRows | None
    at: int | None
