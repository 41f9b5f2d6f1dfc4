"""hcbr tune, through the program alone.

The figures it prints are worked out again by tuning files without each fold and deciding the fold;
what a rule is worth is counted on the decisions that predict gives with the stored model.
"""
import json
import math
import os
import random
import statistics

from program import VOTES, close, document_keys, json_lines, lines, run, run_tests, shuffled, write

PLAIN = ["--model", "plain"]


def tune(*arguments, model="tuned.hcbr"):
    return json.loads(run("tune", *PLAIN, *arguments, "--json", "-q", "-o", model).stdout)


def answers(model, data):
    return [json.loads(line) for line in
            run("predict", model, data, "--json", "-q").stdout.splitlines()]


def noisy(path, rows, noise, labels=("no", "yes"), columns=6, values=3):
    """A csv of columns that each tell the label with some noise."""
    table = ["class," + ",".join(f"c{n}" for n in range(columns))]
    for n in range(rows):
        label = n % len(labels)
        table.append(labels[label] + "," + ",".join(
            str(random.randrange(values) if random.random() < noise else label % values)
            for _ in range(columns)))
    return write(path, table)


def cost_of(found, costs):
    """Mean cost of decisions: {(given in the data, answered): cost}; no answer costs 1."""
    return statistics.mean(
        costs.get((a["given"], a["label"]), 1) if a["given"] != a["label"] else 0 for a in found)


def figures_come_from_models_that_saw_nothing_of_the_fold():
    """Ten times: tune on the other rows alone, decide the fold, average."""
    for data, options in ((VOTES, ["--metric", "mcc"]),
                          (noisy("noisy.csv", 300, .8), ["--metric", "f1", "--try-passes", "1,3"]),
                          (noisy("limit.csv", 400, .6), ["--max-error", .2])):
        result = tune(data, *options, "--folds", 5)
        run("evaluate", *PLAIN, data, "--folds", 5, "--folds-out", "folds.txt", "-q",
            "--equal-rows", "together")
        folds, table = lines("folds.txt"), lines(data)
        right, undecided = [], []
        for fold in sorted(set(folds)):
            write("train.csv", table[:1] + [r for r, f in zip(table[1:], folds) if f != fold])
            write("test.csv", table[:1] + [r for r, f in zip(table[1:], folds) if f == fold])
            tune("train.csv", *options, "--folds", 5, model="part.hcbr")
            found = answers("part.hcbr", "test.csv")
            right.append(statistics.mean(a["label"] == a["given"] for a in found))
            undecided.append(statistics.mean(a["label"] is None for a in found))
        held_out = result["held_out"]
        assert close(held_out["accuracy"]["mean"], statistics.mean(right)), (options, held_out)
        assert close(held_out["accuracy"]["sd"], statistics.stdev(right)), (options, held_out)
        assert close(held_out["unknown"]["mean"], statistics.mean(undecided)), (options, held_out)


def the_rule_is_stored_with_its_reason():
    data = noisy("noisy.csv", 400, .7)
    result = tune(data, "--cost", "fp=1,fn=30")
    seen = json.loads(run("inspect", "tuned.hcbr", "--json").stdout)
    assert json.dumps(result["why"]) in json.dumps(seen), seen
    assert result["why"] in run("inspect", "tuned.hcbr").stdout
    assert set(result["rule"]) == {"no", "yes"}
    # One threshold of the difference of the supports: no label turns back.
    cut, moved = result["cut"], 0
    assert cut["label"] == "yes" and cut["score"] == "support" and cut["low"] == cut["high"]
    assert result["costs"] is None and seen["options"]["cut"] == cut
    for answer in answers("tuned.hcbr", data):
        lead = answer["support"]["yes"] - answer["support"]["no"]
        if abs(lead - cut["low"]) < 1e-9:
            continue
        assert answer["label"] == ("yes" if lead > cut["low"] else "no"), (answer, cut)
        moved += (lead > 0) != (answer["label"] == "yes")
    assert moved > 0


def a_calibrated_model_decides_by_expected_cost():
    for labels in (("no", "yes"), ("a", "b", "c")):
        data = noisy("noisy.csv", 300, .7, labels)
        pair = f"{labels[1]}:{labels[0]}"
        result = tune(data, "--cost", f"{pair}=6,unknown=.4", "--calibrate", "platt")
        assert result["cut"] is None and len(result["costs"]) == len(labels) + 1, result
        for answer in answers("tuned.hcbr", data):
            p = answer["probability"]
            cost = {given: sum(p[t] * (0 if t == given else 6 if (t, given) == labels[1::-1] else 1)
                               for t in labels) for given in labels}
            cost[None] = .4
            best = min(cost, key=cost.get)
            if sorted(cost.values())[1] - cost[best] > 1e-9:
                assert answer["label"] == best, (answer, cost)
    run("tune", *PLAIN, data, "--cost", "unknown=.4", "-q", "-o", "no.hcbr", code=2)
    assert not os.path.exists("no.hcbr")


def costs_move_the_decisions():
    """The dearer mistake becomes rarer, and new cases cost less than without a rule."""
    data, new = noisy("noisy.csv", 600, .8), noisy("new.csv", 600, .8)
    run("train", *PLAIN, data, "-q", "-o", "plain.hcbr")
    before = answers("plain.hcbr", new)
    for dear, mistake in (("fn", ("yes", "no")), ("fp", ("no", "yes"))):
        cheap = "fp" if dear == "fn" else "fn"
        tune(data, "--positive", "yes", "--cost", f"{dear}=30,{cheap}=1")
        after = answers("tuned.hcbr", new)
        count = lambda found: sum((a["given"], a["label"]) == mistake for a in found)
        assert count(after) < count(before), (dear, count(before), count(after))
        assert cost_of(after, {mistake: 30}) < cost_of(before, {mistake: 30}), dear
        # By pairs of labels it is the same request.
        pair = ":".join(mistake)
        tune(data, "--cost", f"{pair}=30", model="pairs.hcbr")
        assert [a["label"] for a in answers("pairs.hcbr", new)] == [a["label"] for a in after]
    many = noisy("many.csv", 600, .7, ("a", "b", "c"))
    tune(many, "--cost", "a:b=20,a:c=20")
    run("train", *PLAIN, many, "-q", "-o", "plain.hcbr")
    costs = {("a", "b"): 20, ("a", "c"): 20}
    assert cost_of(answers("tuned.hcbr", many), costs) < cost_of(answers("plain.hcbr", many), costs)


def an_error_limit_is_paid_with_answers():
    data, new = noisy("noisy.csv", 1500, .6, columns=8), noisy("new.csv", 1500, .6, columns=8)
    run("train", *PLAIN, data, "-q", "-o", "plain.hcbr")
    wrong = [a for a in answers("plain.hcbr", new) if a["label"] != a["given"]]
    assert len(wrong) > .08 * 1500, len(wrong)
    shares = []
    for limit in (.05, .08, .1):
        tune(data, "--max-error", limit)
        decided = [a for a in answers("tuned.hcbr", new) if a["label"] is not None]
        errors = sum(a["label"] != a["given"] for a in decided)
        # New cases, so up to four standard errors above the limit that is sure at .95.
        allowed = limit * len(decided) + 4 * math.sqrt(max(1, limit * len(decided)))
        assert errors <= allowed, (limit, errors, len(decided))
        shares.append(len(decided) / 1500)
    assert shares == sorted(shares) and shares[-1] > .2, shares
    text = run("tune", *PLAIN, data, "--max-error", .05, "-o", "tuned.hcbr")
    assert "answer" in text.stdout + text.stderr


def noise_is_not_mistaken_for_knowledge():
    write("noise.csv", shuffled(lines(VOTES)))
    for options in (["--metric", "mcc"], ["--metric", "accuracy", "--try-passes", "0,1,5",
                                          "--try-scopes"], ["--calibrate", "isotonic"],
                    ["--calibrate", "platt"]):
        held_out = tune("noise.csv", *options)["held_out"]
        # 435 cases, a share 267 of one label: four standard errors of a correlation, of a share.
        assert abs(held_out["mcc"]["mean"]) < 4 / math.sqrt(435), (options, held_out)
        assert held_out["accuracy"]["mean"] < 267 / 435 + 4 * .487 / math.sqrt(435), options
        if held_out["log_loss"]:  # no better than knowing how frequent the labels are
            chance = -sum(n / 435 * math.log(n / 435) for n in (267, 168))
            assert held_out["log_loss"]["mean"] > chance - .03, (options, held_out)
    # No part of noise is known to be better than the limit: no answers, so no model.
    result = run("tune", *PLAIN, "noise.csv", "--max-error", .1, "-o", "none.hcbr", code=1)
    assert "nothing is answered" in result.stderr and not os.path.exists("none.hcbr")


def threads_and_other_runs_change_nothing():
    data = noisy("noisy.csv", 300, .7, ("a", "b", "c"))
    seen = set()
    for threads in (1, 2, 3, 8, 1):
        result = tune(data, "--try-passes", "1,2", "--calibrate", "isotonic", "-j", threads)
        result.pop("seconds")
        result.pop("peak_bytes")  # of the process, with its threads
        with open("tuned.hcbr", "rb") as file:
            seen.add((json.dumps(result), file.read()))
    assert len(seen) == 1


def keys_are_those_of_the_document():
    result = tune(VOTES)
    assert set(result) == document_keys(result["schema"]), set(result)
    assert result["passes"] == 1 and result["scope"] == "class"
    assert tune(VOTES, "--try-passes", "2,4")["passes"] in (2, 4)
    assert "nan" not in json.dumps(result).lower()


def small_data_are_defined():
    """One label, fewer cases than folds, one case of a label: an answer or a message."""
    write("one.csv", ["class,a"] + ["x,1"] * 20)
    write("few.csv", ["class,a", "x,1", "y,2", "x,1"])
    write("lone.csv", ["class,a"] + ["x,1"] * 20 + ["y,2"])
    write("empty.csv", ["class,a"] + [f"{'xy'[n % 2]}," for n in range(20)])
    for data in "one.csv", "few.csv", "lone.csv", "empty.csv":
        for options in ([], ["--max-error", .1], ["--calibrate", "platt"]):
            result = run("tune", *PLAIN, data, *options, "-q", "-o", "m.hcbr", code=None)
            assert result.returncode in (0, 1, 2, 3), (data, options, result)
            if result.returncode:
                assert result.stderr.startswith(("hcbr tune: ", data)), result.stderr
                assert not os.path.exists("m.hcbr")
            else:
                assert len(answers("m.hcbr", data)) == len(lines(data)) - 1
                os.remove("m.hcbr")


def wrong_requests_write_nothing():
    many = noisy("many.csv", 60, .5, ("a", "b", "c"))
    for options in (["--metric", "f2"], ["--cost", "fp=-1,fn=2"], ["--cost", "x:y=1"],
                    ["--cost", "fp=1,fp=2"], ["--cost", "fp=1", "--cost", "fp=2"],
                    ["--cost", "unknown=1,unknown=1"], ["--cost", "unknown=-1"],
                    ["--cost", "democrat:democrat=1"], ["--cost", "fp=1,democrat:unknown=1"],
                    ["--cost", "democrat:unknown=1,democrat:unknown=2"], ["--cost", "unknown:a=1"],
                    ["--cost", "democrat:republican=1,democrat:republican=2"],
                    ["--max-error", 0], ["--max-error", 1],
                    ["--max-error", "nan"], ["--max-error", .1, "--metric", "mcc"],
                    ["--max-error", .1, "--cost", "fp=1,fn=2"], ["--confidence", .9],
                    ["--max-error", .1, "--confidence", 1], ["--try-passes", "1,x"],
                    ["--try-passes", ""], ["--folds", 1], ["--eta", "democrat=.1"]):
        result = run("tune", *PLAIN, VOTES, *options, "-o", "m.hcbr", code=2)
        assert result.stderr.startswith("hcbr tune: "), (options, result.stderr)
        assert not os.path.exists("m.hcbr"), options
    for options in (["--metric", "mcc"], ["--cost", "fp=1,fn=2"]):
        run("tune", *PLAIN, many, *options, "-o", "m.hcbr", code=2)
    run("tune", *PLAIN, VOTES, code=2)
    run("tune", *PLAIN, "absent.csv", "-o", "m.hcbr", code=5)
    run("tune", *PLAIN, VOTES, "-o", "absent/m.hcbr", code=5)
    run("tune", *PLAIN, VOTES, "-o", "/dev/full", code=5)
    assert sorted(os.listdir(".")) == ["many.csv"]


run_tests([figures_come_from_models_that_saw_nothing_of_the_fold,
           the_rule_is_stored_with_its_reason, a_calibrated_model_decides_by_expected_cost,
           costs_move_the_decisions,
           an_error_limit_is_paid_with_answers, noise_is_not_mistaken_for_knowledge,
           threads_and_other_runs_change_nothing, keys_are_those_of_the_document,
           small_data_are_defined, wrong_requests_write_nothing])
