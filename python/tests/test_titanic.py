"""The passengers of the Titanic as the file has them: the first lines that anybody writes."""

import os

import numpy as np
import pytest
from conftest import ROOT

import hcbr

pandas = pytest.importorskip("pandas")
pytest.importorskip("sklearn")
DATA = os.environ.get("HCBR_DATA") or str(ROOT.parent / "shared" / "data")
FILE = os.path.join(DATA, "messy", "titanic-raw.csv")


@pytest.mark.skipif(not os.path.exists(FILE), reason=f"SKIPPED: {FILE} is not there (HCBR_DATA)")
def test_titanic(tmp_path):
    frame = pandas.read_csv(FILE)
    X, y = frame.drop(columns="survived"), frame["survived"]
    found = hcbr.evaluate(X, y, folds=5)
    assert found["accuracy"]["mean"] > 0.8  # women and children first: 0.787 by sex alone
    model = hcbr.HCBRClassifier().fit(X, y)
    why = model.explain(X[:1])[0]
    assert why.label == 0  # above all because he is a man
    assert why.to_frame()["column"].iloc[0] in ("sex", "name")  # Mr.
    assert "male" in why.to_html() and "<script" not in why.to_html()
    model.save(tmp_path / "titanic.hcbr")
    again = hcbr.Model.load(tmp_path / "titanic.hcbr")
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
