"""hcbr evaluate, through the program alone.

What it says of held-out cases is held against train and predict on files with just those rows;
metrics are worked out again from the predictions it writes.
"""
import json
import math
import os
import random
import re
import statistics

from program import (DOCUMENT, PLAIN, VOTES, close, document_keys, json_lines, lines, run,
                     run_tests, shuffled, write)

TIMES = ("fit_seconds", "predict_seconds")
QUICK = ["--effort", "lite"]  # of the default model
MODELS = QUICK, PLAIN


def report(*arguments):
    """The JSON report without its times."""
    result = json.loads(run("evaluate", *arguments, "--json", "-q").stdout)
    for thing in [result] + result["parts"]:
        for key in TIMES:
            assert thing.pop(key) >= 0
    return result


# ---- held-out decisions ------------------------------------------------------------------------

def check_against_train_and_predict(rows, header, reading, options):
    """Every fold: train on a file of the other rows, predict a file of its own."""
    ending = "csv" if header else "txt"
    data = write("data." + ending, header + rows)
    folds = [random.randrange(3) for _ in rows]
    folds[:3] = [0, 1, 2]
    write("folds.txt", [str(f) for f in folds])
    result = report(data, *reading, *options, "--folds-file", "folds.txt", "--predictions",
                    "answers.jsonl", "-j", "2")
    answers = json_lines("answers.jsonl")
    assert [a["row"] for a in answers] == list(range(1, len(rows) + 1))
    right = 0
    for fold in range(3):
        train = [r for r, f in zip(rows, folds) if f != fold]
        test = [r for r, f in zip(rows, folds) if f == fold]
        write("train." + ending, header + train)
        write("test." + ending, header + test)
        run("train", "train." + ending, *reading, *options, "-q", "-o", "model.hcbr")
        found = run("predict", "model.hcbr", "test." + ending, "--json", "-q").stdout.splitlines()
        own = [a for a in answers if a["fold"] == fold]
        assert len(own) == len(test) == len(found)
        for answer, line, row in zip(own, found, test):
            decided = json.loads(line)
            assert answer["label"] == decided["label"], (answer, decided)
            assert answer["reason"] == decided["reason"], (answer, decided)
            assert answer["truth"] == decided["given"], (answer, decided)
            assert answer["copy"] == (set_of(row, header) in {set_of(r, header) for r in train})
            for label, support in answer["support"].items():
                assert decided["support"].get(label, 0) == support, (answer, decided)
            right += answer["label"] == answer["truth"]
    assert close(result["accuracy"]["pooled"], right / len(rows))


def set_of(row, header):
    """What makes two rows the same case: all but the label."""
    if not header:
        return frozenset(tuple(sorted(row.split("\t")[1].split())))
    fields = row.split(",")
    place = header[0].split(",").index("class")
    return tuple(fields[:place] + fields[place + 1:])


def held_out_decisions():
    votes = lines(VOTES)
    for model in [], QUICK, PLAIN:
        check_against_train_and_predict(votes[1:], votes[:1], [], model)
    check_against_train_and_predict(
        votes[1:121], votes[:1], [],
        [*PLAIN, "--passes", "3", "--scope", "all", "--seed", "9", "--memory"])
    for model, least in (QUICK, 0.8), (PLAIN, 0.02):
        check_against_train_and_predict(
            votes[1:121], votes[:1], [],
            [*model, "--eta", f"democrat={least}", "--eta-share", "republican=0.7", "--fallback",
             "democrat"])
    colours = ["red", "green", "blue", "?"]
    rows = []
    for _ in range(90):
        label = random.choice(["1", "02", "10", "x"] if len(rows) < 3 else ["1", "02", "10"])
        rows.append(f"{label},{random.choice(colours)},{random.randrange(4) + len(label)},"
                    f"{random.randrange(30)}")
    for options in [*PLAIN, "--given-order"], QUICK:
        check_against_train_and_predict(rows, ["class,colour,size,rare"], [], options)


def rare_words_are_rare_in_the_training_part():
    """--min-count: a word is counted in the training cases alone."""
    words = [f"w{n}" for n in range(25)]
    rows = [random.choice(["spam", "ham"]) + "\t" +
            " ".join(sorted(set(random.choices(words, k=4)))) for _ in range(40)]
    for row in range(0, 40, 9):
        rows[row] += f" once{row}"
    for model in MODELS:
        check_against_train_and_predict(rows, [], ["--format", "text", "--min-count", "4"], model)


def rare_values_are_rare_in_the_training_part():
    """--min-cases: a value is counted in the training cases alone; numbers of a rich model stay."""
    rows = [f"{random.choice(['p', 'q'])},{random.choice('aabbccd')},n{random.randrange(15)},"
            f"{random.randrange(1000) / 4}" for _ in range(60)]
    for model in MODELS:
        check_against_train_and_predict(rows, ["class,kind,name,size"], [],
                                        [*model, "--min-cases", "5"])


# ---- figures -----------------------------------------------------------------------------------

def figures_follow_from_the_predictions():
    for model in MODELS:
        check_figures(model)


def check_figures(model):
    result = report(VOTES, *model, "--repeats", 2, "--folds", 5, "--predictions", "answers.jsonl")
    answers = json_lines("answers.jsonl")
    assert len(answers) == 2 * 435 and result["held_out"] == 435
    assert (result["folds"], result["repeats"], result["seed"]) == (5, 2, 1)
    assert result["positive"] == "republican" and result["cases"] == 435
    values = []
    for repeat in range(2):
        for fold in range(5):
            own = [a for a in answers if (a["repeat"], a["fold"]) == (repeat, fold)]
            part = next(p for p in result["parts"] if (p["repeat"], p["fold"]) == (repeat, fold))
            tp = sum(a["truth"] == a["label"] == "republican" for a in own)
            tn = sum(a["truth"] == a["label"] == "democrat" for a in own)
            fp = sum(a["truth"] == "democrat" and a["label"] == "republican" for a in own)
            fn = sum(a["truth"] == "republican" and a["label"] == "democrat" for a in own)
            positive = sum(a["truth"] == "republican" for a in own)
            assert part["held_out"] == len(own) and part["trained"] == 435 - len(own)
            assert close(part["accuracy"], (tp + tn) / len(own))
            assert close(part["recall"], tp / positive)
            assert close(part["specificity"], tn / (len(own) - positive))
            assert close(part["precision"], tp / (tp + fp))
            assert close(part["npv"], tn / (tn + fn))
            assert close(part["unknown"], sum(a["label"] is None for a in own) / len(own))
            values.append(part["accuracy"])
    accuracy = result["accuracy"]
    assert close(accuracy["mean"], statistics.mean(values)) and accuracy["parts"] == 10
    assert close(accuracy["sd"], statistics.stdev(values))
    assert accuracy["ci"][0] < accuracy["pooled"] < accuracy["ci"][1]
    assert abs(accuracy["baseline"] - 267 / 435) < 0.01 and result["mcc"]["baseline"] == 0
    assert result["auc"]["baseline"] == 0.5
    assert (result["log_loss"]["mean"] is None) == (model == PLAIN)
    counts = {(c["truth"], c["label"]): c["count"] for c in result["confusion"]}
    assert sum(counts.values()) == 870
    for (truth, label), count in counts.items():
        assert count == sum((a["truth"], a["label"]) == (truth, label) for a in answers)


def keys_are_those_of_the_document():
    for model in MODELS:
        run("evaluate", *model, VOTES, "--folds", 3, "--json", "--predictions", "answers.jsonl")
        result = json.loads(run("evaluate", *model, VOTES, "--folds", 3, "--json").stdout)
        for thing in result, json_lines("answers.jsonl")[0]:
            known = document_keys(thing["schema"])
            assert set(thing) == known, set(thing) ^ known
        assert set(result["mcc"]) == {"mean", "sd", "ci", "pooled", "parts", "value",
                                      "baseline"}
        assert "NaN" not in json.dumps(result) and "nan" not in json.dumps(result)
        with open(DOCUMENT, encoding="utf-8") as file:
            figures = set(re.findall(r"^\| `(\w+)` \| a figure", file.read(), re.M))
        assert figures == {key for key, value in result.items()
                           if isinstance(value, dict) and "pooled" in value}, figures


def threads_change_nothing():
    for model in MODELS:
        words = [VOTES, *model, "--repeats", 2]
        one = report(*words)
        assert one == report(*words, "-j", 2) == report(*words, "-j", 7)
        assert one != report(*words, "--seed", 2)


def folds_can_be_kept_and_given():
    for model in MODELS:
        check_given_folds(model)


def check_given_folds(model):
    first = report(VOTES, *model, "--folds", 7, "--folds-out", "folds.txt", "--equal-rows", "apart")
    assert sorted(set(lines("folds.txt"))) == [str(f) for f in range(7)]
    second = report(VOTES, *model, "--folds-file", "folds.txt")
    assert first == second
    # other numbers for the same folds, and another end of line
    with open("other.txt", "w", encoding="utf-8", newline="") as file:
        file.write("\r\n".join(str(10 ** int(f)) for f in lines("folds.txt")))
    assert report(VOTES, *model, "--folds-file", "other.txt") == first
    # a row that is skipped has a line of its own
    rows = lines(VOTES)
    rows.insert(5, "too,few")
    write("bad.csv", rows)
    folds = lines("folds.txt")
    write("more.txt", folds[:4] + ["3"] + folds[4:])
    skipped = report("bad.csv", *model, "--bad-rows", "skip", "--folds-file", "more.txt",
                     "--predictions", "answers.jsonl")
    assert skipped["skipped_rows"] == 1 and skipped["accuracy"] == first["accuracy"]
    assert [a["row"] for a in json_lines("answers.jsonl")] == [r for r in range(1, 437) if r != 5]
    report("bad.csv", *model, "--bad-rows", "skip", "--folds-out", "out.txt")
    assert len(lines("out.txt")) == 436


# ---- ways to hold out --------------------------------------------------------------------------

def groups_stay_together():
    for model in MODELS:
        check_groups(model)


def check_groups(model):
    rows = ["class,patient,a,b"]
    for _ in range(200):
        patient = random.randrange(20)
        rows.append(f"{'yes' if random.random() < .4 else 'no'},p{patient},{patient % 7},"
                    f"{random.randrange(5)}")
    rows += ["yes,,1,1", "no,NA,2,2"]
    write("groups.csv", rows)
    for extra in ([], ["--holdout", "0.3"], ["--repeats", "3"]):
        report("groups.csv", *model, "--group", "patient",
               "--folds-out" if not extra else "--predictions", "out", *extra)
        if not extra:
            fold = {}
            for row, number in zip(rows[1:], lines("out")):
                patient = row.split(",")[1].replace("NA", "")
                assert fold.setdefault(patient, number) == number
        else:
            seen = {}
            for a in json_lines("out"):
                patient = rows[a["row"]].split(",")[1].replace("NA", "")
                assert seen.setdefault((a["repeat"], patient), a["fold"]) == a["fold"]
                assert not any("patient" in str(key) for key in a["support"])
    # the group is no feature: without the column there are as many
    grouped = report("groups.csv", *model, "--group", "patient", "--folds-out", "folds.txt",
                     "--predictions", "with")
    write("without.csv", [",".join(r.split(",")[:1] + r.split(",")[2:]) for r in rows])
    alone = report("without.csv", *model, "--folds-file", "folds.txt", "--predictions", "without")
    assert grouped["features"] == alone["features"] and grouped["atoms"] == alone["atoms"]
    # and plain decisions are the same; a rich model holds groups out within its training, too
    assert (lines("with") == lines("without")) == (model == PLAIN)
    # JSON Lines give the same
    keys = rows[0].split(",")
    write("groups.jsonl", [json.dumps({k: v for k, v in zip(keys, r.split(",")) if v})
                           for r in rows[1:]])
    report("groups.jsonl", *model, "--group", "patient", "--predictions", "jsonl")
    assert lines("jsonl") == lines("with")


def order_trains_on_the_past():
    for model in MODELS:
        check_order(model)


def check_order(model):
    result = report(VOTES, *model, "--past-only", "--folds", 4, "--predictions", "answers.jsonl")
    sizes = [(p["trained"], p["held_out"]) for p in result["parts"]]
    assert sizes == [(87, 87), (174, 87), (261, 87), (348, 87)], sizes
    votes = lines(VOTES)
    write("past.csv", votes[:262])
    write("next.csv", votes[:1] + votes[262:349])
    run("train", *model, "past.csv", "-q", "-o", "past.hcbr")
    found = run("predict", "past.hcbr", "next.csv", "--json", "-q").stdout.splitlines()
    own = [a for a in json_lines("answers.jsonl") if a["fold"] == 2]
    assert [json.loads(f)["support"] for f in found] == [a["support"] for a in own]
    result = report(VOTES, *model, "--past-only", "--holdout", "0.1", "--predictions",
                    "answers.jsonl")
    assert [a["row"] for a in json_lines("answers.jsonl")] == list(range(392, 436))
    assert result["parts"][0]["trained"] == 391


def another_file_is_tested():
    for model in MODELS:
        check_another_file(model)


def check_another_file(model):
    votes = lines(VOTES)
    write("past.csv", votes[:301])
    write("new1.csv", votes[:1] + votes[301:401])
    write("new2.csv", votes[:1] + votes[401:] + [votes[1].replace("republican", "green")])
    result = report("past.csv", *model, "--test", "new1.csv", "--test", "new2.csv",
                    "--predictions", "answers.jsonl", "-j", 2)
    answers = json_lines("answers.jsonl")
    assert [a["row"] for a in answers] == list(range(1, 137)) and result["folds"] == 1
    assert result["parts"][0]["trained"] == 300 and result["cases"] == 436
    assert answers[-1]["truth"] == "green" and answers[-1]["support"]["green"] == 0
    run("train", *model, "past.csv", "-q", "-o", "past.hcbr")
    found = run("predict", "past.hcbr", "new1.csv", "new2.csv", "--json", "-q").stdout.splitlines()
    for a, line in zip(answers, found):
        decided = json.loads(line)
        assert a["label"] == decided["label"]
        assert {l: s for l, s in a["support"].items() if l != "green"} == decided["support"]
    assert result["accuracy"]["sd"] is None and result["positive"] is None
    for key in ("accuracy", "mcc"):  # one part: its cases have intervals, though parts have none
        low, high = result[key]["ci"]
        assert low < result[key]["value"] < high, result[key]


# ---- no leak -----------------------------------------------------------------------------------

def shuffled_labels_score_like_chance():
    noise = shuffled(lines(VOTES))
    write("noise.csv", noise)
    write("unique.csv", [noise[0] + ",serial"] + [f"{r},{n}" for n, r in enumerate(noise[1:])])
    for data in "noise.csv", "unique.csv":
        for options in QUICK, PLAIN, [*PLAIN, "--passes", 0], [*PLAIN, "--memory"]:
            result = report(data, "--repeats", 10, *options)
            # 435 cases: 4 standard errors of a correlation, of an area
            assert abs(result["mcc"]["mean"]) < 4 / math.sqrt(435), (data, options, result["mcc"])
            assert abs(result["auc"]["mean"] - .5) < 4 * 0.28 / math.sqrt(435) * 1.05, result["auc"]


def duplicates_are_visible():
    votes = lines(VOTES)
    write("twice.csv", votes + votes[1:])
    for model in MODELS:
        result = report("twice.csv", *model)
        assert result["copies"]["pooled"] > 0.85
        text = run("evaluate", *model, "twice.csv").stdout
        assert "of the held-out cases are also in training; accuracy on the others" in text


# ---- for people --------------------------------------------------------------------------------

def text_is_for_people():
    for model in MODELS:
        text = run("evaluate", *model, VOTES).stdout
        assert text.startswith("cases        435 with 32 features and 2 labels\n")
        assert "10 folds, each decided by a model of the others, seed 1" in text
        result = report(VOTES, *model)
        line = next(l for l in text.splitlines() if l.startswith("accuracy"))
        assert line.split()[1] == f"{result['accuracy']['mean']:.4f}"
        assert line.split()[2] == f"{result['accuracy']['sd']:.4f}"
        assert line.split()[-1] == f"{result['accuracy']['baseline']:.4f}"
        assert max(len(l) for l in text.splitlines()) <= 100
        long = run("evaluate", *model, VOTES, "-v").stdout
        assert len(long.splitlines()) >= len(text.splitlines()) + 12
    many = write("many.csv", ["class,a"] + [f"l{n % 9},{n % 9}" for n in range(90)])
    text = run("evaluate", many).stdout
    assert "l8" in text and "true /" not in text


def nothing_is_left_behind_by_a_failure():
    before = sorted(os.listdir("."))
    run("evaluate", VOTES, "--positive", "green", "--predictions", "p", "--folds-out", "f", code=2)
    run("evaluate", VOTES, "--folds", 1000, "--predictions", "p", "--folds-out", "f", code=2)
    run("evaluate", VOTES, "--predictions", "/dev/full", code=5)
    assert sorted(os.listdir(".")) == before
    write("mine.csv", lines(VOTES))
    run("evaluate", "mine.csv", "--predictions", "./mine.csv", code=2)
    assert lines("mine.csv") == lines(VOTES)


run_tests([held_out_decisions, rare_words_are_rare_in_the_training_part,
           rare_values_are_rare_in_the_training_part,
           figures_follow_from_the_predictions, keys_are_those_of_the_document,
           threads_change_nothing, folds_can_be_kept_and_given, groups_stay_together,
           order_trains_on_the_past, another_file_is_tested, shuffled_labels_score_like_chance,
           duplicates_are_visible, text_is_for_people, nothing_is_left_behind_by_a_failure])
