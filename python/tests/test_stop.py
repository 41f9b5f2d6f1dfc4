"""A fit that is told to stop does little work before it does. Work is counted as CPU time, which
other programs on the machine do not change."""

import os
import signal
import time

import numpy as np
import pytest

import hcbr

LEAST = 0.5  # seconds: a promise of docs/PYTHON.md


class Enough(Exception):
    pass


def data(rows, labels):
    draw = np.random.default_rng(1)
    columns = 28 if rows == 200000 else 20
    X = draw.normal(size=(rows, columns))
    score = X @ draw.normal(size=columns) + draw.normal(size=rows)
    return X, np.digitize(score, np.linspace(-6, 6, labels - 1) if labels > 2 else [0.0])


LONG = os.environ.get("HCBR_LONG") == "1"
CASES = [(60000, 2, {"effort": "lite"}), (6000, 12, {"effort": "lite"}),
         (20000, 2, {"model": "plain"})]
if LONG:
    CASES += [(300000, 2, {"effort": "lite"}), (20000, 12, {}), (60000, 2, {}),
              (200000, 2, {}), (200000, 2, {"model": "plain"})]


@pytest.mark.parametrize("rows, labels, options", CASES)
def test_asks_often_and_stops_at_once(rows, labels, options):
    X, y = data(rows, labels)
    asked = [time.process_time()]
    stages = []

    def note(stage, done, total):
        stages.append(stage)
        asked.append(time.process_time())

    hcbr.Model.fit(X, y, progress=note, **options)
    asked.append(time.process_time())
    assert max(np.diff(asked)) < LEAST
    for part in (0.02, 0.1, 0.5, 0.97) if LONG else (0.1, 0.97):
        left = int(part * len(stages)) + 1
        told = 0.0

        def stop(stage, done, total):
            nonlocal left, told
            left -= 1
            if left <= 0:
                told = told or time.process_time()
                raise Enough

        try:
            hcbr.Model.fit(X, y, progress=stop, **options)
        except Enough:
            assert time.process_time() - told < LEAST


def test_no_stage_works_long_without_asking():
    """The longest work between two questions is a small part of the whole, on any machine."""
    X, y = data(200000, 2)
    asked = [time.process_time()]
    hcbr.Model.fit(X, y, progress=lambda *_: asked.append(time.process_time()))
    asked.append(time.process_time())
    assert max(np.diff(asked)) < (asked[-1] - asked[0]) / 20


TABLES = {
    "cases": lambda: hcbr._hcbr.Table.cases(ROWS),
    "texts": lambda: hcbr._hcbr.Table.columns([str(i) for i in range(40)], [COLUMN] * 40),
}
ROWS = [{"a": 1, "b": "x", "c": [1, 2, 3], "d": {"e": "y"}}] * 200000
COLUMN = ["some text", "another"] * 10000


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
def test_data_is_left_at_once(make):
    """A signal is seen while objects are read, not behind the last of them."""
    start = time.process_time()
    make()
    whole = time.process_time() - start

    def stop(number, frame):
        raise Enough

    before = signal.signal(signal.SIGPROF, stop)
    try:
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, whole / 20)  # of CPU time
        with pytest.raises(Enough):
            make()
        assert time.process_time() - start < whole / 2
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
