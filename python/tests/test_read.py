"""Data from files: the same models as the program's, and what people see of it."""

import builtins
import pickle
import sqlite3
import threading

import numpy as np
import pytest

import hcbr
from conftest import VOTES

pandas = pytest.importorskip("pandas")

CSV = """who,age,color,price,weight,label
a,31,red,"1,5",1,yes
b,,blue,2,2,no
c,47,,3.25,1,yes
d,52,red,4,0.5,no
e,29,"re,d",5,1,yes
f,61,blue,6,3,no
"""
LIBSVM = "1 3:1 7:0.5\n-1 2:1 7:2\n" * 8
JSONL = (
    '{"label":"x","age":%d,"tags":["a","b"]}\n'
    '{"label":"y","age":%d,"tags":["b"],"at":{"city":"Ulm"}}\n'
)
TEXTS = "ham\tsee you at noon\nspam\twin a free prize now\n" * 8


@pytest.fixture
def files(tmp_path):
    (tmp_path / "a.csv").write_text(CSV)
    (tmp_path / "a.tsv").write_text(CSV.replace('"1,5"', "1.50").replace(",", "\t"))
    (tmp_path / "a.svm").write_text(LIBSVM)
    (tmp_path / "a.jsonl").write_text("".join(JSONL % (i, i + 7) for i in range(20)))
    (tmp_path / "a.txt").write_text(TEXTS)
    (tmp_path / "a.cases").write_text("1 2 3\n2 4\n1 3\n4 5\n" * 5)
    (tmp_path / "a.outcomes").write_text("p\nq\np\nq\n" * 5)
    return tmp_path


READERS = {
    "a.csv": (hcbr.read_csv, {"id": "who", "weight": "weight"}),
    "a.tsv": (hcbr.read_tsv, {"ignore": ["who"]}),
    "a.svm": (hcbr.read_libsvm, {}),
    "a.jsonl": (hcbr.read_jsonl, {}),
    "a.txt": (hcbr.read_text, {}),
}


def words(options):
    out = []
    for name, value in options.items():
        value = ",".join(value) if isinstance(value, list) else value
        out += [f"--{name}", str(value)]
    return out


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("model", ["rich", "plain"])
def test_same_model_as_the_program(name, model, files, program):
    reader, options = READERS[name]
    if model == "plain":
        options = {k: v for k, v in options.items() if k != "weight"}
    program("train", files / name, "-o", files / "m.hcbr", "--model", model, *words(options))
    wanted = (files / "m.hcbr").read_bytes()
    data = reader(files / name, **options)
    for _ in range(2):  # the data is not used up
        assert hcbr.Model.fit(data, model=model).to_bytes() == wanted
    assert hcbr.read(files / name, **options).label == data.label
    assert hcbr.train(files / name, model=model, **options).to_bytes() == wanted


def test_cases_with_outcomes(files, program):
    program("train", files / "a.cases", "--format", "cases", "--outcomes", files / "a.outcomes",
            "-o", files / "m.hcbr")
    data = hcbr.read_cases(files / "a.cases", outcomes=str(files / "a.outcomes"))
    assert hcbr.Model.fit(data).to_bytes() == (files / "m.hcbr").read_bytes()
    assert len(data) == 20 and set(data.y) == {"p", "q"}


def test_votes_are_the_same_in_every_way(program, tmp_path):
    data = hcbr.read(VOTES, label="class")
    program("train", VOTES, "--label", "class", "-o", tmp_path / "m.hcbr")
    wanted = (tmp_path / "m.hcbr").read_bytes()
    assert hcbr.Model.fit(data).to_bytes() == wanted
    X, y = data
    again = hcbr.Model.fit(X, y, label="class")
    assert (again.predict_proba(X) == hcbr.Model.from_bytes(wanted).predict_proba(X)).all()
    assert hcbr.evaluate(data, folds=3)["accuracy"] == hcbr.evaluate(
        VOTES, label="class", folds=3)["accuracy"]
    assert hcbr.audit(data)["cases"] == 435


def test_numbers_are_the_same_in_every_way(numbers, tmp_path, program):
    frame = pandas.DataFrame(numbers[0], columns=list("abcd")).round(3)
    frame["count"] = np.arange(len(frame)) % 7
    frame["y"] = numbers[1]
    frame.to_csv(tmp_path / "n.csv", index=False)
    data = hcbr.read(tmp_path / "n.csv")
    for model in ("rich", "plain"):
        program("train", tmp_path / "n.csv", "-o", tmp_path / "m.hcbr", "--model", model)
        assert hcbr.Model.fit(data, model=model).to_bytes() == (tmp_path / "m.hcbr").read_bytes()
    pandas.testing.assert_frame_equal(data.X, frame.drop(columns="y").astype(float))


def test_what_people_see(files):
    data = hcbr.read_csv(files / "a.csv", id="who", weight="weight")
    assert len(data) == 6 and data.label == "label" and repr(data).startswith("<hcbr.Data of 6")
    assert data.ids == list("abcdef")
    assert data.weight.tolist() == [1, 2, 1, 0.5, 1, 3]
    assert list(data.y) == ["yes", "no"] * 3
    X = data.X
    assert sorted(X.columns) == sorted(data.columns) == ["age", "color", "price"]
    assert X["age"].dtype == float and np.isnan(X["age"][1]) and X["age"][5] == 61
    assert X["color"].tolist()[4] == "re,d" and X["color"].isna().tolist() == [0, 0, 1, 0, 0, 0]
    assert X["price"][0] == "1,5"  # as it stands there
    hcbr.HCBRClassifier().fit(*data).predict(X)


def test_delimiter(tmp_path):
    (tmp_path / "a.csv").write_text("a;b;label\n" + "1;x;p\n2;y;q\n" * 9)
    data = hcbr.read_csv(tmp_path / "a.csv", delimiter=";")
    assert data.columns == ["a", "b"]
    with pytest.raises(ValueError, match="delimiter"):
        hcbr.read_csv(tmp_path / "a.csv", delimiter=";;")


def test_cases_that_are_no_rows(files):
    data = hcbr.read_jsonl(files / "a.jsonl")
    assert ("tags", "a") in data.X[0] and ("tags", "b") in data.X[0]
    assert ("at.city", "Ulm") in data.X[1]
    hcbr.HCBRSetClassifier().fit(*data).predict(data.X[:3])
    texts = hcbr.read_text(files / "a.txt")
    assert texts.X["prize"].tolist()[:2] != texts.X["prize"].tolist()[1:3] and len(texts) == 16


def test_options_belong_to_somebody(files):
    with pytest.raises(TypeError, match="passes"):
        hcbr.read_csv(files / "a.csv", passes=3)
    data = hcbr.read_csv(files / "a.csv", id="who")
    with pytest.raises(hcbr.UsageError, match="ignore"):
        hcbr.Model.fit(data, ignore=["age"])
    with pytest.raises(TypeError, match="labels"):
        hcbr.Model.fit(data, data.y)
    hcbr.Model.fit(data, id="who", seed=3)


def test_errors_say_where(tmp_path):
    with pytest.raises(OSError):
        hcbr.read_csv(tmp_path / "none.csv")
    (tmp_path / "bad.jsonl").write_text('{"label":"a","x":1}\n{"label":\n')
    with pytest.raises(hcbr.DataError, match="bad.jsonl:2"):
        hcbr.read_jsonl(tmp_path / "bad.jsonl")


def test_threads_share_data(files):
    data = hcbr.read_csv(files / "a.csv", id="who")
    wanted = hcbr.Model.fit(data).to_bytes()
    found = []
    work = [threading.Thread(target=lambda: found.append(hcbr.Model.fit(data).to_bytes()))
            for _ in range(6)]
    [one.start() for one in work]
    [one.join() for one in work]
    assert found == [wanted] * 6


def test_data_outlives_its_file(files):
    data = hcbr.read_csv(files / "a.csv")
    (files / "a.csv").unlink()
    assert len(hcbr.Model.fit(data).labels) == 2


# ---- other formats -------------------------------------------------------------------------------


@pytest.fixture
def frame(files):
    frame = pandas.read_csv(files / "a.csv")
    return pandas.concat([frame] * 5, ignore_index=True)


def check_other(data, frame):
    assert len(data) == 30 and data.label == "label"
    assert list(data.y) == frame["label"].tolist()
    wanted = hcbr.Model.fit(frame, id="who")
    model = hcbr.Model.fit(data)
    assert model.to_bytes() == wanted.to_bytes()
    assert data.ids == frame["who"].tolist()
    assert "who" not in data.X and "label" not in data.X
    hcbr.HCBRClassifier().fit(*data)


def test_parquet(frame, tmp_path):
    pytest.importorskip("pyarrow")
    frame.to_parquet(tmp_path / "a.parquet")
    check_other(hcbr.read(tmp_path / "a.parquet", id="who"), frame)


def test_excel(frame, tmp_path):
    pytest.importorskip("openpyxl")
    with pandas.ExcelWriter(tmp_path / "a.xlsx") as book:
        frame.to_excel(book, sheet_name="one", index=False)
        frame[:6].to_excel(book, sheet_name="two", index=False)
    check_other(hcbr.read(tmp_path / "a.xlsx", id="who"), frame)
    assert len(hcbr.read_excel(tmp_path / "a.xlsx", sheet="two")) == 6


def test_excel_dates(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    import datetime

    book = openpyxl.Workbook()
    book.active.append(["when", None, "label"])
    for i in range(20):
        book.active.append([datetime.datetime(2024, 1 + i % 9, 3), i, "ab"[i % 2]])
    book.save(tmp_path / "a.xlsx")
    data = hcbr.read_excel(tmp_path / "a.xlsx")
    assert data.X["when"][0] == "2024-01-03" and data.columns == ["when", "2"]
    hcbr.Model.fit(data)


def test_sqlite(frame, tmp_path, program):
    with sqlite3.connect(tmp_path / "a.db") as base:
        frame.to_sql("cases", base, index=False)
    base.close()
    check_other(hcbr.read(tmp_path / "a.db", id="who"), frame)
    some = hcbr.read_sqlite(tmp_path / "a.db", query="SELECT * FROM cases WHERE age > 30")
    assert 0 < len(some) < 30
    with sqlite3.connect(tmp_path / "a.db") as base:
        frame.to_sql("more", base, index=False)
    base.close()
    with pytest.raises(hcbr.UsageError, match="more"):
        hcbr.read_sqlite(tmp_path / "a.db")


@pytest.mark.parametrize("name, package", [("a.parquet", "pyarrow"), ("a.xlsx", "openpyxl")])
def test_says_what_to_install(name, package, tmp_path, monkeypatch):
    real = builtins.__import__

    def fake(wanted, *rest):
        if wanted.split(".")[0] == package:
            raise ImportError(wanted)
        return real(wanted, *rest)

    import importlib

    monkeypatch.setattr(importlib, "import_module", lambda wanted: fake(wanted))
    with pytest.raises(ImportError, match=f"pip install {package}"):
        hcbr.read(tmp_path / name)


# ---- tune ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("goal, said", [
    ({"metric": "f1"}, ["--metric", "f1"]),
    ({"max_error": 0.05}, ["--max-error", "0.05"]),
    ({"cost": {"fp": 1, "fn": 5}}, ["--cost", "fp=1,fn=5"]),
])
def test_tune_is_the_program(goal, said, program, tmp_path):
    program("tune", VOTES, "--label", "class", "-o", tmp_path / "m.hcbr", *said)
    wanted = (tmp_path / "m.hcbr").read_bytes()
    assert hcbr.tune(VOTES, label="class", **goal).to_bytes() == wanted
    assert hcbr.tune(hcbr.read(VOTES, label="class"), **goal).to_bytes() == wanted


def test_tune_has_one_goal(votes):
    with pytest.raises(hcbr.UsageError, match="one goal"):
        hcbr.tune(*votes, metric="f1", max_error=0.1)


# ---- options as the program has them -----------------------------------------------------------

OTHER = "a;b;y\n'x;1';2;p\n\"x;3;q\n-;4;p\nx;?;q\n" * 3
SAME_OPTIONS = [
    ({"na": ["-"]}, ["--na=-"]),
    ({"na_only": ["-"]}, ["--na-only=-"]),
    ({"quote": "'"}, ["--quote", "'"]),
    ({"quote": "none"}, ["--quote", "none"]),
    ({"header": 2, "quote": "none", "label": "y"}, ["--header", "2", "--quote", "none"]),
    ({"header": 0, "label": "3"}, ["--header", "0", "--label", "3"]),
    ({"escape": "none", "quote": "'"}, ["--escape", "none", "--quote", "'"]),
    ({"labels_as_they_are": True, "label": "b"}, ["--labels-as-they-are", "--label", "b"]),
]


@pytest.mark.parametrize("options, words", SAME_OPTIONS, ids=str)
def test_options_of_reading_are_those_of_the_program(program, tmp_path, options, words):
    path = tmp_path / "o.csv"
    path.write_text(OTHER)
    if options.get("header") == 2 or options.get("quote") == "none":
        path.write_text('a;"b;y\nb;z;\n' + '1;"2;p\n2;3;q\n' * 5)
    options = {"delimiter": ";", "model": "plain", "label": "y", **options}
    if "--label" not in words:
        words = [*words, "--label", "y"]
    program("train", str(path), "--delimiter", ";", "--model", "plain", *words, "-q", "-o",
            str(tmp_path / "m.hcbr"))
    assert hcbr.train(path, **options).to_bytes() == (tmp_path / "m.hcbr").read_bytes()


def test_joined_sources_are_those_of_the_program(program, tmp_path):
    (tmp_path / "a.csv").write_text("id,v,label\n" + "".join(
        f"{i % 5},{i % 3},{'pq'[i % 2]}\n" for i in range(30)))
    (tmp_path / "more.csv").write_text("id,kind\n0,x\n1,y\n2,x\n3,y\n4,x\n")
    path, more = tmp_path / "a.csv", tmp_path / "more.csv"
    program("train", str(path), "--join", f"{more}:id@m", "-q", "-o", str(tmp_path / "m.hcbr"))
    want = (tmp_path / "m.hcbr").read_bytes()
    assert hcbr.train(path, join={more: ("id", "m")}).to_bytes() == want
    assert hcbr.Model.fit(hcbr.read(path, join={str(more): ("id", "m")})).to_bytes() == want
    assert hcbr.train(path, join={more: "id"}).to_bytes() != want  # other names
    for bad in (3, {more: 3}, {3: "id"}, {more: ("id", 3)}):
        with pytest.raises((ValueError, TypeError)):
            hcbr.train(path, join=bad)


def test_missing_values_are_added(tmp_path):
    frame = pandas.DataFrame({"a": ["?", "x", "-", "x"] * 9})
    known = {}
    for options in ({}, {"na": ["-"]}, {"na_only": ["-"]}):
        model = hcbr.Model.fit(frame, ["p", "q"] * 18, strict=True, **options)
        known[str(options)] = [one is not None for one in
                               [model.predict_one({"a": v}).known for v in "?-x"]]
    assert list(known.values()) == [[False, True, True], [False, False, True], [True, False, True]]
    with pytest.raises(ValueError, match=r"na=... adds to"):
        hcbr.Model.fit(frame, ["p", "q"] * 18, na=["-"], na_only=["?"])


def test_na_only_is_the_whole_list(program, tmp_path):
    """Beside numbers and dates too: in a file, a table, one case, an estimator, a saved model."""
    day = ["-" if i % 13 == 4 else f"2020-{i % 12 + 1:02}-{i % 28 + 1:02}" for i in range(80)]
    frame = pandas.DataFrame({"age": ["N/A" if i % 9 == 2 else str(20 + i % 41) for i in range(80)],
                              "day": day, "size": [1.5, None, 2.5, 7] * 20})
    y = ["p" if i % 9 == 2 or i % 3 else "q" for i in range(80)]
    path = tmp_path / "a.csv"
    frame.assign(label=y).to_csv(path, index=False)
    odd = {"age": ["N/A"], "day": ["-"]}
    for options, words, kinds, known in (
            ({}, [], {"age": (9, 0), "day": (6, 0)}, None),
            ({"na": ["zz"]}, ["--na", "zz"], {"age": (9, 0), "day": (6, 0)}, None),
            ({"na_only": ["zz", ""]}, ["--na-only", "zz,"], {"age": (0, 9), "day": (0, 6)}, 1)):
        program("train", str(path), *words, "-q", "-o", str(tmp_path / "m.hcbr"))
        want = (tmp_path / "m.hcbr").read_bytes()
        assert hcbr.train(path, **options).to_bytes() == want
        assert hcbr.Model.fit(hcbr.read(path, **options)).to_bytes() == want
        model = hcbr.Model.fit(frame, y, **options)
        for one in (model, hcbr.Model.from_bytes(want), pickle.loads(pickle.dumps(model))):
            found = {k["name"]: (k["missing"], k["odd"]) for k in one.inspect()["kinds"]
                     if k["name"] != "size"}
            assert found == kinds, options
            assert one.inspect()["options"]["reading"]["na_only"] == ("na_only" in options)
            assert one.predict_one({"age": "N/A", "day": "-"}).known == known
            assert one.decide(pandas.DataFrame(odd), ("known",))["known"][0] == (known or 0)
        made = hcbr.HCBRClassifier(**options).fit(frame, y)
        assert list(made.predict(frame)) == list(model.predict(frame))


def test_new_cases_without_labels(files):
    model = hcbr.train(files / "a.jsonl")
    (files / "new.jsonl").write_text('{"age":3,"tags":["a"]}\n{"age":9,"tags":["b"]}\n')
    new = hcbr.read(files / "new.jsonl", no_label=True)
    assert repr(new) == "<hcbr.Data of 2 cases, no label>" and new.y is None and len(new) == 2
    want = [model.predict_one({"age": 3, "tags": ["a"]}).label,
            model.predict_one({"age": 9, "tags": ["b"]}).label]
    assert list(model.predict(new)) == want
    with pytest.raises(ValueError, match="no_label"):
        hcbr.Model.fit(new)
    other = hcbr.train(files / "a.csv", ignore=["who", "weight"])
    X = hcbr.read_csv(files / "a.csv", ignore=["who", "weight"])
    want = other.predict(pandas.read_csv(files / "a.csv", dtype=str, keep_default_na=False))
    assert list(other.predict(X)) == list(want)
