"""Labels are what the caller gave, rows without one are left out and counted, groups are kept
together."""

import warnings

import numpy as np
import pytest

import hcbr

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
sparse = pytest.importorskip("scipy.sparse")
pytest.importorskip("sklearn")
DRAW = np.random.default_rng(11)
ROWS = 60
X = pandas.DataFrame({"age": DRAW.normal(50, 9, ROWS), "home": DRAW.choice(["a", "b", "c"], ROWS)})
YES = X["age"].to_numpy() + DRAW.normal(0, 4, ROWS) > 50
HOLES = [3, 5, 7]


def lite(**options):
    return hcbr.HCBRClassifier(effort="lite", **options)


# X as everything that a table can be.
TABLES = {
    "frame": X, "matrix": X[["age"]].to_numpy(), "objects": X.to_numpy(object),
    "sparse": sparse.csr_matrix(X[["age"]].to_numpy()), "polars": polars.from_pandas(X),
    "arrow": pyarrow.Table.from_pandas(X), "dicts": X.to_dict("records"),
    "batches": pyarrow.Table.from_batches(
        pyarrow.Table.from_pandas(X).to_batches(max_chunksize=4)
    ),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("text", ["?", "NA", "NaN", "null", "none", "N/A", "-", " ", "nan", "None"])
def test_every_text_is_a_label(name, text):
    y = np.where(YES, text, "no")
    table = TABLES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error", hcbr.DataWarning)
        model = hcbr.Model.fit(table, y, effort="lite")
        assert set(model.labels) == {text, "no"}
        again = hcbr.Model.from_bytes(model.to_bytes())
        assert list(again.predict(table)) == list(model.predict(table))
        if name != "dicts":
            assert set(lite().fit(table, y).predict(table)) == {text, "no"}
        if name in ("frame", "polars"):
            whole = X.assign(label=y)
            whole = whole if name == "frame" else polars.from_pandas(whole)
            assert hcbr.Model.fit(whole, effort="lite").to_bytes() == model.to_bytes()
    assert hcbr.evaluate(table, y, effort="lite", folds=2)["cases"] == ROWS


def test_a_column_of_labels_obeys_na_where_it_is_given():
    whole = X.assign(label=np.where(YES, "secret", "no"))
    with pytest.warns(hcbr.DataWarning, match="without a label"):
        assert hcbr.Model.fit(whole, effort="lite", na=["secret"]).labels == ("no",)
    assert len(hcbr.Model.fit(X, whole["label"], effort="lite", na=["secret"]).labels) == 2


def holed(y, nothing):
    out = np.array(y, dtype=object)
    out[HOLES] = nothing
    return out


# Labels with three missing, as everything that can hold them.
MISSING = {
    "None": holed(np.where(YES, "yes", "no"), None),
    "NaN": holed(np.where(YES, "yes", "no"), np.nan),
    "NaT": holed(np.where(YES, "yes", "no"), pandas.NaT),
    "NA": holed(np.where(YES, "yes", "no"), pandas.NA),
    "list": holed(np.where(YES, "yes", "no"), float("nan")).tolist(),
    "floats": np.where(np.isin(np.arange(ROWS), HOLES), np.nan, YES.astype(float)),
    "Int64": pandas.Series(holed(YES.astype(int), pandas.NA), dtype="Int64"),
    "boolean": pandas.Series(holed(YES, pandas.NA), dtype="boolean"),
    "category": pandas.Series(pandas.Categorical(holed(np.where(YES, "yes", "no"), None))),
    "string": pandas.Series(holed(np.where(YES, "yes", "no"), None), dtype="string"),
    "masked": np.ma.masked_array(YES.astype(int), np.isin(np.arange(ROWS), HOLES)),
    "polars": polars.Series("k", holed(YES.astype(int), None).tolist()),
    "arrow": pyarrow.chunked_array([holed(YES.astype(int), None).tolist()]),
}
LEFT_OUT = "3 rows without a label are left out: (row|line)s 4, 6, 8"


@pytest.mark.parametrize("y", MISSING.values(), ids=MISSING)
def test_rows_without_a_label_are_left_out(y):
    kept = np.setdiff1d(np.arange(ROWS), HOLES)
    expected = hcbr.Model.fit(X.iloc[kept], YES[kept], effort="lite").predict_proba(X)
    weight = DRAW.uniform(0.5, 2, ROWS)
    with pytest.warns(hcbr.DataWarning, match=LEFT_OUT) as said:
        model = hcbr.Model.fit(X, y, effort="lite")
    assert len(said) == 1
    assert np.array_equal(model.predict_proba(X), expected)
    with pytest.warns(hcbr.DataWarning, match=LEFT_OUT):
        one = lite(class_weight="balanced").fit(X, y, sample_weight=weight)
    with pytest.warns(hcbr.DataWarning, match=LEFT_OUT):
        other = lite().fit(X, y)
    assert np.array_equal(other.predict_proba(X), expected) and len(one.classes_) == 2
    with pytest.warns(hcbr.DataWarning, match=LEFT_OUT):
        found = hcbr.evaluate(X, y, effort="lite", folds=2)
    assert (found["cases"], found["skipped_rows"]) == (ROWS - 3, 3)
    with pytest.raises(hcbr.DataError, match="expected a label"):
        hcbr.Model.fit(X, y, effort="lite", bad_rows="stop")


@pytest.mark.parametrize("name", TABLES)
def test_all_tables_leave_them_out(name, tmp_path):
    y = holed(np.where(YES, "yes", "no"), None)
    with pytest.warns(hcbr.DataWarning, match=LEFT_OUT) as said:
        model = hcbr.Model.fit(TABLES[name], y, effort="lite")
    assert len(said) == 1 and model.inspect()["cases"] == ROWS - 3
    if name == "frame":
        with pytest.warns(hcbr.DataWarning, match=LEFT_OUT):
            hcbr.Model.fit(X.assign(label=y), effort="lite")
        X.assign(label=y).to_csv(tmp_path / "x.csv", index=False)
        with pytest.warns(hcbr.DataWarning, match="3 rows without a label are left out: lines 5"):
            hcbr.read_csv(tmp_path / "x.csv")


def test_no_label_at_all():
    for y in ([None] * ROWS, np.full(ROWS, np.nan), pandas.Series([pandas.NA] * ROWS)):
        with pytest.raises(hcbr.DataError, match="no row with a label"):
            hcbr.Model.fit(X, y)
        with pytest.raises(ValueError, match="greater than one"):
            lite().fit(X, y)


def test_labels_of_one_text_are_refused():
    for y in ([1, "1"], [True, "true"], [2, "2", 3]):
        y = np.array(y * ROWS, dtype=object)[:ROWS]
        with pytest.raises(hcbr.DataError, match="same text: "):
            hcbr.Model.fit(X, y)


def test_relations_hold_labels():
    duckdb = pytest.importorskip("duckdb")
    whole = X.assign(kind=np.where(YES, "yes", "no"))  # noqa: F841
    data = duckdb.sql("select * from whole")
    y = data.select("kind")
    expected = hcbr.Model.fit(X, whole["kind"], effort="lite").to_bytes()
    assert hcbr.Model.fit(data.select("age", "home"), y, effort="lite").to_bytes() == expected
    one = lite().fit(data.select("age", "home"), y)
    assert one.model_.to_bytes() == expected
    assert hcbr.evaluate(X, y, effort="lite", folds=2)["cases"] == ROWS
    with pytest.raises(ValueError, match="a table of 2 columns"):
        hcbr.Model.fit(X, data.select("age", "kind"))
    for column in (polars.DataFrame({"kind": whole["kind"].to_numpy()}), whole[["kind"]],
                   pyarrow.table({"kind": whole["kind"].to_numpy()})):
        assert hcbr.Model.fit(X, column, effort="lite").to_bytes() == expected


GROUPS = {
    "numbers": np.arange(ROWS) // 4, "texts": [f"p{i // 4}" for i in range(ROWS)],
    "series": pandas.Series(np.arange(ROWS) // 4 * 10.0, name="who"),
    "dates": pandas.date_range("2020-01-01", periods=15).repeat(4),
    "polars": polars.Series((np.arange(ROWS) // 4).tolist()),
}


def test_groups_are_held_out_together():
    frame = X.assign(who=np.arange(ROWS) // 4)
    y = np.where((np.arange(ROWS) // 4) % 3 == 0, "yes", "no")
    expected = hcbr.evaluate(frame, y, group="who", effort="lite", folds=3)
    alone = hcbr.evaluate(X, y, effort="lite", folds=3)
    model = hcbr.Model.fit(frame, y, group="who", effort="lite")
    assert expected["confusion"] != alone["confusion"]
    for groups in GROUPS.values():
        found = hcbr.evaluate(X, y, groups=groups, effort="lite", folds=3)
        # Which groups go where is drawn by what they are called; none is ever torn apart.
        assert set(found) == set(expected) and found["folds"] == 3
        for table in TABLES.values():
            made = hcbr.Model.fit(table, y, groups=groups, effort="lite")
            assert len(made.predict(table)) == ROWS
    numbered = hcbr.evaluate(X, y, groups=frame["who"], effort="lite", folds=3)
    assert numbered["accuracy"] == expected["accuracy"]
    same = hcbr.Model.fit(X, y, groups=frame["who"], effort="lite").predict_proba(X)
    assert np.array_equal(same, model.predict_proba(X))
    with pytest.raises(ValueError):  # as many folds as groups and one
        hcbr.evaluate(X, y, groups=frame["who"], effort="lite", folds=16)


def test_groups_that_cannot_be():
    y = np.where(YES, "yes", "no")
    with pytest.raises(hcbr.UsageError, match="group=<Series>: the name of a column.*groups="):
        hcbr.evaluate(X, y, group=X["home"])
    with pytest.raises(hcbr.UsageError, match="one of them"):
        hcbr.evaluate(X, y, group="home", groups=X["home"])
    with pytest.raises(ValueError, match="X has 60 rows, but groups has 59"):
        hcbr.evaluate(X, y, groups=range(59))
    with pytest.raises(hcbr.UsageError, match="groups='home'"):
        hcbr.evaluate(X, y, groups="home")


# Labels of all types, and what comes back.
TYPES = {
    "integers": (YES.astype(int), int), "booleans": (YES, bool), "floats": (YES + 0.5, float),
    "texts": (np.where(YES, "1", "0"), str), "uint8": (YES.astype(np.uint8), int),
    "objects": (np.array([7 if one else -7 for one in YES], dtype=object), int),
    "huge": (np.array([10**30 if one else -(10**30) for one in YES], dtype=object), int),
    "Int64": (pandas.Series(YES, dtype="Int64"), int), "list": (YES.astype(int).tolist(), int),
    "polars": (polars.Series(YES.astype(int).tolist()), int),
    "arrow": (pyarrow.array(YES.astype(int).tolist()), int),
}


@pytest.mark.parametrize("name", TYPES)
def test_labels_keep_their_type(name, tmp_path):
    y, kind = TYPES[name]
    plain = hcbr._data.one_each(y).tolist()
    model = hcbr.Model.fit(X, y, effort="lite")
    model.save(tmp_path / "m.hcbr")
    loaded = hcbr.Model.load(tmp_path / "m.hcbr")
    for one in (model, loaded, hcbr.Model.from_bytes(model.to_bytes())):
        assert [type(label) for label in one.labels] == [kind, kind]
        found = one.predict(X)
        assert set(found.tolist()) == set(plain) and type(found.tolist()[0]) is kind
        answer = one.predict_one({"age": 80})
        assert type(answer.label) is kind and list(answer.probability) == list(one.labels)
        why = one.explain(X[:2])
        assert [reason.label for reason in why] == found[:2].tolist()
        assert why.labels == one.labels and why.values.shape[2] == 2
    # The column of a frame is no different, and what a model is made of is that of texts.
    assert hcbr.Model.fit(X.assign(label=y), effort="lite").to_bytes() == model.to_bytes()
    texts = hcbr.Model.fit(X, [str(one).lower() for one in plain], effort="lite")
    assert texts.to_bytes() == without_types(model.to_bytes(), texts)
    if name not in ("floats", "objects", "huge", "Int64"):  # scikit-learn has other words
        one = lite().fit(X, y)
        assert (one.predict(X) == model.predict(X)).all()
        assert one.model_.to_bytes() == model.to_bytes()


def without_types(data, texts):
    """The bytes as texts would have made them, if all else is the same."""
    import hcbr._file

    sections = hcbr._file._sections(data)
    kinds = sections.pop(30, None)
    assert (kinds is None) == isinstance(hcbr.Model.from_bytes(data).labels[0], str)
    assert sections == hcbr._file._sections(texts.to_bytes())
    return texts.to_bytes()


def test_undecided_rows_of_numbers():
    model = hcbr.Model.fit(X, YES.astype(int), effort="lite", max_error=0.01)
    found = model.predict(X)
    assert found.dtype == object and set(found.tolist()) <= {0, 1, None}


def test_labels_of_files_are_texts(tmp_path):
    X.assign(label=YES.astype(int)).to_csv(tmp_path / "x.csv", index=False)
    data = hcbr.read_csv(tmp_path / "x.csv")
    made = hcbr.train(tmp_path / "x.csv", effort="lite")
    assert hcbr.Model.fit(data, effort="lite").to_bytes() == made.to_bytes()
    assert made.labels == ("0", "1")
    mixed = hcbr.Model.fit(X, np.array([True, 1] * (ROWS // 2), dtype=object), effort="lite")
    assert mixed.labels == ("1", "true")  # True and 1 are one key of a dict


def test_options_take_labels_as_they_were_given():
    y = YES.astype(int)
    for given, text in ((1, "1"), (np.int64(1), "1")):
        found = hcbr.evaluate(X, y, effort="lite", folds=2, positive=given)
        assert found["positive"] == "1"
        options = {"eta": {given: 0.5}, "fallback": given}
        one = hcbr.Model.fit(X, y, effort="lite", **options)
        other = hcbr.Model.fit(X, y, effort="lite", eta={text: 0.5}, fallback=text)
        assert one.to_bytes() == other.to_bytes() == lite(**options).fit(X, y).model_.to_bytes()
    with pytest.raises(hcbr.DataError, match="no column"):
        hcbr.Model.fit(X[[]], y)
