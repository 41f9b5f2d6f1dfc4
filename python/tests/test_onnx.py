"""Models as graphs of ONNX: through onnxruntime they give the probabilities of the library."""

import os

import numpy as np
import pytest
from hypothesis import given, strategies as st

import hcbr
from conftest import ROOT, VOTES

runtime = pytest.importorskip("onnxruntime")
pandas = pytest.importorskip("pandas")

LONG = os.environ.get("HCBR_LONG") == "1"
DATA = os.environ.get("HCBR_DATA") or str(ROOT.parent / "shared" / "data")
NEAR = 1e-12


def session(made):
    checker = pytest.importorskip("onnx").checker
    checker.check_model(made, full_check=True)
    return runtime.InferenceSession(made)


def feed(graph, frame):
    """A frame of texts as the inputs of a graph."""
    out = {}
    for one in graph.get_inputs():
        column = frame[one.name]
        if one.type == "tensor(double)":
            out[one.name] = pandas.to_numeric(column, errors="coerce").to_numpy(np.float64)
        else:
            out[one.name] = column.fillna("").to_numpy(object)
        out[one.name] = out[one.name].reshape(-1, 1)
    return out


def run(graph, frame, name="probability", block=1000):
    found = []
    for first in range(0, len(frame), block):
        found += [graph.run([name], feed(graph, frame[first : first + block]))[0]]
    return np.concatenate(found)


def agree(model, frame):
    graph = session(model.to_onnx())
    found = run(graph, frame)
    expected = model.predict_proba(frame)
    assert found.dtype == np.float64
    assert np.abs(found - expected).max() <= NEAR
    if len(graph.get_outputs()) == 2:
        assert (run(graph, frame, "label") == model.predict(frame)).all()
    return np.abs(found - expected).max()


def read_texts(path):
    frame = pandas.read_csv(path, dtype=str, keep_default_na=False)
    return frame.replace("", np.nan)


# ---- sets of data --------------------------------------------------------------------------------

PLAIN = [{"model": "plain", "calibrate": kind} for kind in ("platt", "isotonic")]


@pytest.mark.parametrize("options", [{}, {"effort": "lite"}, {"keep_cases": "none"}, *PLAIN])
def test_votes(options):
    agree(hcbr.train(VOTES, label="class", **options), read_texts(VOTES))


QUICK = ["paper/heart.csv", "paper/breast.csv", "more/soybean.csv", "more/car.csv"]
SLOW = [
    "paper/adult.csv", "paper/mushrooms.csv", "paper/phishing.csv", "paper/skin.csv.gz",
    "paper/splice.csv", "paper/splice_acgt_binary.csv", "more/credit-g.csv", "more/kr-vs-kp.csv",
    "more/nursery.csv", "more/spambase.csv", "more/bank-additional.csv.gz",
    "more/electricity.csv.gz", "more/kddcup99-10pct.csv.gz", "messy/diamonds.csv.gz",
    "messy/comma-survey.csv",
    # without their columns of texts and dates
    "more/titanic.csv", "echr/a3_topics.csv", "echr/a6_topics.csv", "echr/a8_topics.csv",
    "messy/titanic-raw.csv", "messy/taxis.csv", "messy/bechdel.csv",
]
TOLD = {
    "more/titanic.csv": {"ignore": ["Name"]},
    "echr/a3_topics.csv": {"ignore": ["case"]},
    "echr/a6_topics.csv": {"ignore": ["case"]},
    "echr/a8_topics.csv": {"ignore": ["case"]},
    "messy/titanic-raw.csv": {"label": "survived", "ignore": ["name"]},
    "messy/taxis.csv": {"label": "payment", "ignore": ["pickup", "dropoff"]},
    "messy/bechdel.csv": {"label": "binary", "ignore": ["test", "clean_test", "code", "title"]},
    "messy/diamonds.csv.gz": {"label": "cut"},
    "messy/comma-survey.csv": {
        "label": "In your opinion, which sentence is more gramatically correct?"
    },
}


def find(name):
    path = os.path.join(DATA, name)
    if not os.path.exists(path):
        pytest.skip(f"{name} is not there (set HCBR_DATA)")
    return path


@pytest.mark.parametrize("name", QUICK + (SLOW if LONG else []))
def test_sets(name):
    path = find(name)
    options = {"label": "label", "n_jobs": 2, **TOLD.get(name, {})}
    agree(hcbr.train(path, **options), read_texts(path)[:20000])


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("options", PLAIN)
def test_plain_sets(name, options):
    path = find(name)
    agree(hcbr.train(path, label="label", **options), read_texts(path))


# ---- values --------------------------------------------------------------------------------------


def mixed(rows=400, labels=2, seed=1):
    """Numbers, few numbers, rare numbers, words, many words, and words that are numbers."""
    draw = np.random.default_rng(seed)
    frame = pandas.DataFrame(
        {
            "size": draw.normal(size=rows).round(1),
            "grade": draw.integers(0, 4, rows).astype(float),
            "rare": np.where(draw.random(rows) < 0.05, draw.integers(0, 9, rows), np.nan),
            "color": draw.choice(["red", "green", "blue", "Ω", "a=b"], rows),
            "name": [f"n{i}" for i in draw.integers(0, 300, rows)],
            "flag": draw.integers(0, 2, rows).astype(float),
        }
    )
    frame = frame.mask(draw.random(frame.shape) < 0.1)
    score = frame["size"].fillna(0) + (frame["color"] == "red") + frame["grade"].fillna(1) / 2
    y = pandas.qcut(score + draw.normal(size=rows) / 2, labels, labels=False).to_numpy()
    return frame, np.array([f"label {one:02}" for one in y])


@pytest.mark.parametrize("labels", [2, 3, 12])
@pytest.mark.parametrize("options", [{}, {"effort": "lite"}, *PLAIN])
def test_kinds(labels, options):
    X, y = mixed(labels=labels)
    model = hcbr.Model.fit(X, y, **options)
    kinds = {one.name: one.type for one in session(model.to_onnx()).get_inputs()}
    strings = {name for name, kind in kinds.items() if kind == "tensor(string)"}
    assert strings == {"color", "name"} and len(kinds) == 6
    agree(model, X)


def cuts_of(model):
    from hcbr import _file

    return {key.name: key.cuts for key in _file.read(model.to_bytes()).keys}


def test_at_cuts():
    """A number on a cut is not above it; its neighbours are on their sides of it."""
    X, y = mixed()
    model = hcbr.Model.fit(X[["size", "grade"]], y)
    for name, cuts in cuts_of(model).items():
        other = "grade" if name == "size" else "size"
        around = np.concatenate([cuts, np.nextafter(cuts, np.inf), np.nextafter(cuts, -np.inf)])
        frame = pandas.DataFrame({name: around, other: np.nan})
        agree(model, frame)
        assert len(np.unique(model.predict_proba(frame), axis=0)) > 2


def test_odd_values():
    X, y = mixed()
    model = hcbr.Model.fit(X, y)
    odd = pandas.DataFrame(
        {
            "size": [np.inf, -np.inf, 1e308, -1e308, 5e-324, -0.0, np.nan, np.nan],
            "grade": [0.5, -1, 99, np.nan, 2, -0.0, np.nan, np.nan],
            "rare": [np.nan, np.nan, 3, 1e9, -1e9, 0, np.nan, np.nan],
            "color": ["red", "RED", "", "never", "7", "Ω", "", "never"],
            "name": ["", "n1", "n1 ", "1", "n299", "", "", "never"],
            "flag": [0, 1, -0.0, 2, 0.5, np.nan, np.nan, 7],
        }
    )
    agree(model, odd)
    nothing = odd[6:7]
    assert np.allclose(model.predict_proba(nothing), [[(y == label).mean() for label in
                                                       model.labels]])


@pytest.fixture(scope="module")
def three():
    X, y = mixed(labels=3)
    model = hcbr.Model.fit(X, y)
    return list(X), model, session(model.to_onnx())


@given(data=st.data())
def test_random_rows(three, data):
    X, model, graph = three
    number = st.one_of(st.floats(), st.integers(-9, 9).map(float), st.just(np.nan))
    some = st.sampled_from(["red", "blue", "Ω", "n1", "n2", ""])
    word = st.one_of(some, st.text("abn12", max_size=3))
    row = {name: data.draw(word if name in ("color", "name") else number) for name in X}
    frame = pandas.DataFrame([row])
    assert np.abs(run(graph, frame) - model.predict_proba(frame)).max() <= NEAR


def test_weights():
    X, y = mixed(labels=3)
    weight = np.random.default_rng(5).random(len(y)) * 9
    model = hcbr.Model.fit(X, y, sample_weight=weight)
    agree(model, X)
    agree(model, X[:1].mask(np.ones((1, X.shape[1]), bool)))  # nothing is known


def test_empty_cases_count():
    X, y = mixed()
    X.loc[:40] = np.nan
    agree(hcbr.Model.fit(X, y), X)


def test_many_labels():
    X, y = mixed(rows=1500, labels=60)
    agree(hcbr.Model.fit(X, y, effort="lite"), X)


@pytest.mark.parametrize("options", [{"metric": "f1"}, {"max_error": 0.2}, {"memory": True},
                                     {"cost": {"fp": 1, "fn": 5}}, {"eta": {"label 00": 0.7}}])
def test_rules_have_no_label(options):
    """Where something else than the largest probability decides, only probabilities are given."""
    X, y = mixed()
    model = hcbr.Model.fit(X, y, **options)
    agree(model, X)
    graph = session(model.to_onnx())
    names = [one.name for one in graph.get_outputs()]
    assert "probability" in names
    assert "label" not in names or (run(graph, X, "label") == model.predict(X)).all()
    if "metric" not in options:
        assert names == ["probability"]


# ---- estimators ----------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [[10, 9, -1], ["b", "a", "c"], [True, False]])
def test_estimator(classes, tmp_path):
    X, y = mixed(labels=len(classes))
    y = np.array(classes)[np.unique(y, return_inverse=True)[1]]
    model = hcbr.HCBRClassifier().fit(X, y)
    made = model.to_onnx(tmp_path / "model.onnx")
    assert (tmp_path / "model.onnx").read_bytes() == made
    graph = session(made)
    assert np.abs(run(graph, X) - model.predict_proba(X)).max() <= NEAR
    said = run(graph, X, "label")
    expected = model.predict(X)
    assert (said == (expected.astype(str) if expected.dtype == bool else expected)).all()


def test_class_without_weight():
    X, y = mixed(labels=3)
    weight = (y != "label 01").astype(float)
    model = hcbr.HCBRClassifier().fit(X, y, sample_weight=weight)
    assert np.abs(run(session(model.to_onnx()), X) - model.predict_proba(X)).max() <= NEAR


def test_matrix():
    draw = np.random.default_rng(3)
    X = draw.normal(size=(200, 3))
    model = hcbr.HCBRClassifier().fit(X, X[:, 1] > 0)
    graph = session(model.to_onnx())
    inputs = {one.name: X[:, [int(one.name) - 1]] for one in graph.get_inputs()}
    assert np.abs(graph.run(["probability"], inputs)[0] - model.predict_proba(X)).max() <= NEAR


# ---- what cannot be said -------------------------------------------------------------------------


def refusal(model):
    with pytest.raises(hcbr.UsageError) as found:
        model.to_onnx()
    return str(found.value)


def test_refuses_texts():
    X, y = mixed()
    X["note"] = np.where(y == "label 01", "quick brown fox", "slow red dog")
    said = refusal(hcbr.Model.fit(X, y, text=["note"]))
    assert "'note'" in said and "texts" in said and "ignore=['note']" in said
    agree(hcbr.Model.fit(X, y, ignore=["note"]), X)


def test_refuses_sets():
    X, y = mixed()
    X["tags"] = np.where(y == "label 01", "a|b", "b|c")
    assert "'tags'" in refusal(hcbr.Model.fit(X, y, split={"tags": "|"}))
    said = refusal(hcbr.Model.fit([{"a", "b"}, {"c"}] * 20, ["x", "y"] * 20))
    assert "without a value" in said


def test_refuses_dates():
    X, y = mixed()
    X["when"] = pandas.date_range("2020-01-01", periods=len(X), freq="7h").astype(str)
    said = refusal(hcbr.Model.fit(X, y))
    assert "'when'" in said and "dates" in said and "parts" in said


def test_refuses_plain_without_probability():
    X, y = mixed()
    assert "calibrate" in refusal(hcbr.Model.fit(X, y, model="plain"))


def test_refuses_names_of_outputs():
    X, y = mixed()
    assert "'label'" in refusal(hcbr.Model.fit(X.rename(columns={"size": "label"}), y))


def test_same_model_same_bytes():
    X, y = mixed()
    model = hcbr.Model.fit(X, y)
    assert model.to_onnx() == hcbr.Model.from_bytes(model.to_bytes()).to_onnx()
