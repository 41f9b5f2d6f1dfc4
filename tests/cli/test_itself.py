"""A case of the training data that is asked about again is told as what it is, and is no precedent
of its own; an equal case of another person is one. Sums stay exact."""
import json
import random

from program import VOTES, run, run_tests, write

SAID = "itself a part of the training"


def explain(model, data, *options):
    return [json.loads(line) for line in
            run("explain", model, data, "--json", "--all", *options).stdout.splitlines()]


def check_sums(e):
    """bias, the case itself and all others add up to the support; the lists are what they count."""
    for label, support in e["support"].items():
        total = e["bias"][label] + sum(c["influence"][label] for c in e["cases"] + e["itself"])
        assert abs(total - support) <= 1e-9 * max(1, abs(support)), (e["row"], label, total)
    assert e["for_count"] + e["against_count"] + e["other_count"] == len(e["cases"])


def draw(count, labels=3):
    """Rows of few values, so that many are equal."""
    return [(f"p{i}", random.choice("ab"), random.choice("xyz"), random.choice(["1", "2", "7.5"]),
             f"L{random.randrange(labels)}") for i in range(count)]


def table(rows, ids=True):
    head = "id,place,kind,size,label" if ids else "place,kind,size,label"
    return [head] + [",".join(r if ids else r[1:]) for r in rows]


def every_row_of_the_training_is_itself():
    for kind in ("plain", "rich"):
        for ids in (True, False):
            for labels in (2, 3):
                data = write("past.csv", table(draw(60, labels), ids))
                more = ["--id", "id"] if ids else []
                run("train", data, "--model", kind, "-q", "-o", "m.hcbr", *more)
                for e in explain("m.hcbr", data):
                    assert [c["row"] for c in e["itself"]] == [e["row"]]
                    assert all(c["row"] != e["row"] for c in e["cases"])
                    check_sums(e)


def an_id_finds_it_in_any_row():
    rows = draw(60)
    run("train", write("past.csv", table(rows)), "--id", "id", "-q", "-o", "m.hcbr")
    random.shuffle(rows)
    for e in explain("m.hcbr", write("new.csv", table(rows))):
        assert [c["id"] for c in e["itself"]] == [e["id"]]
        check_sums(e)


def an_equal_case_of_another_is_a_precedent():
    for kind in ("plain", "rich"):
        rows = draw(60)
        run("train", write("past.csv", table(rows)), "--model", kind, "--id", "id", "-q", "-o",
            "m.hcbr")
        others = [("new" + r[0], *r[1:]) for r in rows]
        for e in explain("m.hcbr", write("new.csv", table(others))):
            assert e["itself"] == []
            check_sums(e)
        changed = [(r[0], "ab"[r[1] == "a"], *r[2:]) for r in rows]  # the same person, other values
        for e in explain("m.hcbr", write("new.csv", table(changed))):
            assert e["itself"] == []
            check_sums(e)


def without_ids_row_and_label_decide():
    rows = draw(60)
    run("train", write("past.csv", table(rows, False)), "-q", "-o", "m.hcbr")
    moved = rows[1:] + rows[:1]
    for e, new, old in zip(explain("m.hcbr", write("new.csv", table(moved, False))), moved, rows):
        assert bool(e["itself"]) == (new[1:] == old[1:]), (e["row"], new, old)
    unlabelled = ["place,kind,size"] + [",".join(r[1:4]) for r in rows]
    assert all(e["itself"] == [] for e in explain("m.hcbr", write("new.csv", unlabelled)))
    case = explain("m.hcbr", f"--case=place={rows[0][1]},kind={rows[0][2]},size={rows[0][3]}")
    assert case[0]["itself"] == []


def text_and_page_say_it():
    run("train", VOTES, "-q", "-o", "m.hcbr")
    text = run("explain", "m.hcbr", VOTES, "--rows", "5").stdout
    assert SAID in " ".join(text.split()) and "this case itself" in text, text
    run("explain", "m.hcbr", VOTES, "--rows", "5", "--html", "p.html", "-q")
    with open("p.html", encoding="utf-8") as file:
        assert SAID in file.read()
    with open(VOTES, encoding="utf-8") as file:
        lines = file.read().splitlines()
    new = write("new.csv", [lines[0], lines[5].replace("democrat", "republican")])
    assert SAID not in " ".join(run("explain", "m.hcbr", new).stdout.split())


def rates_on_training_rows_are_called_so():
    rows = draw(300)
    past = write("past.csv", table(rows[:200]))
    new = write("new.csv", table(rows[200:]))
    half = write("half.csv", table(rows[150:250]))
    run("train", past, "--id", "id", "-q", "-o", "m.hcbr")
    for command in ("evaluate", "predict"):
        assert "200 of the first 200 rows were a part of the training" in \
            run(command, "m.hcbr", past).stderr
        assert "50 of the first 100 rows" in run(command, "m.hcbr", half).stderr
        assert "part of the training" not in run(command, "m.hcbr", new).stderr


run_tests([every_row_of_the_training_is_itself, an_id_finds_it_in_any_row,
           an_equal_case_of_another_is_a_precedent, without_ids_row_and_label_decide,
           text_and_page_say_it, rates_on_training_rows_are_called_so])
