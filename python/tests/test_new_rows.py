"""Rows to decide whose columns have other places, other types, or are not there at all: what
Python answers is what the program answers for a file with the same columns."""

import io
import json
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hcbr

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")


def write(frame, path):
    """A csv file as hcbr spells values: true and false, not True and False."""
    spell = {True: "true", False: "false"}
    shown = frame.astype(object)
    for name in shown.columns:
        shown[name] = [spell[v] if isinstance(v, (bool, np.bool_)) else v for v in shown[name]]
    shown.to_csv(path, index=False)


@pytest.fixture(scope="module")
def trained(program, tmp_path_factory):
    """A model of the program, rows that it has not seen, and a function that asks the program."""
    folder = tmp_path_factory.mktemp("new")
    draw = np.random.default_rng(11)
    frame = pandas.DataFrame({
        "age": draw.integers(18, 90, 300),
        "income": draw.normal(100, 30, 300).round(2),
        "town": draw.choice(["Ulm", "Bonn", "Kiel"], 300),
        "member": draw.choice([True, False], 300),
        "day": [f"2024-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(300)],
    })
    frame["label"] = np.where(frame.age + frame.income * (frame.town == "Ulm") > 90, "yes", "no")
    write(frame, folder / "old.csv")
    program("train", "-q", folder / "old.csv", "-o", folder / "old.hcbr")
    model = hcbr.Model.load(folder / "old.hcbr")
    assert hcbr.Model.fit(frame).to_bytes() == model.to_bytes()

    def ask(rows):
        write(rows, folder / "new.csv")
        lines = program("predict", "-q", folder / "old.hcbr", folder / "new.csv", "--json")
        found = [json.loads(line) for line in lines.splitlines()]
        return [one["label"] for one in found], [list(one["probability"].values()) for one in found]

    return model, frame.drop(columns="label").iloc[::7], ask


def agree(trained, as_file, *tables):
    """All tables get the answers that the program gives for the first one as a file."""
    model, _, ask = trained
    labels, probability = ask(as_file)
    for X in tables or (as_file,):
        assert list(model.predict(X)) == labels
        assert np.array_equal(model.predict_proba(X), probability)


@settings(max_examples=200 if os.environ.get("HCBR_LONG") == "1" else 8)
@given(data=st.data())
def test_any_columns_in_any_order(trained, data):
    rows = trained[1]
    names = data.draw(st.lists(st.sampled_from(list(rows.columns)), unique=True, min_size=1))
    X = rows[names].copy()
    if data.draw(st.booleans()):
        X["other"] = "new"
    agree(trained, X, X, pyarrow.Table.from_pandas(X, preserve_index=False), X.astype(object))


OTHER_TYPES = {
    "numbers as texts": {"age": str, "income": str},
    "wider numbers": {"age": float, "income": "Float64"},
    "narrow numbers": {"age": "uint8"},
    "categories": {"town": "category", "day": "category"},
    "texts of Arrow": {"town": "string", "day": "string"},
    "dates": {"day": "datetime64[s]"},
    "flags as objects": {"member": object},
    "flags of pandas": {"member": "boolean"},
}


@pytest.mark.parametrize("types", OTHER_TYPES.values(), ids=OTHER_TYPES)
def test_other_types_of_the_same_values(trained, types):
    rows = trained[1]
    X = rows.astype(types)
    if "datetime64[s]" in types.values():  # a moment has a time of day
        rows = rows.assign(day=rows.day + "T00:00:00")
    # 41.0 and 41 are one number; the file has integers.
    agree(trained, rows, X)


def test_values_that_were_never_seen(trained):
    rows = trained[1].copy()
    rows["town"] = "Rome"
    rows["age"] = "unknown"
    agree(trained, rows)
    missing = trained[1].astype(object)
    missing.iloc[::2, 0] = None
    missing.iloc[::3, 2] = None
    agree(trained, missing)


def test_a_column_that_is_missing_is_said(trained):
    model, rows, _ = trained
    with pytest.warns(hcbr.DataWarning, match="town"):
        model.predict(rows.drop(columns="town"))


def test_words_where_numbers_were_are_said(trained):
    model, rows, _ = trained
    rows = rows.astype(object)
    rows.iloc[3:9, rows.columns.get_loc("age")] = "unknown"
    for n_jobs in 1, 3:
        with pytest.warns(hcbr.DataWarning, match="'age' had numbers in training: 6 values here are"
                          " none and count as missing, such as 'unknown' in row 4") as said:
            model.predict(rows, n_jobs=n_jobs)
        assert len(said) == 1


def test_one_by_one(trained):
    model, rows, ask = trained
    labels, probability = ask(rows)
    for i, row in enumerate(rows.to_dict("records")):
        one = model.predict_one(row)
        assert (one.label, list(one.probability.values())) == (labels[i], probability[i])
    text = io.StringIO(rows.to_json(orient="records"))
    for i, row in enumerate(json.load(text)):
        assert list(model.predict_one(row).probability.values()) == probability[i]
