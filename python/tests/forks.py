"""Forks while eight threads of all kinds work, children that decide: prints how many hang, and how
often pyarrow was looked for once hcbr was imported.

forks.py COUNT [hide]: with `hide` pyarrow is not installed.
"""

import os
import sys
import threading
import time


class Hiding:
    """A finder of modules that looks for pyarrow as any other does, and does not find it."""

    def __init__(self, finder):
        self.find = finder.find_spec

    looked = 0  # how often

    def find_spec(self, name, path=None, target=None):
        Hiding.looked += name.split(".")[0] == "pyarrow"
        found = self.find(name, path, target)
        return None if name.split(".")[0] == "pyarrow" else found


if sys.argv[2:] == ["hide"]:
    sys.meta_path[:] = [Hiding(finder) for finder in sys.meta_path]

import numpy as np  # noqa: E402
import pandas  # noqa: E402

import hcbr  # noqa: E402

Hiding.looked = 0
draw = np.random.default_rng(3)
X = pandas.DataFrame({f"t{i}": draw.choice(["red", "green", "blue"], 60) for i in range(12)})
X["n"] = draw.normal(size=60)
y = np.where(X["n"] > 0, "yes", "no")
WORK = [
    lambda m: m.predict(X[:3]),
    lambda m: m.predict_proba(X[:1]),
    lambda m: m.predict_one({"t0": "red", "n": 1}),
    lambda m: m.explain(X[:2]),
    lambda m: m.decide([{"t0": "red"}, {"t1": "green", "n": 0.5}]),
    lambda m: hcbr.Model.fit(X[:40], y[:40], effort="lite"),
    lambda m: hcbr.Model.from_bytes(m.to_bytes()),
    lambda m: hcbr.audit(X[:40], y[:40]),
]
stop = False


def work(one, model):
    while not stop:
        one(model)


def child_ends(pid, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            assert status == 0, status
            return True
        time.sleep(0.001)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    return False


# Of dicts: what frames need is imported while the forks are under way.
model = hcbr.Model.fit(X.to_dict("records"), y, effort="lite")
threads = [threading.Thread(target=work, args=(one, model), daemon=True) for one in WORK]
for thread in threads:
    thread.start()
hung = 0
for turn in range(int(sys.argv[1])):
    pid = os.fork()
    if pid == 0:
        for one in WORK[:5] if turn % 4 else WORK:
            one(model)
        os._exit(0)
    hung += not child_ends(pid)
    if hung > 3:
        break
stop = True
print("hung", hung, "looked", Hiding.looked)
