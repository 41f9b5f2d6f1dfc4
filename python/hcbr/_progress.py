"""A line that says how far a long call is, in a terminal and in a notebook."""

from __future__ import annotations

import importlib
import sys
import threading
import time
from typing import Any, Callable

from . import _hcbr

Progress = Callable[[str, int, int], Any]


DELAY = 0.5
"""Seconds after which a bar shows itself: what is done sooner needs none."""


class _Terminal:
    """A line of the terminal, written over and over; it is removed at the end."""

    def __init__(self) -> None:
        self._width = 0

    def show(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


class _Output:
    """The same as an output of a notebook's cell, which is empty at the end."""

    def __init__(self) -> None:
        self._shown: Any = None

    def show(self, line: str) -> None:
        said = {"text/plain": line}
        if self._shown is None:
            output: Any = importlib.import_module("IPython.display")
            self._shown = output.display(said, raw=True, display_id=True)
        else:
            self._shown.update(said, raw=True)

    def close(self) -> None:
        if self._shown is not None:
            self._shown.update({"text/plain": ""}, raw=True)
            self._shown = None


class Bar:
    """One line that says how far a call is; it is removed at the end."""

    def __init__(self, delay: float | None = None) -> None:
        self._start = time.monotonic()
        self._delay = DELAY if delay is None else delay
        self._line = _Output() if _in_notebook() else _Terminal()

    def __call__(self, stage: str, done: int, total: int) -> None:
        passed = time.monotonic() - self._start
        if passed < self._delay:
            return
        part = f"{100 * min(done / total, 1.0):3.0f} %" if total else f"{done:,}"
        self._line.show(f"hcbr: {stage} {part}, {passed:.0f} s")

    def close(self) -> None:
        self._line.close()


def _in_notebook() -> bool:
    """Is this the kernel of a notebook, and its main thread, which has a cell to write to?"""
    kernel = sys.modules.get("ipykernel.kernelapp")
    return (
        kernel is not None
        and kernel.IPKernelApp.initialized()
        and threading.current_thread() is threading.main_thread()
    )


def _wants_bar() -> bool:
    return _in_notebook() or (sys.stderr is not None and sys.stderr.isatty())


class watching:
    """`with watching(progress) as call:` where progress is a callable, True, False or None.

    None shows a bar in a terminal or a notebook, and nothing elsewhere.
    """

    def __init__(self, progress: Progress | bool | None) -> None:
        self._bar: Bar | None = None
        self._call: Progress | None = None
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            raise _hcbr.UsageError(
                f"progress={_hcbr.shown(progress)}: True, False, None or a function was expected"
            )
        if callable(progress):
            self._call = progress
        elif progress or (progress is None and _wants_bar()):
            self._bar = self._call = Bar()

    def __enter__(self) -> Progress | None:
        return self._call

    def __exit__(self, *unused: object) -> None:
        if self._bar:
            self._bar.close()
