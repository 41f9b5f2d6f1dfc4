"""Models: made, stored, decided; the program and Python read each other's files."""

import copy
import json
import pathlib
import pickle

import numpy as np
import pytest
from conftest import VOTES

import hcbr


def test_model_of_files_has_the_bytes_of_the_program(program, tmp_path):
    for words, options in [
        ([], {}),
        (["--model", "plain", "--passes", "2"], {"model": "plain", "passes": 2}),
        (["--effort", "lite", "--seed", "5"], {"effort": "lite", "seed": 5}),
        (["--ignore", "crime,mx-missile"], {"ignore": ["crime", "mx-missile"]}),
        (["--keep-cases", "none", "--min-cases", "9"], {"keep_cases": "none", "min_cases": 9}),
    ]:
        path = tmp_path / "program.hcbr"
        program("train", "-q", VOTES, *words, "-o", path)
        assert hcbr.train(VOTES, **options).to_bytes() == path.read_bytes(), words


def test_program_and_python_read_each_other(program, votes, tmp_path):
    X, y = votes
    path = tmp_path / "python.hcbr"
    model = hcbr.Model.fit(X, y, label="class")
    model.save(path)
    lines = program("predict", path, VOTES, "--json").splitlines()
    found = [json.loads(line) for line in lines]
    assert [one["label"] for one in found] == list(model.predict(X))
    probability = [[one["probability"][label] for label in model.labels] for one in found]
    assert np.array_equal(probability, model.predict_proba(X))
    again = hcbr.Model.load(path)
    assert again.to_bytes() == path.read_bytes() == model.to_bytes()


def test_frame_and_file_give_the_same_bytes(votes):
    X, y = votes
    assert hcbr.Model.fit(X, y, label="class").to_bytes() == hcbr.train(VOTES).to_bytes()


def test_jsonl_and_dicts_give_the_same_bytes(tmp_path):
    cases = [
        {"age": 30 + i % 7, "tags": ["x", "y"][: 1 + i % 2], "home": {"city": "Ulm"}, "n": None,
         "ok": i % 3 == 0, "ratio": i / 8 + 0.0625}
        for i in range(40)
    ]
    y = ["a" if i % 7 > 3 else "b" for i in range(40)]
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps({"label": t, **c}) + "\n" for c, t in zip(cases, y)))
    for options in ({}, {"model": "plain"}):
        made = hcbr.Model.fit(cases, y, **options)
        assert made.to_bytes() == hcbr.train(path, **options).to_bytes()


def test_one_case_is_decided_as_a_row(votes):
    X, y = votes
    model = hcbr.Model.fit(X, y)
    table = model.decide(X, ("label", "probability", "support", "known", "lead", "reason"))
    for i in range(0, len(X), 17):
        one = model.predict_one(dict(X.iloc[i]))
        assert one.label == model.labels[table["label"][i]]
        assert list(one.probability.values()) == list(table["probability"][i])
        assert list(one.support.values()) == list(table["support"][i])
        assert one.known == table["known"][i] and one.reason == "support"
        assert one.unseen == []


def test_keys_that_are_no_features():
    rows = [{"a": i % 2, "name": f"n{i}", "y": "p" if i % 2 else "q", "w": 1} for i in range(20)]
    import pandas

    model = hcbr.Model.fit(pandas.DataFrame(rows), label="y", id="name", ignore=["w"])
    one = model.predict_one({"a": 1, "name": "other", "y": "r", "w": 7})
    assert one.unseen == [] and one.known == 1 and one.label == "p"


def test_texts_sets_and_dicts_of_the_program(program, tmp_path):
    path, model_path = tmp_path / "notes.csv", tmp_path / "notes.hcbr"
    rows = ["label,note,tags,age"]
    for i in range(60):
        rows.append(f"{'hot' if i % 2 else 'cold'},{'sun and sand' if i % 2 else 'snow and ice'}"
                    f" {i % 5},{'a|b' if i % 3 else 'c'},{i}")
    path.write_text("\n".join(rows) + "\n")
    program("train", "-q", path, "--text", "note", "--split", "tags:|", "-o", model_path)
    model = hcbr.Model.load(model_path)
    said = program("predict", model_path, "--case", "note=Sand, sand and sun!", "--case",
                   "tags=a|b", "--case", "age=7", "--json")
    one = model.predict_one({"note": "Sand, sand and sun!", "tags": "a|b", "age": 7})
    assert one.label == json.loads(said)["label"] == "hot"
    assert one.probability == json.loads(said)["probability"]
    assert one.unseen == json.loads(said)["unseen"]
    assert model.predict_one("snow and ice").label == "cold"  # the column of texts
    assert list(model.predict([{"note": "snow"}, {"note": "sun"}])) == ["cold", "hot"]


def test_pickle_and_copies_hold_the_bytes(votes):
    model = hcbr.Model.fit(*votes)
    again = pickle.loads(pickle.dumps(model))
    assert again.to_bytes() == model.to_bytes()
    assert copy.copy(model) is model and copy.deepcopy(model) is model
    assert hcbr.Model.from_bytes(bytearray(model.to_bytes())).labels == model.labels


def test_what_a_model_says_of_itself(votes):
    model = hcbr.Model.fit(*votes)
    assert model.labels == ("democrat", "republican") and model.has_probability
    assert model.inspect(3)["cases"] == len(votes[0])
    assert "435 cases" in repr(model)
    assert not hcbr.Model.fit(*votes, model="plain").has_probability
    assert {name for name, *_ in model.importance(20)} <= set(votes[0].columns)


def test_broken_files_are_refused(votes, tmp_path):
    data = hcbr.Model.fit(*votes).to_bytes()
    for bad in (b"", b"HCBR", data[:-1], data + b"x", data[:100] + b"\xff" + data[101:]):
        with pytest.raises(hcbr.ModelError):
            hcbr.Model.from_bytes(bad)
    with pytest.raises(FileNotFoundError):
        hcbr.Model.load(tmp_path / "absent.hcbr")
    with pytest.raises(FileNotFoundError):
        hcbr.Model.from_bytes(data).save(tmp_path / "absent" / "x.hcbr")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(NotADirectoryError):
        hcbr.Model.load(tmp_path / "file" / "x.hcbr")
    with pytest.raises(OSError, match="directory"):
        hcbr.Model.load(tmp_path)
    with pytest.raises(TypeError):
        hcbr.Model.from_bytes("text")
    with pytest.raises(TypeError):
        hcbr.Model(data)


def test_threads_change_nothing(numbers):
    X, y = numbers
    one, two = (hcbr.Model.fit(X, y, n_jobs=n) for n in (1, 2))
    assert one.to_bytes() == two.to_bytes()
    assert np.array_equal(one.predict_proba(X), one.predict_proba(X, n_jobs=2))


def test_data_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="absent"):
        hcbr.train(tmp_path / "absent.csv")
    path = pathlib.Path(tmp_path / "bad.csv")
    path.write_text("label,a\nx,1\ny,2,3,4\n")
    with pytest.raises(hcbr.DataError, match="bad.csv:3"):
        hcbr.train(path, bad_rows="stop")
