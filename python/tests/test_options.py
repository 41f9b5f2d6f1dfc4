"""Options from Python reach the library as they are, whatever characters they hold."""

import inspect

import pytest

import hcbr
from hcbr._hcbr import options
from hcbr._options import EstimatorOptions

pandas = pytest.importorskip("pandas")
pytest.importorskip("sklearn")
ODD = ["a,b", "c\\", "\\,", "d\\,e", ",", "f=g", "h.i", "j:k", "l@m", "\\\\", "é"]


def columns(model):
    return {column["name"] for column in model.inspect()["columns"]}


def frame(names, rows=40):
    return pandas.DataFrame({n: [(i * (k + 3)) % 17 for i in range(rows)]
                             for k, n in enumerate(names)})


LABELS = ["yes" if i % 7 > 2 else "no" for i in range(40)]


@pytest.mark.parametrize("order", [1, -1])
def test_lists_of_odd_names(order):
    X = frame([*ODD, "kept"])
    model = hcbr.Model.fit(X, LABELS, effort="lite", ignore=ODD[::order])
    assert columns(model) == {"kept"}
    for name in ODD:
        model = hcbr.Model.fit(X[[name, "kept"]], LABELS, effort="lite", ignore=[name])
        assert columns(model) == {"kept"}, name
    assert columns(hcbr.Model.fit(X, LABELS, effort="lite", ignore=[])) == {*ODD, "kept"}


def test_a_list_of_very_many_names():
    X = frame(["kept", *(f"x{i}" for i in range(300))])
    model = hcbr.Model.fit(X, LABELS, effort="lite", ignore=[f"x{i}" for i in range(300)])
    assert columns(model) == {"kept"}


def test_pairs_of_odd_names():
    X = frame(ODD)
    model = hcbr.Model.fit(X, LABELS, effort="lite", type={name: "category" for name in ODD})
    assert all(c["kind"] == "category" for c in model.inspect()["columns"])
    label = "no, or\\ so=1.5"
    odd = [label if one == "no" else one for one in LABELS]
    sure = hcbr.Model.fit(X, odd, effort="lite", eta={label: 0.75, "yes": 0.25})
    etas = {x["name"]: x["eta"] for x in sure.inspect()["labels"]}
    assert etas == {label: 0.75, "yes": 0.25}


def test_goals_exclude_each_other():
    for goals in ({"metric": "mcc", "cost": {"fp": 2}}, {"cost": {"fn": 2}, "max_error": 0.2}):
        with pytest.raises(ValueError, match="exclude each other"):
            hcbr.Model.fit(frame(["a"]), LABELS, effort="lite", **goals)


@pytest.mark.parametrize("given, says", [
    ({"effort": "hgih"}, r"^effort='hgih': lite, normal or max was expected$"),
    ({"seed": -1}, r"^seed=-1: a whole number of 0 or more was expected$"),
    ({"ngrams": 17}, r"^ngrams=17: a number from 1 to 16 was expected$"),
    ({"max_error": 1.5}, r"^max_error=1.5: a number above 0 and below 1 was expected$"),
    ({"eta": {"yes": -1}}, r"^eta=.*: a number of 0 or more was expected$"),
    ({"cost": {"fq": 1}}, r"^cost=.*: found fq, expected fp, fn, unknown or TRUE:GIVEN$"),
    ({"join": {"a.csv": ("id", "x@y")}}, r"^join=.*: a name without @ was expected$"),
    ({"efort": "lite"}, r"^there is no option 'efort'$"),
])
def test_messages(given, says):
    with pytest.raises((TypeError, ValueError), match=says):
        hcbr.Model.fit(frame(["a"]), LABELS, **given)


def test_parameters_of_estimators_are_named_and_documented():
    names = set(inspect.signature(hcbr.HCBRClassifier).parameters)
    wanted = set(EstimatorOptions.__annotations__)
    assert wanted <= set(options()) and wanted | {"class_weight", "unknown", "n_jobs",
                                                  "progress"} == names
    said = hcbr.HCBRClassifier.__doc__
    for name in names:
        assert f"\n    {name} : " in said, name
    assert "option " not in said and "--" not in said.replace("----------", "")
    with pytest.raises(TypeError, match="there is no parameter 'efort'"):
        hcbr.HCBRClassifier(efort="lite")
