"""The comparison with other libraries: its figures against others' and naive ones."""

import json
import math
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import VOTES

import hcbr

pandas = pytest.importorskip("pandas")
pytest.importorskip("sklearn")
stats = pytest.importorskip("scipy.stats")
from sklearn import metrics  # noqa: E402
from sklearn.dummy import DummyClassifier  # noqa: E402

from hcbr._compare import Comparison, libraries, measures  # noqa: E402
from hcbr._compare.cli import main  # noqa: E402
from hcbr._compare.data import settle  # noqa: E402
from hcbr._compare.page import page  # noqa: E402
from hcbr._compare.run import choose, summary  # noqa: E402

FAST = {"folds": 2, "repeats": 2, "progress": False}


class Broken(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        raise RuntimeError("always\nbroken")


class Exits(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        print("last words", flush=True)
        os._exit(7)


class Sleeps(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        time.sleep(60)


class Lies(DummyClassifier):
    def predict_proba(self, X):
        return np.full((len(X), 2), 0.7)


class Tells(DummyClassifier):
    """Writes the rows that it is trained and asked with into a folder."""

    def __init__(self, folder="", strategy="prior"):
        super().__init__(strategy=strategy)
        self.folder = folder

    def note(self, what, X):
        name = os.path.join(self.folder, f"{what}-{len(os.listdir(self.folder)):03}")
        with open(name, "w", encoding="utf-8") as file:
            file.write(" ".join(map(str, X["row"])))

    def fit(self, X, y, sample_weight=None):
        self.note("fit", X)
        return super().fit(np.zeros((len(X), 1)), y)

    def predict_proba(self, X):
        self.note("ask", X)
        return super().predict_proba(np.zeros((len(X), 1)))


def small(rows=80):
    draw = np.random.default_rng(3)
    x = draw.normal(size=rows)
    y = np.where(x + draw.normal(size=rows) > 0, "yes", "no")
    kind = draw.choice(["a", "b", None], rows)
    return pandas.DataFrame({"row": np.arange(rows), "x": x, "kind": kind, "label": y})


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """One comparison that many tests look at."""
    folder = tmp_path_factory.mktemp("rows")
    for name in "ab":
        (folder / name).mkdir()
    own = {
        "one": Tells(str(folder / "a")), "two": Tells(str(folder / "b")), "broken": Broken(),
        "exits": Exits(), "lies": Lies(),
    }
    return hcbr.compare(small(), against=own, **FAST), folder


def random_probabilities(draw, rows, labels):
    p = np.round(draw.dirichlet(np.ones(labels), rows), 2)  # with ties
    return p / p.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("labels", [2, 3, 5])
@pytest.mark.parametrize("seed", range(5))
def test_measures_are_those_of_scikit_learn(labels, seed):
    draw = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(labels), draw.integers(labels, size=60)])
    p = random_probabilities(draw, len(truth), labels)
    ours = measures.measure(truth, p)
    said = p.argmax(axis=1)
    assert ours["accuracy"] == metrics.accuracy_score(truth, said)
    assert ours["mcc"] == pytest.approx(metrics.matthews_corrcoef(truth, said), abs=1e-12)
    clipped = np.clip(p, 1e-15, 1)
    assert ours["log_loss"] == pytest.approx(
        -np.mean([math.log(clipped[i, t]) for i, t in enumerate(truth)]), rel=1e-12
    )
    if labels == 2:
        assert ours["auc"] == pytest.approx(metrics.roc_auc_score(truth, p[:, 1]), abs=1e-12)
    else:
        assert ours["auc"] is None


def test_calibration_error_against_a_naive_one():
    draw = np.random.default_rng(1)
    truth = draw.integers(3, size=200)
    p = random_probabilities(draw, 200, 3)
    p[:20], truth[:20] = (0.9, 0.1, 0), 1  # neighbouring bins that must not be added up
    p[20:150], truth[20:150] = (0.03, 0, 0.97), 2
    total = 0.0
    for b in range(15):
        rows = [i for i in range(200) if min(int(max(p[i]) * 15), 14) == b]
        total += abs(sum(max(p[i]) - (int(p[i].argmax()) == truth[i]) for i in rows))
    assert measures.calibration_error(truth, p) == pytest.approx(total / 200, rel=1e-12)


def test_undefined_measures():
    p = np.array([[1.0, 0.0]] * 4)
    same = measures.measure(np.zeros(4, dtype=int), p)
    assert same["mcc"] == 0 and same["auc"] is None and same["log_loss"] == 0


@pytest.mark.parametrize("seed", range(5))
def test_interval_is_the_corrected_t(seed):
    d = np.random.default_rng(seed).normal(0.01, 0.03, size=10)
    mean, low, high = measures.interval(d, 20, 80)
    variance = (1 / 10 + 20 / 80) * np.var(d, ddof=1)
    naive = stats.t.interval(0.95, df=9, loc=d.mean(), scale=math.sqrt(variance))
    assert mean == pytest.approx(d.mean()) and (low, high) == pytest.approx(naive, rel=1e-9)
    usual = stats.t.interval(0.95, df=9, loc=d.mean(), scale=stats.sem(d))
    assert low < usual[0] and high > usual[1]
    assert measures.interval([0.5], 1, 1) == (0.5, None, None)


@pytest.mark.parametrize("folds", [2, 3, 10])
def test_folds_are_stratified_and_drawn_from_the_seed(folds):
    codes = np.random.default_rng(0).choice(4, p=[0.6, 0.3, 0.09, 0.01], size=503)
    a = measures.draw_folds(codes, folds, 1)
    assert np.array_equal(a, measures.draw_folds(codes, folds, 1))
    assert not np.array_equal(a, measures.draw_folds(codes, folds, 2))
    assert np.ptp(np.bincount(a, minlength=folds)) <= 1
    for label in range(4):
        assert np.ptp(np.bincount(a[codes == label], minlength=folds)) <= 1


def test_all_libraries_get_the_same_rows(found):
    folder = found[1]
    seen = [sorted(os.listdir(folder / name)) for name in "ab"]
    assert seen[0] == seen[1] and len(seen[0]) == 8  # two folds, two repeats, fit and ask
    rows = [[(folder / name / file).read_text() for file in seen[0]] for name in "ab"]
    assert rows[0] == rows[1]
    for fit, ask in zip(rows[0][::2], rows[0][1::2]):
        a, b = set(fit.split()), set(ask.split())
        assert not a & b and len(a | b) == 80


def test_figures_can_be_computed_again(found):
    """What is said of the estimator of scikit-learn is what it gives on the same folds."""
    said = found[0]["sets"][0]["libraries"][1]
    codes = (small()["label"] == "yes").to_numpy().astype(int)
    loss = []
    for seed in (1, 2):
        fold = measures.draw_folds(codes, 2, seed)
        for k in range(2):
            model = DummyClassifier(strategy="prior")
            model.fit(np.zeros((sum(fold != k), 1)), codes[fold != k])
            p = model.predict_proba(np.zeros((sum(fold == k), 1)))
            loss.append(metrics.log_loss(codes[fold == k], p))
    assert [part["log_loss"] for part in said["parts"]] == pytest.approx(loss, rel=1e-12)
    ours = [part["log_loss"] for part in found[0]["sets"][0]["libraries"][0]["parts"]]
    d = np.array(ours) - loss
    mean, low, high = measures.interval(d, 1, 1)
    assert said["difference"]["log_loss"] == pytest.approx({"mean": mean, "low": low, "high": high})


def test_failures_are_said_and_end_nothing(found):
    by = {one["title"]: one for one in found[0]["sets"][0]["libraries"]}
    assert by["hcbr"]["error"] is None and by["two"]["error"] is None
    assert by["broken"]["error"] == "RuntimeError: always"
    assert "status 7" in by["exits"]["error"] and "last words" in by["exits"]["error"]
    assert "add up to 1" in by["lies"]["error"]
    text = str(found[0])
    assert "failed: broken" in text and "RuntimeError: always" in text
    assert "RuntimeError: always" in found[0].to_html()
    assert set(found[0].to_frame()["error"].dropna()) == {
        by[name]["error"] for name in ("broken", "exits", "lies")
    }
    assert by["one"]["memory"] >= 0 and by["one"]["peak_memory"] > 1e6


def without_costs(found):
    text = json.dumps(found.to_dict())
    kept = json.loads(text)
    for data in kept["sets"]:
        for one in data["libraries"]:
            for key in ("fit_seconds", "predict_seconds", "memory", "peak_memory"):
                one.pop(key, None)
            for part in one.get("parts", []):
                del part["fit_seconds"], part["predict_seconds"]
    return kept


def test_the_same_twice_but_for_the_costs():
    a, b = (hcbr.compare(small(), against={}, **FAST) for _ in range(2))
    assert without_costs(a) == without_costs(b)


def test_time_limit():
    found = hcbr.compare(small(), against={"slow": Sleeps()}, limit=0.5, folds=2, repeats=1)
    assert "stopped after 0.5 seconds" in found["sets"][0]["libraries"][1]["error"]


def test_hostile_names(found):
    evil = "<script>alert(1)</script>\"'&\u202e\x1b[31m"
    changed = json.loads(json.dumps(found[0].to_dict()))
    for data in changed["sets"]:
        data.update(name=evil, label=evil, labels={evil: 40, "no": 40}, notes=[evil])
        for one in data["libraries"]:
            one.update(title=evil, version=evil, preparation=evil)
            one["error"] = one["error"] and evil
    for where in (changed["not_installed"], changed["summary"]):
        where.append({"name": evil, "package": evil, "title": evil, "sets": 1})
    odd = Comparison(changed)
    for shown in (odd.to_html(), odd._repr_html_(), str(odd)):
        assert "\u202e" not in shown and "\x1b" not in shown
    assert "<script" not in odd.to_html() and "<script" not in odd._repr_html_()
    assert "&lt;script&gt;" in odd.to_html() and "default-src 'none'" in odd.to_html()


def test_several_sets_have_a_summary(found):
    twice = json.loads(json.dumps(found[0].to_dict()))
    twice["sets"] *= 2
    twice["summary"] = summary(twice["sets"])
    row = twice["summary"][0]
    each = twice["sets"][0]["libraries"][1]["difference"]["mcc"]
    assert row["sets"] == 2 and row["mcc"]["mean"] == pytest.approx(each["mean"])
    assert row["mcc"]["above"] == 2 * (each["low"] > 0)
    assert "means over the sets" in str(Comparison(twice))
    assert "means over the sets" in Comparison(twice).to_html()


def test_text_fits_into_a_terminal(found):
    wide = json.loads(json.dumps(found[0].to_dict()))
    wide["sets"] *= 2
    for data in wide["sets"]:
        data["notes"] = ["a remark " * 20]
        data["libraries"] = [one for one in data["libraries"] if one["error"] is None]
        for one in data["libraries"][1:]:
            one.update(title="HistGradientBoosting", version="1.10.12")
    wide["summary"] = summary(wide["sets"])
    said = str(Comparison(wide))
    assert max(map(len, said.splitlines())) <= 79
    narrow = str(found[0])
    for title in ("MCC", "accuracy", "log-loss", "AUC"):  # of the figures, and of the differences
        assert said.count(title) == 2 * len(wide["sets"]) + 1 and narrow.count(title) == 2
    for title in ("ECE", "fit, s", "predict, s", "MB"):
        assert said.count(title) == len(wide["sets"])


def test_preparation_gives_no_label_away_and_knows_new_values():
    frame = pandas.DataFrame({
        "text": ["a", None, "b", "a"], "number": [1, 2, None, 4], "flag": [True, False, True, True],
        "maybe": pandas.array([True, None, False, True], dtype="boolean"),
        "when": pandas.to_datetime(["2020-01-02", None, "2020-01-01", "1970-01-02"]),
    })
    native = libraries.Native().fit(frame[:2])
    out = native.transform(frame)
    assert out["text"].isna().tolist() == [False, True, True, False]  # b was never seen
    assert out["when"].tolist()[2:] == [18262.0, 1.0] and math.isnan(out["when"][1])
    assert out["flag"].tolist() == [1, 0, 1, 1] and math.isnan(out["number"][2])
    assert math.isnan(out["maybe"][1]) and out["maybe"][3] == 1
    assert libraries.Native("").fit(frame[:2]).transform(frame)["text"].tolist() == [
        "a", "", "b", "a"
    ]


def test_names_of_libraries():
    assert [one.name for one in choose("sklearn")[0]] == ["sklearn", "sklearn"]
    with pytest.raises(hcbr.UsageError, match="'vowpal' is no library.*xgboost"):
        choose("vowpal")
    absent = libraries.LIBRARIES[0]._replace(module="no_such_module_here")
    assert absent.version() is None


def test_rows_without_label_are_left_out():
    frame = small()
    frame.loc[:4, "label"] = None
    data = settle("d", frame, None, ["row"], 5)
    assert len(data.X) == 75 and list(data.X) == ["x", "kind"] and data.labels == ["no", "yes"]
    assert data.notes == ["5 rows without a label are left out"]


@pytest.mark.parametrize(
    "words, status, said",
    [
        (["none.csv"], 5, "none.csv: No such file"),
        (["votes.csv", "--label", "party"], 2, "no column 'party' (--label); there are"),
        (["votes.csv", "--against", "vowpal"], 2, "'vowpal' is no library"),
        (["votes.csv", "--folds", "1"], 2, "folds=1"),
        (["votes.csv", "--folds", "two"], 2, "--folds"),
        (["votes.csv", "--no-such"], 2, "--no-such"),
        (["votes.csv", "--ignore", "zz"], 2, "no column 'zz' (--ignore)"),
        (["one.csv"], 3, "has 1 labels; two are needed"),
        (["bytes.csv"], 3, "--encoding"),
        (["ragged.csv"], 3, "ragged.csv: "),
        (["empty.csv"], 3, "empty.csv: "),
        (["short.csv"], 3, "too few for 5 folds"),
        (["unnamed.csv"], 2, "--label COLUMN"),
        (["votes.csv", "--html", "no/page.html"], 5, "no"),
        (["\x1b[31m.csv"], 5, "\\x1b[31m.csv"),
    ],
)
def test_bad_input_is_said_in_one_line(words, status, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "votes.csv").write_bytes(VOTES.read_bytes())
    (tmp_path / "one.csv").write_text("a,label\n" + "1,x\n" * 20)
    (tmp_path / "bytes.csv").write_bytes(b"a,label\n\xe9,x\n")
    (tmp_path / "ragged.csv").write_text("a,label\n1,x\n1,2,3,4\n")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "short.csv").write_text("a,label\n1,x\n2,y\n")
    (tmp_path / "unnamed.csv").write_text("a,b\n1,x\n2,y\n")
    try:
        got = main(words)
    except SystemExit as ended:
        got = ended.code
    shown = capsys.readouterr()
    assert got == status and shown.out == ""
    assert shown.err.startswith("hcbr.compare: ") and said in shown.err
    assert shown.err.count("\n") == 1


def test_command(tmp_path, capsys, monkeypatch):
    path = tmp_path / "page.html"
    words = [str(VOTES), "--against", "sklearn,ebm", "--folds", "2", "--repeats", "1", "--json"]
    monkeypatch.setattr("hcbr._compare.run.LIBRARIES", [
        libraries.LIBRARIES[4], libraries.LIBRARIES[6]._replace(module="no_such_module")
    ])
    assert main([*words, "--html", str(path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "hcbr.compare/1" and found["seeds"] == [1]
    assert found["libraries"] == ["hcbr", "LogisticRegression"]
    assert found["not_installed"] == [{"name": "ebm", "package": "interpret"}]
    assert found["sets"][0]["libraries"][1]["mcc"]["mean"] > 0.8
    shown = path.read_text(encoding="utf-8")
    assert shown == page(found) and "pip install interpret" in shown


def test_module_can_be_called_and_run():
    code = "import hcbr, hcbr.compare; print(callable(hcbr.compare), hcbr.compare.Comparison)"
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert said.stdout.startswith("True <class")
    said = subprocess.run(
        [sys.executable, "-W", "error", "-m", "hcbr.compare", "--version"], check=True,
        capture_output=True, text=True,
    )
    assert said.stdout == f"hcbr {hcbr.__version__}\n"


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_it_and_its_child(tmp_path, number, status):
    code = (
        "import sys, numpy, pandas\n"
        "from hcbr._compare import cli, libraries, run\n"
        "from sklearn.dummy import DummyClassifier\n"
        "class Slow(DummyClassifier):\n"
        "    def fit(self, X, y):\n"
        "        import os, time\n"
        f"        open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        "        time.sleep(100)\n"
        "slow = libraries.own('sklearn', Slow())._replace(module='numpy')\n"
        "run.LIBRARIES[:] = [slow]\n"
        f"sys.exit(cli.main([{str(VOTES)!r}, '--against', 'sklearn', '--folds', '2']))\n"
    )
    folder = tmp_path / "temporary"
    folder.mkdir()
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True,
                          env=dict(os.environ, TMPDIR=str(folder))) as run:
        pid = tmp_path / "pid"
        for _ in range(1200):
            if pid.exists() and pid.read_text():
                break
            time.sleep(0.1)
        assert list(folder.iterdir())
        run.send_signal(number)
        _, said = run.communicate(timeout=60)
    assert not list(folder.iterdir())
    assert run.returncode == status and said.endswith("hcbr.compare: stopped\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
