"""hcbr: classification whose reasons are past cases, with probabilities.

>>> import hcbr
>>> model = hcbr.Model.fit([{"sky": "red"}, {"sky": "grey"}] * 9, ["dry", "wet"] * 9)
>>> model.predict_one({"sky": "grey"}).label
'wet'

``HCBRClassifier`` and ``HCBRSetClassifier`` need scikit-learn; ``Model`` needs numpy alone.
"""

from typing import TYPE_CHECKING, Any

from ._compare import Comparison, compare
from ._explain import Explanation, Explanations
from ._hcbr import Answer, DataError, DataWarning, Error, ModelError, UsageError
from ._hcbr import version as __version__
from ._model import Model, audit, evaluate, train, tune
from ._read import (
    Data,
    read,
    read_cases,
    read_csv,
    read_excel,
    read_jsonl,
    read_libsvm,
    read_parquet,
    read_sqlite,
    read_text,
    read_tsv,
)

if TYPE_CHECKING:
    from ._estimators import HCBRClassifier, HCBRSetClassifier

__all__ = [
    "Answer",
    "Comparison",
    "Data",
    "DataError",
    "DataWarning",
    "Error",
    "Explanation",
    "Explanations",
    "HCBRClassifier",
    "HCBRSetClassifier",
    "Model",
    "ModelError",
    "UsageError",
    "__version__",
    "audit",
    "compare",
    "evaluate",
    "read",
    "read_cases",
    "read_csv",
    "read_excel",
    "read_jsonl",
    "read_libsvm",
    "read_parquet",
    "read_sqlite",
    "read_text",
    "read_tsv",
    "train",
    "tune",
]


if not TYPE_CHECKING:  # a checker would take any name for one

    def __getattr__(name: str) -> Any:
        # Estimators are imported when they are asked for: a service needs no scikit-learn.
        if name in ("HCBRClassifier", "HCBRSetClassifier"):
            from . import _estimators

            return getattr(_estimators, name)
        raise AttributeError(f"module 'hcbr' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
