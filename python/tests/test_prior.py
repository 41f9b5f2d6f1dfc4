"""What is known beforehand: importances of features, and cases that experts state."""

import hcbr
import numpy as np
import pandas
import polars
import pyarrow
import pytest
from conftest import VOTES
from hcbr import HCBRClassifier, HCBRSetClassifier


def test_importance_0_leaves_a_column_out(votes):
    X, y = votes
    name = X.columns[3]
    zero = HCBRClassifier(model="plain", importance={name: 0}).fit(X, y)
    less = HCBRClassifier(model="plain", ignore=[name]).fit(X, y)
    assert np.array_equal(zero.predict(X), less.predict(X))
    assert np.array_equal(zero.decision_function(X), less.decision_function(X))


def test_importance_of_a_value(votes):
    X, y = votes
    name = X.columns[3]
    plain = HCBRClassifier(model="plain").fit(X, y)
    same = HCBRClassifier(model="plain", importance={name: 1, (name, "y"): 1.0}).fit(X, y)
    more = HCBRClassifier(model="plain", importance={(name, "y"): 9}).fit(X, y)
    assert np.array_equal(plain.decision_function(X), same.decision_function(X))
    assert not np.array_equal(plain.decision_function(X), more.decision_function(X))


@pytest.mark.parametrize(
    "given, words",
    [
        ({"no column": 1}, "expected a column or key"),
        ({"physician-fee-freez": 1}, "did you mean 'physician-fee-freeze'"),
        ({("physician-fee-freeze", "q"): 1}, "expected a value of 'physician-fee-freeze'"),
        ({"physician-fee-freeze": -1}, "expected a number from 0 to 1000000"),
        ({"physician-fee-freeze": "much"}, "a number was expected"),
        ({7: 1}, "a dict of columns"),
        (["physician-fee-freeze"], "a dict of columns"),
    ],
)
def test_importances_that_cannot_be(votes, given, words):
    X, y = votes
    with pytest.raises(ValueError, match=words):
        HCBRClassifier(model="plain", importance=given).fit(X, y)


def test_importance_is_for_plain_models(votes):
    X, y = votes
    with pytest.raises(ValueError, match="plain"):
        HCBRClassifier(importance={X.columns[0]: 2}).fit(X, y)
    with pytest.raises(ValueError, match="ONNX.*equally important"):
        HCBRClassifier(model="plain", calibrate="platt", importance={X.columns[0]: 2}).fit(
            X, y
        ).model_.to_onnx()
    assert hcbr.Model.fit(X, y, label="class", model="plain", importance={X.columns[0]: 2})


# ---- beliefs -------------------------------------------------------------------------------------

SAID = [
    {"physician-fee-freeze": "n", "class": "republican", "belief_source": "Ana, umpire",
     "belief_weight": 20},
    {"physician-fee-freeze": "y", "mx-missile": None, "class": "democrat", "belief_source": 'B "q"',
     "belief_weight": 3},
]
FORMS = {
    "list": lambda: SAID, "tuple": lambda: tuple(SAID), "pandas": lambda: pandas.DataFrame(SAID),
    "arrow": lambda: pyarrow.Table.from_pylist(SAID), "polars": lambda: polars.DataFrame(SAID),
}


def write(folder):
    path = folder / "said.csv"
    path.write_text(
        "physician-fee-freeze,mx-missile,class,belief_source,belief_weight\n"
        'n,,republican,"Ana, umpire",20\ny,,democrat,"B ""q""",3\n'
    )
    return path


@pytest.mark.parametrize("kind", ["rich", "plain"])
def test_beliefs_are_those_of_the_program(program, votes, tmp_path, kind):
    X, y = votes
    path = write(tmp_path)
    program("train", VOTES, "--belief", str(path), "--model", kind, "-q", "-o",
            str(tmp_path / "m.hcbr"))
    want = (tmp_path / "m.hcbr").read_bytes()
    assert hcbr.train(VOTES, belief=path, model=kind).to_bytes() == want
    assert hcbr.Model.fit(hcbr.read_csv(VOTES), belief=str(path), model=kind).to_bytes() == want
    assert hcbr.Model.fit(X, y, belief=SAID, model=kind).to_bytes() == want
    one = HCBRClassifier(belief=path, model=kind).fit(X, y)
    assert one.model_.to_bytes() == want
    found = one.model_.inspect()["beliefs"]
    assert {(b["source"], b["weight"], b["label"]) for b in found} == {
        ("Ana, umpire", 20, "republican"), ('B "q"', 3, "democrat")
    }


@pytest.mark.parametrize("make", FORMS.values(), ids=FORMS)
def test_beliefs_may_be_a_table(votes, make):
    X, y = votes
    want = hcbr.Model.fit(X, y, belief=SAID, model="plain").to_bytes()
    assert hcbr.Model.fit(X, y, belief=make(), model="plain").to_bytes() == want
    assert want != hcbr.Model.fit(X, y, model="plain").to_bytes()


def test_beliefs_of_sets_and_of_classes_that_are_numbers():
    X = [{"sky": "red", "wind": 3}, {"sky": "grey", "wind": 5}] * 20
    said = [{"sky": "red", "label": 1, "belief_source": "Bo"}]
    one = HCBRSetClassifier(belief=said).fit(X, [0, 1] * 20)
    assert one.model_.inspect()["beliefs"][0]["label"] == "1"
    assert len(hcbr.evaluate(X, [0, 1] * 20, belief=said, folds=2)["parts"]) == 2


@pytest.mark.parametrize(
    "given, words",
    [
        (3, "a file, a frame or a list of dicts was expected, not int"),
        ([3], "a file, a frame or a list of dicts"),
        ([{"class": "republicn", "belief_source": "x"}],
         "^belief:2: found label 'republicn'.*did you mean 'republican'"),
        ([{"class": "republican"}], "^belief:1: found no column 'belief_source'"),
        ([{"nothing": 1, "class": "democrat", "belief_source": "x"}], "found column 'nothing'"),
        ([{"class": "democrat", "belief_source": "x", "belief_weight": -1}], "found '-1'"),
    ],
)
def test_beliefs_that_cannot_be(votes, given, words):
    X, y = votes
    with pytest.raises(ValueError, match=words):
        HCBRClassifier(belief=given).fit(X, y)
    with pytest.raises(OSError):
        HCBRClassifier(belief="no such file").fit(X, y)
