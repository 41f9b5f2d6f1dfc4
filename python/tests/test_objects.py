"""Objects that lie, change, fail or run out of memory: an exception, never a crash.

Each of these runs in a process of its own where a crash would be seen as one.
"""

import datetime
import decimal
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hcbr

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("sklearn")
from hcbr import HCBRClassifier, HCBRSetClassifier

Y = [0, 1] * 5


class Rude:
    """Every question that can be asked of it fails, or is answered with something absurd."""

    def __init__(self, how):
        self.how = how

    def _answer(self, *_args, **_kw):
        if self.how == "raise":
            raise RuntimeError("rude")
        return {"none": None, "self": self, "huge": 2**70, "negative": -5, "text": "\ud800",
                "nan": float("nan"), "list": [[]]}[self.how]

    def __iter__(self):
        return iter([self._answer()] * 3)

    def __getitem__(self, at):
        if at == 3:
            raise IndexError("no more")
        return self._answer()

    __eq__ = __bool__ = __float__ = __index__ = __int__ = _answer
    __array__ = isoformat = item = astimezone = utcoffset = _answer
    __arrow_c_stream__ = __arrow_c_array__ = tocsr = __len__ = __hash__ = _answer

    @property
    def dtype(self):
        return self._answer()

    shape = nnz = tzinfo = columns = iloc = __array_interface__ = dtype


RUDE = ["raise", "none", "self", "huge", "negative", "text", "nan", "list"]
EXPECTED = (TypeError, ValueError, AttributeError, OverflowError, RuntimeError, MemoryError,
            IndexError, RecursionError)


def tried(call, *args):
    """Call it; exceptions that a user would understand are fine, those of broken C code are not."""
    try:
        return call(*args)
    except SystemError:
        raise
    except EXPECTED:
        return None


def filled(one):
    array = np.empty((10, 1), dtype=object)
    array.fill(one)
    return array


@pytest.mark.parametrize("how", RUDE)
def test_rude_objects(how):
    model = hcbr.Model.fit([{"a": 1}, {"a": 2}] * 5, Y)
    core = hcbr._hcbr
    good = np.zeros((10, 1))
    for X in (Rude(how), [Rude(how)] * 10, [[Rude(how)]] * 10, [{"a": Rude(how)}] * 10,
              filled(Rude(how))):
        for call in (model.predict, model.predict_one, model.explain, core.Table.matrix,
                     core.Table.stream, core.Table.cases, core.value_text, core.is_missing,
                     core.Model.from_bytes, core.Model.load, model.save):
            tried(call, X)
        tried(core.Table.columns, ["a"], X)
        tried(core.Table.columns, X, [[1]])
        tried(core.Table.sparse, X, X, X, 3)
        for fit in (hcbr.Model.fit, HCBRClassifier().fit, HCBRSetClassifier().fit):
            tried(fit, X, Y)
            tried(fit, good, X)
            tried(lambda: fit(good, Y, sample_weight=X))
        for name in core.options():
            tried(lambda: hcbr.Model.fit(good, Y, **{name: X}))
    assert model.predict_one({"a": 1}).label == 0


def test_dtypes_and_strides_that_are_unusual():
    base = np.arange(40.0).reshape(20, 2)
    want = hcbr.Model.fit(base[::-2].copy(), Y).to_bytes()
    assert hcbr.Model.fit(base[::-2], Y).to_bytes() == want
    assert hcbr.Model.fit(base.astype(">f8")[::-2], Y).to_bytes() == want
    assert hcbr.Model.fit(base[::-2, ::-1][:, ::-1], Y).to_bytes() == want
    assert hcbr.Model.fit(base.astype(object)[::-2], Y).to_bytes() == want
    fixed = base[::-2].copy()
    fixed.flags.writeable = False
    assert hcbr.Model.fit(fixed, Y).to_bytes() == want
    one = HCBRClassifier().fit(base[::-2], Y)
    assert np.array_equal(one.predict_proba(base[::-2]), one.predict_proba(base[::-2].copy()))
    for bad in (np.float64(3), np.array(3.0), np.zeros((10, 1), "V4"), np.zeros((10, 1), "S3"),
                np.zeros((10, 1), "m8[s]"), np.zeros((10, 1), [("a", "f8")]), np.ma.masked):
        with pytest.raises((ValueError, TypeError)):
            HCBRClassifier().fit(bad, Y)


def test_what_is_missing_in_arrays_of_objects():
    for missing in (None, float("nan"), np.nan, pandas.NaT, pandas.NA, np.datetime64("NaT"),
                    np.float32("nan"), decimal.Decimal("nan")):
        X = np.array([["a"], [missing]] * 5, dtype=object)
        model = hcbr.Model.fit(X, Y)
        known = model.decide(X, ("known",))["known"]
        assert list(known[:2]) == [1, 0], repr(missing)
        assert model.predict_one({"1": missing}).known is None, repr(missing)


def test_dates_of_all_kinds_are_one_value():
    moment = datetime.datetime(2024, 2, 29, 12, 30, 15, 500000)
    east = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
    text = hcbr._hcbr.value_text
    assert text(moment) == text(pandas.Timestamp(moment)) == "2024-02-29T12:30:15.5"
    aware = moment.replace(tzinfo=datetime.timezone.utc)
    assert text(aware) == text(aware.astimezone(east)) == "2024-02-29T12:30:15.5Z"
    assert text(pandas.Timestamp(aware).tz_convert("Asia/Tokyo")) == "2024-02-29T12:30:15.5Z"
    assert text(np.datetime64(moment)) == "2024-02-29T12:30:15.5"
    assert text(datetime.time(1, 2, 3, 40)) == "01:02:03.00004"
    assert text(datetime.date(2024, 2, 29)) == "2024-02-29"
    frames = [pandas.DataFrame({"d": [moment, moment.replace(hour=3)] * 5}),
              np.array([[moment], [moment.replace(hour=3)]] * 5, dtype="datetime64[ns]"),
              [{"d": moment}, {"d": moment.replace(hour=3)}] * 5]
    made = [hcbr.Model.fit(X, Y) for X in frames]
    assert made[0].to_bytes() == made[2].to_bytes()
    known = made[0].decide(frames[2], ("known",))["known"]
    assert known.min() == 1
    assert made[1].predict_one({"1": moment}).known == 1


def test_lists_in_a_column_of_objects():
    tags = [["a", "b"], [], ["b"], {"c", "a"}, "a", None] * 5
    frame = pandas.DataFrame({"tags": pandas.Series(tags, dtype=object), "n": range(30)})
    y = ["p" if i % 6 in (0, 3, 4) else "q" for i in range(30)]
    rows = [{"tags": tag, "n": i} for i, tag in enumerate(tags)]
    model = hcbr.Model.fit(frame, y)
    assert model.to_bytes() == hcbr.Model.fit(rows, y).to_bytes()
    assert np.array_equal(model.predict_proba(frame), model.predict_proba(rows))


def test_lists_that_change_while_they_are_read():
    cases: list = [{"a": i % 2} for i in range(10)]

    class Shrinks:
        def isoformat(self):
            cases.clear()
            return "x"

    cases[3] = {"a": Shrinks()}
    assert hcbr._hcbr.Table.cases(cases).rows == 10
    column: list = ["x"] * 10

    class Empties:
        def isoformat(self):
            column.clear()
            return "x"

    column[2] = Empties()
    tried(hcbr._hcbr.Table.columns, ["c"], [column])

    class Tuples(tuple):
        def __len__(self):
            return 10**9

        def __iter__(self):
            return iter([1] * 3)

    tried(hcbr.Model.fit, Tuples([{"a": 1}]), Y)
    tried(hcbr._hcbr.Table.columns, Tuples("ab"), Tuples([[1], [2]]))


ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5),
    st.text(st.characters(whitelist_categories=["Cs", "Cc", "Lu"]), max_size=3),
    st.binary(max_size=3), st.decimals(), st.fractions(), st.complex_numbers(), st.uuids(),
    st.dates(), st.datetimes(timezones=st.none() | st.timezones()), st.times(), st.timedeltas(),
    st.sampled_from([pandas.NA, pandas.NaT, np.float32(1.5), np.int8(3), np.str_("x"), ...,
                     np.datetime64("2024-01-01"), int, 10**400, float("inf")]),
    st.sampled_from(RUDE).map(Rude),
)
NESTED = st.recursive(
    ODD,
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner)
    | st.dictionaries(st.one_of(st.text(max_size=3), st.integers(), st.none()), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(NESTED, min_size=2, max_size=6), NESTED, st.data())
def test_any_objects(values, one, data):
    y = [i % 2 for i in range(len(values))]
    shapes = [
        values, [[v] for v in values], [{"a": v} for v in values], [(v, v) for v in values],
        pandas.DataFrame({"a": pandas.Series(values, dtype=object)}),
    ]
    array = np.empty((len(values), 1), dtype=object)
    for i, value in enumerate(values):
        array[i, 0] = value
    X = data.draw(st.sampled_from([*shapes, array]))
    for fit in (hcbr.Model.fit, HCBRClassifier(effort="lite").fit, HCBRSetClassifier().fit):
        made = tried(fit, X, y)
        if made is not None:
            tried(made.predict, X)
            tried(made.predict, [one])
            tried(getattr(made, "model_", made).predict_one, one)


# Arrays of numpy are left out: numpy 2.4 itself does not see that memory is gone when it describes
# an array.
NO_MEMORY = """
import _testcapi, faulthandler, sys, tempfile
import numpy as np
import hcbr
from hcbr import _hcbr as core
import pyarrow

cases = [{"a": i % 3, "b": {"c": ["x", "y"]}} for i in range(12)]
codes = np.array([0, 1] * 6, dtype=np.int64)
arrow = pyarrow.table({"a": pyarrow.array(["x", "y"] * 6)})
options = {"label": "l", "effort": "lite", "split": {"q": "|"}, "na": ["nix"], "seed": 3}
tables = [core.Table.cases(cases), core.Table.stream(arrow),
          core.Table.columns(["a"], [["x", "y"] * 6])]
model = core.Model.fit(tables[0], codes, ["p", "q"], None, {"label": "l", "effort": "lite"})
other = core.Model.fit(tables[2], codes, ["p", "q"], None, {"label": "l", "text": ["a"]})
data = model.to_bytes()
new = core.Table.cases(cases, model)
path = tempfile.mktemp()
import datetime, decimal, uuid
moment = datetime.datetime(2024, 1, 1, 1, 1, 1, 5000, datetime.timezone.utc)

chunk = arrow["a"].combine_chunks()
table = core.Table.stream(pyarrow.table({"a": ["x", "y"] * 6, "b": ["p", "q", "q"] * 4}))
file = tempfile.NamedTemporaryFile("w", suffix=".csv")
file.write("q,l\\n" + "x|y,p\\nz,q\\n" * 6)
file.flush()

def bad_progress(*said):
    raise ValueError("no")

calls = {
    "stream": lambda: core.Table.stream(arrow),
    "array": lambda: core.Table.stream(arrow.to_batches()[0].to_struct_array()),
    "columns": lambda: core.Table.columns(["a", "b"], [["x", None] * 6, chunk]),
    "lists": lambda: core.Table.columns(["a"], [[["x", "y"], []] * 6]),
    "cases": lambda: core.Table.cases(cases),
    "new cases": lambda: core.Table.cases(cases + [["t", ("k", "v")], {"u"}, "word"], model),
    "names": lambda: tables[1].names,
    "options": core.options,
    "text": lambda: [core.value_text(v) for v in (moment, 2**80, 0.5, np.float32(2),
                                                  decimal.Decimal(1), uuid.UUID(int=5))],
    "decide": lambda: model.decide(new),
    "one": lambda: model.predict_one(cases[0]),
    "one of words": lambda: other.predict_one({"a": "some words"}),
    "one bad": lambda: model.predict_one({"a": object()}),
    "explain": lambda: model.explain(new),
    "reasons": lambda: model.reasons(model.row([("a", "1")]), flip=2, ask=2, fixed=["b"]),
    "importance": lambda: model.importance(3),
    "inspect": lambda: model.inspect(3),
    "bytes": lambda: core.Model.from_bytes(model.to_bytes()),
    "file": lambda: (model.save(path), core.Model.load(path)),
    "fit": lambda: core.Model.fit([file.name], None, None, None, options, bad_progress),
    "fit arrow": lambda: core.Model.fit(table, None, None, None, {"label": "b"}),
    "audit": lambda: core.audit([file.name], None, None, None, {"label": "l"}),
    "evaluate": lambda: core.evaluate([file.name], None, None, None,
                                      {"label": "l", "folds": 2, "effort": "lite"}),
}

faulthandler.enable()
held = [cases, arrow, chunk, tables, table, model, other, data, options, file]
tried = 0
for name, call in calls.items():
    try:
        call()  # what is made once is made
        call()
    except TypeError:
        assert name == "one bad"
    before = [sys.getrefcount(one) for one in held]
    for n in range(2000):
        failed = None
        _testcapi.set_nomemory(n, n + 1)
        try:
            call()
        except BaseException as error:
            failed = type(error)
        finally:
            _testcapi.remove_mem_hooks()
        tried += 1
        assert failed is not SystemError, (name, n)
        if failed is None or (name == "one bad" and failed is TypeError and n > 20):
            break
    else:
        raise AssertionError(name + " never ends")
    after = [sys.getrefcount(one) for one in held]
    if name != "one bad":
        # CPython 3.11 itself loses a reference when it cannot copy a list.
        assert all(b - a <= 1 for a, b in zip(before, after)), (name, before, after)
print("tried", tried)
"""


def test_every_allocation_of_python_may_fail():
    pytest.importorskip("_testcapi")
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", NO_MEMORY], capture_output=True,
                         text=True, check=False)
    assert run.returncode == 0, run.stdout[-500:] + run.stderr[-3000:]
    assert run.stdout.startswith("tried")


REFERENCES = """
import gc, sys
import numpy as np
import hcbr
{body}
def run(call, count):
    for _ in range(count):
        try:
            call()
        except Exception as error:
            assert not isinstance(error, SystemError), error
    gc.collect()
    return sys.getallocatedblocks()

for call in calls:
    run(call, 5)
    before = [sys.getrefcount(one) for one in held]
    # Caches grow for a while; what a call loses would be seen in every part, however many.
    blocks, parts = run(call, {count}), 0
    while (now := run(call, {count})) - blocks >= {count} // 2:
        blocks, parts = now, parts + 1
        assert parts < 100, call.__code__.co_firstlineno
    after = [sys.getrefcount(one) for one in held]
    assert after == before, (call.__code__.co_firstlineno, before, after)
print("good")
"""
# "a" would be every module's, and one of them may let go of it at any time.
BODY = """
held = [True, "our a", {}, X := np.arange(24.0).reshape(12, 2), Y := [0, 1] * 6,
        cases := [{"our a": 1, "b": "x"}, {"our a": 2}] * 6, object]
model = hcbr.Model.fit(cases, Y)
held.append(model._core)
calls = (
    lambda: hcbr.Model.fit(X, Y, effort="lite").predict_proba(X),
    lambda: hcbr.Model.fit(cases, Y, effort="lite", weight="w", sample_weight=[1.0] * 12),
    lambda: hcbr.Model.fit(X, Y, effort="none"), lambda: hcbr.Model.fit(X, Y, seed=-1),
    lambda: hcbr.Model.fit(X, Y, ignore=[1]), lambda: hcbr.Model.fit(X, Y, split={"our a": 3}),
    lambda: hcbr.Model.fit(X, Y, eta={"our a": "x"}), lambda: hcbr.Model.fit(X, Y, type={"q": "x"}),
    lambda: model.predict_one({"our a": object()}), lambda: model.predict_one({"our a": [[1]]}),
    lambda: model.predict_one({"our a": 1, "b": None}), lambda: model.predict_one("\\ud800"),
    lambda: model.predict_one(["x", object()]), lambda: model.predict_one([("our a", 1)]),
    lambda: model.explain(cases[:2])[0].flip(), lambda: model._core.explain(X),
    lambda: model._core.row([("our a", 3)]),
    lambda: model._core.reasons(model._core.row([("our a", "1")])),
    lambda: model._core.reasons([("our a", "1")]),
    lambda: model._core.decide(X), lambda: model.importance(), lambda: model.inspect(2),
    lambda: hcbr.Model.from_bytes(model.to_bytes()), lambda: hcbr.Model.from_bytes(b"no"),
    lambda: hcbr._hcbr.Table.columns(["our a", "b"], [[1, object()], [2, 3]]),
    lambda: hcbr._hcbr.Table.columns(["our a"], [[1, "x"], [2, 3]]),
    lambda: hcbr._hcbr.Table.matrix(X, ["our a"]), lambda: hcbr._hcbr.Table.matrix(X, [1, 2]),
    lambda: hcbr._hcbr.Table.stream(object()), lambda: hcbr._hcbr.Table.cases([object()]),
    lambda: hcbr.Model.load("no such file"), lambda: model.save("no/such/folder"),
)
"""


def test_references_are_given_back():
    count = 400 if os.environ.get("HCBR_LONG") == "1" else 20
    code = REFERENCES.format(body=textwrap.dedent(BODY), count=count)
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True,
                         text=True, check=False)
    assert run.stdout == "good\n", run.stderr[-3000:]

