"""Bad input raises what users expect, and never ends the interpreter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hcbr

sklearn = pytest.importorskip("sklearn")
pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")
from hcbr import HCBRClassifier, HCBRSetClassifier

GOOD = np.array([[1.0, 2.0], [3.0, 4.0]] * 5)
Y = [0, 1] * 5


@pytest.mark.parametrize(
    "X,y",
    [
        (np.zeros((0, 2)), []),
        (np.zeros((10, 0)), Y),
        (np.zeros(10), Y),
        (np.zeros((10, 2, 2)), Y),
        (np.array(5.0), Y),
        (np.full((10, 2), np.inf), Y),
        (np.full((10, 2), 1j), Y),
        (GOOD, [0] * 10),
        (GOOD, [0, 1]),
        (GOOD, None),
        (GOOD, [0.5, np.nan] * 5),
        (GOOD, ["a", None] * 5),
        (GOOD, [["a", "b"]] * 10),
        (GOOD, np.linspace(0, 1, 10)),
        (GOOD, ["", "b"] * 5),
        (GOOD, ["a\0c", "b"] * 5),
        (GOOD, ["\ud800", "b"] * 5),
        (np.array([["\ud800"], ["b"]] * 5), Y),
        (np.array([["a\0b"], ["b"]] * 5, dtype=object), Y),
        (np.array([[object()], [1]] * 5, dtype=object), Y),
        (np.array([[b"bytes"], [b"x"]] * 5, dtype=object), Y),
        ("text", Y),
        (None, Y),
        (pandas.DataFrame({"a": [np.inf, 1.0] * 5}), Y),
        (pandas.DataFrame({"a": [np.inf, "x"] * 5, "b": [np.inf, 1.0] * 5}), Y),
        (pandas.DataFrame({"a": [1, 2] * 5}).iloc[:0], []),
        (pandas.DataFrame([[1, 2]] * 10, columns=["a", "a"]), Y),
        (pandas.DataFrame({"a\0": [1, 2] * 5, "b": ["x", "y"] * 5}), Y),
        (pandas.DataFrame({"a": [{"deep": 1}, 2] * 5}), Y),
        (pandas.Series([1, 2] * 5), Y),
        (pyarrow.table({"a": [float("inf"), 1.0] * 5}), Y),
        (pyarrow.table({"a": pyarrow.array([{"x": 1}] * 10)}), Y),
        (pyarrow.array([1, 2] * 5), Y),
    ],
)
def test_fit_raises(X, y):
    with pytest.raises((ValueError, TypeError)):
        HCBRClassifier().fit(X, y)


def test_huge_integers_are_names_of_their_own():
    rows = [{"n": 10**40}, {"n": 2**64}, {"n": -(2**63)}] * 6
    model = hcbr.Model.fit(rows, ["a", "b", "c"] * 6, categorical=["n"])
    assert model.predict_one({"n": 10**40}).label == "a"
    frame = pandas.DataFrame({"n": [10**40, 2**64, -(2**63)] * 6}, dtype=object)
    assert hcbr.Model.fit(frame, ["a", "b", "c"] * 6, categorical=["n"]).labels == model.labels


def test_predict_raises():
    one = HCBRClassifier().fit(GOOD, Y)
    for bad in (GOOD[:, :1], GOOD[0], np.full((2, 2), np.inf), "x", None, GOOD.astype(complex)):
        with pytest.raises((ValueError, TypeError)):
            one.predict(bad)
    with pytest.raises(sklearn.exceptions.NotFittedError):
        HCBRClassifier().predict(GOOD)
    named = HCBRClassifier().fit(pandas.DataFrame(GOOD, columns=["a", "b"]), Y)
    with pytest.raises(ValueError, match="feature names"):
        named.predict(pandas.DataFrame(GOOD, columns=["a", "c"]))


@pytest.mark.parametrize(
    "options",
    [
        {"model": "best"}, {"effort": 3}, {"passes": -1, "model": "plain"}, {"passes": 1.5},
        {"seed": "x"}, {"seed": -1}, {"seed": 2**64}, {"numeric": "a"}, {"numeric": [1]},
        {"ignore": 5}, {"split": ["a"]}, {"split": {"a": 1}}, {"eta": {"nobody": 0.5}},
        {"eta": {0: "x"}}, {"eta": 3}, {"fallback": "nobody"}, {"cost": {"x": 1}}, {"cost": 1},
        {"max_error": 7}, {"metric": "best"}, {"n_jobs": 0}, {"min_cases": 0}, {"ngrams": 0},
        {"keep_cases": "some"}, {"max_memory": 1},
        {"class_weight": {5: 1}}, {"class_weight": "other"},
    ],
    ids=str,
)
def test_options_that_cannot_be(options):
    with pytest.raises((ValueError, TypeError, MemoryError)):
        HCBRClassifier(**options).fit(GOOD, Y)
    with pytest.raises(TypeError):
        hcbr.Model.fit(GOOD, Y, no_such_option=1)


@pytest.mark.parametrize(
    "case",
    [3, None, b"x", object(), {1.5: "x"}, {"a": object()}, {"a": b"x"}, ["a", object()],
     {"a": "\ud800"}, {"\ud800": 1}, {"a": "x\0y"}, "a\ud800", {"a": 1j}, [["a", "b", "c"]], [[]]],
    ids=repr,
)
def test_one_case_raises(case):
    model = hcbr.Model.fit([{"a": 1}, {"a": 2}] * 5, Y)
    for _ in range(3):
        with pytest.raises((TypeError, ValueError)):
            model.predict_one(case)


def test_cases_without_end():
    model = hcbr.Model.fit([{"a": 1}, {"a": 2}] * 5, Y)
    inner: dict = {}
    inner["a"] = inner
    with pytest.raises(ValueError, match="deeper"):
        model.predict_one(inner)
    round_list: list = []
    round_list.append(round_list)
    with pytest.raises(ValueError):
        model.predict_one({"a": round_list})


class Liar(list):
    """Says another length than it has."""

    def __len__(self):
        return 1000


class Changing:
    """Changes the case while it is read."""

    def __init__(self, case):
        self.case = case

    def isoformat(self):
        self.case.clear()
        return "2024-01-01"


def test_objects_that_lie():
    with pytest.raises((ValueError, TypeError)):
        hcbr.Model.fit(Liar([{"a": 1}] * 4), [0, 1] * 500)
    with pytest.raises((ValueError, TypeError)):
        HCBRSetClassifier().fit(Liar([{"a": 1}] * 4), [0, 1] * 500)
    model = hcbr.Model.fit([{"a": 1}, {"a": 2}] * 5, Y)
    case: dict = {}
    case.update({"a": Changing(case), "b": "x", "c": "y"})
    assert model.predict_one(case).known is not None
    words: list = []
    words.extend([Changing(words), "x", "y"])
    model.predict_one(words)

    class Fake:
        __array_interface__ = {"data": (8, False), "shape": (10, 2), "typestr": "<f8", "version": 3}

    with pytest.raises((ValueError, TypeError)):
        hcbr._hcbr.Table.matrix(Fake())

    class Capsules:
        def __arrow_c_stream__(self, requested_schema=None):
            return "no capsule"

    with pytest.raises((ValueError, TypeError)):
        hcbr.Model.fit(Capsules(), Y)


def test_streams_that_were_used():
    reader = pyarrow.table({"a": [1, 2] * 5}).to_reader()
    model = hcbr.Model.fit(reader, Y)
    with pytest.raises((ValueError, TypeError)):
        hcbr.Model.fit(reader, Y)
    assert len(model.predict(pyarrow.table({"a": [1, 2]}))) == 2

    def fails():
        yield pyarrow.record_batch({"a": [1]})
        raise RuntimeError("the source is gone")

    schema = pyarrow.schema([("a", pyarrow.int64())])
    with pytest.raises(ValueError, match="the source is gone"):
        hcbr.Model.fit(pyarrow.RecordBatchReader.from_batches(schema, fails()), Y)


def test_core_checks_its_arguments():
    core = hcbr._hcbr
    table = core.Table.matrix(GOOD)
    codes = np.array(Y, dtype=np.int64)
    options = {"label": "l"}
    for args in [
        (table, codes[:5], ["a", "b"]), (table, codes, ["a"]), (table, codes - 1, ["a", "b"]),
        (table, codes.astype(np.int32), ["a", "b"]), (table, codes, ["a", 1j]),
        (table, codes, ["a", ["b"]]), (table, codes[::-1], ["a", "b"]), (3, codes, ["a", "b"]),
        (core.Table.cases([{"a": 1}]), None, None),
    ]:
        with pytest.raises((TypeError, ValueError)):
            core.Model.fit(*args, None, options)
    with pytest.raises(ValueError):
        core.Model.fit(table, codes, ["a", "b"], None, {})
    model = core.Model.fit(table, codes, ["a", "b"], None, options)
    fixed = np.empty(10, dtype=np.int32)
    fixed.flags.writeable = False
    for out in ({"label": np.empty(9, dtype=np.int32)}, {"label": np.empty(10)}, {"label": fixed},
                {"probability": np.empty((10, 3))}, {"label": "x"},
                {"support": np.empty((2, 10)).T}):
        with pytest.raises((TypeError, ValueError)):
            model.decide(table, **out)
    for bad in ((GOOD, ["a"]), (GOOD, [1, 2]), (GOOD[0],), (GOOD.astype(complex),)):
        with pytest.raises((TypeError, ValueError, IndexError)):
            core.Table.matrix(*bad)
    starts, items = np.array([0, 1, 2], np.int32), np.array([0, 1], np.int32)
    values = np.array([1.0, 2.0])
    for bad in ((starts, items, values[:1], 2), (starts, items.astype(np.int64), values, 2),
                (starts[:0], items, values, 2), (starts, items, values.astype(int), 2)):
        with pytest.raises((TypeError, ValueError)):
            core.Table.sparse(*bad)
    for wrong in (np.array([0, 5, 2], np.int32), np.array([2, 1, 0], np.int32),
                  np.array([0, -1, 2], np.int32)):
        sparse = core.Table.sparse(wrong, items, values, 2)
        with pytest.raises(ValueError):
            core.Model.fit(sparse, codes[:2], ["a", "b"], None, options)
    with pytest.raises(TypeError):
        core.Model()
    with pytest.raises(TypeError):
        core.Table()


ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.sets(st.text(), max_size=4),
                            st.dictionaries(st.text(), inner, max_size=4)),
    max_leaves=12,
)


@given(st.lists(ANYTHING, min_size=1, max_size=6), ANYTHING)
def test_anything_gives_an_answer_or_an_exception(cases, one):
    try:
        model = hcbr.Model.fit(cases, ["a", "b"] * 3 if len(cases) == 6 else
                               ["a", "b", "a", "b", "a"][: len(cases)], effort="lite")
    except (ValueError, TypeError):
        return
    for ask in (model.predict_one, lambda c: model.explain([c])):
        try:
            ask(one)
        except (ValueError, TypeError):
            pass
