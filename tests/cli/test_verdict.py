"""The verdict of evaluate and report, and the figures of small folds.

All of it is worked out again from the single decisions that --predictions writes: areas of pairs,
costs, shares, what chance does. Tables are drawn.
"""
import html
import json
import math
import random
import re

from program import PLAIN, VOTES, close, json_lines, run, run_tests, write

QUICK = ["--effort", "lite"]


def report(*arguments):
    return json.loads(run("evaluate", *arguments, "--json", "-q").stdout)


def table(rows, signal, share=.5, labels=("no", "yes")):
    """Two numbers and a word; the first number is higher where the label is the second one."""
    made = ["amount,size,colour,class"]
    for n in range(rows):
        yes = n < share * rows
        made.append(f"{random.gauss(signal * yes, 1):.3f},{random.random():.3f},"
                    f"{random.choice('uvw')},{labels[yes]}")
    rest = made[1:]
    random.shuffle(rest)
    return made[:1] + rest


def score(answer, label):
    support = dict(answer["support"])
    own = support.pop(label)
    return own - max(support.values())


def pairs_in_order(answers, label):
    yes = [score(a, label) for a in answers if a["truth"] == label]
    no = [score(a, label) for a in answers if a["truth"] != label]
    return sum((y > n) + (y == n) / 2 for y in yes for n in no) / len(yes) / len(no)


def first_precision(answers, label, at):
    """Ties are broken neither way: every order of them counts alike."""
    order = sorted(answers, key=lambda a: -score(a, label))
    edge = score(order[at - 1], label)
    sure = [a for a in order if score(a, label) > edge]
    tied = [a for a in order if score(a, label) == edge]
    hits = sum(a["truth"] == label for a in sure)
    return (hits + (at - len(sure)) * sum(a["truth"] == label for a in tied) / len(tied)) / at


# ---- small folds -------------------------------------------------------------------------------

def folds_of_three_cases_are_pooled():
    for model in QUICK, PLAIN:
        for rows in 24, 30, 45:
            write("small.csv", table(rows, 1.5))
            got = report("small.csv", *model, "--predictions", "a.jsonl", "--html", "page.html")
            answers = json_lines("a.jsonl")
            area = pairs_in_order(answers, "yes")
            assert got["by_parts"] is False
            assert close(got["auc"]["pooled"], area) and close(got["auc"]["value"], area)
            for key in ("accuracy", "mcc", "f1", "recall", "auc", "pr_auc", "log_loss", "brier"):
                figure = got[key]
                if figure["value"] is None:
                    continue
                assert figure["value"] == figure["pooled"], key
                low, high = figure["ci"]
                assert low <= figure["value"] <= high and high > low, (key, figure)
            page = open("page.html", encoding="utf-8").read()
            curves = [json.loads(html.unescape(x)) for x in
                      re.findall(r'<pre[^>]*class="result">(.*?)</pre>', page, re.S)][1]
            points = curves["labels"][0]["roc"]
            drawn = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(points, points[1:]))
            assert abs(drawn - area) < 1e-9
            text = run("evaluate", "small.csv", *model).stdout
            assert "pooled" in text and "fewer than 10 cases of a label" in text
            assert re.search(rf"^auc +{got['auc']['value']:.4f} +- ", text, re.M), text


def folds_that_are_large_have_means():
    write("large.csv", table(240, 1.5))
    got = report("large.csv", *QUICK, "--predictions", "a.jsonl")
    assert got["by_parts"] is True and got["auc"]["value"] == got["auc"]["mean"]
    assert close(got["auc"]["pooled"], pairs_in_order(json_lines("a.jsonl"), "yes"))
    rare = report("large.csv", *QUICK, "--folds", "24")
    assert rare["by_parts"] is True or min(p["held_out"] for p in rare["parts"]) < 20
    # one part has intervals too
    once = report("large.csv", *QUICK, "--holdout", ".3")
    for key in ("mcc", "f1", "auc", "pr_auc", "log_loss", "brier"):
        low, high = once[key]["ci"]
        assert low < once[key]["value"] < high, (key, once[key])


def precision_at_is_about_all_cases():
    write("large.csv", table(300, 1.2, .3))
    for at in 7, 40, 200:
        got = report("large.csv", *QUICK, "--at", at, "--folds", 5, "--repeats", 2,
                     "--predictions", "a.jsonl")
        answers = json_lines("a.jsonl")
        by_repeat = [first_precision([a for a in answers if a["repeat"] == r], "yes", at)
                     for r in range(2)]
        assert close(got["precision_at"]["value"], sum(by_repeat) / 2), (at, by_repeat)
        assert close(got["precision_at"]["baseline"], .3) and got["at"] == at
        assert got["precision_at"]["parts"] == 2
        low, high = got["precision_at"]["ci"]
        assert low <= got["precision_at"]["value"] <= high and low < high
    assert report("large.csv", *QUICK, "--at", 301)["precision_at"]["value"] is None


# ---- what it is judged by ----------------------------------------------------------------------

def baselines_of_balanced_labels_are_a_half():
    """Folds of equal shares leave the label that a fold has less of more frequent in training."""
    for rows in 22, 46, 90, 138:
        write("even.csv", table(rows, 0))
        for options in [], ["--folds", 7], ["--repeats", 3]:
            got = report("even.csv", *QUICK, *options)
            assert close(got["verdict"]["baseline"], .5), (rows, options, got["verdict"])
            assert abs(got["accuracy"]["baseline"] - .5) < 1e-9 or got["by_parts"]
            page = run("evaluate", "even.csv", *QUICK, *options).stdout
            assert "most frequent label would be right in 50 %" in " ".join(page.split()), page


def chance_is_not_called_better():
    """Labels of no reason: about one in forty is called better, by chance."""
    better = {"accuracy": 0, "ranking": 0}
    rounds = 40
    for n in range(rounds):
        for about, share in ("accuracy", .5), ("ranking", .15):
            write("noise.csv", table(random.choice([30, 60, 120]), 0, share))
            got = report("noise.csv", *QUICK, "--seed", n + 1)["verdict"]
            assert got["about"] == about, got
            better[about] += got["better"]
            assert got["better"] == (got["grade"] != "none")
            assert got["better"] != got["says"].startswith("Do not rely on it"), got
    assert max(better.values()) <= .05 * rounds + 4 * math.sqrt(rounds * .05 * .95), better


def rare_labels_are_judged_by_the_order():
    """Nobody gets the rare label, yet its cases come first: accuracy says nothing of it."""
    write("rare.csv", table(900, 1.6, .08))
    got = report("rare.csv", *QUICK, "--at", 30, "--predictions", "a.jsonl")
    answers = json_lines("a.jsonl")
    said = got["verdict"]
    assert said["about"] == "ranking" and said["metric"] == "auc" and said["better"]
    assert said["grade"] in ("useful", "good") and said["baseline"] == .5
    assert abs(said["value"] - pairs_in_order(answers, "yes")) < .02
    assert "92 % of the cases have one label" in said["why"]
    at = first_precision(answers, "yes", 30)
    assert f"precision among the first {at:.3f}" in said["why"], said["why"]
    assert f"by chance {.08:.3f}" in said["why"]


def costs_are_judged_by_costs():
    """A model that calls many for the sake of few is right less often than the most frequent label,
    and saves half of the costs."""
    write("past.csv", table(900, 2, .15))
    write("new.csv", table(1500, 2, .15))
    prices = {("no", "yes"): 1, ("yes", "no"): 12}
    run("tune", "past.csv", *QUICK, "--cost", "fp=1,fn=12", "-q", "-o", "m.hcbr")
    got = report("m.hcbr", "new.csv", "--predictions", "a.jsonl")
    answers = json_lines("a.jsonl")
    paid = sum(prices.get((a["truth"], a["label"]), 0) for a in answers) / len(answers)
    always = min(sum(prices.get((a["truth"], label), 0) for a in answers) / len(answers)
                 for label in ("no", "yes"))
    said = got["verdict"]
    assert said["about"] == said["metric"] == "cost" and said["better"], said
    assert close(said["value"], paid) and close(said["baseline"], always), (said, paid, always)
    assert got["accuracy"]["value"] < got["accuracy"]["baseline"]
    assert said["grade"] == ("good" if paid <= always / 2 else "useful")
    assert f"relative cost {paid / always:.3f}" in said["why"], said["why"]
    assert "Do not rely" not in said["says"]
    # without its costs the rule is for something else
    other = report("m.hcbr", "new.csv", "--eta", "yes=.5")
    assert other["verdict"]["about"] != "cost" and other["cost"]["value"] is None
    # costs that it cannot save
    write("noise.csv", table(300, 0, .3))
    run("tune", "noise.csv", *QUICK, "--cost", "fp=1,fn=3", "-q", "-o", "m.hcbr")
    write("noise.csv", table(300, 0, .3))
    assert report("m.hcbr", "noise.csv")["verdict"]["grade"] == "none"


def refusing_is_judged_by_the_answers():
    write("past.csv", table(600, 2.4))
    write("new.csv", table(400, 2.4))
    run("tune", "past.csv", *QUICK, "--max-error", ".08", "-q", "-o", "m.hcbr")
    got = report("m.hcbr", "new.csv", "--predictions", "a.jsonl")
    answers = [a for a in json_lines("a.jsonl") if a["label"]]
    right = sum(a["label"] == a["truth"] for a in answers) / len(answers)
    said = got["verdict"]
    assert said["about"] == "answers" and close(said["value"], right) and said["better"], said
    assert said["grade"] == "good" and close(said["baseline"], .5)


def a_single_label_has_nothing_to_tell():
    write("one.csv", ["a,b,class"] + [f"{n % 3},{n % 5},x" for n in range(40)])
    said = report("one.csv", *QUICK)["verdict"]
    assert said["says"].startswith("All cases have one label") and not said["better"]
    assert "because all cases have one label: 100 % are right" in said["why"], said["why"]
    write("many.csv", ["a,class"] + [f"{n % 3},{f'l{n}' if n % 5 == 0 else 'x'}"
                                     for n in range(6000)])  # too many labels to rank cases
    said = report("many.csv", *PLAIN, "--holdout", ".1", "--equal-rows", "apart")["verdict"]
    assert said["metric"] == "accuracy" and "because the cases have no order" in said["why"], said


# ---- probabilities -----------------------------------------------------------------------------

def exact_probabilities_are_not_condemned():
    """A model that exists decides new cases whose outcomes are drawn from its own probabilities."""
    write("past.csv", table(300, 1))
    run("train", "past.csv", *QUICK, "-q", "-o", "m.hcbr")
    header, *rows = table(1000, 1)
    write("new.csv", [header, *rows])
    said = [json.loads(x) for x in run("predict", "m.hcbr", "new.csv", "--json",
                                       "-q").stdout.splitlines()]
    for size, rounds in (30, 40), (100, 40), (300, 30), (1000, 10):
        condemned = above = 0
        for _ in range(rounds):
            drawn = random.sample(range(1000), size)
            write("drawn.csv", [header] + [
                rows[i].rsplit(",", 1)[0] + "," +
                ("yes" if random.random() < said[i]["probability"]["yes"] else "no")
                for i in drawn])
            found = report("m.hcbr", "drawn.csv")["verdict"]
            chance = found["calibration"]
            above += chance["error"] > chance["limit"]
            condemned += not chance["holds"]
            assert chance["holds"] != ("not to be taken at their word" in found["probabilities"])
        assert condemned <= above <= .05 * rounds + 4 * math.sqrt(rounds * .05 * .95), (size, above)
    # and outcomes that are none of its own are
    write("drawn.csv", [header] + [row.rsplit(",", 1)[0] + random.choice([",yes", ",no"])
                                   for row in rows])
    assert not report("m.hcbr", "drawn.csv")["verdict"]["calibration"]["holds"]


# ---- rows that repeat ---------------------------------------------------------------------------

def rows_that_repeat_do_not_flatter():
    """What is known by heart is not called reliable without saying what holds for new cases."""
    grades, said = ["none", "weak", "useful", "good"], set()
    for signal in 0, .3, .6, 1, 6:
        header, *rows = table(150, signal)
        write("thrice.csv", [header] + 3 * rows)
        known = report("thrice.csv", *QUICK, "--html", "page.html")["verdict"]
        new = report("thrice.csv", *QUICK, "--equal-rows", "together")["verdict"]
        first, *rest = known["says"].split(" For cases that equal no past case: ")
        worse = grades.index(new["grade"]) < grades.index(known["grade"])
        assert rest == [new["says"][0].lower() + new["says"][1:]] * worse, (known, new)
        assert worse or known["grade"] != new["grade"] or first == new["says"]
        assert known["says"] in html.unescape(open("page.html", encoding="utf-8").read())
        assert "equal no past case" not in new["says"]
        said.add(worse)
    assert said == {False, True}


# ---- the same everywhere -----------------------------------------------------------------------

def text_json_and_page_say_the_same():
    write("rare.csv", table(300, 1, .1))
    write("small.csv", table(40, 1))
    for data in VOTES, "rare.csv", "small.csv":
        for model in QUICK, PLAIN:
            got = report(data, *model, "--html", "page.html")
            text = " ".join(run("evaluate", data, *model).stdout.split())
            page = html.unescape(open("page.html", encoding="utf-8").read())
            for key in ("says", "why", "probabilities"):
                assert got["verdict"][key] in text, (key, text)
                assert got["verdict"][key] in page, key
    run("report", VOTES, *QUICK, "--quick", "-q", "-o", "page.html")
    page = html.unescape(open("page.html", encoding="utf-8").read())
    assert report(VOTES, *QUICK)["verdict"]["why"] in page


run_tests([folds_of_three_cases_are_pooled, folds_that_are_large_have_means,
           precision_at_is_about_all_cases, baselines_of_balanced_labels_are_a_half,
           chance_is_not_called_better, rare_labels_are_judged_by_the_order,
           costs_are_judged_by_costs, refusing_is_judged_by_the_answers,
           a_single_label_has_nothing_to_tell, exact_probabilities_are_not_condemned,
           rows_that_repeat_do_not_flatter, text_json_and_page_say_the_same])
