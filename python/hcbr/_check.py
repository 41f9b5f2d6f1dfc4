"""Arguments: what is none of the values that one may have is refused, and the message says why."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from . import _hcbr

MOST = 2**31 - 1


def whole(name: str, value: Any, least: int = 0, most: int = MOST, special: str = "") -> int:
    """A whole number of any type, but no boolean; `special` says what one of them means."""
    try:
        number = None if isinstance(value, (bool, np.bool_)) else operator.index(value)
    except TypeError:
        number = None
    if number is not None and least <= number <= most:
        return number
    if most < MOST or (number is not None and number > most):
        range_ = f"a whole number from {least} to {most}"
    else:
        range_ = f"a whole number of {least} or more"
    raise _hcbr.UsageError(f"{name}={_hcbr.shown(value)}: {range_} was expected{special}")


def count_or_all(name: str, value: Any) -> int:
    """How many; -1: all."""
    return whole(name, value, -1, special=" (-1: all)")


def threads(name: str, value: Any) -> int:
    """As whole(), but negative numbers count from all processors, and 0 has no meaning."""
    number = whole(name, value, -MOST, special=" (-1: all processors)")
    if number == 0:
        raise _hcbr.UsageError(f"{name}=0 has no meaning; 1 or more, or -1 for all processors")
    return number
