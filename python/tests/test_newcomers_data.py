"""Data as people have it, from frames that nobody prepared: it is taken, or refused in words that
say what to do."""

import datetime
import decimal
import io
import pickle
import subprocess
import sys

import numpy as np
import pytest

import hcbr

sklearn = pytest.importorskip("sklearn")
pandas = pytest.importorskip("pandas")
scipy_sparse = pytest.importorskip("scipy.sparse")
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from hcbr import HCBRClassifier, HCBRSetClassifier

ROWS = 120
HALF = np.arange(ROWS) % 2 == 0
Y = np.where(HALF, "yes", "no")


def lite(**options):
    return HCBRClassifier(effort="lite", **options)


@pytest.fixture(scope="module")
def frame():
    """Only the column `a` tells the classes apart."""
    draw = np.random.default_rng(5)
    a = np.where(HALF, 1.0, -1.0) * draw.integers(1, 9, ROWS)
    return pandas.DataFrame({"b": draw.integers(0, 4, ROWS), "a": a, "c": draw.normal(size=ROWS)})


# ---- columns without names ----------------------------------------------------------------------


def as_polars(X):
    return pytest.importorskip("polars").DataFrame(X.to_dict("list"))


def as_arrow(X):
    return pytest.importorskip("pyarrow").Table.from_pandas(X, preserve_index=False)


KINDS = {
    "frame": lambda X: X,
    "polars": as_polars,
    "arrow": as_arrow,
    "numbered": lambda X: X.set_axis(range(X.shape[1]), axis=1),
    "matrix": lambda X: X.to_numpy(),
    "objects": lambda X: X.to_numpy(object),
    "lists": lambda X: X.to_numpy().tolist(),
    "csr": lambda X: scipy_sparse.csr_matrix(X.to_numpy()),
    "csc": lambda X: scipy_sparse.csc_matrix(X.to_numpy()),
}


@pytest.mark.filterwarnings("ignore:X has feature names", "ignore:X does not have valid")
@pytest.mark.parametrize("fitted", KINDS)
def test_columns_without_names_have_places(frame, fitted):
    """As in all of scikit-learn: an array has the columns of fit, in their order, and so does a
    frame for what was fitted on an array. What a sparse matrix does not store is 0."""
    one = lite().fit(KINDS[fitted](frame), Y)
    wanted = one.predict_proba(KINDS[fitted](frame))
    assert (wanted[:, 1] > 0.5).tolist() == HALF.tolist()
    for asked, make in KINDS.items():
        assert np.array_equal(one.predict_proba(make(frame)), wanted), (fitted, asked)
        assert one.explain(make(frame)[:1])[0].label == "yes"


def test_other_names_are_refused(frame):
    one = lite().fit(frame, Y)
    with pytest.raises(ValueError, match="feature names"):
        one.predict(frame.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match="3 features"):
        one.predict(frame.to_numpy()[:, :2])


# ---- columns of pandas --------------------------------------------------------------------------


def kinds(column):
    """What a column is taken for, by the names of its parts."""
    model = hcbr.Model.fit(pandas.DataFrame({"x": column}), Y, effort="lite")
    return {part["name"]: part["kind"] for part in model.inspect()["columns"]}


def test_intervals_are_categories():
    cut = pandas.cut(np.arange(ROWS) % 40, 4)
    assert kinds(cut) == {"x": "category"}
    assert kinds(pandas.Series(pandas.array(cut.astype(object), dtype="interval"))) == {
        "x": "category"}
    X = pandas.DataFrame({"x": pandas.Series(cut).where(HALF)})
    model = hcbr.Model.fit(X, Y)
    assert list(model.predict(X)) == list(Y)  # what is missing tells the classes apart
    spelled = model.predict_one({"x": str(cut[0])})
    assert not spelled.unseen and spelled.label == "yes"


def test_periods_are_dates():
    months = pandas.Series(pandas.period_range("2019-01", periods=ROWS, freq="M"))
    moments = months.dt.to_timestamp()
    made = [hcbr.Model.fit(pandas.DataFrame({"x": x}), Y, effort="lite").to_bytes()
            for x in (months, moments, months.astype("category"))]
    assert made[0] == made[1] == made[2]
    gap = months.where(HALF)
    assert "x: month" in kinds(gap)


def test_arrays_in_cells_are_lists():
    """Lists in a Parquet file, or in a frame of polars, are arrays in one of pandas."""
    lists = [["red", "round"], ["blue"]] * (ROWS // 2)
    arrays = [np.array(one, dtype=object) for one in lists]
    numbers = [[1, 2], [3]] * (ROWS // 2)
    for plain, other in ((lists, arrays), (numbers, [np.array(one) for one in numbers])):
        made = [hcbr.Model.fit(pandas.DataFrame({"x": x}), Y).to_bytes() for x in (plain, other)]
        assert made[0] == made[1]
        made = [hcbr.Model.fit([{"x": one} for one in x], Y) for x in (plain, other)]
        assert made[0].to_bytes() == made[1].to_bytes()
        assert made[0].predict_one({"x": other[0]}) == made[0].predict_one({"x": plain[0]})


@pytest.mark.parametrize("value", [1j, b"bytes", object(), {"deep": 1}, np.zeros((2, 2)),
                                   "\ud800", io.StringIO()])
def test_refusals_name_the_column(value):
    X = pandas.DataFrame({"good": [1, 2], "bad one": pandas.Series([value, "x"], dtype=object)})
    with pytest.raises((TypeError, ValueError), match="column 'bad one'"):
        hcbr.Model.fit(X, ["a", "b"])


def test_a_frame_of_everything():
    X = pandas.DataFrame({
        "moment": pandas.date_range("2020-01-01", periods=ROWS, tz="Europe/Paris"),
        "length": pandas.to_timedelta(np.arange(ROWS), "h"),
        "kind": pandas.Categorical(np.where(HALF, "a", "b")),
        "rank": pandas.Categorical(["low", "high"] * (ROWS // 2), ["low", "high"], ordered=True),
        "count": pandas.array([1, None] * (ROWS // 2), dtype="Int64"),
        "flag": pandas.array([True, None] * (ROWS // 2), dtype="boolean"),
        "mixed": [1, "x", 2.5, None, True, "y"] * (ROWS // 6),
        "price": [decimal.Decimal(i) / 100 for i in range(ROWS)],
        "day": [datetime.date(2020, 1, 1 + i % 28) for i in range(ROWS)],
        "hour": [datetime.time(i % 24) for i in range(ROWS)],
        "tags": [["x", "y"], []] * (ROWS // 2),
    })
    one = lite().fit(X, Y)
    assert one.score(X, Y) == 1
    again = pickle.loads(pickle.dumps(one))
    assert np.array_equal(again.predict_proba(X), one.predict_proba(X))
    unseen = X.assign(kind=pandas.Categorical(["new"] * ROWS), mixed="new")
    assert one.predict_proba(unseen).shape == (ROWS, 2)
    turned = X.assign(kind=X["kind"].cat.reorder_categories(["b", "a"]))
    assert np.array_equal(one.predict_proba(turned), one.predict_proba(X))


def test_masked_values_are_missing(frame):
    hidden = np.random.default_rng(2).random((ROWS, 3)) < 0.3
    masked = np.ma.masked_array(frame.to_numpy(), hidden)
    wanted = np.where(hidden, np.nan, frame.to_numpy())
    assert hcbr.Model.fit(masked, Y).to_bytes() == hcbr.Model.fit(wanted, Y).to_bytes()
    one = lite().fit(wanted, Y)
    assert lite().fit(masked, Y).model_.to_bytes() == one.model_.to_bytes()
    assert np.array_equal(one.predict_proba(masked), one.predict_proba(wanted))


# ---- labels and weights -------------------------------------------------------------------------

LABELS = {
    "texts": Y, "list": list(Y), "series": pandas.Series(Y), "category": pandas.Categorical(Y),
    "string": pandas.Series(Y, dtype="string"), "flags": HALF, "numbers": HALF.astype(int),
    "small": HALF.astype("int8"), "doubles": HALF.astype(float),
    "column": pandas.DataFrame({"y": Y}), "nullable": pandas.Series(HALF, dtype="boolean"),
}


@pytest.mark.parametrize("y", LABELS.values(), ids=LABELS)
def test_labels(frame, y):
    X = frame.to_numpy()
    one, other = lite().fit(X, y), LogisticRegression().fit(X, y)
    assert list(one.classes_) == list(other.classes_)
    assert one.predict(X).dtype == other.predict(X).dtype
    assert one.score(X, y) == 1
    assert len(hcbr.Model.fit(X, y, effort="lite").labels) == 2


GAPS = {
    "NaN": np.where(HALF, 1.0, np.nan), "None": np.where(HALF, "yes", None),
    "NaN in texts": pandas.Series(Y).where(HALF).to_numpy(object),
    "category": pandas.Series(pandas.Categorical(np.where(HALF, "yes", None))),
    "string": pandas.Series(Y, dtype="string").where(HALF),
    "Int64": pandas.Series(HALF.astype(int), dtype="Int64").where(HALF),
    "NaT": pandas.Series(pandas.to_datetime(["2020-01-01", None] * (ROWS // 2))),
}


@pytest.mark.parametrize("y", GAPS.values(), ids=GAPS)
def test_labels_that_are_missing(frame, y):
    """They have one label left, which is little for a classifier."""
    with pytest.raises(ValueError, match="got 1 class"):
        lite().fit(frame, y)
    with pytest.warns(hcbr.DataWarning, match="60 rows without a label are left out: rows "):
        assert len(hcbr.Model.fit(frame, y, effort="lite").labels) == 1


def test_labels_of_wrong_shape(frame):
    for y in (np.c_[Y, Y], np.eye(2)[HALF.astype(int)], [("a", "b"), ("c", "d")] * (ROWS // 2)):
        for fit in (lite().fit, hcbr.Model.fit):
            with pytest.raises(ValueError, match=r"1d array, got an array of shape \(120, 2\)"):
                fit(frame, y)
    for y in (np.where(HALF, "yes", ""), [1j, "a"] * (ROWS // 2)):
        with pytest.raises(hcbr.DataError, match="cannot be a label") as said:
            hcbr.Model.fit(frame, y)
        assert "np." not in str(said.value)


def test_model_takes_labels_of_several_types(frame):
    y = np.array([1, "a"] * (ROWS // 2), dtype=object)
    assert set(hcbr.Model.fit(frame, y, effort="lite").labels) == {1, "a"}


def test_weights_of_wrong_shape(frame):
    for fit in (lite().fit, hcbr.Model.fit):
        for weight in ([1, 2], np.ones((ROWS, 2))):
            with pytest.raises(ValueError, match="sample_weight|Sample weights"):
                fit(frame, Y, sample_weight=weight)
    with pytest.raises(ValueError, match="at least one non-zero|no case"):
        lite().fit(frame, Y, sample_weight=np.zeros(ROWS))


# ---- one row, and what is no table --------------------------------------------------------------


def test_one_row_of_a_frame(frame):
    one = lite().fit(frame, Y)
    row, wanted = frame.iloc[0], one.model_.predict_one(frame.iloc[0].to_dict())
    assert one.model_.predict_one(row) == wanted
    assert one.model_.explain(row)[0].label == wanted.label
    for ask in (one.predict, one.explain):
        with pytest.raises(ValueError, match="2D.*Series"):
            ask(row)
    for bad in (frame[:1], row.to_numpy()):
        with pytest.raises(TypeError, match="a case must be"):
            one.model_.predict_one(bad)


def test_the_other_estimator_is_named(frame):
    for X in ([{"a": 1}, {"a": 2}] * 5, [{"a"}, {"b"}] * 5, ["some text", "more"] * 5):
        with pytest.raises(ValueError, match="Expected 2D array.*HCBRSetClassifier"):
            lite().fit(X, [0, 1] * 5)
    for X in (frame, frame.to_numpy(), scipy_sparse.eye(ROWS).tocsr(), as_polars(frame)):
        with pytest.raises(TypeError, match="HCBRClassifier"):
            HCBRSetClassifier().fit(X, Y)


def test_series_of_cases():
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    for cases in ([["sun", "sand"], ["snow"]] * 10, ["sun and sand", "snow"] * 10):
        wanted = HCBRSetClassifier().fit(cases, [0, 1] * 10).model_.to_bytes()
        for make in (pandas.Series, polars.Series, pyarrow.array, tuple,
                     lambda c: pyarrow.chunked_array([c])):
            found = HCBRSetClassifier().fit(make(cases), [0, 1] * 10)
            assert found.model_.to_bytes() == wanted, make
            assert list(found.predict(make(cases[:2]))) == [0, 1]


def test_no_rows(frame):
    one = lite().fit(frame, Y)
    for X in (frame[:0], frame.to_numpy()[:0], as_polars(frame)[:0]):
        with pytest.raises(ValueError, match="0 sample"):
            one.predict(X)
        assert one.model_.predict(X).shape == (0,)
        assert one.model_.predict_proba(X).shape == (0, 2)


# ---- processes ----------------------------------------------------------------------------------


def test_pickle_in_another_process(frame, tmp_path):
    one = lite().fit(frame, Y)
    (tmp_path / "one").write_bytes(pickle.dumps((one, frame, one.predict_proba(frame))))
    code = ("import pickle, numpy\none, X, wanted = pickle.load(open('one', 'rb'))\n"
            "assert numpy.array_equal(one.predict_proba(X), wanted)\nprint('good')")
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert run.stdout == "good\n", run.stderr


def test_cross_validation_in_processes(frame):
    found = cross_val_score(lite(), frame, Y, cv=3, n_jobs=2, error_score="raise")
    assert np.array_equal(found, cross_val_score(lite(), frame, Y, cv=3, error_score="raise"))


def test_many_labels():
    y = np.arange(3000) % 1000
    one = lite().fit(np.array([f"v{i}" for i in y], dtype=object).reshape(-1, 1), y)
    assert one.predict_proba([["v7"]]).shape == (1, 1000)
    assert one.predict([["v7"], ["v999"]]).tolist() == [7, 999]


def test_a_million_floats():
    """A matrix of float32 is not copied: deciding needs far less memory than another one."""
    code = """
import resource, numpy as np, hcbr
draw = np.random.default_rng(1)
X = draw.normal(size=(1_000_000, 28)).astype(np.float32)
model = hcbr.Model.fit(X[:2000], (X[:2000, 0] > 0).astype(int), effort="lite")
model.predict(X[:1000])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
table = hcbr._data.as_table(X)
assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20000  # of 112,000
assert (np.concatenate([model.predict(X[:5000]), model.predict(X[-5000:])])
        == model.predict(np.concatenate([X[:5000], X[-5000:]]))).all()
print("good")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout == "good\n", run.stderr
