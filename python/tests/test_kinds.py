"""What columns are is seen from their values: in frames, in dicts and in files alike."""

import json

import numpy as np
import pytest

import hcbr

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def shop():
    """Dates, prices, texts and sets as people write them."""
    rows = 400
    frame = pandas.DataFrame({
        "when": [f"{1 + i % 28}/{1 + i % 12}/20{10 + i % 9}" for i in range(rows)],
        "price": [f"${i % 97 * 13:,}.50" for i in range(rows)],
        "note": [f"the quick {'red' if i % 3 else 'blue'} fox jumped over {i % 50} lazy dogs"
                 for i in range(rows)],
        "tags": ["a;b" if i % 2 else "b;c;d" for i in range(rows)],
    })
    labels = ["p" if i % 12 > 5 or i % 97 > 60 else "q" for i in range(rows)]
    return frame, labels


def test_frames_dicts_and_files_give_the_same_bytes(shop, tmp_path, program):
    X, y = shop
    frame = hcbr.Model.fit(X, y)
    assert frame.inspect(0)["kinds"]
    rows = X.to_dict("records")
    assert hcbr.Model.fit(rows, y).to_bytes() == frame.to_bytes()
    X.assign(label=y).to_csv(tmp_path / "shop.csv", index=False)
    program("train", "-q", tmp_path / "shop.csv", "-o", tmp_path / "shop.hcbr")
    assert (tmp_path / "shop.hcbr").read_bytes() == frame.to_bytes()


def test_rows_are_decided_alike(shop):
    X, y = shop
    model = hcbr.Model.fit(X, y)
    rows = X.to_dict("records")
    wanted = model.predict_proba(X)
    assert np.array_equal(model.predict_proba(rows), wanted)
    one = [list(model.predict_one(row).probability.values()) for row in rows[:50]]
    assert np.array_equal(one, wanted[:50])
    found = model.explain(X.head(5))
    assert model.explain(rows[:5]).to_dict() == found.to_dict()
    for explained in found:  # asked again, feature by feature
        assert explained._ask()[0]["support"] == explained["support"]


def test_parts_count_for_their_column(shop):
    X, y = shop
    one = hcbr.HCBRClassifier().fit(X, y)
    assert one.feature_importances_[X.columns.get_loc("when")] > 0.1
    found = one.explain(X.head(5), cases=0)
    assert set(found.feature_names) == set(X.columns)
    support = one.model_.decide(X.head(5), ("support",))["support"]
    assert np.allclose(found.values.sum(axis=1) + found.base_values, support, atol=1e-9)


def test_types_and_dates_are_options(shop):
    X, y = shop
    typed = hcbr.HCBRClassifier(type={"note": "ignore", "when": "category"}).fit(X, y)
    kinds = {k["name"]: k["becomes"] for k in typed.model_.inspect(0)["kinds"]}
    assert kinds["note"] == "left out" and kinds["when"] in ("category", "as it is")
    day, month = (hcbr.Model.fit(X, y, dates=order) for order in ("dmy", "mdy"))
    assert day.inspect(0)["cases"] == month.inspect(0)["cases"]
    for bad in ({"type": {"note": "novel"}}, {"type": {"nothing": "text"}}, {"type": 3},
                {"dates": "ymd"}):
        with pytest.raises(ValueError):
            hcbr.Model.fit(X, y, **bad)


def test_bare_features_and_pairs(tmp_path):
    cases = [{"features": ["p", ["k", "v"], 7]}, {"features": ["q"], "age": 3}] * 9
    y = ["x", "y"] * 9
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps({"label": t, **c}) + "\n" for c, t in zip(cases, y)))
    made = hcbr.Model.fit(cases, y)
    assert made.to_bytes() == hcbr.train(path).to_bytes()
    assert made.to_bytes() == hcbr.Model.fit(
        [["p", ("k", "v"), 7], {"features": ["q"], "age": 3}] * 9, y).to_bytes()
    assert made.predict_one(cases[0]) == made.predict_one(["p", ["k", "v"], "7"])
    assert made.predict_one(cases[0]).known == 1
