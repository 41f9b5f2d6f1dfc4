"""hcbr study, through the program alone: its tables are worked out again from what train, evaluate
and predict say, or from the cases."""
import collections
import json
import math
import os
import random
import re
import statistics

from program import (PLAIN, QUICK, VOTES, close, document_keys, json_lines, lines, run, run_tests,
                     shuffled, write)


def study(kind, *arguments):
    return json.loads(run("study", kind, *arguments, "--json", "-q").stdout)


def noisy(path="noisy.csv", rows=160):
    """Some votes, a few of them with values that no other case has, and wrong labels."""
    table = lines(VOTES)[:rows + 1]
    for i in random.sample(range(1, len(table)), rows // 5):
        cells = table[i].split(",")
        cells[random.randrange(1, len(cells))] = f"odd{i}"
        table[i] = ",".join(cells)
    for i in random.sample(range(1, len(table)), rows // 8):
        table.append(table[i].replace("democrat", "x").replace("republican", "democrat")
                     .replace("x", "republican"))
    table += ["republican" + "," * table[0].count(",")]  # an empty case
    table += [f"democrat,{','.join(f'new{k}' for k in range(table[0].count(',')))}"]
    return write(path, table)


# ---- curve -------------------------------------------------------------------------------------

def curve_with_all_cases_is_evaluate_with_a_tenth_held_out():
    data = noisy()
    for options in ([], ["--scope", "all", "--passes", "3"]):
        rows = study("curve", data, "--repeats", "4", "--seed", "9", *options)["tables"]["curve"]
        last = rows[-1]
        expected = json.loads(run("evaluate", data, *PLAIN, *options, "--holdout", ".1", "--seed",
                                  "9", "--repeats", "4", "--json", "-q").stdout)
        assert last["share"] == 1 and close(last["test_accuracy"], expected["accuracy"]["mean"])
        assert close(last["test_mcc"], expected["mcc"]["mean"])
        assert close(last["test_accuracy_sd"], expected["accuracy"]["sd"])
        sizes = [r["cases"] for r in rows]
        assert sizes == sorted(set(sizes)) and sizes[-1] == expected["parts"][0]["trained"]


def curve_of_training_cases_is_what_predict_says_of_them():
    """Noise that no held-out case shares: one repeat, trained on what is not held out."""
    data = noisy()
    run("evaluate", data, *PLAIN, "--holdout", ".1", "--predictions", "p.jsonl", "-q")
    held = {a["row"] for a in json_lines("p.jsonl")}
    table = lines(data)
    train = [r for i, r in enumerate(table[1:], 1) if i not in held]
    write("train.csv", table[:1] + train)
    run("train", "train.csv", *PLAIN, "-q", "-o", "m")
    answers = [json.loads(a) for a in run("predict", "m", "train.csv", "--json",
                                          "-q").stdout.splitlines()]
    right = sum(a["label"] == a["given"] for a in answers)
    last = study("curve", data, "--repeats", "1")["tables"]["curve"][-1]
    assert close(last["train_accuracy"], right / len(train)), (last, right, len(train))


def curve_of_a_rich_model():
    data = noisy()
    got = study("curve", data, "--model", "rich", "--effort", "lite", "--repeats", "2")
    expected = json.loads(run("evaluate", data, "--effort", "lite", "--holdout", ".1", "--repeats",
                              "2", "--json", "-q").stdout)
    assert got["model"] == "rich"
    assert close(got["tables"]["curve"][-1]["test_accuracy"], expected["accuracy"]["mean"])


# ---- pareto ------------------------------------------------------------------------------------

def points_of(scores, count):
    """All thresholds: (eta, answered, accuracy), by trying each score."""
    out = []
    for eta in [0] + sorted({s for s, _ in scores if s > 0}):
        kept = [right for s, right in scores if eta == 0 or s > eta]
        if kept:
            out.append((eta, len(kept) / count, sum(kept) / len(kept)))
    return out


def dominated(point, points):
    return any(p[1] >= point[1] and p[2] >= point[2] and p[1:] != point[1:] for p in points)


def check_surest(says, scores, count):
    """The sentence counts the surest half and tenth, whatever threshold is the luckiest."""
    found = re.findall(r"threshold(?: of (\S+))?(?: the)? (\d+)\D.*?, ([\d.]+) % of them", says)
    points = points_of(scores, count)
    wanted = [points[0]]
    for part in 2, 10:
        wanted += [p for p in points if p[1] * part <= 1 + 1e-12][:1]
    assert len(found) == len(wanted), (says, wanted)
    for (eta, answered, right), point in zip(found, wanted):
        assert int(answered) == round(point[1] * count), (says, point)
        assert not eta or sum(s > float(eta) for s, _ in scores) == int(answered), (says, point)
        assert abs(float(right) - 100 * point[2]) < .051, (says, point)


def check_pareto(data, options, value):
    got = study("pareto", data, *options)
    tables = got["tables"]
    assert set(got["about"]) == set(tables)
    assert ("probability" in got["about"]["eta"]) == (value == "probability")
    run("evaluate", data, *(options or PLAIN), "--predictions", "p.jsonl", "-q")
    answers = json_lines("p.jsonl")
    supports, shares = [], []
    for a in answers:
        if a["label"] is None:
            continue
        best, other = sorted(a[value].values(), reverse=True)[:2]
        right = a["label"] == a["truth"]
        supports.append((best, right))
        shares.append((1 if other < 0 else best / (best + other) if best + other > 0 else .5,
                       right))
    check_surest(got["says"], supports, len(answers))
    for name, scores in ("eta", supports), ("eta_share", shares):
        points = points_of(scores, len(answers))
        expected = [p for p in points if not dominated(p, points)]
        got = tables[name + "_frontier"]
        assert len(got) == len(expected), (name, len(got), len(expected))
        for row, point in zip(got, expected):
            assert all(close(a, b) for a, b in zip(row.values(), point)), (row, point)
        known = {p[0]: p for p in points}
        for row in tables[name]:
            near = min(known, key=lambda eta: abs(eta - row["eta"]))
            assert close(near, row["eta"]) and close(known[near][1], row["answered"])
            assert close(known[near][2], row["accuracy"])
            assert row["frontier"] == (not dominated(known[near], points))
        shares_answered = [r["answered"] for r in tables[name]]
        assert shares_answered == sorted(shares_answered, reverse=True)
        assert len(shares_answered) <= 101


def pareto_tries_all_thresholds():
    data = noisy()
    check_pareto(data, [], "support")
    check_pareto(data, ["--model", "rich", "--effort", "lite"], "probability")
    check_pareto(data, [*PLAIN, "--calibrate", "platt"], "support")  # as --eta, whatever is known
    write("near.csv", ["a,b,label"] + [f"k,{i % 2},{'yn'[i % 7 == 0]}" for i in range(40)] +
          [f"k,{i % 2},y" for i in range(40)])
    check_pareto("near.csv", ["--model", "rich", "--effort", "lite"], "probability")


def pareto_is_what_a_threshold_does():
    data = noisy()
    rows = study("pareto", data)["tables"]["eta"]
    row = rows[len(rows) // 2]
    got = json.loads(run("evaluate", data, *PLAIN, "--json", "-q", "--eta",
                         f"democrat={row['eta']!r},republican={row['eta']!r}").stdout)
    undecided = sum(c["count"] for c in got["confusion"] if c["label"] is None)
    assert close(1 - row["answered"], undecided / got["held_out"]), (row, undecided)
    right = sum(c["count"] for c in got["confusion"] if c["label"] == c["truth"])
    assert close(right / (got["held_out"] - undecided), row["accuracy"]), (right, row)


# ---- passes ------------------------------------------------------------------------------------

def passes_are_evaluations_of_models_of_so_many():
    data = noisy()
    got = study("passes", data, "--passes", "4", "--folds", "5", "-j", "2")["tables"]["passes"]
    assert [r["passes"] for r in got] == [0, 1, 2, 3, 4]
    for row in got:
        expected = json.loads(run("evaluate", data, *PLAIN, "--passes", int(row["passes"]),
                                  "--folds", "5", "--json", "-q").stdout)
        assert close(row["test_accuracy"], expected["accuracy"]["mean"]), (row, expected)
        assert close(row["test_mcc"], expected["mcc"]["mean"])
    trained = json.loads(run("train", data, *PLAIN, "--passes", "4", "--json", "-q", "-o",
                             "m").stdout)
    assert [r["pass_errors"] for r in got[1:]] == trained["pass_errors"]
    assert got[0]["pass_errors"] is None


# ---- cover -------------------------------------------------------------------------------------

def cover_counts_what_others_have():
    data = noisy()
    tables = study("cover", data, "--folds", "4")["tables"]
    run("evaluate", data, *PLAIN, "--folds", "4", "--folds-out", "f.txt", "--predictions",
        "p.jsonl", "-q")
    folds = list(map(int, lines("f.txt")))
    table = [row.split(",") for row in lines(data)]
    place = table[0].index("class")
    cases = [({(k, v) for k, v in enumerate(row) if k != place and v not in ("", "?")}, row[place])
             for row in table[1:]]
    answers = json_lines("p.jsonl")
    known, degree, neighbours, limit, nothing, right = [], [], [], 0, 0, 0
    by_class = collections.Counter()
    for fold in range(4):
        train = [x for (x, _), f in zip(cases, folds) if f != fold]
        alike = collections.defaultdict(collections.Counter)
        for (x, y), f, a in zip(cases, folds, answers):
            if f != fold:
                continue
            counts = {v: sum(v in other for other in train) for v in x}
            have = frozenset(v for v in x if counts[v])
            share = len(have) / len(x) if x else 0
            known.append(share)
            neighbours.append(sum(bool(x & other) for other in train) / len(train))
            right += a["label"] == y
            name = ("none" if not have else "all" if have == x else "up to 1/4" if share <= .25
                    else "up to 1/2" if share <= .5 else "up to 3/4" if share <= .75
                    else "below 1")
            by_class[name] += 1
            if have:
                degree.append(statistics.fmean(counts[v] for v in have))
                alike[have, len(x)][y] += 1
            else:
                nothing += 1
        limit += sum(max(c.values()) for c in alike.values())
    n = len(cases)
    figures = {r["name"]: r["value"] for r in tables["cover"]}
    assert close(figures["known"], statistics.fmean(known))
    assert abs(figures["degree"] - statistics.fmean(degree)) < 1e-9
    assert close(figures["neighbours"], statistics.fmean(neighbours))
    assert close(figures["without_neighbours"], sum(x == 0 for x in neighbours) / n)
    assert {r["name"]: r["cases"] for r in tables["known"] if r["cases"]} == by_class
    limits = {r["name"]: r["accuracy"] for r in tables["limits"]}
    same = collections.defaultdict(collections.Counter)
    for x, y in cases:
        same[frozenset(x)][y] += 1
    assert close(limits["contradictions"], sum(max(c.values()) for c in same.values()) / n)
    assert close(limits["not_covered"], 1 - nothing / n) and nothing > 1
    assert close(limits["both"], limit / n) and limit < n - nothing
    assert close(limits["measured"], right / n)


def no_accuracy_exceeds_the_limit():
    for _ in range(12):
        width = random.randint(1, 4)
        write("r.csv", ["label," + ",".join(f"c{k}" for k in range(width))] + [
            ",".join([random.choice("ab")] + [random.choice("uvw") for _ in range(width)])
            for _ in range(random.randint(20, 60))])
        for more in [], ["--passes", "5"], ["--scope", "all"]:
            limits = {r["name"]: r["accuracy"]
                      for r in study("cover", "r.csv", "--folds", "3", *more)["tables"]["limits"]}
            assert limits["measured"] <= limits["both"] + 1e-12, limits
            assert limits["both"] <= limits["not_covered"] + 1e-12, limits


# ---- space -------------------------------------------------------------------------------------

def mcc(pairs):
    tp, fp, fn, tn = (sum(p == x for p in pairs) for x in ((1, 1), (0, 1), (1, 0), (0, 0)))
    below = ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** .5
    return (tp * tn - fp * fn) / below if below else 0


def space_begins_with_the_trained_model():
    data = noisy()
    got = study("space", data, "--folds", "3", "--generations", "5", "--passes", "2")
    run("evaluate", data, *PLAIN, "--folds", "3", "--passes", "2", "--folds-out", "f.txt",
        "--predictions", "p.jsonl", "-q")
    answers, table = json_lines("p.jsonl"), lines(data)
    folds = list(map(int, lines("f.txt")))
    for fold, row in enumerate(got["tables"]["parts"]):
        pairs = [(a["truth"] == "republican", a["label"] == "republican") for a in answers
                 if a["fold"] == fold]
        assert close(row["initial_test"], mcc(pairs)), (row, mcc(pairs))
        write("t.csv", table[:1] + [r for r, f in zip(table[1:], folds) if f != fold])
        run("train", "t.csv", *PLAIN, "--passes", "2", "-q", "-o", "m")
        own = [json.loads(a) for a in run("predict", "m", "t.csv", "--json",
                                          "-q").stdout.splitlines()]
        pairs = [(a["given"] == "republican", a["label"] == "republican") for a in own]
        assert close(row["initial_train"], mcc(pairs)), (row, mcc(pairs))
        assert row["initial_fitness"] == row["initial_train"]
        for solver in "evolution", "convex":
            assert row["initial_fitness"] <= row[solver + "_fitness"] <= row[solver + "_train"]
    rows = {r["name"]: r for r in got["tables"]["space"]}
    for name, row in rows.items():
        parts = [p[name + "_test"] for p in got["tables"]["parts"]]
        assert close(row["test_mcc"], statistics.fmean(parts))
        assert close(row["test_change"], row["test_mcc"] - rows["initial"]["test_mcc"])
    generations = [r["fitness"] for r in got["tables"]["evolution"]]
    assert len(generations) == 6 and generations == sorted(generations)
    assert close(generations[-1], rows["evolution"]["fitness"])


# ---- reach -------------------------------------------------------------------------------------

def folds_of(data, count):
    """Of each fold: training rows and held-out rows, each (line, features, label)."""
    run("evaluate", data, *PLAIN, "--folds", count, "--folds-out", "f.txt", "-q")
    folds, table = list(map(int, lines("f.txt"))), lines(data)
    place = table[0].split(",").index("class")
    rows = []
    for row in table[1:]:
        cells = row.split(",")
        rows.append((row, {(k, v) for k, v in enumerate(cells) if k != place and v not in "?"},
                     cells[place]))
    for fold in range(count):
        yield (table[0], [r for r, f in zip(rows, folds) if f != fold],
               [r for r, f in zip(rows, folds) if f == fold])


def leads(head, train, rows, *options):
    """What a model of some rows says of others: support of the second label minus the first's."""
    write("t.csv", [head] + [r[0] for r in train])
    write("u.csv", [head] + [r[0] for r in rows])
    run("train", "t.csv", *PLAIN, *options, "-q", "-o", "m")
    return [(a["support"]["republican"] - a["support"]["democrat"], a["label"]) for a in
            map(json.loads, run("predict", "m", "u.csv", "--json", "-q").stdout.splitlines())]


def walk(train, rows, values):
    """The mean of values of training rows that a step from a row ends in."""
    by_feature = collections.defaultdict(list)
    for (_, features, _), value in zip(train, values):
        for f in features:
            by_feature[f].append(value)
    return [statistics.fmean(statistics.fmean(by_feature[f]) if f in by_feature else 0
                             for f in row[1]) if row[1] else 0 for row in rows]


def reach_walks_from_case_to_case():
    data = noisy(rows=90)
    got = study("reach", data, "--folds", "3")["tables"]["reach"]
    right = collections.defaultdict(list)
    for head, train, test in folds_of(data, 3):
        own = [s for s, _ in leads(head, train, train)]
        new = leads(head, train, test)
        # in a table the first column is the label; a case of which nothing is known is not answered
        known = [label is not None for _, label in new]
        steps, here, there = [], own, None
        for _ in range(2):
            there = walk(train, test, here)
            here = walk(train, train, here)
            steps.append((there, statistics.fmean(here), statistics.stdev(here)))
        for row in got[:-1]:
            score = [s for s, _ in new]
            for k in range(int(row["length"])):
                values, mean, sd = steps[k]
                rate = row["decay"] ** (k + 1) * statistics.stdev(own) / sd
                score = [s + rate * (v - mean) for s, v in zip(score, values)]
            right[row["length"], row["decay"]].append(statistics.fmean(
                ok and (s > 1e-15) == (r[2] == "republican")
                for s, r, ok in zip(score, test, known)))
    for row in got[:-1]:
        expected = statistics.fmean(right[row["length"], row["decay"]])
        assert abs(row["accuracy"] - expected) < 1e-12, (row, expected)
    rich = json.loads(run("evaluate", data, "--folds", "3", "--json", "-q").stdout)
    assert got[-1]["name"] == "rich" and close(got[-1]["accuracy"], rich["accuracy"]["mean"])


# ---- prune -------------------------------------------------------------------------------------

def gains(rows):
    """Information gain of each feature, by counting."""
    labels = collections.Counter(r[2] for r in rows)
    out = {}

    def entropy(counts):
        total = sum(counts)
        return -sum(c / total * math.log(c / total) for c in counts if c)
    for f in set().union(*(r[1] for r in rows)):
        have = collections.Counter(r[2] for r in rows if f in r[1])
        n, rest = sum(have.values()), [labels[l] - have[l] for l in labels]
        out[f] = entropy(labels.values()) - n / len(rows) * entropy(have.values()) - (
            sum(rest) / len(rows) * entropy(rest) if sum(rest) else 0)
    return out


def keep(row, drop):
    """The row with nothing in the place of features that are left out."""
    cells = row.split(",")
    return ",".join("?" if (k, v) in drop else v for k, v in enumerate(cells))


def prune_keeps_what_tells_labels_apart():
    data = noisy(rows=90)
    got = study("prune", data, "--folds", "3")["tables"]["prune"]
    for row in got[:-1]:
        figures = []
        for head, train, test in folds_of(data, 3):
            gain = gains(train)
            ranked = sorted(gain.values(), reverse=True)
            least = ranked[max(0, int(row["share"] * len(gain) + 1e-9) - 1)]
            drop = {f for f, g in gain.items() if g < least - 1e-9}
            kept = [(keep(r[0], drop), r[1] - drop, r[2]) for r in train]
            answers = leads(head, kept, test)  # what was left out is never seen
            figures.append((statistics.fmean(label == r[2] for (_, label), r in
                                             zip(answers, test)), len(gain) - len(drop)))
        assert close(row["accuracy"], statistics.fmean(a for a, _ in figures)), (row, figures)
        assert close(row["features"], statistics.fmean(n for _, n in figures)), (row, figures)
    chosen = json.loads(run("evaluate", data, *PLAIN, "--prune", "--folds", "3", "--json",
                            "-q").stdout)
    assert got[-1]["name"] == "chosen" and close(got[-1]["accuracy"], chosen["accuracy"]["mean"])


def train_prunes_what_does_not_help():
    """Columns that tell nothing are left out, those that tell all stay."""
    rows = ["label,tells,too," + ",".join(f"n{k}" for k in range(30))]
    for _ in range(300):
        label = random.choice("ab")
        rows.append(",".join([label, label + "1", label + "2"] +
                             [random.choice("uvw") for _ in range(30)]))
    write("d.csv", rows)
    for more in [], ["-j", "2"]:
        said = run("train", "d.csv", *PLAIN, "--prune", "-o", "m", *more).stderr
        assert "features stay" in said, said
    pruned = json.loads(run("inspect", "m", "--json").stdout)
    run("train", "d.csv", *PLAIN, "-q", "-o", "all")
    assert pruned["features"] < json.loads(run("inspect", "all", "--json").stdout)["features"]
    answers = run("predict", "m", "d.csv", "--json", "-q").stdout.splitlines()
    assert all(a["label"] == a["given"] for a in map(json.loads, answers))
    assert "--prune is for --model plain" in run("train", "d.csv", "--prune", "-o", "m",
                                                 code=2).stderr


# ---- all kinds ---------------------------------------------------------------------------------

KINDS = {"curve": ["--repeats", "2"], "pareto": [], "passes": ["--passes", "2"], "cover": [],
         "space": ["--generations", "3", "--folds", "3"], "prune": ["--folds", "3"]}


def threads_and_runs_change_nothing():
    data = noisy()
    for kind, options in KINDS.items():
        def figures(*more):
            got = study(kind, data, *options, *more)
            for table in got["tables"].values():
                for row in table:
                    row.pop("seconds", None)
            return got
        assert figures() == figures("-j", "3"), kind
        assert figures()["tables"] != figures("--seed", "2")["tables"], kind


def json_is_as_documented():
    data = noisy()
    for kind, options in KINDS.items():
        got = study(kind, data, *options)
        assert got["schema"] == "hcbr.study/1" and got["kind"] == kind
        assert set(got) == document_keys("hcbr.study/1"), set(got)
        text = run("study", kind, data, *options).stdout
        assert text.startswith(got["says"] + "\n")
        for name, rows in got["tables"].items():
            assert f"\n{name}: " in text and len({tuple(r) for r in rows}) == 1
    with open(os.path.join(os.path.dirname(VOTES), "..", "docs", "STUDY.md"),
              encoding="utf-8") as file:
        assert all(f"## {kind}" in file.read() or not file.seek(0) for kind in KINDS)


def labels_without_information_stay_so():
    write("shuffled.csv", shuffled(lines(VOTES)))
    last = study("curve", "shuffled.csv")["tables"]["curve"][-1]
    assert last["test_mcc"] < .25, last


def mistakes_are_said():
    data = noisy()
    for arguments, said in (
            (["curv", data], "there is no study curv, expected one of curve, pareto"),
            (["curve"], "DATA is missing"),
            (["space", data, "--generations", "x"], "--generations x"),
            (["time", data], "makes its own cases"),
            (["passes", data, "--model", "rich"], "--model"),
            (["cover", data, "--model", "rich"], "study cover is about plain models: --model"),
            (["passes", data, "--passes", "0"], "--passes 0"),
            (["curve", data, "--folds", "1"], "--folds 1"),
            (["cover", data, "--folds", "5000"], "5000")):
        got = run("study", *arguments, code=2)
        assert said in got.stderr and not got.stdout, (arguments, got.stderr)
    write("one.csv", ["label,a", "x,1"])
    assert "found 1 case, expected at least 2" in run("study", "curve", "one.csv", code=3).stderr
    write("three.csv", ["label,a", "x,1", "y,2", "z,3"] * 9)
    assert "expected 2" in run("study", "space", "three.csv", code=3).stderr
    write("empty.csv", ["label,a", "x,", "y,"] * 9)
    run("study", "space", "empty.csv", "-q", "--header", "1")  # no strengths to change
    write("bad.csv", ["label,a", "x,1,2,3", "y,2"])
    assert "bad.csv:2" in run("study", "cover", "bad.csv", "--strict", code=3).stderr


def time_grows_with_the_cases():
    if QUICK:  # test_study.c runs it, and stops it at many places; times are judged as released
        return
    got = study("time")
    tables = got["tables"]
    assert [r["cases"] for r in tables["by_cases"]] == [65536 << k for k in range(4)]
    for row in tables["by_cases"] + tables["by_size"]:
        # case i has i .. i+m: features between two cases' ends are one atom, if there are any
        assert row["atoms"] == min(row["cases"] + row["size"], 2 * row["cases"] - 1), row
        assert 0 < row["partition"] < row["all"] < 10
    for row in tables["exponents"]:  # roughly: others may be using the machine
        assert .5 < row["all"] < 2, row


run_tests([
    curve_with_all_cases_is_evaluate_with_a_tenth_held_out,
    curve_of_training_cases_is_what_predict_says_of_them,
    curve_of_a_rich_model,
    pareto_tries_all_thresholds,
    pareto_is_what_a_threshold_does,
    passes_are_evaluations_of_models_of_so_many,
    cover_counts_what_others_have,
    no_accuracy_exceeds_the_limit,
    space_begins_with_the_trained_model,
    reach_walks_from_case_to_case,
    prune_keeps_what_tells_labels_apart,
    train_prunes_what_does_not_help,
    threads_and_runs_change_nothing,
    json_is_as_documented,
    labels_without_information_stay_so,
    mistakes_are_said,
    time_grows_with_the_cases,
])
