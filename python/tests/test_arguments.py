"""Arguments: what is none of their values is refused, by a message that says what was expected and
shows no data."""

import numpy as np
import pytest

import hcbr

pandas = pytest.importorskip("pandas")
DRAW = np.random.default_rng(5)
X = pandas.DataFrame({"age": DRAW.integers(18, 80, 60), "home": DRAW.choice(["Ulm", "Kiel"], 60)})
Y = np.where(X["age"] + DRAW.normal(0, 9, 60) > 45, "yes", "no")
MODEL = hcbr.Model.fit(X, Y, effort="lite")
WHY = MODEL.explain(X[:3])


def fit(**options):
    return hcbr.Model.fit(X, Y, **{"effort": "lite", **options})


# Every parameter of a whole number: how it is called, and the least that it may be.
WHOLE = {
    "n_jobs": (lambda n: fit(n_jobs=n), None),
    "n_jobs of predict": (lambda n: MODEL.predict(X, n_jobs=n), None),
    "top of explain": (lambda n: MODEL.explain(X[:1], top=n), -1),
    "cases of explain": (lambda n: MODEL.explain(X[:1], cases=n), -1),
    "most of importance": (MODEL.importance, 0),
    "top of inspect": (MODEL.inspect, 0),
    "versus": (WHY[0].versus, 1),
    "versus of a page": (lambda n: WHY[0].to_html(versus=n), 1),
    "flip": (WHY[0].flip, 1),
    "ask": (WHY[0].ask, 1),
    "flip of a page": (lambda n: WHY[0].to_html(flip=n), 0),
    "ask of a page": (lambda n: WHY[0].to_html(ask=n), 0),
    "summary": (WHY.summary, -1),
    "most of a plot": (lambda n: WHY.plot(most=n), 1),
    "atoms of a plot": (lambda n: WHY[0].plot(atoms=n), 0),
    "folds": (lambda n: hcbr.evaluate(X, Y, effort="lite", folds=n), 2),
    "repeats": (lambda n: hcbr.evaluate(X, Y, effort="lite", folds=2, repeats=n), 1),
    "at": (lambda n: hcbr.evaluate(X, Y, effort="lite", folds=2, at=n), 1),
    "folds of compare": (lambda n: hcbr.compare(X, Y, against=[], folds=n), 2),
    "repeats of compare": (lambda n: hcbr.compare(X, Y, against=[], repeats=n), 1),
    "seed of compare": (lambda n: hcbr.compare(X, Y, against=[], seed=n), 0),
    "n_jobs of compare": (lambda n: hcbr.compare(X, Y, against=[], n_jobs=n), 1),
    **{
        name: (lambda n, name=name: fit(**{name: n}), least)
        for name, least in (
            ("seed", 0), ("min_cases", 1), ("ngrams", 1), ("min_count", 1), ("max_grams", 1),
            ("max_names", 0), ("max_line", 1), ("max_depth", 1), ("max_expand", 1),
            ("max_window", 1), ("header", 0),
        )
    },
    "passes": (lambda n: fit(model="plain", effort=None, passes=n), 0),
    "try_passes": (
        lambda n: fit(model="plain", effort=None, metric="accuracy", try_passes=[n]), 0,
    ),
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers(name):
    call, least = WHOLE[name]
    wrong = [True, np.True_, 1.5, np.float32(2), "three", [1], X, 10**30, -(10**30), float("nan")]
    if least is not None:
        wrong += [least - 1, -99]
    if not name.startswith(("seed", "max_", "passes", "try_passes", "at")):
        wrong.append(2**40)
    if name.startswith("versus"):  # ids are texts
        wrong += [61, 2**31 - 1]
    else:
        wrong.append("1")
    for value in wrong:
        with pytest.raises((ValueError, IndexError)) as found:
            call(value)
        said = str(found.value)
        assert "expected" in said or "no meaning" in said, (value, said)
        assert len(said) < 200 and "18446744073709551615" not in said, said
        assert "OverflowError" not in said and "Ulm" not in said


def test_numbers_of_numpy_are_numbers():
    assert fit(min_cases=np.int64(2)).to_bytes() == fit(min_cases=2).to_bytes()
    for seven in (np.int16(7), "7"):
        assert WHY[0].versus(seven) == WHY[0].versus(7)
    assert len(MODEL.explain(X[:1], top=np.uint8(1))[0]["atoms"]) <= 1
    assert fit(n_jobs=np.int32(-1)).to_bytes() == fit().to_bytes()


def test_past_cases_that_are_not_there():
    with pytest.raises(hcbr.UsageError, match="'999999', expected one of the rows 1 to 60"):
        WHY[0].versus(999999)
    named = hcbr.Model.fit(X.assign(name=[f"n{i}" for i in range(60)]), Y, id="name")
    with pytest.raises(hcbr.UsageError, match="no past case 'n60', expected the id of one, or one"):
        named.explain({"age": 3})[0].versus("n60")
    bare = fit(keep_cases="none")
    with pytest.raises(hcbr.UsageError, match="keep_cases"):
        bare.explain({"age": 3})[0].versus(1)


# All options that say yes or no, with what they need besides.
FLAGS = {
    "given_order": {"model": "plain", "effort": None}, "prune": {"model": "plain", "effort": None},
    "strict": {}, "memory": {}, "try_scopes": {"model": "plain", "effort": None, "metric": "mcc"},
    "past_only": {}, "no_header": {}, "labels_as_they_are": {},
}


def test_flags_are_booleans():
    for name, beside in FLAGS.items():
        run = hcbr.evaluate if name == "past_only" else hcbr.Model.fit
        beside = {"effort": "lite", **beside}
        for value in ("age", "no", 0, 1, [], [True], 1.0, X, np.array([True, False])):
            with pytest.raises(ValueError, match=f"^{name}=.*: True or False"):
                run(X, Y, **beside, **{name: value})
        for value in (True, False, np.True_, np.False_, None):
            run(X, Y, **beside, **{name: value})
    for value in ("yes", 3, X):
        with pytest.raises(hcbr.UsageError, match="progress="):
            hcbr.Model.fit(X, Y, progress=value)
    with pytest.raises(ValueError, match="^no_label=1: True or False"):
        hcbr.read_csv("none.csv", no_label=1)


def test_no_message_shows_data():
    values = [X, X["home"], Y, Y.tolist(), {"age": X["home"]}, (X,), "Kiel" * 15, object(), 10**50]
    names = set(hcbr._hcbr.options()) | {"n_jobs", "progress", "sample_weight"}
    for name in sorted(names - {"belief"}):  # which is data
        for value in values:
            try:
                hcbr.evaluate(X, Y, folds=2, **{"effort": "lite", name: value})
            except (TypeError, ValueError, OSError) as error:
                said = str(error)
                assert len(said) < 500 and said.count("Kiel") < 20, (name, said)
                assert "\n" not in said, (name, said)
