"""hcbr drift MODEL DATA: columns, labels, answers and scores of new cases beside those of training.

All figures are counted again here, from the two files, the labels and the answers of predict, by
the definition in hcbr/drift.h. Then what must hold for any data: no drift of the training cases
themselves, the same bytes for any order of the rows, the column that was changed comes first.
"""
import csv
import json
import math
import random
import re
from collections import Counter

from program import (DOCUMENT, PLAIN, VOTES, close, document_keys, json_lines, lines, run,
                     run_tests, write)

QUICK = ["--effort", "lite"]
RARE, TENTHS = 5, 10


def drift(*arguments, code=None):
    return json.loads(run("drift", *arguments, "--json", "-q", code=code).stdout)


def table(rows, seed=0, shift=0):
    """Numbers, categories, an id and two labels; some values are missing."""
    r = random.Random(seed)
    made = ["name,amount,colour,size,class"]
    for n in range(rows):
        k = r.randrange(2)
        amount = f"{round(r.gauss(k + shift, 1), 2) + 0.0:.2f}" if r.random() < .9 else ""
        colour = r.choice(["red", "blue", "green", "grey"][k:] + ["", f"odd{r.randrange(40)}"])
        made.append(f"n{seed}-{n},{amount},{colour},{r.choice('SML')},{'ab'[k]}")
    return made


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# ---- the figures again ---------------------------------------------------------------------------

def cuts_of(values):
    """The least, then the ends of the tenths, each once."""
    values = sorted(values)
    cuts = [values[0]]
    for i in range(1, TENTHS + 1):
        end = values[math.ceil(i * len(values) / TENTHS) - 1]
        if len(cuts) == 1 or end > cuts[-1]:
            cuts.append(end)
    return cuts


def range_of(cuts, value):
    if value < cuts[0]:
        return "below"
    for i in range(1, len(cuts)):
        if value <= cuts[i]:
            return i
    return "above"


def numbers(trained, here):
    """Bins of numbers, None for a missing one."""
    cuts = cuts_of([x for x in trained if x is not None])
    return [Counter("missing" if x is None else range_of(cuts, x) for x in side)
            for side in (trained, here)]


def names(trained, here):
    """Bins of values, of which rare and new ones are together; "" is missing."""
    often = Counter(x for x in trained if x)
    return [Counter("missing" if not x else x if often[x] >= RARE else "rare" for x in side)
            for side in (trained, here)]


def measure(trained, here, comparisons):
    """Shift, chance and drift of two counters."""
    n, m = sum(trained.values()), sum(here.values())
    shift = chance = 0
    for key in set(trained) | set(here):
        was, now = trained[key] / n, here[key] / m
        both = (trained[key] + here[key]) / (n + m)
        shift += abs(was - now) / 2
        chance += math.sqrt(2 / math.pi * both * (1 - both) * (1 / n + 1 / m)) / 2
    chance += math.sqrt((1 / n + 1 / m) * math.log(20 * comparisons) / 2)
    return shift, chance, max(0, shift - chance)


def agrees(part, expected, what):
    for key, value in zip(("shift", "chance", "drift"), expected):
        assert abs(part[key] - value) < 1e-12, (what, key, part[key], value)


def answers(model, path):
    run("predict", model, path, "--json", "-q", "-o", "answers.jsonl")
    return json_lines("answers.jsonl")


def score(row):
    labels = sorted(row["support"])
    if row["probability"]:
        return row["probability"][labels[1]]
    return row["support"][labels[1]] - row["support"][labels[0]]


def check_recount(options, ordered):
    """`ordered`: columns whose numbers are compared by tenths."""
    run("train", "past.csv", *options, "-q", "--label", "class", "-o", "m.hcbr")
    got = drift("m.hcbr", "new.csv")
    past, new = read("past.csv"), read("new.csv")
    by_name = {c["name"]: c for c in got["columns"]}
    comparisons = len(by_name) + 3
    assert all(c["compared"] for c in by_name.values())
    for name in set(past[0]) - {"class"}:
        if name not in by_name:
            assert name == "name"  # ids, which a model may leave out
            continue
        trained, here = [r[name] for r in past], [r[name] for r in new]
        if name in ordered:
            bins = numbers(*[[float(x) if x else None for x in s] for s in (trained, here)])
        else:
            bins = names(trained, here)
            known = set(trained)
            fresh = Counter(x for x in here if x and x not in known)
            column = by_name[name]
            assert column["new_count"] == len(fresh)
            assert column["new"] == [{"name": k, "cases": v} for k, v in
                                     sorted(fresh.items(), key=lambda x: (-x[1], x[0]))[:10]]
            filled = [x for x in here if x]
            assert close(column["unseen"], sum(fresh.values()) / len(filled))
        agrees(by_name[name], measure(*bins, comparisons), name)
        assert close(by_name[name]["missing_trained"], trained.count("") / len(trained))
        assert close(by_name[name]["missing_here"], here.count("") / len(here))
    labels = [Counter(r["class"] for r in side) for side in (past, new)]
    agrees(got["labels"], measure(*labels, comparisons), "labels")
    trained, here = answers("m.hcbr", "past.csv"), answers("m.hcbr", "new.csv")
    given = [Counter(r["label"] for r in side) for side in (trained, here)]
    agrees(got["answers"], measure(*given, comparisons), "answers")
    if trained[0]["probability"]:  # the lead of a plain model has digits that supports have lost
        agrees(got["scores"], measure(*numbers(*[[score(r) for r in s] for s in (trained, here)]),
                                      comparisons), "scores")
    every = {"column": got["columns"][0], "labels": got["labels"], "answers": got["answers"]}
    assert got["drift"] == max(p["drift"] for p in every.values())
    assert got["drift"] == every[got["worst"]]["drift"]
    assert got["drifted"] == (got["drift"] > got["limit"])
    assert got["cases"] == len(new) and got["trained"] == got["kept"] == len(past)
    unseen = [len(r["unseen"]) for r in here]
    assert got["unseen"] == sum(unseen) and got["unseen_cases"] == sum(u > 0 for u in unseen)


def figures_are_those_counted_again():
    for seed in range(4):
        write("past.csv", table(random.randrange(30, 300), seed))
        write("new.csv", table(random.randrange(5, 200), seed + 100, shift=seed / 2))
        for options, ordered in (QUICK, {"amount"}), (PLAIN, set()):
            check_recount(options, ordered)


# ---- what must hold for any data -----------------------------------------------------------------

def training_cases_have_no_drift():
    write("past.csv", table(200))
    write("texts.csv", ["text,class"] + [f"{random.choice(['buy this now', 'see you soon then'])} "
                                         f"word{random.randrange(99)} and so on,{'ab'[n % 2]}"
                                         for n in range(120)])
    write("bare.jsonl", [json.dumps({"label": "ab"[n % 2], "features": ["x", f"y{n % 7}"]})
                         for n in range(60)])
    for data in "past.csv", "texts.csv", "bare.jsonl", VOTES:
        for options in QUICK, PLAIN, [*QUICK, "--keep-cases", "none"], \
                [*PLAIN, "--keep-cases", "none"], [*QUICK, "--keep-cases", "anonymous"]:
            run("train", data, *options, "-q", "-o", "m.hcbr")
            got = drift("m.hcbr", data, code=0)
            assert got["drift"] == 0 and got["unseen"] == 0 and not got["drifted"], (data, options)
            parts = got["columns"] + [got["labels"], got["answers"], got["scores"]]
            assert all(p["shift"] < 1e-12 for p in parts if p["compared"]), (data, options)
            assert any(p["compared"] for p in got["columns"])
            assert all(c["new"] == [] and not c["gone"] for c in got["columns"])
            assert all(0 <= c["missing_here"] <= 1 for c in got["columns"])
            assert got["new_columns"] == []


def the_order_of_rows_does_not_matter():
    write("past.csv", table(150, 1))
    made = table(90, 2, shift=1)
    run("train", "past.csv", *QUICK, "-q", "-o", "m.hcbr")
    write("new.csv", made)
    first = run("drift", "m.hcbr", "new.csv", "--json", "-q", code=None).stdout
    for _ in range(3):
        rows = made[1:]
        random.shuffle(rows)
        write("other.csv", made[:1] + rows)
        assert run("drift", "m.hcbr", "other.csv", "--json", "-q", code=None).stdout == first


def a_changed_column_comes_first():
    past, new = table(300, 1), table(300, 2)
    write("past.csv", past)
    for options in QUICK, PLAIN:
        run("train", "past.csv", *options, "-q", "-o", "m.hcbr")
        write("new.csv", new)
        assert drift("m.hcbr", "new.csv", code=0)["drifted_columns"] == 0
        for n, name in (2, "colour"), (3, "size"):
            rows = [row.split(",") for row in new]
            for row in rows[1:]:
                row[n] = random.choice(["new value", "another"])
            write("new.csv", [",".join(row) for row in rows])
            got = drift("m.hcbr", "new.csv", code=1)
            assert got["columns"][0]["name"] == name and got["columns"][0]["drift"] > .5
            assert {x["name"] for x in got["columns"][0]["new"]} == {"another", "new value"}
            assert drift("m.hcbr", "new.csv", "--limit", "1", code=0)["limit"] == 1
            text = run("drift", "m.hcbr", "new.csv", "-q", code=1).stdout.splitlines()
            assert text[0].startswith("drift ") and "above the limit of 0.1" in text[0]
            first = [line for line in text if line.startswith(name)][0]
            assert "100 %" in first and text.index(first) == 1 + [
                n for n, line in enumerate(text) if line.startswith("column ")][0]
    # other units: all numbers are above those of training
    run("train", "past.csv", *QUICK, "-q", "-o", "m.hcbr")
    rows = [row.split(",") for row in new]
    for row in rows[1:]:
        row[1] = str(1000 + float(row[1])) if row[1] else ""
    write("new.csv", [",".join(row) for row in rows])
    got = drift("m.hcbr", "new.csv", code=1)["columns"][0]
    assert got["name"] == "amount" and got["bins"][0]["kind"] == "above" and got["drift"] > .5
    assert got["bins"][0]["trained"] == 0 and got["unseen"] == 0


def columns_and_labels_come_and_go():
    past = table(200, 1)
    run("train", "-", "--format", "csv", *QUICK, "-q", "-o", "m.hcbr", stdin="\n".join(past) + "\n")
    rows = [row.split(",") for row in table(100, 2)]
    write("gone.csv", [",".join(row[:3] + row[4:]) for row in rows])
    got = drift("m.hcbr", "gone.csv", code=1)
    assert got["columns"][0]["name"] == "size" and got["columns"][0]["gone"]
    assert got["gone_columns"] == 1 and got["columns"][0]["missing_here"] == 1
    assert "gone: no case has a value" in run("drift", "m.hcbr", "gone.csv", code=1).stdout
    write("more.csv", [",".join(row + ["weather" if n == 0 else "sun"])
                       for n, row in enumerate(rows)])
    got = drift("m.hcbr", "more.csv", code=0)
    assert got["new_columns"] == [{"name": "weather", "cases": 100}] and got["drift"] == 0
    assert "weather" in run("drift", "m.hcbr", "more.csv").stdout
    write("bare.csv", [",".join(row[:4]) for row in rows])
    got = drift("m.hcbr", "bare.csv", code=0)
    assert not got["labels"]["compared"] and got["labelled"] == 0 and got["labels"]["drift"] is None
    write("label.csv", [",".join(row[:4] + ["c" if n else "class"]) for n, row in enumerate(rows)])
    got = drift("m.hcbr", "label.csv", code=1)
    assert got["labels"]["new_count"] == 1 and got["labels"]["shift"] == 1
    assert got["labels"]["bins"][0] | {"here": 1, "trained": 0} == got["labels"]["bins"][0]


def chance_explains_what_small_data_do():
    """Of models and data of one source no figure is above 0 in 19 of 20 runs."""
    above = runs = 0
    for seed in range(30):
        write("past.csv", table(80, seed))
        write("new.csv", table(random.randrange(1, 60), seed + 1000))
        run("train", "past.csv", *PLAIN, "-q", "-o", "m.hcbr")
        above += drift("m.hcbr", "new.csv")["drift"] > 0
        runs += 1
    assert above <= runs / 10, (above, runs)


def without_past_cases_categories_are_compared():
    write("past.csv", table(200, 1))
    write("new.csv", table(100, 2))
    for options in QUICK, PLAIN:
        run("train", "past.csv", *options, "-q", "-o", "full.hcbr")
        run("train", "past.csv", *options, "-q", "--keep-cases", "none", "-o", "none.hcbr")
        full, none = drift("full.hcbr", "new.csv"), drift("none.hcbr", "new.csv")
        assert none["kept"] == 0 and not none["scores"]["compared"]
        assert not none["answers"]["compared"] and none["labels"]["compared"]
        by_name = {c["name"]: c for c in full["columns"]}
        for column in none["columns"]:
            other = by_name[column["name"]]
            assert column["compared"] == (options == PLAIN or column["name"] != "amount")
            assert column["new"] == other["new"] and column["missing_trained"] is None
            if not column["compared"]:
                assert column["bins"] == [] and column["drift"] is None
            elif column["name"] == "size":  # which every case has
                assert close(column["shift"], other["shift"])
    run("train", "past.csv", *QUICK, "--keep-cases", "none", "-q", "-o", "none.hcbr")
    assert "not kept" in run("drift", "none.hcbr", "new.csv").stdout


# ---- the rest ------------------------------------------------------------------------------------

def json_is_as_documented():
    keys = document_keys("hcbr.drift/1")
    with open(DOCUMENT, encoding="utf-8") as file:
        section = file.read().split("## hcbr.drift/1\n")[1].split("\n## ")[0]
    write("new.csv", lines(VOTES)[:80])
    run("train", VOTES, *QUICK, "-q", "-o", "m.hcbr")
    got = drift("m.hcbr", "new.csv")
    assert set(got) == keys, set(got) ^ keys
    column, named = got["columns"][0], set(re.findall(r"`(\w+)`", section))
    for part in column, column["bins"][0], got["scores"], got["labels"]:
        assert set(part) <= named, set(part) - named


def mistakes_are_named():
    run("train", VOTES, *QUICK, "-q", "-o", "m.hcbr")
    for value in "-1", "1.5", "much", "":
        assert "--limit" in run("drift", "m.hcbr", VOTES, "--limit", value, code=2).stderr
    run("drift", "m.hcbr", code=2)
    run("drift", VOTES, VOTES, code=4)
    run("drift", "m.hcbr", "none.csv", code=5)
    write("empty.csv", lines(VOTES)[:1])
    assert "no case" in run("drift", "m.hcbr", "empty.csv", code=3).stderr
    write("bad.csv", lines(VOTES)[:3] + ['a,"'])
    assert "bad.csv:" in run("drift", "m.hcbr", "bad.csv", "--strict", code=3).stderr


def names_of_the_data_cannot_steer_a_terminal():
    write("past.csv", ["a,b\x1b[31m,class"] + [f"x,y{n % 2},{'ab'[n % 2]}" for n in range(40)])
    run("train", "past.csv", *QUICK, "-q", "-o", "m.hcbr")
    write("new.csv", ["a,b\x1b[31m,class"] + ["x\x1b[2J,\x1b]0;t,a"] * 40)
    assert "\x1b" not in run("drift", "m.hcbr", "new.csv", code=1).stdout
    assert "\x1b" not in run("drift", "m.hcbr", "new.csv", "--json", code=1).stdout


run_tests([figures_are_those_counted_again, training_cases_have_no_drift,
           the_order_of_rows_does_not_matter, a_changed_column_comes_first,
           columns_and_labels_come_and_go, chance_explains_what_small_data_do,
           without_past_cases_categories_are_compared, json_is_as_documented, mistakes_are_named,
           names_of_the_data_cannot_steer_a_terminal])
