"""Threads, forks, interrupts, progress and memory."""

import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import hcbr


def test_many_threads_with_one_model(votes):
    X, y = votes
    model = hcbr.Model.fit(X, y)
    wanted = model.predict_proba(X)
    rows = X.to_dict("records")
    failures = []

    def work(number):
        for i in range(3):
            if not np.array_equal(model.predict_proba(X), wanted):
                failures.append(("table", number))
            for k in range(number, len(rows), 40):
                if list(model.predict_one(rows[k]).probability.values()) != list(wanted[k]):
                    failures.append(("row", number))
        model.explain(rows[:2])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not failures


def test_fork_is_safe(votes):
    X, y = votes
    model = hcbr.Model.fit(X, y, n_jobs=2)
    row = dict(X.iloc[0])
    wanted = model.predict_one(row)
    model.explain(row)
    stop = threading.Event()

    def busy():
        while not stop.is_set():
            model.predict_proba(X, n_jobs=2)

    other = threading.Thread(target=busy)
    other.start()
    try:
        for _ in range(10):
            child = os.fork()
            if child == 0:
                good = model.predict_one(row) == wanted
                good = good and model.predict_proba(X, n_jobs=2).shape == (435, 2)
                good = good and hcbr.Model.fit(X, y, n_jobs=2).to_bytes() == model.to_bytes()
                os._exit(0 if good else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        other.join()


LONG_FIT = """
import sys, time, numpy as np, hcbr
draw = np.random.default_rng(1)
X = draw.normal(size=(400000, 20))
y = (X @ draw.normal(size=20) + draw.normal(size=400000) > 0).astype(int)
print("ready", flush=True)
try:
    hcbr.Model.fit(X, y, progress=False)
    print("done", flush=True)
except KeyboardInterrupt:
    print("stopped", time.monotonic(), flush=True)
"""


def test_interrupt_stops_a_fit_soon():
    run = subprocess.Popen([sys.executable, "-c", LONG_FIT], stdout=subprocess.PIPE, text=True)
    assert run.stdout.readline() == "ready\n"
    time.sleep(0.5)
    sent = time.monotonic()
    run.send_signal(signal.SIGINT)
    said = run.stdout.readline().split()
    run.wait()
    assert said[0] == "stopped"
    # Half a second on a machine of its own; tests run beside others.
    assert float(said[1]) - sent < (0.5 if os.getloadavg()[0] < 1.5 else 3)


def test_progress_is_told_and_may_fail(numbers):
    draw = np.random.default_rng(2)
    X = draw.normal(size=(20000, 10))
    y = (X[:, 0] > 0).astype(int)
    seen = []
    hcbr.Model.fit(X, y, progress=lambda stage, done, total: seen.append((stage, done, total)))
    assert seen and all(done <= total or total == 0 for _, done, total in seen)

    def refuse(stage, done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        hcbr.Model.fit(X, y, progress=refuse)


def test_progress_bar(capsys):
    from hcbr._progress import Bar, watching

    bar = Bar(delay=0)
    bar("train", 1, 4)
    bar("train", 4, 0)
    bar.close()
    assert "train  25 %" in capsys.readouterr().err
    soon = Bar()
    soon("train", 1, 4)
    soon.close()
    assert not capsys.readouterr().err  # what is done at once needs no bar
    with watching(False) as call:
        assert call is None


SOME_FIT = """
import numpy as np, hcbr
hcbr._progress.DELAY = 0  # however quick the machine is
X = np.random.default_rng(1).normal(size=(20000, 10))
hcbr.Model.fit(X, (X[:, 0] * X[:, 1] > 0).astype(int))
"""


def test_bar_shows_itself_in_a_terminal_alone():
    leader, follower = os.openpty()
    run = subprocess.Popen([sys.executable, "-c", SOME_FIT], stderr=follower)
    os.close(follower)
    said = b""
    try:
        while part := os.read(leader, 4096):
            said += part
    except OSError:  # how a terminal says that nobody writes any more
        pass
    finally:
        os.close(leader)
    assert run.wait() == 0
    assert said.startswith(b"\rhcbr: ") and b" %, " in said
    assert said.endswith(b" \r") and not said.split(b"\r")[-2].strip()  # it is removed
    quiet = subprocess.run([sys.executable, "-c", SOME_FIT], capture_output=True)
    assert quiet.returncode == 0 and not quiet.stderr and not quiet.stdout


def test_nothing_leaks():
    """Memory stays where it is over many fits, answers, explanations and failures."""
    X = [{"a": i % 3, "b": {"c": [1, 2]}} for i in range(12)]
    y = ["p", "q"] * 6
    matrix = np.arange(24.0).reshape(12, 2)

    def once():
        model = hcbr.Model.fit(X, y, effort="lite")
        model.predict_one(X[0])
        model.explain(X[:1])[0].to_html()
        hcbr.Model.from_bytes(model.to_bytes())
        hcbr.Model.fit(matrix, y, effort="lite").predict_proba(matrix)
        for bad in ({"a": object()}, "\ud800", 3):
            try:
                model.predict_one(bad)
            except (TypeError, ValueError):
                pass
        try:
            hcbr.Model.fit(X, y, effort="none")
        except ValueError:
            pass

    def many(count):
        for _ in range(count):
            once()
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    count = 10000 if os.environ.get("HCBR_LONG") == "1" else 150
    first = many(count)
    second = many(count)
    assert second - first < 2000, f"{second - first} kB more"
    objects = len(gc.get_objects())
    many(20)
    assert len(gc.get_objects()) - objects < 50


def test_without_scikit_learn(tmp_path):
    code = (
        "import sys; sys.modules['sklearn'] = None; sys.modules['pandas'] = None\n"
        "import hcbr, numpy as np\n"
        "m = hcbr.Model.fit(np.array([[1, 2], [3, 4]] * 5), [0, 1] * 5)\n"
        "assert m.predict_one({'1': 1, '2': 2}).label == 0\n"
        "assert 'HCBRClassifier' in dir(hcbr)\n"
        "try: hcbr.HCBRClassifier\n"
        "except ImportError: print('good')\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout == "good\n", run.stderr
