"""hcbr evaluate MODEL DATA: a model that exists, on labelled cases.

A model of one file that decides another must get the figures of `evaluate --test`, which trains
the same model itself.
"""
import json
import random

from program import PLAIN, VOTES, close, json_lines, lines, run, run_tests, write

QUICK = ["--effort", "lite"]
NOT_KNOWN = {"copies", "accuracy_new", "fit_seconds", "predict_seconds"}
OF_ALL = {"cases", "features", "atoms", "skipped_rows"}  # of training too, or of the model alone


def report(*arguments):
    return json.loads(run("evaluate", *arguments, "--json", "-q").stdout)


def three_labels(rows):
    """A table with numbers, dates and three labels."""
    made = ["when,amount,colour,class"]
    for _ in range(rows):
        k = random.randrange(3)
        made.append(f"2021-{random.randrange(1, 13):02}-{random.randrange(1, 29):02},"
                    f"${random.gauss(k, 1):.2f},{random.choice(['red', 'blue', 'green'][k:])},"
                    f"{'abc'[k]}")
    return made


def split(table, share=.6):
    header, rows = table[:1], table[1:]
    random.shuffle(rows)
    cut = int(len(rows) * share)
    write("past.csv", header + rows[:cut])
    write("new.csv", header + rows[cut:])
    return rows[cut:]


def same(one, other, path=""):
    """All but what an evaluation of a stored model cannot know."""
    if isinstance(one, dict):
        assert set(one) == set(other)
        for key in one:
            if key not in NOT_KNOWN and key not in OF_ALL:
                same(one[key], other[key], f"{path}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(other), path
        for n, (a, b) in enumerate(zip(one, other)):
            same(a, b, f"{path}[{n}]")
    elif isinstance(one, float) or isinstance(other, float):
        assert close(one, other), (path, one, other)
    else:
        assert one == other, (path, one, other)


def check_same(options, more=()):
    trained = report("past.csv", "--test", "new.csv", *options, *more, "--predictions", "a.jsonl")
    run("train", "past.csv", *options, "-q", "-o", "past.hcbr")
    for threads in "1", "3":
        stored = report("past.hcbr", "new.csv", *more, "-j", threads, "--predictions", "b.jsonl")
        same(stored, trained)
        assert all(stored[key]["mean"] is None for key in ("copies", "accuracy_new"))
        assert stored["fit_seconds"] is None and stored["predict_seconds"] >= 0
        for a, b in zip(json_lines("a.jsonl"), json_lines("b.jsonl"), strict=True):
            a.pop("copy"), b.pop("copy")
            assert a == b, (a, b)
    return stored


def figures_are_those_of_a_test_file():
    split(lines(VOTES))
    for model in [], QUICK, PLAIN, [*PLAIN, "--calibrate", "platt"]:
        check_same(model)
        stored = check_same(model, ["--positive", "democrat", "--at", "20"])
        assert stored["precision_at"]["mean"] > .9 and stored["pr_auc"]["mean"] > .9
    split(three_labels(300))
    for model in QUICK, PLAIN:
        check_same(model)


def a_label_that_is_new_is_decided_wrongly():
    for label in "0 early", "zz late":  # before and after those of the model
        votes = lines(VOTES)
        new = split(votes)
        write("new.csv", votes[:1] + [row.replace("democrat", label) if n < 9 else row
                                      for n, row in enumerate(new)])
        count = sum("democrat" in row for row in new[:9])
        for model in QUICK, PLAIN:
            stored = check_same(model)
            recall = {x["name"]: x["recall"]["mean"] for x in stored["labels"]}
            assert recall[label] == 0 and recall["democrat"] > .8, recall
        said = run("evaluate", "past.hcbr", "new.csv").stderr
        assert "1 label that the model does not know" in said and count > 0


def cases_without_a_label_are_left_out_and_said():
    votes = lines(VOTES)
    new = split(votes)
    run("train", *QUICK, "past.csv", "-q", "-o", "past.hcbr")
    place = votes[0].split(",").index("class")
    whole = report("past.hcbr", "new.csv")
    gaps = [",".join("" if i == place else x for i, x in enumerate(row.split(",")))
            for row in random.choices(new, k=7)]
    write("gaps.csv", votes[:1] + gaps[:4] + new + gaps[4:])
    some = report("past.hcbr", "gaps.csv")
    same(some, whole)
    assert "7 cases without a label: left out" in run("evaluate", "past.hcbr", "gaps.csv").stderr
    write("none.csv", votes[:1] + gaps)
    said = run("evaluate", "past.hcbr", "none.csv", code=3).stderr
    assert "found no labelled case among 7" in said, said


def costs_are_those_of_the_rule():
    split(lines(VOTES))
    run("tune", *QUICK, "past.csv", "--cost", "fp=1,fn=30", "-q", "-o", "past.hcbr")
    stored = report("past.hcbr", "new.csv", "--predictions", "b.jsonl")
    answers = json_lines("b.jsonl")
    price = {("democrat", "republican"): 1, ("republican", "democrat"): 30}
    paid = sum(price.get((a["truth"], a["label"]), 0) for a in answers)
    assert close(stored["cost"]["mean"], paid / len(answers)), stored["cost"]
    always = sum(30 * (a["truth"] == "republican") for a in answers)
    assert close(stored["cost"]["baseline"], always / len(answers)), stored["cost"]
    run("train", *QUICK, "past.csv", "-q", "-o", "past.hcbr")
    assert report("past.hcbr", "new.csv")["cost"]["mean"] is None


def options_of_training_are_refused():
    split(lines(VOTES))
    run("train", *QUICK, "past.csv", "-q", "-o", "past.hcbr")
    for option in ["--folds", "3"], ["--model", "plain"], ["--test", "new.csv"], ["--seed", "2"]:
        said = run("evaluate", "past.hcbr", "new.csv", *option, code=2).stderr
        assert f"{option[0]}: past.hcbr is a model, which is trained already" in said, said
    said = run("evaluate", "past.hcbr", "new.csv", "--positive", "green", code=2).stderr
    assert "positive label 'green', which no case has" in said, said
    # A model alone is no data.
    assert run("evaluate", "past.hcbr", code=None).returncode != 0


def text_names_no_training():
    split(lines(VOTES))
    run("train", *QUICK, "past.csv", "-q", "-o", "past.hcbr")
    text = run("evaluate", "past.hcbr", "new.csv", "--at", "10").stdout
    assert "decided      the 174 labelled cases of the data, by a model of 261" in text, text
    assert "precision_at" in text and "pr_auc" in text
    assert "nan" not in text and "copies" not in text and "built in" not in text


run_tests([figures_are_those_of_a_test_file, a_label_that_is_new_is_decided_wrongly,
           cases_without_a_label_are_left_out_and_said, costs_are_those_of_the_rule,
           options_of_training_are_refused, text_names_no_training])
