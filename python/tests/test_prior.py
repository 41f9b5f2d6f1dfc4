"""Importances of features that are known beforehand: a parameter of plain models."""

import hcbr
import numpy as np
import pytest
from hcbr import HCBRClassifier


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
        ({"physician-fee-freeze": "much"}, "a dict of columns"),
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
