"""A line that says how far a long call is, in a terminal and in a notebook."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable

Progress = Callable[[str, int, int], Any]


DELAY = 0.5
"""Seconds after which a bar shows itself: what is done sooner needs none."""


class Bar:
    """Writes one line over and over; it is removed at the end."""

    def __init__(self, delay: float | None = None) -> None:
        self._start = time.monotonic()
        self._delay = DELAY if delay is None else delay
        self._width = 0

    def __call__(self, stage: str, done: int, total: int) -> None:
        passed = time.monotonic() - self._start
        if passed < self._delay:
            return
        part = f"{100 * min(done / total, 1.0):3.0f} %" if total else f"{done:,}"
        line = f"hcbr: {stage} {part}, {passed:.0f} s"
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


def _wants_bar() -> bool:
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)


class watching:
    """`with watching(progress) as call:` where progress is a callable, True, False or None.

    None shows a bar in a terminal or a notebook, and nothing elsewhere.
    """

    def __init__(self, progress: Progress | bool | None) -> None:
        self._bar: Bar | None = None
        self._call: Progress | None = None
        if callable(progress):
            self._call = progress
        elif progress or (progress is None and _wants_bar()):
            self._bar = self._call = Bar()

    def __enter__(self) -> Progress | None:
        return self._call

    def __exit__(self, *unused: object) -> None:
        if self._bar:
            self._bar.close()
