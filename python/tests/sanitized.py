"""What tools/python_sanitized runs with an instrumented module: `threads` or `memory`.

threads: eight threads decide with one model at once, tables, single cases and explanations, while
another trains and models come and go; then a child of a fork does the same.
memory: all entry points, with good and bad input. Numpy alone is needed, so that little else than
the module runs.
"""

import gc
import os
import pickle
import sys
import threading

import numpy as np

import hcbr

CASES = [{"a": i % 7, "b": ["x", "y"][: i % 3], "c": {"d": str(i % 2)}} for i in range(60)]
LABELS = ["p" if i % 7 > 2 else "q" for i in range(60)]
MATRIX = np.random.default_rng(1).normal(size=(200, 4))
CLASSES = (MATRIX[:, 0] > 0).astype(int)


def decide(model, other, wanted, rounds, failures):
    for i in range(rounds):
        case = CASES[i % len(CASES)]
        if model.predict_one(case) != wanted[i % len(CASES)]:
            failures.append("one")
        if list(model.predict(CASES)) != [one.label for one in wanted]:
            failures.append("cases")
        other.predict_proba(MATRIX, n_jobs=2)
        if i % 5 == 0:
            model.explain([case])[0].to_html()
            model.importance(2)
            pickle.loads(pickle.dumps(model)).predict_one(case)


def threads(rounds=10):
    model = hcbr.Model.fit(CASES, LABELS)
    other = hcbr.Model.fit(MATRIX, CLASSES, n_jobs=2)
    wanted = [model.predict_one(case) for case in CASES]
    failures: list = []
    work = [threading.Thread(target=decide, args=(model, other, wanted, rounds, failures))
            for _ in range(8)]
    work.append(threading.Thread(target=lambda: hcbr.Model.fit(CASES, LABELS, n_jobs=2)))
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert not failures, failures
    child = os.fork()
    if child == 0:
        decide(model, other, wanted, 2, failures)
        good = hcbr.Model.fit(CASES, LABELS).to_bytes() == model.to_bytes() and not failures
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0


def attempts(model, table):
    core = hcbr._hcbr
    yield from (
        lambda: hcbr.Model.fit(CASES, LABELS, effort="lite", sample_weight=[1.0] * 60),
        lambda: hcbr.Model.fit(MATRIX, CLASSES, effort="lite").decide(
            MATRIX, ("label", "probability", "support", "lead", "known", "reason")),
        lambda: hcbr.Model.fit(MATRIX[::-2, ::-1], CLASSES[::2], model="plain", passes=2),
        lambda: core.Table.sparse(np.array([0, 1, 2], np.int32), np.array([0, 1], np.int32),
                                  np.ones(2), 2),
        lambda: core.Table.columns(["a", "b"], [["x", None, 3], [["u"], [], ["v", "w"]]]),
        lambda: core.Table.columns(["a", "b"], [["x"], [object()]]),
        lambda: hcbr.Model.fit(CASES, LABELS, effort="none"),
        lambda: hcbr.Model.fit(CASES, LABELS, split={"a": "|"}, na=["-"], ignore=["b"]),
        lambda: hcbr.Model.fit(CASES, LABELS, eta={"p": "x"}),
        lambda: hcbr.Model.fit(CASES, ["a\0b", "c"] * 30),
        lambda: model.predict_one({"a": object()}), lambda: model.predict_one("\ud800"),
        lambda: model.predict_one([("a", 1), "b", 2**80]), lambda: model.predict_one({"a", 1.5}),
        lambda: model.explain(CASES[:3])[0].flip(), lambda: model.explain([{"a": object()}]),
        lambda: model._core.row([("a", 3)]), lambda: model._core.decide(table, threads=2),
        lambda: hcbr.Model.from_bytes(model.to_bytes()[:-9]),
        lambda: hcbr.Model.from_bytes(model.to_bytes()), lambda: hcbr.Model.load("no such file"),
        lambda: hcbr.evaluate(CASES, LABELS, folds=2, effort="lite"),
        lambda: hcbr.audit(CASES, LABELS), lambda: model.inspect(5), lambda: model.importance(),
    )


def memory(rounds=3):
    model = hcbr.Model.fit(CASES, LABELS)
    table = hcbr._hcbr.Table.cases(CASES, model._core)
    for _ in range(rounds):
        for call in attempts(model, table):
            try:
                call()
            except (TypeError, ValueError, OSError) as error:
                del error
    gc.collect()


if __name__ == "__main__":
    {"threads": threads, "memory": memory}[sys.argv[1]]()
    print(f"{sys.argv[1]}: done")
