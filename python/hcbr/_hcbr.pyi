import os
from typing import Any, Callable, Final, Protocol, Sequence, final

from _typeshed import structseq

version: Final[str]

class Error(Exception): ...
class DataError(Error, ValueError): ...
class UsageError(Error, ValueError): ...
class ModelError(Error, ValueError): ...
class DataWarning(UserWarning): ...

@final
class Answer(
    structseq[Any],
    tuple[
        str | None, dict[str, float] | None, dict[str, float], float | None, str, list[str]
    ],
):
    __match_args__: Final = ("label", "probability", "support", "known", "reason", "unseen")
    @property
    def label(self) -> str | None: ...
    @property
    def probability(self) -> dict[str, float] | None: ...
    @property
    def support(self) -> dict[str, float]: ...
    @property
    def known(self) -> float | None: ...
    @property
    def reason(self) -> str: ...
    @property
    def unseen(self) -> list[str]: ...

_Progress = Callable[[str, int, int], Any] | None

@final
class Table:
    @classmethod
    def matrix(cls, array: Any, names: Sequence[str] | None = None, /) -> Table: ...
    @classmethod
    def columns(cls, names: Sequence[str], items: Sequence[Any], /) -> Table: ...
    @classmethod
    def stream(cls, object: Any, names: Sequence[str] | None = None, /) -> Table: ...
    @classmethod
    def sparse(cls, starts: Any, indices: Any, values: Any, columns: int, /) -> Table: ...
    @classmethod
    def cases(cls, list: Sequence[Any], model: Model | None = None, /) -> Table: ...
    @property
    def rows(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    def has_infinity(self) -> bool: ...

@final
class Cases:
    @classmethod
    def read(
        cls,
        data: Sequence[str | os.PathLike[str]],
        *,
        options: dict[str, Any] | None = None,
        progress: _Progress = None,
    ) -> Cases: ...
    @property
    def rows(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def label(self) -> str: ...
    @property
    def labels(self) -> list[str]: ...
    @property
    def codes(self) -> list[int]: ...
    @property
    def weights(self) -> list[float]: ...
    @property
    def ids(self) -> list[str | None]: ...
    def values(self) -> list[list[tuple[int, str | None]]]: ...

@final
class Row:
    @property
    def features(self) -> list[tuple[str, str | None]]: ...

@final
class Model:
    @classmethod
    def fit(
        cls,
        data: Table | Cases | Sequence[str | os.PathLike[str]],
        codes: Any = None,
        labels: Sequence[str | None] | None = None,
        weight: Any = None,
        options: dict[str, Any] | None = None,
        progress: _Progress = None,
        group: Any = None,
        types: dict[str, int] | None = None,
    ) -> Model: ...
    @classmethod
    def load(cls, path: str | os.PathLike[str], /) -> Model: ...
    @classmethod
    def from_bytes(cls, bytes: bytes, /) -> Model: ...
    def save(self, path: str | os.PathLike[str], /) -> None: ...
    def to_bytes(self) -> bytes: ...
    def inspect(self, top: int = 0, /) -> str: ...
    @property
    def labels(self) -> tuple[str | int | float | bool, ...]: ...
    @property
    def label_names(self) -> tuple[str, ...]: ...
    @property
    def has_probability(self) -> bool: ...
    def decide(
        self,
        table: Table,
        label: Any = None,
        probability: Any = None,
        support: Any = None,
        lead: Any = None,
        known: Any = None,
        reason: Any = None,
        threads: int = 1,
        progress: _Progress = None,
    ) -> None: ...
    def predict_one(self, case: Any, /) -> Answer: ...
    def explain(
        self,
        table: Table,
        atoms: int = 10,
        cases: int = 5,
        threads: int = 1,
        progress: _Progress = None,
    ) -> tuple[str, list[Row]]: ...
    def row(self, features: Sequence[tuple[str, str | None]], /) -> Row: ...
    def reasons(
        self,
        case: Row,
        name: str = "model",
        row: int = 0,
        atoms: int = 10,
        cases: int = 5,
        versus: str | None = None,
        flip: int = 0,
        ask: int = 0,
        fixed: Sequence[str] | None = None,
        only: Sequence[str] | None = None,
        bounds: Sequence[tuple[str, str | None, str | None, bool, bool]] | None = None,
    ) -> tuple[str, str]: ...
    def summary(self, cases: Sequence[Row], most: int = 10, /) -> str: ...
    def importance(self, most: int = 0, /) -> list[tuple[str, float, float, int]]: ...

def options() -> dict[str, str]: ...
def in_python(text: str, /) -> str: ...
def is_missing(text: str, /) -> bool: ...
def shown(value: Any, /) -> str: ...
def value_text(value: Any, /) -> str | None: ...

class _Study(Protocol):
    """A function that takes what `Model.fit` takes."""

    def __call__(
        self,
        data: Table | Cases | Sequence[str | os.PathLike[str]],
        codes: Any = None,
        labels: Sequence[str | None] | None = None,
        weight: Any = None,
        options: dict[str, Any] | None = None,
        progress: _Progress = None,
        group: Any = None,
        types: dict[str, int] | None = None,
    ) -> str: ...

evaluate: _Study
audit: _Study
