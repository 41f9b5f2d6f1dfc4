"""Prior knowledge: --importance and --belief, their files, what they mean, and how they are shown.

Relations that must hold: importances of 1 are none, one factor changes no decision, importance 0 is
--ignore; a belief is a row, one of weight 2 two rows, the order of lines means nothing, and no
belief is ever held out."""
import csv
import io
import json
import random
import struct

from program import PLAIN, run, run_tests, sections, write

COLUMNS = {"outlook": ["sunny", "rain", "overcast"], "temp": ["hot", "mild", "cool"],
           "windy": ["yes", "no"], "size": ["1", "2", "3", "10"]}
HELD_OUT, IMPORTANCE, BELIEFS = 26, 27, 28


def draw(count, missing=.1):
    rows = []
    for _ in range(count):
        row = {name: random.choice(values) if random.random() > missing else ""
               for name, values in COLUMNS.items()}
        row["play"] = "yes" if (row["outlook"] == "sunny") ^ (random.random() < .25) else "no"
        rows.append(row)
    return rows


def table(path, rows, names=(*COLUMNS, "play")):
    out = io.StringIO()
    writer = csv.DictWriter(out, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return write(path, out.getvalue().splitlines())


def beliefs(path, rows):
    return table(path, rows, (*COLUMNS, "play", "belief_source", "belief_weight"))


def believe(rows, source="Ana", weight=1):
    return [dict(row, belief_source=source, belief_weight=weight) for row in rows]


def importance(path, lines):
    return write(path, ["column,value,importance", *lines])


def train(out, *arguments, data="data.csv"):
    run("train", data, "--label", "play", "-q", "-o", out, *arguments)
    return out


def answers(model, data="new.csv"):
    found = [json.loads(line) for line in
             run("predict", model, data, "--label", "play", "--json", "-q").stdout.splitlines()]
    return found


def decisions(model):
    return [(a["label"], a["reason"]) for a in answers(model)]


def supports(model):
    return [a["support"] for a in answers(model)]


def same_numbers(one, other):
    assert len(one) == len(other)
    for a, b in zip(one, other):
        assert a.keys() == b.keys()
        for label in a:
            assert abs(a[label] - b[label]) < 1e-12, (a, b)


def fresh(count=60):
    table("data.csv", draw(count))
    table("new.csv", draw(40, .2))


# ---- importance ----------------------------------------------------------------------------------


def importances_of_1__are_none():
    for _ in range(3):
        fresh()
        importance("all.csv", [f"{name},,1" for name in COLUMNS])
        train("none.hcbr", *PLAIN)
        train("all.hcbr", *PLAIN, "--importance", "all.csv")
        assert answers("none.hcbr") == answers("all.hcbr")
        with_, without = sections("all.hcbr"), sections("none.hcbr")
        assert IMPORTANCE not in without
        with_.pop(IMPORTANCE)
        assert with_ == without  # all else is the same to the byte


def one_factor__changes_no_decision():
    for factor in (2, .5, 1000, .001):
        fresh()
        given = {name: random.choice([1, 2, 3, 5]) for name in COLUMNS}
        importance("one.csv", [f"{name},,{value}" for name, value in given.items()])
        importance("more.csv", [f"{name},,{value * factor:g}" for name, value in given.items()])
        train("one.hcbr", *PLAIN, "--importance", "one.csv")
        train("more.hcbr", *PLAIN, "--importance", "more.csv")
        assert decisions("one.hcbr") == decisions("more.hcbr")
        same_numbers(supports("one.hcbr"), supports("more.hcbr"))


def a_factor_of_2__changes_not_a_bit():
    """Twice as much for all columns: strengths, reasons, changes, questions, thresholds."""
    fresh(120)
    importance("two.csv", [f"{name},,2" for name in COLUMNS])
    told = []
    for more in ((), ("--importance", "two.csv")):
        train("m.hcbr", *PLAIN, *more)
        told.append([
            run("predict", "m.hcbr", "new.csv", "--label", "play", "--json", "-q").stdout,
            run("explain", "m.hcbr", "new.csv", "--label", "play", "--json", "-q", "--flip",
                "--ask", "--versus", "3", "--all").stdout,
            run("explain", "m.hcbr", "--case", "outlook=never seen", "--case", "windy=yes",
                "--json", "--flip", "--ask", "--versus", "5").stdout,
            run("evaluate", "data.csv", "--label", "play", *PLAIN, *more, "--folds", "4",
                "--predictions", "p.jsonl", "-q").stdout.split("model ")[0],
            open("p.jsonl", encoding="utf-8").read()])
        for goal in (("--metric", "mcc"), ("--metric", "f1"), ("--calibrate", "platt")):
            run("tune" if goal[0] != "--calibrate" else "train", "data.csv", "--label", "play",
                *PLAIN, *more, *goal, "-q", "-o", "t.hcbr")
            told[-1].append([sections("t.hcbr").get(kind) for kind in (7, 16, 17, 21)])
    assert told[0] == told[1]


def importance_0__leaves_out():
    for name, values in COLUMNS.items():
        fresh()
        importance("zero.csv", [f"{name},,0"])
        train("zero.hcbr", *PLAIN, "--importance", "zero.csv")
        train("ignored.hcbr", *PLAIN, "--ignore", name)
        assert answers("zero.hcbr") == answers("ignored.hcbr")
        importance("each.csv", [f"{name},{value},0" for value in values])
        train("each.hcbr", *PLAIN, "--importance", "each.csv")
        assert answers("zero.hcbr") == answers("each.hcbr")
        figures = [run("evaluate", "data.csv", "--label", "play", *PLAIN, "--folds", "5", "--json",
                       *more).stdout
                   for more in (("--importance", "zero.csv"), ("--ignore", name))]
        first, second = map(json.loads, figures)
        for metric in ("accuracy", "mcc", "auc"):
            assert first[metric] == second[metric], metric


def importance__is_the_same_in_every_way_to_decide():
    fresh(200)
    importance("some.csv", ["outlook,,2.5", "temp,hot,0", "windy,no,3", "size,10,0.5"])
    train("m.hcbr", *PLAIN, "--importance", "some.csv")
    whole = answers("m.hcbr")
    for row, text in enumerate(run("explain", "m.hcbr", "new.csv", "--label", "play", "--json",
                                   "-q").stdout.splitlines()):
        found = json.loads(text)
        same_numbers([found["support"]], [whole[row]["support"]])
        assert all(found[key] == whole[row][key] for key in ("label", "known", "unseen"))
        for label, value in found["support"].items():
            if found["atoms"]:
                assert abs(sum(g["contribution"][label] for g in found["atoms"]) - value) < 1e-9
    jsonl = []
    with open("new.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            jsonl.append(json.dumps({k: v for k, v in row.items() if v}))
    write("new.jsonl", jsonl)
    assert [a["support"] for a in answers("m.hcbr", "new.jsonl")] == supports("m.hcbr")


def importance__can_be_tuned_and_studied():
    fresh(80)
    importance("some.csv", ["outlook,,2.5", "temp,hot,0"])
    run("tune", "data.csv", "--label", "play", *PLAIN, "--importance", "some.csv", "--metric",
        "mcc", "-q", "-o", "t.hcbr")
    found = json.loads(run("inspect", "t.hcbr", "--json").stdout)
    assert found["given_importance"] == [
        {"column": "outlook", "value": None, "importance": 2.5},
        {"column": "temp", "value": "hot", "importance": 0}]
    text = run("inspect", "t.hcbr").stdout
    assert "importance      2.5 of column outlook\n                0 of temp=hot\n" in text
    for kind in ("curve", "passes", "prune"):
        run("study", kind, "data.csv", "--label", "play", "--importance", "some.csv", "-q")
    for kind in ("space", "reach"):
        error = run("study", kind, "data.csv", "--label", "play", "--importance", "some.csv",
                    code=2).stderr
        assert f"study {kind} takes all features as equally important" in error
    run("study", "time", "--importance", "some.csv", code=2)
    beliefs("b.csv", believe(draw(3, 0), weight=2))
    for kind in ("curve", "passes", "space", "reach", "prune", "cover", "pareto"):
        run("study", kind, "data.csv", "--label", "play", "--belief", "b.csv", "-q")
    found = json.loads(run("study", "curve", "data.csv", "--label", "play", "--belief", "b.csv",
                           "--json", "-q").stdout)
    assert all(row["cases"] > 6 for row in found["tables"]["curve"])  # all beliefs, and cases


def importance__of_a_number_in_any_spelling():
    write("temp.csv", ["outlook,temp,play"] + [f"{'sunny' if n % 3 else 'rain'},{n % 7 * 10 + 1},"
                                               f"{'no' if n % 4 else 'yes'}" for n in range(60)])
    found = []
    for value in "71", "11", "11.0", "1.1e1":
        importance("one.csv", [f"temp,{value},5"])
        run("train", "temp.csv", "--label", "play", *PLAIN, "--importance", "one.csv", "-q", "-o",
            "m.hcbr", code=3 if value == "71" else 0)
        if value != "71":  # a value that the data has not
            with open("m.hcbr", "rb") as file:
                found.append(file.read())
            given = json.loads(run("inspect", "m.hcbr", "--json").stdout)["given_importance"]
            assert given == [{"column": "temp", "value": "11", "importance": 5}]
    assert found[0] == found[1] == found[2]
    importance("two.csv", ["temp,11,5", "temp,11.0,4"])
    error = run("train", "temp.csv", "--label", "play", *PLAIN, "--importance", "two.csv", "-o",
                "never.hcbr", code=3).stderr
    assert "two.csv:3:1: found an importance of 'temp' with '11' twice" in error


def train__counts_what_was_known_before():
    def trained(*options):
        return json.loads(run("train", "data.csv", "--label", "play", *options, "--json", "-o",
                              "m.hcbr").stdout)

    fresh(40)
    importance("some.csv", ["outlook,,2.5", "temp,hot,0"])
    beliefs("b.csv", believe(draw(3, 0), weight=2))
    found = trained(*PLAIN, "--importance", "some.csv", "--belief", "b.csv")
    assert (found["beliefs"], found["belief_cases"], found["importances"]) == (3, 6, 2)
    assert found["cases"] == 46
    found = trained("--effort", "lite", "--belief", "b.csv")
    assert (found["beliefs"], found["belief_cases"], found["importances"]) == (3, 3, 0)


def mistakes_in_importances__have_a_place():
    fresh()
    for lines, place, words in (
            (["column,value,importance", "outlok,,2"], ":2:1",
             "found 'outlok', expected a column or key that some case has; did you mean 'outlook'"),
            (["column,value,importance", "temp,,1", "outlook,suny,2"], ":3:9",
             "found 'suny', expected a value of 'outlook' that some case has; did you "
             "mean 'sunny'"),
            (["column,value,importance", "outlook,,-1"], ":2:10", "found '-1', expected an import"),
            (["column,value,importance", "outlook,,nan"], ":2:10", "found 'nan', expected"),
            (["column,value,importance", "outlook,,"], ":2:10", "found '', expected"),
            (["column,value,importance", "outlook,,0.1234567"], ":2:10", "six decimals"),
            (["column,value,importance", "outlook,,1e7"], ":2:10", "from 0 to 1000000"),
            (["column,value,importance", "outlook,,1", "outlook,,2"], ":3:1",
             "twice, expected one"),
            (["column,value,importance", "outlook,sunny,1", "outlook,sunny,1"], ":3:1",
             "line 2 has it too"),
            (["column,weight", "outlook,1"], ":1:8", "found column 'weight', expected column"),
            (["column,importanc", "outlook,1"], ":1:8", "did you mean 'importance'?"),
            (["column,value", "outlook,1"], ":1:1", "found no column importance"),
            (["column,value,importance", "outlook,2"], ":2:1", "found 2 fields, expected 3"),
            (["column,value,importance", ",,2"], ":2:1", "found no name"),
            (["column,value,importance", 'outlook,"su,2'], ":2:9", "does not end"),
            (["column,value,importance"], "", "empty file"), ([], "", "empty file")):
        write("wrong.csv", lines)
        error = run("train", "data.csv", "--label", "play", *PLAIN, "--importance", "wrong.csv",
                    "-o", "never.hcbr", code=3).stderr
        assert f"hcbr train: wrong.csv{place}: " in error and words in error, (lines, error)
    importance("good.csv", ["# a remark", "", ' "outlook" , sunny , 2 '])
    train("good.hcbr", *PLAIN, "--importance", "good.csv")
    error = run("train", "data.csv", "--label", "play", "--importance", "good.csv", "-o",
                "never.hcbr", code=2).stderr
    assert "--importance is for --model plain" in error
    run("train", "data.csv", "--label", "play", *PLAIN, "--importance", "nowhere.csv", "-o",
        "never.hcbr", code=5)


# ---- beliefs -------------------------------------------------------------------------------------


def a_belief__is_a_row():
    for kind in (PLAIN, ["--model", "rich", "--effort", "lite"]):
        for _ in range(2):
            rows, stated = draw(50), draw(1, 0)
            table("data.csv", rows)
            table("new.csv", draw(30, .2))
            table("more.csv", rows + stated)
            beliefs("b.csv", believe(stated))
            train("belief.hcbr", *kind, "--belief", "b.csv")
            train("row.hcbr", *kind, data="more.csv")
            assert answers("belief.hcbr") == answers("row.hcbr")
            assert BELIEFS in sections("belief.hcbr")
            assert BELIEFS not in sections("row.hcbr")


def a_belief_of_weight_2__is_two_rows():
    for kind in (PLAIN, ["--model", "rich", "--effort", "lite"]):
        rows, stated = draw(50), draw(1, 0)
        table("data.csv", rows)
        table("new.csv", draw(30, .2))
        table("more.csv", rows + stated + stated)
        beliefs("b.csv", believe(stated, weight=2))
        train("belief.hcbr", *kind, "--belief", "b.csv")
        train("rows.hcbr", *kind, data="more.csv")
        same_numbers(supports("belief.hcbr"), supports("rows.hcbr"))
        assert decisions("belief.hcbr") == decisions("rows.hcbr")


def a_belief_of_weight_0__is_none():
    for kind in (PLAIN, ["--model", "rich", "--effort", "lite"]):
        fresh()
        beliefs("b.csv", believe(draw(2, 0), weight=0))
        train("none.hcbr", *kind)
        train("zero.hcbr", *kind, "--belief", "b.csv")
        with open("none.hcbr", "rb") as one, open("zero.hcbr", "rb") as other:
            assert one.read() == other.read()


def the_order_of_lines__does_not_matter():
    for kind in (PLAIN, ["--model", "rich", "--effort", "lite"]):
        fresh()
        stated = [line for who in ("Ana", "Bob") for line in believe(draw(4, .3), who, 2)]
        stated = list({tuple(sorted(line.items())): line for line in stated}.values())
        beliefs("one.csv", stated)
        random.shuffle(stated)
        names = [*COLUMNS, "play", "belief_source", "belief_weight"]
        random.shuffle(names)
        table("other.csv", stated, names)
        train("one.hcbr", *kind, "--belief", "one.csv")
        train("other.hcbr", *kind, "--belief", "other.csv")
        with open("one.hcbr", "rb") as one, open("other.hcbr", "rb") as other:
            assert one.read() == other.read()


def beliefs__are_never_held_out():
    rows = draw(40, 0)
    table("data.csv", rows)
    # Each case has a value of its own; a belief repeats it with the other label, many times.
    for n, row in enumerate(rows):
        row["size"] = str(1000 + n)
    table("data.csv", rows)
    stated = [dict(row, play="no" if row["play"] == "yes" else "yes") for row in rows]
    beliefs("b.csv", believe(stated, weight=30))
    for kind in (PLAIN, ["--model", "rich", "--effort", "lite"]):
        for more in (["--folds", "8"], ["--holdout", "0.3"], ["--past-only", "--folds", "3"],
                     ["--test", "data.csv"]):
            found = json.loads(run("evaluate", "data.csv", "--label", "play", *kind, *more,
                                   "--belief", "b.csv", "--json", "--predictions", "p.jsonl",
                                   "-q").stdout)
            with open("p.jsonl", encoding="utf-8") as file:
                decided = [json.loads(line) for line in file]
            assert all(1 <= d["row"] <= 40 for d in decided), more
            right = sum(d["label"] == d["truth"] for d in decided)
            assert right <= len(decided) / 4, (kind, more, right)  # they were trained on
            assert found["cases"] == (80 if "--test" in more else 40)
    for command, *goal in (("train", "--calibrate", "platt"), ("tune", "--metric", "mcc")):
        run(command, "data.csv", "--label", "play", *PLAIN, *goal, "--belief", "b.csv", "-q", "-o",
            "held.hcbr")
        kept = sections("held.hcbr")[HELD_OUT]
        count, = struct.unpack_from("<Q", kept, 8)
        weight = sum(struct.unpack_from("<d", kept, 24 + 32 * n)[0] for n in range(count))
        assert weight == 40  # none of the 1,200 other cases
        assert all(answer == 2 for answer in kept[-30 * 40:])  # was not held out
        run("inspect", "held.hcbr")
    run("evaluate", "data.csv", "--label", "play", *PLAIN, "--belief", "b.csv", "--folds-out",
        "folds.txt", "-q")
    with open("folds.txt", encoding="utf-8") as file:
        assert len(file.readlines()) == 40
    run("evaluate", "data.csv", "--label", "play", *PLAIN, "--belief", "b.csv", "--folds-file",
        "folds.txt", "-q")


def beliefs__are_shown_as_what_they_are():
    rows = draw(30, 0)
    table("data.csv", rows)
    stated = dict(rows[0], play="no" if rows[0]["play"] == "yes" else "yes")
    beliefs("b.csv", believe([stated], "<Ana> & Co", 3))
    table("new.csv", rows[:1])
    for kind in (PLAIN, ["--model", "rich", "--effort", "lite"]):
        train("m.hcbr", *kind, "--belief", "b.csv")
        text = run("explain", "m.hcbr", "new.csv", "--label", "play", "--cases", "40").stdout
        assert text.count("stated by <Ana> & Co, weight 3") == 1, text
        assert "row 31" not in text
        found = json.loads(run("explain", "m.hcbr", "new.csv", "--label", "play", "--cases", "40",
                               "--json").stdout)
        told = [c for c in found["cases"] if "belief" in c]
        assert len(told) == 1 and told[0]["row"] is None
        assert told[0]["belief"] == {"source": "<Ana> & Co", "weight": 3}
        for label, value in found["support"].items():
            total = sum(c["influence"][label] for c in found["cases"] + found["itself"]) + \
                found["bias"][label]
            assert abs(total - value) < 1e-9 * max(1, abs(value)), (label, total, value)
        for c in found["cases"]:
            lead = c["influence"][found["explained"]] - c["influence"][found["against"]]
            assert abs(c["lead"] - lead) < 1e-9 * max(1, abs(lead)), c
        page = run("explain", "m.hcbr", "new.csv", "--label", "play", "--html", "-").stdout
        assert "Stated by <bdi>&lt;Ana&gt; &amp; Co</bdi>, weight" in page
        inspected = json.loads(run("inspect", "m.hcbr", "--json").stdout)
        assert inspected["beliefs"] == [{"source": "<Ana> & Co", "weight": 3,
                                         "cases": 3 if kind == PLAIN else 1,
                                         "label": stated["play"]}]
        assert "stated by <Ana> & Co, weight 3\n" in run("inspect", "m.hcbr").stdout
    for keep in ("none", "anonymous"):
        train("m.hcbr", *PLAIN, "--belief", "b.csv", "--keep-cases", keep)
        assert "stated by <Ana> & Co, weight 3\n" in run("inspect", "m.hcbr").stdout


def mistakes_in_beliefs__have_a_place():
    fresh()
    head = "outlook,windy,play,belief_source,belief_weight"
    for lines, place, words in (
            (["outlok,play,belief_source", "sunny,yes,Ana"], ":1:1",
             "found column 'outlok', expected one of the data, belief_source or belief_weight; "
             "did you mean 'outlook'?"),
            (["outlook,play,belief_sorce", "sunny,yes,Ana"], ":1:14",
             "did you mean 'belief_source'?"),
            (["outlook,belief_source", "sunny,Ana"], ":1:1", "found no column 'play'"),
            (["outlook,play", "sunny,yes"], ":1:1", "found no column 'belief_source'"),
            ([head, "sunny,no,yess,Ana,1"], ":2:10",
             "found label 'yess', expected one that the data has; did you mean 'yes'?"),
            ([head, "sunny,no,,Ana,1"], ":2:10", "found no label"),
            ([head, "sunny,no,yes,,1"], ":2:14", "found no source"),
            ([head, "sunny,no,yes,Ana,-1"], ":2:18", "found '-1', expected the weight of a belief"),
            ([head, "sunny,no,yes,Ana,1.5"], ":2:18", "a whole number from 0 to 1000000"),
            ([head, "sunny,no,yes,Ana,"], ":2:18", "found '', expected the weight"),
            ([head, "sunny,no,yes,Ana,inf"], ":2:18", "found 'inf', expected the weight"),
            ([head, "sunny,no,yes,Ana,1", "sunny,no,yes,Ana,2"], ":3:1",
             "found what line 2 states, by the same source"),
            ([head, "sunny,no,yes,Ana"], ":2:1", "found 4 fields, expected 5"),
            ([head + ",outlook", "sunny,no,yes,Ana,1,x"], ":1:48", "twice"),
            ([head], "", "empty file"), ([], "", "empty file")):
        write("wrong.csv", lines)
        error = run("train", "data.csv", "--label", "play", *PLAIN, "--belief", "wrong.csv", "-o",
                    "never.hcbr", code=3).stderr
        assert f"hcbr train: wrong.csv{place}: " in error and words in error, (lines, error)
    write("half.csv", [head, "sunny,no,yes,Ana,1.5", "sunny,no,yes,Bob,1.5"])
    train("half.hcbr", "--effort", "lite", "--belief", "half.csv")  # rich: any number
    write("new.csv", ["outlook,play,belief_source", "never seen,yes,Ana"])
    train("new.hcbr", *PLAIN, "--belief", "new.csv")  # a value may be new


run_tests([importances_of_1__are_none,
           one_factor__changes_no_decision,
           a_factor_of_2__changes_not_a_bit,
           importance_0__leaves_out,
           importance__is_the_same_in_every_way_to_decide,
           importance__can_be_tuned_and_studied,
           importance__of_a_number_in_any_spelling,
           train__counts_what_was_known_before,
           mistakes_in_importances__have_a_place,
           a_belief__is_a_row,
           a_belief_of_weight_2__is_two_rows,
           a_belief_of_weight_0__is_none,
           the_order_of_lines__does_not_matter,
           beliefs__are_never_held_out,
           beliefs__are_shown_as_what_they_are,
           mistakes_in_beliefs__have_a_place])
