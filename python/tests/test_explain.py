"""Explanations add up, show themselves, and say what the program says."""

import json
import pickle

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
    new = tmp_path / "new.csv"  # without labels, as the frame: rows are not known as past cases
    new.write_text("".join(line.split(",", 1)[1] for line in VOTES.read_text().splitlines(True)))
    said = program("explain", path, new, "--rows", "1-3", "--json", "--flip", "--ask")
    lines = said.split("\n")
    found = model.explain(votes[0].head(3))
    for line, one in zip(lines, found):
        wanted = json.loads(line)
        flip, ask = wanted.pop("flip"), wanted.pop("ask")
        wanted.pop("given", None)
        mine = one.to_dict()
        mine.pop("given", None)
        assert len(mine.pop("columns")) >= len(wanted.pop("columns"))
        assert wanted.pop("origin")["cases"] == 435  # names of files, which a model has not
        for past in wanted.pop("beside"):  # what is asked for case by case here
            versus = one.versus(past["row"])
            assert versus["columns"] == past["columns"] and versus["held_out"] == past["held_out"]
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


# ---- pictures ------------------------------------------------------------------------------------


@pytest.fixture
def pyplot(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    found = pytest.importorskip("matplotlib.pyplot")
    yield found
    found.close("all")


def bars(axes):
    return [(p.get_x(), p.get_width()) for p in axes.patches]


def test_waterfall_ends_at_the_lead(model, votes, pyplot, tmp_path):
    for one in model.explain(votes[0].head(5)):
        figure = one.plot(most=6)
        columns, groups = figure.axes
        made = bars(columns)
        assert len(made) == 1 + 6 + 1  # before any column, six of them, the others
        at = 0.0
        for start, adds in made:
            assert abs(start - at) < 1e-9
            at += adds
        assert abs(at - one["lead"]) < 1e-9
        assert "other columns" in columns.get_yticklabels()[-1].get_text()
        strongest = sorted((abs(group["lead"]) for group in one["atoms"]), reverse=True)[:8]
        assert np.allclose([abs(adds) for _, adds in bars(groups)], strongest)
    figure.savefig(tmp_path / "one.png")
    assert (tmp_path / "one.png").stat().st_size > 5000


def test_plot_of_many_rows(model, votes, pyplot):
    found = model.explain(votes[0].head(30))
    figure = found.plot(most=4)
    widths = [adds for _, adds in bars(figure.axes[0])]
    leads = np.abs(found.values[:, :, 1] - found.values[:, :, 0]).mean(axis=0)
    assert np.allclose(sorted(widths[:4]), np.sort(leads)[-4:])
    assert np.isclose(sum(widths), leads.sum())
    with pytest.raises(ValueError, match="no rows"):
        model.explain(votes[0].head(0)).plot()


def test_texts_of_plots_have_room(model, votes, pyplot):
    """No text leaves the figure, and numbers keep clear of the names beside them."""
    why = model.explain(votes[0][:9])
    for figure in (why[2].plot(), why.plot(), why[:1].plot(), why.plot(15)):
        figure.canvas.draw()
        boxes = []
        for axes in figure.axes:
            marks = [axes.xaxis.label, axes.title, axes._left_title, *axes.texts,
                     *axes.get_yticklabels()]
            boxes += [(m, m.get_window_extent()) for m in marks if m.get_text()]
        for i, (mark, box) in enumerate(boxes):
            assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1, mark
            assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1, mark
            for other, beside in boxes[:i]:
                assert not box.overlaps(beside), (mark, other)
        assert "1 other columns" not in {mark.get_text() for mark, _ in boxes}
        pyplot.close(figure)


def test_plots_of_odd_names(pyplot, tmp_path):
    """Names that matplotlib might take for formulas; texts, whose words are one column."""
    rows = [{"$a^{": "$x_{", "note": "warm sun"}, {"$a^{": "y" * 99, "note": "cold snow"}] * 9
    X = {key: [row[key] for row in rows] for key in rows[0]}
    pandas = pytest.importorskip("pandas")
    model = hcbr.Model.fit(pandas.DataFrame(X), ["$1", "$2"] * 9, text=["note"])
    found = model.explain(pandas.DataFrame(X)[:2])
    found[1].plot().savefig(tmp_path / "odd.png")
    found.plot().savefig(tmp_path / "odd2.png")


def test_shapes_of_shap(model, votes):
    shap = pytest.importorskip("shap")
    found = model.explain(votes[0].head(9))
    made = found.to_shap()
    assert isinstance(made, shap.Explanation) and made.shape == (9, 16)
    assert np.allclose(made.values, found.values[:, :, 1])
    assert np.allclose(found.to_shap("democrat").values, found.values[:, :, 0])
    with pytest.raises(ValueError, match="nobody"):
        found.to_shap("nobody")
    numbered = hcbr.Model.fit(votes[0], (votes[1] == "democrat").astype(int))
    found = numbered.explain(votes[0].head(9))
    assert np.allclose(found.to_shap(0).values, found.values[:, :, 0])


@pytest.mark.parametrize("name", ["waterfall", "bar", "beeswarm"])
def test_plots_of_shap(name, model, votes, pyplot):
    shap = pytest.importorskip("shap")
    made = model.explain(votes[0].head(9)).to_shap()
    getattr(shap.plots, name)(made[0] if name == "waterfall" else made, show=False)


def test_bounds_of_changes(tmp_path, program):
    """What may change is what the program takes, and typos are refused."""
    rows = [(age, sex, "yes" if age > 40 else "no") for age in range(20, 61) for sex in "fm"]
    past = tmp_path / "past.csv"
    past.write_text("age,sex,label\n" + "".join(f"{a},{s},{y}\n" for a, s, y in rows))
    path = tmp_path / "m.hcbr"
    program("train", past, "-q", "-o", path)
    one = hcbr.Model.load(path).explain([{"age": 30, "sex": "f"}])[0]

    def ages(**asked):
        flips = one.flip(**asked)["flips"]
        return [float(f["changes"][0]["added"].partition("=")[2]) for f in flips]

    nearest, *_ = ages()
    assert nearest == 41  # the smallest age of a yes
    assert one.flip()["flips"][0]["probability"]["yes"] > 0.5
    assert ages(ranges={"age": (45, None)}) == [45]
    assert ages(ranges={"age": ("45", 50.0)}, only=["age"]) == [45]
    assert ages(increase_only=["age"]) == [41] == ages(increase_only="age")
    assert ages(decrease_only=["age"]) == [] == ages(fixed=["age"]) == ages(only=["sex"])
    assert one.flip(fixed=["age"])["bounded"] and not one.flip()["bounded"]
    for wrong in (
        {"fixed": ["aeg"]},
        {"only": ["aeg"]},
        {"ranges": {"aeg": (1, 2)}},
        {"increase_only": ["aeg"]},
        {"decrease_only": ["aeg"]},
    ):
        with pytest.raises(hcbr.UsageError, match="did you mean 'age'"):
            one.flip(**wrong)
    with pytest.raises(hcbr.UsageError, match="has no numbers"):
        one.flip(ranges={"sex": (1, 2)})


def test_summary_is_that_of_the_program(votes, tmp_path, program):
    path = tmp_path / "m.hcbr"
    program("train", VOTES, "-q", "-o", path)
    found = hcbr.Model.load(path).explain(votes[0])
    wanted = json.loads(program("explain", path, VOTES, "--summary", "--json", "-q"))
    got = found.summary()
    for answer in wanted["answers"]:
        assert answer["given"] == answer["cases"]
        answer["given"] = answer["right"] = 0  # a frame has no labels
    assert got == wanted
    assert found[:5].summary()["cases"] == 5
    with pytest.raises(ValueError, match="no rows"):
        found[:0].summary()


def test_a_row_is_of_one_model(votes):
    model, other = (hcbr.Model.fit(*votes, effort="lite") for _ in range(2))
    core, row = model._core, model.explain(votes[0][:1])[0]._row
    assert core.row(row.features).features == row.features
    assert json.loads(core.reasons(row)[0])["label"]
    with pytest.raises(hcbr.UsageError, match="another model"):
        other._core.reasons(row)
    with pytest.raises(TypeError, match="a Row"):
        core.reasons(row.features)


def test_explanations_are_pickled(votes):
    model = hcbr.Model.fit(*votes, effort="lite")
    found = model.explain(votes[0][:40])
    data = pickle.dumps(found)
    again = pickle.loads(data)
    assert again.to_dict() == found.to_dict() and again[3].flip() == found[3].flip()
    assert np.array_equal(again.values, found.values)
    assert len(data) < len(model.to_bytes()) + 40 * 20000  # the model is there once
