"""Every format of Arrow, with nulls, sliced, with offsets and in chunks, equals a file."""

import csv
import datetime
import decimal
import json
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hcbr

pyarrow = pytest.importorskip("pyarrow")

TEXTS = st.text("abcdeÄß-z", min_size=1, max_size=16)  # short and long ones: views hold 12 bytes
QUARTERS = st.integers(-400, 400).map(lambda n: n / 4)  # the same decimal at any precision
DAYS = st.dates(datetime.date(1950, 1, 1), datetime.date(2050, 1, 1))
MOMENTS = st.datetimes(datetime.datetime(1950, 1, 1), datetime.datetime(2050, 1, 1))
SECONDS = MOMENTS.map(lambda t: t.replace(microsecond=0))
THOUSANDTHS = MOMENTS.map(lambda t: t.replace(microsecond=t.microsecond // 1000 * 1000))


def whole(bits, signed):
    low = -(2 ** (bits - 1)) if signed else 0
    return st.integers(low, 2 ** (bits - signed) - 1)


def iso(value):
    text = value.isoformat()
    return text.rstrip("0").rstrip(".") if "." in text else text


# Name: the type, its values, and how a file spells one.
FORMATS = {
    "string": (pyarrow.string(), TEXTS, str),
    "large_string": (pyarrow.large_string(), TEXTS, str),
    "string_view": (pyarrow.string_view(), TEXTS, str),
    "bool": (pyarrow.bool_(), st.booleans(), lambda v: "true" if v else "false"),
    **{f"int{b}": (getattr(pyarrow, f"int{b}")(), whole(b, True), str) for b in (8, 16, 32, 64)},
    **{f"uint{b}": (getattr(pyarrow, f"uint{b}")(), whole(b, False), str) for b in (8, 16, 32, 64)},
    **{f"float{b}": (getattr(pyarrow, f"float{b}")(), QUARTERS, hcbr._hcbr.value_text)
       for b in (16, 32, 64)},
    "date32": (pyarrow.date32(), DAYS, iso),
    "date64": (pyarrow.date64(), DAYS, iso),
    "timestamp_s": (pyarrow.timestamp("s"), SECONDS, iso),
    "timestamp_ms": (pyarrow.timestamp("ms"), THOUSANDTHS, iso),
    "timestamp_us": (pyarrow.timestamp("us"), MOMENTS, iso),
    "timestamp_ns": (pyarrow.timestamp("ns"), MOMENTS, iso),
    "timestamp_utc": (pyarrow.timestamp("ms", "UTC"), THOUSANDTHS, lambda v: iso(v) + "Z"),
    "timestamp_zone": (pyarrow.timestamp("us", "Asia/Kolkata"), MOMENTS, lambda v: iso(v) + "Z"),
    "time32": (pyarrow.time32("s"), SECONDS.map(lambda t: t.time()), iso),
    "time64": (pyarrow.time64("us"), MOMENTS.map(lambda t: t.time()), iso),
    "decimal128": (pyarrow.decimal128(9, 2), st.integers(-9999, 9999).map(
        lambda n: decimal.Decimal(n).scaleb(-2)), lambda v: f"{v:.2f}"),
    **{f"dictionary_{i}": (pyarrow.dictionary(getattr(pyarrow, i)(), pyarrow.string()), TEXTS, str)
       for i in ("int8", "uint16", "int64")},
    "list": (pyarrow.list_(pyarrow.string()), st.lists(TEXTS, max_size=3), list),
    "large_list": (pyarrow.large_list(pyarrow.string()), st.lists(TEXTS, max_size=3), list),
    "list_numbers": (pyarrow.list_(pyarrow.int32()), st.lists(st.integers(0, 99), max_size=3),
                     lambda v: [str(n) for n in v]),
    "null": (pyarrow.null(), st.none(), str),
}
CUTS = ["whole", "sliced", "chunked", "offset struct", "reader"]


@st.composite
def columns(draw, formats=tuple(FORMATS)):
    """A few columns of some formats, with nulls or without."""
    rows = draw(st.integers(4, 20))
    made = {}
    for i in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(formats))
        values = FORMATS[name][1]
        if draw(st.booleans()):
            values = st.one_of(st.none(), values)
        made[f"c{i}"] = (name, draw(st.lists(values, min_size=rows, max_size=rows)))
    return rows, made


def arrays(made, front=0):
    """The table; `front` rows of other values stand before it."""
    parts = {}
    for name, (kind, values) in made.items():
        type_ = FORMATS[kind][0]
        if pyarrow.types.is_dictionary(type_):
            plain = pyarrow.array(values[::-1][:front] + values, type_.value_type)
            parts[name] = plain.dictionary_encode().cast(type_)
        else:
            parts[name] = pyarrow.array(values[::-1][:front] + values, type_)
    return pyarrow.table(parts)


def cut(made, how, at):
    table = arrays(made)
    if how == "sliced":
        return arrays(made, 3).slice(3)
    if how == "chunked":  # each with a dictionary of its own
        halves = [{k: (kind, v[a:b]) for k, (kind, v) in made.items()}
                  for a, b in ((0, at), (at, None))]
        return pyarrow.concat_tables([arrays(half) for half in halves])
    if how == "offset struct":
        batch = arrays(made, 3).combine_chunks().to_batches()[0]
        return batch.to_struct_array().slice(3)
    if how == "reader":
        return table.to_reader(max_chunksize=at)
    return table


def write(path, made, labels):
    """A file with the same values: csv, or jsonl if there are lists. Its path."""
    spelled = {k: [None if v is None else FORMATS[kind][2](v) for v in values]
               for k, (kind, values) in made.items()}
    if any("list" in kind for kind, _ in made.values()):
        path = path / "data.jsonl"
        rows = [{"label": y, **{k: c[i] for k, c in spelled.items()}}
                for i, y in enumerate(labels)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path
    path = path / "data.csv"
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["label", *spelled])
        writer.writerows(zip(labels, *([v or "" for v in c] for c in spelled.values())))
    return path


def same(tmp_path, made, rows, how, at):
    labels = ["p" if i % 3 else "q" for i in range(rows)]
    wanted = hcbr.train(write(tmp_path, made, labels), effort="lite", strict=True)
    model = hcbr.Model.fit(cut(made, how, at), labels, effort="lite", strict=True)
    assert model.to_bytes() == wanted.to_bytes()
    cases = arrays(made).to_pylist()
    found = model.decide(cut(made, how, at), ("probability", "known"))
    one = [model.predict_one(case) for case in cases]
    assert np.array_equal(found["probability"], [list(a.probability.values()) for a in one])
    assert np.array_equal(found["known"], [a.known or 0 for a in one])


@pytest.mark.parametrize("how", CUTS)
@pytest.mark.parametrize("name", FORMATS)
def test_each_format_in_each_cut(tmp_path, name, how):
    """All pairs, with nulls, once."""
    draw = np.random.default_rng(len(name) * 7 + len(how))
    values = {"list": [["a", "bb"], [], ["bb", "a text of more than twelve bytes"]]}
    if "string" in name or "dictionary" in name:
        pool = ["a", "bb", "a text of more than twelve bytes"]
    elif name == "list_numbers":
        pool = [[1, 2], [], [3]]
    elif "list" in name:
        pool = values["list"]
    elif name == "null":
        pool = [None]
    elif name == "bool":
        pool = [True, False]
    elif "date" in name:
        pool = [datetime.date(2024, 2, 29), datetime.date(1969, 7, 20)]
    elif "timestamp" in name:
        pool = [datetime.datetime(2024, 2, 29, 23, 59, 58, 500000 * (name != "timestamp_s")),
                datetime.datetime(1969, 7, 20, 0)]
    elif "time" in name:
        pool = [datetime.time(1, 2, 3), datetime.time(23, 59, 58)]
    elif "decimal" in name:
        pool = [decimal.Decimal("10.50"), decimal.Decimal("-0.25")]
    elif "float" in name:
        pool = [0.25, -3.5, 100.0]
    else:
        pool = [0, 1, 100]
    column = [None if draw.random() < 0.2 else pool[draw.integers(len(pool))] for _ in range(18)]
    other = [int(draw.integers(9)) for _ in range(18)]
    same(tmp_path, {"c": (name, column), "o": ("int64", other)}, 18, how, 7)


@given(columns(), st.sampled_from(CUTS), st.integers(1, 3))
def test_tables_of_any_formats(tmp_path_factory, drawn, how, at):
    rows, made = drawn
    same(tmp_path_factory.mktemp("arrow"), made, rows, how, at)


def test_relations_of_duckdb(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "data.csv"
    rows = [(f"k{i % 3}", i * 0.5, f"2024-01-{1 + i % 28:02d}", "p" if i % 4 else "q")
            for i in range(60)]
    path.write_text("kind,size,day,label\n" + "".join(",".join(map(str, r)) + "\n" for r in rows))
    wanted = hcbr.train(path)
    relation = duckdb.connect().execute(
        f"select kind, size, day::date as day, label from read_csv('{path}')")
    table = relation.to_arrow_table() if hasattr(relation, "to_arrow_table") else relation.arrow()
    assert hcbr.Model.fit(table).to_bytes() == wanted.to_bytes()
    direct = duckdb.connect().sql(f"select kind, size, label from read_csv('{path}')")
    made = hcbr.Model.fit(direct)
    assert made.to_bytes() == hcbr.train(path, ignore=["day"]).to_bytes() or \
        made.inspect()["fingerprint"] == hcbr.train(path, ignore=["day"]).inspect()["fingerprint"]
    assert list(made.predict(direct)) == list(made.predict(table))


def test_estimators_take_what_tells_no_columns():
    """Readers of batches and relations of DuckDB, at fit and at predict, by names and silently."""
    pytest.importorskip("sklearn")
    table = pyarrow.table({"kind": ["a", "b", "c"] * 20, "size": [float(i) for i in range(60)]})
    y = ["p" if i % 4 else "q" for i in range(60)]
    wanted = hcbr.HCBRClassifier(effort="lite").fit(table, y)
    sources = [table.to_reader]
    try:
        import duckdb

        sources += [lambda: duckdb.connect().from_arrow(table)]
    except ImportError:
        pass
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*feature names")
        for source in sources:
            made = hcbr.HCBRClassifier(effort="lite").fit(source(), y)
            assert list(made.feature_names_in_) == ["kind", "size"]
            assert made.model_.to_bytes() == wanted.model_.to_bytes()
            assert list(made.predict(source())) == list(wanted.predict(table))
    with pytest.raises(ValueError, match="feature names"):
        wanted.predict(table.select(["size", "kind"]).to_reader())
    used = table.to_reader()
    used.read_all()
    with pytest.raises(ValueError):
        wanted.predict(used)


def test_lazy_frames_are_to_be_collected():
    polars = pytest.importorskip("polars")
    pytest.importorskip("sklearn")
    lazy = polars.LazyFrame({"a": [1, 2] * 5})
    for made in (hcbr.Model.fit, hcbr.HCBRClassifier().fit, hcbr.evaluate):
        with pytest.raises(TypeError, match="collect"):
            made(lazy, [0, 1] * 5)


def test_types_of_polars(tmp_path):
    polars = pytest.importorskip("polars")
    rows = 48
    plain = {
        "kind": [["a", "bb", None][i % 3] for i in range(rows)],
        "level": [["low", "high"][i % 2] for i in range(rows)],
        "size": [i * 0.25 for i in range(rows)],
        "count": [i % 5 for i in range(rows)],
        "day": [datetime.date(2024, 1 + i % 12, 1 + i % 28) for i in range(rows)],
        "flag": [bool(i % 2) for i in range(rows)],
    }
    labels = ["p" if i % 5 > 2 else "q" for i in range(rows)]
    path = tmp_path / "data.csv"
    polars.DataFrame({"label": labels, **plain}).write_csv(path)
    frame = polars.DataFrame(plain, schema_overrides={
        "kind": polars.Categorical, "level": polars.Enum(["low", "high"]), "count": polars.UInt16})
    wanted = hcbr.train(path, strict=True).to_bytes()
    for X in (frame, polars.concat([frame[:7], frame[7:]], rechunk=False),
              polars.concat([frame[:3], frame])[3:]):
        assert hcbr.Model.fit(X, labels, strict=True).to_bytes() == wanted
    lists = frame.with_columns(tags=polars.Series([["x", "y"][: i % 3] for i in range(rows)]))
    made = hcbr.Model.fit(lists, labels, strict=True)
    assert made.to_bytes() == hcbr.Model.fit(lists.to_dicts(), labels, strict=True).to_bytes()
