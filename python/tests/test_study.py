"""Evaluations and audits are those of the program."""

import json

import numpy as np
import pytest
from conftest import VOTES

import hcbr


def without_times(found):
    if isinstance(found, list):
        return [without_times(one) for one in found]
    if not isinstance(found, dict):
        return found
    return {k: without_times(v) for k, v in found.items() if "seconds" not in k}


@pytest.mark.parametrize(
    "words,options",
    [
        ([], {}),
        (["--folds", "4", "--repeats", "2", "--seed", "3"], {"folds": 4, "repeats": 2, "seed": 3}),
        (["--holdout", "0.3", "--model", "plain"], {"holdout": 0.3, "model": "plain"}),
        (["--past-only", "--positive", "democrat"], {"past_only": True, "positive": "democrat"}),
    ],
)
def test_evaluations(program, votes, words, options):
    wanted = without_times(json.loads(program("evaluate", VOTES, "--json", *words)))
    assert without_times(hcbr.evaluate(VOTES, **options)) == wanted
    assert without_times(hcbr.evaluate(*votes, n_jobs=2, label="class", **options)) == wanted


def test_audits(program, votes):
    wanted = without_times(json.loads(program("audit", VOTES, "--json", "--top", "10")))
    found = without_times(hcbr.audit(*votes, label="class"))
    assert found["schema"] == wanted["schema"]
    assert found["cases"] == wanted["cases"]
    assert hcbr.audit(VOTES)["cases"] == wanted["cases"]


def test_bad_evaluations(numbers):
    X, y = numbers
    for bad in ({"folds": 1}, {"folds": 10**6}, {"holdout": 2}, {"repeats": 0}, {"positive": "x"}):
        with pytest.raises(ValueError):
            hcbr.evaluate(X, y, **bad)
    with pytest.raises(TypeError):
        hcbr.train(X)
    with pytest.raises(RuntimeError, match="enough"):

        def refuse(*said):
            raise RuntimeError("enough")

        draw = np.random.default_rng(1)
        hcbr.evaluate(draw.normal(size=(3000, 8)), draw.integers(0, 2, 3000), progress=refuse)
