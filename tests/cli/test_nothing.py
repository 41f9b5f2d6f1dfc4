"""What is answered where nothing of a case is known: a rich model has a probability even then, the
share of each label, and decides by it, with the reason; plain models, --fallback unknown and
whatever refuses to decide answer unknown."""
import json
import random

from program import lines, run, run_tests, write

LITE = ("--model", "rich", "--effort", "lite")


def draw(path, labels, count=120):
    """The label with the most rows is the last one."""
    rows = ["label,x,c"]
    for n in range(count):
        place = n // 2 % len(labels) if n % 2 else len(labels) - 1
        rows.append(f"{labels[place]},{random.gauss(place, 1):.2f},{random.choice('abc')}")
    return write(path, rows)


def train(*options, model="m.hcbr", command="train"):
    run(command, "t.csv", *options, "-q", "-o", model)
    return model


def nothing(model, *options):
    """Answers to an empty case and one of unseen features alone, by file and case by case."""
    with open("new.jsonl", "w", encoding="utf-8") as file:
        file.write('{}\n{"x": null, "z": "new"}\n{"c": "never", "d": ["p", "q"]}\n')
    found = [json.loads(row) for row in
             run("predict", model, "new.jsonl", "--json", "-q", *options).stdout.splitlines()]
    for number, row in enumerate(lines("new.jsonl")):  # one at a time
        write("one.jsonl", [row])
        one = json.loads(run("predict", model, "one.jsonl", "--json", "-q", *options).stdout)
        assert {**one, "row": number + 1} == found[number], (one, found[number])
    assert [row["reason"] for row in found] == ["empty case", "nothing known", "nothing known"]
    explained = [json.loads(row) for row in
                 run("explain", model, "new.jsonl", "--json", "-q", *options).stdout.splitlines()]
    assert [row["label"] for row in explained] == [row["label"] for row in found]
    assert [row["probability"] for row in explained] == [row["probability"] for row in found]
    assert len({row["label"] for row in found}) == 1
    return found[0]


def rich__answers_by_how_frequent_labels_are():
    for labels in (("no", "yes"), ("a", "b", "c"), ("only",)):
        draw("t.csv", labels)
        train(*LITE)
        answer = nothing("m.hcbr")
        truth = [row.split(",")[0] for row in lines("t.csv")[1:]]
        assert answer["label"] == labels[-1], answer
        for label in labels:
            assert abs(answer["probability"][label] - truth.count(label) / len(truth)) < 1e-12
        text = run("predict", "m.hcbr", "new.jsonl", "-q").stdout.splitlines()
        assert text[0].split("\t")[1] == labels[-1] and text[0].endswith("0/0\tempty case"), text
        assert text[1].split("\t")[1] == labels[-1] and text[1].endswith("\tnothing known"), text
        seen = json.loads(run("inspect", "m.hcbr", "--json").stdout)
        assert seen["options"]["nothing_known"] == "auto"
        assert nothing("m.hcbr", "--memory")["label"] == labels[-1]


def others__answer_unknown_as_before():
    draw("t.csv", ("no", "yes"))
    for options in (("--model", "plain"), ("--model", "plain", "--calibrate", "platt"),
                    (*LITE, "--fallback", "unknown"), (*LITE, "--eta", "yes=.9"),
                    (*LITE, "--eta-share", "no=.7"), (*LITE, "--fallback", "no")):
        assert nothing(train(*options))["label"] is None, options
    assert nothing(train(*LITE), "--fallback", "unknown")["label"] is None
    assert nothing("m.hcbr", "--eta", "no=.2")["label"] is None
    assert nothing(train(*LITE, "--max-error", ".4", command="tune"))["label"] is None
    assert nothing(train(*LITE, "--max-error", ".9", command="tune"))["label"] is None
    assert nothing("m.hcbr", "--fallback", "prior")["label"] == "yes"
    assert nothing(train("--model", "plain"), "--fallback", "prior")["label"] == "yes"
    assert nothing("m.hcbr", "--fallback", "auto")["label"] is None


def tuned__rules_decide_it_too():
    """Of yes about three in four: what is expected to cost least."""
    draw("t.csv", ("no", "yes"))
    for cost, label in (("fp=1,fn=1", "yes"), ("fp=9,fn=1", "no"), ("fp=9,fn=9,unknown=1", None),
                        ("fp=1,fn=9,unknown=1", "yes")):
        assert nothing(train(*LITE, "--cost", cost, command="tune"))["label"] == label, cost
    for metric in ("accuracy", "mcc", "f1"):
        report = json.loads(run("tune", "t.csv", *LITE, "--metric", metric, "--json", "-q", "-o",
                                "m.hcbr").stdout)
        answer, cut = nothing("m.hcbr"), report["cut"]
        limit = cut["high"] if cut else .5
        assert answer["label"] == ("yes" if answer["probability"]["yes"] > limit else "no")


def evaluate__counts_such_answers():
    rows = [f"{'yes' if n % 4 else 'no'},{n % 7},a" for n in range(80)]
    rows += ["yes,,"] * 10 + ["no,,"] * 2  # empty: answered yes
    write("t.csv", ["label,x,c"] + rows)
    for fallback, empty in (("auto", "yes"), ("unknown", None)):
        report = json.loads(run("evaluate", "t.csv", *LITE, "--fallback", fallback, "--json", "-q",
                                "--predictions", "p.jsonl").stdout)
        found = [json.loads(row) for row in lines("p.jsonl")]
        assert [row["label"] for row in found if row["row"] > 80] == [empty] * 12
        assert {row["reason"] for row in found if row["row"] > 80} == {"empty case"}
        assert abs(report["unknown"] - (0 if empty else 12 / 92)) < 1e-12


def empty_cases_are_learnt_from():
    """Most cases are `big`, but nearly all without a feature are `small`."""
    for labels in (["big", "small"], ["big", "middle", "small"]):
        rows = []
        for n in range(300):
            label = labels[0] if n % 3 else labels[n // 3 % len(labels)]
            rows.append(json.dumps({"label": label, "t": [f"w{n % 7}", f"{label[0]}{n % 4}"]}))
        rows += ['{"label": "small"}'] * 22 + ['{"label": "big"}'] * 2
        write("t.jsonl", rows)
        run("train", "t.jsonl", "-q", "-o", "m.hcbr")
        write("new.jsonl", ["{}", '{"z": "never seen"}'])
        found = [json.loads(row) for row in
                 run("predict", "m.hcbr", "new.jsonl", "--json", "-q").stdout.splitlines()]
        for row in found:
            assert row["label"] == "small" and row["probability"]["small"] > .7, row
            assert all(value == 0 for value in row["support"].values()), row
        assert [row["reason"] for row in found] == ["empty case", "nothing known"]
        # held out, they are decided so too
        report = json.loads(run("evaluate", "t.jsonl", "--json", "-q").stdout)
        assert report["accuracy"]["mean"] > .97 and report["unknown"] == 0, report["accuracy"]


run_tests([rich__answers_by_how_frequent_labels_are, empty_cases_are_learnt_from,
           others__answer_unknown_as_before, tuned__rules_decide_it_too,
           evaluate__counts_such_answers])
