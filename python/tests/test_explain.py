"""Explanations add up, show themselves, and say what the program says."""

import json

import numpy as np
import pytest
from conftest import VOTES

import hcbr


@pytest.fixture(scope="module")
def model(votes):
    return hcbr.Model.fit(*votes, label="class")


def test_the_same_as_the_program(program, model, votes, tmp_path):
    path, page = tmp_path / "votes.hcbr", tmp_path / "page.html"
    model.save(path)
    said = program("explain", path, VOTES, "--rows", "1-3", "--json", "--flip", "--ask")
    lines = said.split("\n")
    found = model.explain(votes[0].head(3))
    for line, one in zip(lines, found):
        wanted = json.loads(line)
        flip, ask, given = wanted.pop("flip"), wanted.pop("ask"), wanted.pop("given", None)
        mine = one.to_dict()
        mine.pop("given", None)
        assert given in ("republican", "democrat")
        assert len(mine.pop("columns")) >= len(wanted.pop("columns"))
        assert mine == wanted
        assert one.flip() == flip
        assert one.ask(len(ask["questions"]))["questions"] == ask["questions"]
    program("explain", path, VOTES, "--rows", "1", "--html", page)
    assert "<script" not in page.read_text() and "<script" not in found[0].to_html()
    assert "physician-fee-freeze" in found[0].to_html()


def test_values_add_up_to_the_support(model, votes, numbers):
    for m, X in ((model, votes[0].head(20)), (hcbr.Model.fit(*numbers), numbers[0][:20]),
                 (hcbr.Model.fit(*votes, model="plain"), votes[0].head(20))):
        found = m.explain(X, cases=0)
        support = m.decide(X, ("support",))["support"]
        assert found.values.shape == (20, len(found.feature_names), len(m.labels))
        assert found.data.shape == found.values.shape[:2]
        assert found.base_values.shape == (20, len(m.labels))
        assert np.allclose(found.values.sum(axis=1) + found.base_values, support, atol=1e-9)


def test_kinds_of_rows_are_explained_alike(model, votes):
    X = votes[0].head(4)
    wanted = model.explain(X).to_dict()
    assert model.explain(X, n_jobs=2).to_dict() == wanted
    rows = model.explain(X.to_dict("records")).to_dict()
    assert rows == wanted
    assert model.explain(X.to_dict("records")[0])[0].to_dict() == wanted[0]


def test_objects(model, votes):
    found = model.explain(votes[0].head(7))
    assert len(found) == 7 and len(found[2:4]) == 2 and len(list(found)) == 7
    one = found[0]
    assert list(one.to_frame().columns) == ["column", "lead", "democrat", "republican"]
    assert one["label"] == one.label == "republican"
    assert ("crime", "y") in one.case
    shown = one._repr_html_()
    assert shown.startswith('<div class="hcbr">') and shown.count("<div") == shown.count("</div")
    assert "<script" not in shown and "<iframe" not in shown  # untrusted viewers take these out
    all_shown = found._repr_html_()
    assert all_shown.count('<div class="hcbr">') == 5 and "and 2 more" in all_shown
    assert set(found.to_frame()["row"]) == set(range(7))
    assert one.versus(3)["case"][0]["row"] == 3
    assert "republican" in repr(one) and "7 rows" in repr(found)
    fixed = one.flip(fixed=["physician-fee-freeze"])
    assert not any("physician" in str(f["changes"]) for f in fixed["flips"])
    assert len(one.to_html(flip=3, ask=3, versus=3)) > len(one.to_html())
    with pytest.raises(ValueError):
        one.versus("nobody")
    assert len(model.explain(votes[0].head(0))) == 0


def test_text_of_the_data_does_no_harm():
    evil = '"><script>alert(1)</script>'
    model = hcbr.Model.fit([{"a": evil}, {"a": "b"}] * 9, [evil, "x"] * 9)
    one = model.explain({"a": evil})[0]
    assert "<script" not in one._repr_html_() and "<script" not in one.to_html()
    assert one.label == evil


def test_a_model_without_cases(votes):
    model = hcbr.Model.fit(*votes, keep_cases="none")
    one = model.explain(votes[0].head(1))[0]
    assert one["cases"] is None and one["columns"]
    assert model.importance() == []
