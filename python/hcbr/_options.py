"""The options of the program as types: what a checker of types knows of the keywords."""

from __future__ import annotations

import os
from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

Path = Union[str, "os.PathLike[str]"]
Label = Union[str, int, float, bool]
"""A label as training got it."""

ModelKind = Literal["rich", "plain"]
Effort = Literal["lite", "normal", "max"]
Scope = Literal["class", "all"]
KeepCases = Literal["none", "anonymous", "full"]
Calibrate = Literal["none", "platt", "isotonic"]
Dates = Literal["auto", "dmy", "mdy"]
Metric = Literal["none", "accuracy", "balanced", "f1", "mcc"]
BadRows = Literal["stop", "skip", "auto"]
Format = Literal["auto", "csv", "tsv", "libsvm", "jsonl", "text", "cases"]
EqualRows = Literal["beside", "apart", "together"]
What = Literal["label", "probability", "support", "lead", "known", "reason"]
Names = Sequence[str]


class Cost(TypedDict, total=False):
    """What wrong answers cost."""

    fp: float
    fn: float
    unknown: float


class ReadOptions(TypedDict, total=False):
    """What is to be known to read data."""

    format: Format | None
    label: str | None
    no_label: bool | None
    labels_as_they_are: bool | None
    id: str | None
    weight: str | None
    group: str | None
    ignore: Names | None
    na: Names | None
    na_only: Names | None
    type: Mapping[str, str] | None
    dates: Dates | None
    bins: str | None
    split: Mapping[str, str] | None
    text: Names | None
    presence: Names | None
    ngrams: int | None
    min_count: int | None
    no_header: bool | None
    header: int | None
    delimiter: str | None
    quote: str | None
    escape: str | None
    encoding: str | None
    strict: bool | None
    bad_rows: BadRows | None
    outcomes: Path | None
    names: Path | None
    join: Mapping[str, str | tuple[str, str]] | None
    max_line: int | None
    max_depth: int | None
    max_names: int | None
    max_expand: int | None
    max_window: int | None
    max_grams: int | None


class ModelOptions(ReadOptions, total=False):
    """How a model is made and decides, but for a goal of tuning."""

    model: ModelKind | None
    effort: Effort | None
    scope: Scope | None
    passes: int | None
    seed: int | None
    given_order: bool | None
    threads: int | None
    keep_cases: KeepCases | None
    calibrate: Calibrate | None
    min_cases: int | None
    importance: Mapping[Any, float] | None
    belief: Any
    prune: bool | None
    max_memory: float | None
    numeric: Names | None
    categorical: Names | None
    eta: Mapping[Any, float] | None
    eta_share: Mapping[Any, float] | None
    fallback: Label | None
    memory: bool | None
    confidence: float | None
    folds: int | None
    positive: Label | None
    try_passes: Sequence[int] | None
    try_scopes: bool | None


class TrainOptions(ModelOptions, total=False):
    """How a model is made and decides."""

    metric: Metric | None
    max_error: float | None
    cost: Cost | None


class EvaluateOptions(TrainOptions, total=False):
    """How models are measured."""

    repeats: int | None
    holdout: float | None
    past_only: bool | None
    equal_rows: EqualRows | None
    at: int | None
