"""Tuning of rich models: thresholds come from cases that a jury had not seen, are stored and hold
after loading; figures are those of cases that had no part in any choice."""
import json
import os
import random

from program import VOTES, lines, run, run_tests, shuffled, write

RICH = ("--model", "rich", "--effort", "lite")


def tune(*arguments, model="tuned.hcbr", code=0):
    result = run("tune", *RICH, *arguments, "--json", "-q", "-o", model, code=code)
    return json.loads(result.stdout) if code == 0 else result


def predict(model, path):
    return [json.loads(row) for row in
            run("predict", model, path, "--json", "-q").stdout.splitlines()]


def draw(path, count, labels=("no", "yes"), noise=.8, shift=0.):
    """The label depends on a number and a category, with noise; the last label is rare."""
    rows = ["label,x,c"]
    for _ in range(count):
        x, c = random.gauss(0, 1), random.choice("abcd")
        score = x + (c == "a") + random.gauss(0, noise) - shift
        place = min(len(labels) - 1, max(0, int(score + len(labels) / 2)))
        rows.append(f"{labels[place]},{x:.3f},{c}")
    return write(path, rows)


def expected(p, costs, given):
    """Expected cost of an answer; None is no decision."""
    price = {(c["truth"], c["given"]): c["cost"] for c in costs}
    usual = lambda truth: 0 if truth == given else 1 if given is not None else float("inf")
    return sum(p[truth] * price.get((truth, given), usual(truth)) for truth in p)


def by_rule(row, report):
    """What the rule answers, from the probabilities."""
    p, rule, cut, costs = row["probability"], report["rule"], report["cut"], report["costs"]
    labels = sorted(p)
    if cut:
        assert cut["score"] == "probability" and cut["label"] == labels[1]
        return labels[0] if p[labels[1]] <= cut["low"] else \
            labels[1] if p[labels[1]] > cut["high"] else None
    if costs is not None:
        return min(labels + [None], key=lambda given: expected(p, costs, given))
    winner = max(labels, key=lambda label: p[label])
    eta, share = rule[winner]["eta"], rule[winner]["eta_share"]
    other = max(v for label, v in p.items() if label != winner)
    good = (eta <= 0 or p[winner] > eta) and \
        (share < .5 or (1 - share) * p[winner] > share * other)
    given = winner if good else rule[winner]["fallback"]
    return None if given == "unknown" else given


def tuned__rules_hold_after_loading():
    for labels in (("no", "yes"), ("a", "b", "c", "d")):
        draw("t.csv", 400, labels)
        draw("new.csv", 300, labels)
        run("train", *RICH, "t.csv", "-q", "-o", "bare.hcbr")
        wanted = [("--max-error", ".25" if len(labels) == 2 else ".45"),
                  ("--cost", f"{labels[1]}:{labels[0]}=5"),
                  ("--metric", "accuracy")]
        if len(labels) == 2:
            wanted += [("--metric", "mcc"), ("--metric", "f1"), ("--metric", "balanced"),
                       ("--cost", "fp=1,fn=8"), ("--cost", "fp=1,fn=50,unknown=.2")]
        else:
            wanted += [("--cost", f"{labels[1]}:{labels[0]}=5", "--cost", "unknown=.3"),
                       ("--cost", f"{labels[2]}:unknown=.1,{labels[0]}:{labels[1]}=9")]
        for options in wanted:
            report = tune("t.csv", *options, "--folds", "3")
            assert report["why"] and report["passes"] == 0, report
            model = json.loads(run("inspect", "tuned.hcbr", "--json").stdout)
            assert model["options"]["why"] == report["why"]
            assert model["options"]["cut"] == report["cut"]
            assert model["options"]["costs"] == report["costs"]
            assert (report["costs"] is not None) == ("--cost" in options)
            bare = predict("bare.hcbr", "new.csv")
            for with_rule, without in zip(predict("tuned.hcbr", "new.csv"), bare):
                assert with_rule["probability"] == without["probability"]
                assert with_rule["label"] == by_rule(without, report), (with_rule, report)


def tuned__figures_of_shuffled_labels_are_those_of_chance():
    table = shuffled(lines(VOTES))
    write("noise.csv", table)
    for metric in ("mcc", "f1", "balanced"):
        report = tune("noise.csv", "--metric", metric)
        assert abs(report["held_out"]["mcc"]["mean"]) < .16, report["held_out"]["mcc"]
    result = tune("noise.csv", "--max-error", ".05", model="none.hcbr", code=1)
    assert "no model was written" in result.stderr and not os.path.exists("none.hcbr")


def tuned__error_stays_below_its_limit():
    draw("t.csv", 1500, noise=.4)
    draw("new.csv", 4000, noise=.4)
    for limit in (.05, .1, .15):
        tune("t.csv", "--max-error", str(limit), "--folds", "3")
        truth = [line.split(",")[0] for line in lines("new.csv")[1:]]
        rows = predict("tuned.hcbr", "new.csv")
        answered = [(row["label"], label) for row, label in zip(rows, truth) if row["label"]]
        wrong = sum(given != label for given, label in answered)
        assert len(answered) > 200 and wrong / len(answered) < limit + .01, (limit, wrong,
                                                                             len(answered))


def tuned__costs_are_lower_on_other_cases():
    draw("t.csv", 1500)
    draw("new.csv", 3000)
    truth = [line.split(",")[0] for line in lines("new.csv")[1:]]

    def cost(model):
        rows = predict(model, "new.csv")
        return sum((8 if label == "yes" else 1) for row, label in zip(rows, truth)
                   if row["label"] != label)

    run("train", *RICH, "t.csv", "-q", "-o", "bare.hcbr")
    tune("t.csv", "--cost", "fp=1,fn=8", "--folds", "3")
    assert cost("tuned.hcbr") < .75 * cost("bare.hcbr"), (cost("tuned.hcbr"), cost("bare.hcbr"))


def tuned__decisions_never_turn_back():
    """One threshold, or two with unknown between them, whatever is asked for."""
    for noise in (.4, 1):
        draw("t.csv", 250, noise=noise)
        write("new.csv", ["x,c"] + [f"{n / 50 - 3:.2f},{c}" for n in range(300) for c in "abcd"])
        for options in (("--cost", "fp=1,fn=50"), ("--cost", "fp=50,fn=1"),
                        ("--cost", "fp=1,fn=50,unknown=.2"), ("--cost", "fp=1,fn=1.1"),
                        ("--cost", "fp=0,fn=1"), ("--metric", "f1"), ("--metric", "mcc"),
                        ("--metric", "balanced"), ("--metric", "accuracy"),
                        ("--max-error", ".48")):
            tune("t.csv", *options, "--folds", "2")
            rows = [(row["probability"]["yes"], ("no", None, "yes").index(row["label"]))
                    for row in predict("tuned.hcbr", "new.csv")]
            places = [place for _, place in sorted(rows)]
            assert places == sorted(places), options


def tuned__weights_are_copies():
    """A rule tuned with weights is the rule of the copies, and so are the figures."""
    for labels in (("no", "yes"), ("a", "b", "c")):
        rows = [(line, random.choice((1, 1, 2, 3))) for line in
                lines(draw("t.csv", 150, labels))[1:]]
        write("weighed.csv", ["label,x,c,w"] + [f"{row},{w}" for row, w in rows])
        copies = [f"{row},1" for row, w in rows for _ in range(w)]
        write("copies.csv", ["label,x,c,w"] + random.sample(copies, len(copies)))
        wanted = [("--cost", f"{labels[1]}:{labels[0]}=5"), ("--max-error", ".4"),
                  ("--metric", "accuracy"), ("--cost", "unknown=.3")]
        if len(labels) == 2:
            wanted += [("--metric", "mcc"), ("--metric", "f1"), ("--metric", "balanced")]
        for options in wanted:
            found = [tune(name, "--weight", "w", *options, "--folds", "2")
                     for name in ("weighed.csv", "copies.csv")]
            for key in ("rule", "cut", "costs", "why"):
                assert found[0][key] == found[1][key], (options, key, found)


def tuned__thresholds_given_go_by_probability():
    draw("t.csv", 300)
    run("train", *RICH, "t.csv", "--eta", "yes=.9,no=.9", "-q", "-o", "m.hcbr")
    rows = predict("m.hcbr", "t.csv")
    assert {row["label"] is None for row in rows} == {True, False}
    for row in rows:
        sure = max(row["probability"].values())
        assert (row["label"] is not None) == (sure > .9), row
    assert "probability > 0.9" in run("inspect", "m.hcbr").stdout


def tuned__what_does_not_fit_is_refused():
    draw("t.csv", 60)
    for options in (("--calibrate", "platt"), ("--calibrate", "isotonic"), ("--try-passes", "1,2"),
                    ("--try-scopes",), ("--passes", "2"), ("--scope", "all")):
        run("tune", *RICH, "t.csv", *options, "-q", "-o", "no.hcbr", code=2)
        assert not os.path.exists("no.hcbr")
    run("tune", *RICH, "t.csv", "--calibrate", "none", "-q", "-o", "yes.hcbr")
    write("one.csv", ["label,x"] + [f"a,{i}" for i in range(20)])
    run("tune", *RICH, "one.csv", "-q", "-o", "one.hcbr")  # one label: nothing to choose
    write("few.csv", ["label,x"] + [f"{'abc'[i % 3]},{i}" for i in range(3)])
    run("tune", *RICH, "few.csv", "--folds", "2", "-q", "-o", "few.hcbr")


run_tests([tuned__rules_hold_after_loading, tuned__figures_of_shuffled_labels_are_those_of_chance,
           tuned__decisions_never_turn_back, tuned__weights_are_copies,
           tuned__error_stays_below_its_limit, tuned__costs_are_lower_on_other_cases,
           tuned__thresholds_given_go_by_probability, tuned__what_does_not_fit_is_refused])
