"""Every kind of table gives the model and the answers that a csv file with its values gives."""

import datetime
import io
import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hcbr

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")
scipy_sparse = pytest.importorskip("scipy.sparse")
try:
    import polars
except ImportError:
    polars = None

WORDS = st.one_of(st.none(), st.text(string.ascii_letters + "äß ", min_size=1, max_size=4)).filter(
    lambda t: t is None or t.strip() == t
)
WHOLE = st.one_of(st.none(), st.integers(-(2**53), 2**53))
REAL = st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False))


@st.composite
def frames(draw):
    """Columns of a few types, of the same length, and labels."""
    rows = draw(st.integers(4, 30))
    columns = {}
    for i in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from([WORDS, WHOLE, REAL, st.booleans()]))
        columns[f"c{i}"] = draw(st.lists(kind, min_size=rows, max_size=rows))
    labels = [f"l{i % 2}" for i in range(rows)]
    return columns, labels


def spelled(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return hcbr._hcbr.value_text(value)
    return "" if value is None else str(value)


def of_csv(columns, labels, tmp_path_factory, **options):
    path = tmp_path_factory.mktemp("csv") / "data.csv"
    frame = pandas.DataFrame({"label": labels, **{k: [spelled(v) for v in c]
                                                  for k, c in columns.items()}})
    frame.to_csv(path, index=False)
    return hcbr.train(path, strict=True, **options)


def arrow(columns):
    return pyarrow.table({k: pyarrow.array(v) for k, v in columns.items()})


@given(frames(), st.sampled_from(["rich", "plain"]))
def test_columns_and_csv_give_the_same_bytes(tmp_path_factory, drawn, kind):
    columns, labels = drawn
    options = {"model": kind, "effort": "lite"} if kind == "rich" else {"model": kind}
    wanted = of_csv(columns, labels, tmp_path_factory, **options).to_bytes()
    table = arrow(columns)
    tables = {
        "objects": pandas.DataFrame({k: pandas.Series(v, dtype=object)
                                     for k, v in columns.items()}),
        "arrow": table,
        "chunks": pyarrow.concat_tables([table.slice(0, 2), table.slice(2)]),
        "reader": table.to_reader(max_chunksize=3),
        "sliced": pyarrow.concat_tables([table.slice(0, 1), table]).slice(1),
        "struct": pyarrow.record_batch(table.combine_chunks().to_batches()[0]),
    }
    if polars is not None:
        tables["polars"] = polars.from_arrow(table)
    for name, X in tables.items():
        made = hcbr.Model.fit(X, labels, strict=True, **options)
        assert made.to_bytes() == wanted, name


@given(frames())
def test_answers_are_those_of_the_rows_one_by_one(drawn):
    columns, labels = drawn
    table = arrow(columns)
    model = hcbr.Model.fit(table, labels, effort="lite", strict=True)
    wanted = model.decide(table, ("label", "probability", "known"))
    rows = [{k: v for k, v in row.items()} for row in table.to_pylist()]
    for X in (pyarrow.concat_tables([table.slice(0, 3), table.slice(3)]), table.to_pandas(), rows):
        found = model.decide(X, ("label", "probability", "known"))
        for what in wanted:
            assert np.array_equal(found[what], wanted[what]), what


@pytest.mark.parametrize(
    "kind",
    ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
     "float64", "bool"],
)
def test_types_of_numpy_do_not_matter(kind):
    draw = np.random.default_rng(1)
    X = draw.integers(0, 2 if kind == "bool" else 100, size=(60, 3))
    y = X[:, 0] > X[:, 0].mean()
    if kind == "bool":
        X = X.astype(bool)
    wanted = hcbr.Model.fit(X, y).to_bytes()
    same = X.astype(kind)
    for array in (same, np.asfortranarray(same), same[::-1][::-1], np.repeat(same, 2, axis=0)[::2],
                  np.hstack([same, same])[:, :3], same.astype(same.dtype.newbyteorder()),
                  pandas.DataFrame(same), same.astype(object)):
        assert hcbr.Model.fit(array, y).to_bytes() == wanted


def test_rows_of_one_memory():
    X = np.broadcast_to(np.array([[1.0, 2.0]]), (6, 2))
    assert hcbr.Model.fit(X, [0, 1] * 3).inspect()["cases"] == 6


ARROW = [
    ("string", ["a", "b", None]),
    ("large_string", ["a", "b", None]),
    ("string_view", ["a", "a long text that does not fit into a view", None]),
    ("bool_", [True, False, None]),
    *[(t, [1, 2, None]) for t in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
                                  "uint64")],
    ("float16", [np.float16(1), np.float16(2), None]),
    ("float32", [1, 2, None]),
    ("float64", [1, 2, None]),
    ("null", [None, None, None]),
    ("date32", [datetime.date(2024, 2, 29), datetime.date(1969, 7, 20), None]),
    ("dictionary", ["a", "b", None]),
    ("list", [["a", "b"], [], ["b"]]),
]


@pytest.mark.parametrize("name,values", ARROW, ids=[name for name, _ in ARROW])
@pytest.mark.parametrize("cut", ["whole", "sliced", "chunked"])
def test_formats_of_arrow(name, values, cut):
    """Each format, sliced and in chunks, against the same rows as dicts."""
    types = {"dictionary": pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
             "list": pyarrow.list_(pyarrow.string())}
    kind = types.get(name) or getattr(pyarrow, name)()
    column = pyarrow.array(values * 8, type=kind)
    if cut == "sliced":
        column = pyarrow.concat_arrays([column.slice(0, 5), column]).slice(5)
    elif cut == "chunked":
        column = pyarrow.chunked_array([column.slice(0, 7), column.slice(7)])
    other = pyarrow.array(range(24))
    labels = ["x", "y", "y"] * 8
    made = hcbr.Model.fit(pyarrow.table({"c": column, "o": other}), labels, strict=True)
    rows = [{"c": values[i % 3], "o": i} for i in range(24)]
    assert made.to_bytes() == hcbr.Model.fit(rows, labels, strict=True).to_bytes()
    probability = made.predict_proba(pyarrow.table({"c": column, "o": other}))
    assert np.array_equal(probability, made.predict_proba(rows))


def test_pandas_types():
    """Extension types give what the objects in them give."""
    plain = pandas.DataFrame({
        "text": ["a", "b", None, "d"] * 9,
        "whole": [1, 2, None, 4] * 9,
        "flag": [True, None, False, True] * 9,
        "kind": ["k", "l", None, "k"] * 9,
    }, dtype=object)
    typed = pandas.DataFrame({
        "text": plain["text"].astype("string"),
        "whole": plain["whole"].astype("Int64"),
        "flag": plain["flag"].astype("boolean"),
        "kind": plain["kind"].astype("category"),
    })
    labels = [0, 1, 1, 0] * 9
    wanted = hcbr.Model.fit(plain, labels)
    assert hcbr.Model.fit(typed, labels).to_bytes() == wanted.to_bytes()
    assert np.array_equal(wanted.predict_proba(typed), wanted.predict_proba(plain))


def test_dates_of_pandas_and_numpy():
    days = pandas.to_datetime(["2024-02-29", None, "2023-01-02"] * 8)
    model = hcbr.Model.fit(pandas.DataFrame({"d": days}), ["a", "b", "c"] * 8, strict=True)
    assert set(model.labels) == {"a", "b", "c"}
    matrix = np.array(days.to_numpy()).reshape(-1, 1).astype("datetime64[D]")
    assert hcbr.Model.fit(matrix, ["a", "b", "c"] * 8).inspect()["cases"] == 24


def test_missing_columns_and_other_orders(votes):
    X, y = votes
    model = hcbr.Model.fit(X, y)
    assert np.array_equal(model.predict_proba(X), model.predict_proba(X[X.columns[::-1]]))
    with pytest.warns(hcbr.DataWarning):
        fewer = model.predict_proba(X.drop(columns="crime"))
    rows = [{k: v for k, v in row.items() if k != "crime"} for row in X.to_dict("records")]
    assert np.array_equal(fewer, model.predict_proba(rows))


@pytest.mark.parametrize("make", ["csr_matrix", "csc_matrix", "coo_matrix", "csr_array"])
def test_sparse_matrices(make, tmp_path):
    draw = np.random.default_rng(3)
    dense = draw.integers(1, 4, size=(50, 6)) * (draw.random((50, 6)) < 0.4)
    y = (dense[:, 0] > 0).astype(int)
    X = getattr(scipy_sparse, make)(dense.astype(float))
    lines = io.StringIO()
    for label, row in zip(y, dense):
        items = [f"{j + 1}:{v}" for j, v in enumerate(row) if v]
        lines.write(" ".join([str(label), *items]) + "\n")
    path = tmp_path / "data.libsvm"
    path.write_text(lines.getvalue())
    y = y.astype(str)  # as labels of files are
    model = hcbr.Model.fit(X, y)
    assert model.to_bytes() == hcbr.train(path).to_bytes()
    rows = [{str(j + 1): int(v) for j, v in enumerate(row) if v} for row in dense]
    assert np.array_equal(model.predict_proba(X), model.predict_proba(rows))
    assert hcbr.Model.fit(X.astype(np.int64), y).to_bytes() == model.to_bytes()


def test_weights_count_as_copies(numbers):
    X, y = numbers
    weight = np.random.default_rng(5).integers(0, 3, size=len(y))
    weighed = hcbr.Model.fit(X, y, sample_weight=weight)
    assert weighed.inspect()["cases"] == np.count_nonzero(weight)
    pairs = [pyarrow.table({f"c{i}": X[:, i] for i in range(4)}),
             pandas.DataFrame(X, columns=[f"c{i}" for i in range(4)])]
    one, two = (hcbr.Model.fit(X, y, sample_weight=weight) for X in pairs)
    assert one.to_bytes() == two.to_bytes()


def test_batches_with_an_offset_of_their_own():
    """A struct that was sliced: labels and weights go with its rows, not with those before."""
    table = pyarrow.table({"a": list(range(30)), "b": ["x", "y", "z"] * 10})
    y = ["p" if i % 30 < 12 else "q" for i in range(30)]
    weight = [1.0 + i % 2 for i in range(30)]
    wanted = hcbr.Model.fit(table.slice(4), y[4:], sample_weight=weight[4:])
    batch = table.combine_chunks().to_batches()[0].to_struct_array().slice(4)
    assert batch.offset == 4
    made = hcbr.Model.fit(batch, y[4:], sample_weight=weight[4:])
    assert made.to_bytes() == wanted.to_bytes()
    assert np.array_equal(made.predict_proba(batch), wanted.predict_proba(table.slice(4)))


def test_all_arrays_of_a_table_in_chunks():
    table = pyarrow.table({"a": list(range(30)), "b": ["x", "y", "z"] * 10})
    model = hcbr.Model.fit(table, ["p" if i < 12 else "q" for i in range(30)])
    what = ("label", "probability", "support", "lead", "known", "reason")
    whole = model.decide(table, what)
    parts = model.decide(pyarrow.concat_tables([table.slice(0, 11), table.slice(11)]), what)
    for name in what:
        assert np.array_equal(whole[name], parts[name]), name


def test_none_is_missing_whatever_the_list_says():
    """The empty text is a value if the list of missing values does not have it; None is none."""
    frame = pandas.DataFrame({"a": ["", "x", None] * 9}, dtype=object)
    model = hcbr.Model.fit(frame, ["p", "q", "p"] * 9, na_only=["zz"], strict=True)
    known = model.decide(frame.head(3), ("known",))["known"]
    assert list(known) == [1, 1, 0]
    assert [model.predict_one({"a": v}).known for v in ("", "x", None)] == [1, 1, None]


def test_texts_of_values():
    text = hcbr._hcbr.value_text
    assert [text(v) for v in (-0.0, 0.1, 1e300, 5, -7, True, None, float("nan"), 2**70)] == [
        "0", "0.1", "1e300", "5", "-7", "true", None, None, str(2**70)]
    assert [text(v) for v in (np.float32(0.5), np.int8(-3), np.bool_(0))] == ["0.5", "-3", "false"]
    assert text(datetime.date(2024, 2, 29)) == "2024-02-29" and text(pandas.NaT) is None
