"""Models as graphs of ONNX: through onnxruntime they give the probabilities of the library."""

import math
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


def agree(model, frame, near=NEAR):
    graph = session(model.to_onnx())
    found = run(graph, frame)
    expected = model.predict_proba(frame)
    assert found.dtype == np.float64
    assert np.abs(found - expected).max() <= near
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
    # a steep calibration multiplies what sums of supports lose by rounding
    agree(model, X, 4 * NEAR if "calibrate" in options else NEAR)


@pytest.mark.parametrize("labels", [2, 3])
def test_branches_have_numbers_of_their_own(labels):
    """onnxruntime 1.23 takes a node whose branches have the same number for a leaf."""
    onnx = pytest.importorskip("onnx")
    X, y = mixed(labels=labels)
    ids = "nodes_truenodeids", "nodes_falsenodeids"
    model = hcbr.Model.fit(X, y, seed=4)
    votes = parts_of(model).rich.votes
    alone = sum(votes.tests[root] < 0 for root in votes.roots)
    assert alone > 0 or labels == 2  # trees without tests are tried
    graph = onnx.load_from_string(model.to_onnx()).graph
    forests = [node.attribute for node in graph.node if node.op_type == "TreeEnsemble"]
    assert len(forests) > 1
    for forest in forests:
        yes, no = ([one.ints for one in forest if one.name == name][0] for name in ids)
        assert len(yes) == len(no) and not any(a == b for a, b in zip(yes, no))


def parts_of(model):
    from hcbr import _file

    return _file.read(model.to_bytes())


def cuts_of(model):
    return {key.name: key.cuts for key in parts_of(model).keys}


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


# ---- large supports, ranges ----------------------------------------------------------------------


def copies(more_is_surer, rows=600):
    """One hint, of which a case has up to 12 copies: large supports are no surer, or they are."""
    draw = np.random.default_rng(1)
    y, share = draw.integers(0, 3, rows), draw.random(rows)
    right = share > 0.5 if more_is_surer else draw.random(rows) < 0.5
    hint = np.array(["a", "b", "c"], object)[np.where(right, y, draw.integers(0, 3, rows))]
    frame = pandas.DataFrame({f"word {i}": hint for i in range(12)})
    return frame.mask(draw.random(frame.shape) > share[:, None]), np.array(["x", "y", "z"])[y]


@pytest.mark.parametrize("options", [{}, {"effort": "lite"}])
@pytest.mark.parametrize("more_is_surer", [False, True])
def test_large_supports(more_is_surer, options):
    X, y = copies(more_is_surer)
    model = hcbr.Model.fit(X, y, **options)
    rich = parts_of(model).rich
    assert (rich.power == 0 and rich.scale == 1) if more_is_surer else rich.power > 0.1
    agree(model, X)


def flat_softmax(support, scale, power):
    """As docs/FORMAT.md 3.18 says it, one case at a time."""
    mean = math.fsum(support) / len(support)
    size = math.sqrt(math.fsum((one - mean) ** 2 for one in support) / len(support))
    by = scale * size**-power if power and size >= 2.0**-200 else 1
    powers = [math.exp(by * (one - max(support))) for one in support]
    return [one / math.fsum(powers) for one in powers]


FLAT = [(1.0, 0.0), (0.8, 0.5), (1.3, 0.01), (2.0, 1.0), (0.0, 0.5)]


@pytest.mark.parametrize("scale, power", FLAT)
def test_size_of_supports(scale, power):
    from hcbr import _onnx, _protobuf

    far = np.array([0.5, -1.0, 3.0, 0.25])
    supports = [far * by for by in (1, 1e-3, 1e3, 1e-30, 1e-70, 0)] + [far + 50, np.full(4, 7.0)]
    graph = _protobuf.Graph(["probability"])
    each = [graph.input(f"support {i}", _protobuf.DOUBLE) for i in range(4)]
    found = _onnx._softmax(graph, graph.add("Concat", *each, axis=1), scale, power)
    graph.output("probability", found, _protobuf.DOUBLE, (_protobuf.ROWS, 4))
    made = session(graph.to_bytes("", {}))
    frame = pandas.DataFrame(supports, columns=[f"support {i}" for i in range(4)])
    expected = [flat_softmax(one.tolist(), scale, power) for one in supports]
    assert np.abs(run(made, frame) - expected).max() <= NEAR


@pytest.mark.parametrize("labels", [2, 3])
@pytest.mark.parametrize("names", [["10", "9", "B", "a", "b c", "z=", "é", "Ω"], list("12345678")])
def test_ranges_of_categories(names, labels):
    """Labels follow the order of names; some are not given, and some names are new."""
    draw = np.random.default_rng(1)
    rows = 1000
    place = draw.integers(0, 8, (rows, 3))
    X = pandas.DataFrame(np.array(names, object)[place], columns=["a", "b", "c"])
    score = (place > 2).sum(axis=1) + (place > 5)[:, 0] + draw.normal(size=rows) / 4
    absent = draw.random(X.shape) < 0.2
    X, score = X.mask(absent), score + absent.sum(axis=1)
    y = np.array(["x", "y", "z"])[pandas.qcut(score, labels, labels=False)]
    model = hcbr.Model.fit(X, y, categorical=["a", "b", "c"])
    rich = parts_of(model).rich
    low, high = rich.tests[:, 1], rich.tests[:, 2]
    assert all(key.kind == 2 and key.features == names for key in parts_of(model).keys)
    assert ((low > 1) & (low < 8) & (high >= 8)).any()  # from a name on
    assert ((low == 1) & (high > 1) & (high < 8)).any()  # up to a name, if one is given
    agree(model, X)
    agree(model, X.mask(draw.random(X.shape) < 0.3, "77"))


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
