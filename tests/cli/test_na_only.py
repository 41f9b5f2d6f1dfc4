"""--na-only is the whole list: beside numbers, dates, flags, ids and sets no form of "not
available" is missing but those it names. The model keeps it, and every command goes by it."""
import datetime
import json
import random

from program import run, run_tests, write

RICH = ("--model", "rich", "--effort", "lite")
SIZE = 300
FORMS = ["N/A", "#N/A", "n/a", "-", "None", "null", "NULL", ".", "NaN", "--", "missing", "NA"]


def table(path, word, empty=""):
    """A column of each kind with a word in some rows, which tells the label, and empty cells."""
    r = random.Random(4)
    rows = ["label,amount,day,open,tags,city"]
    for i in range(SIZE):
        day = datetime.date(2019, 3, 1) + datetime.timedelta(days=r.randrange(140))
        tags = "|".join(r.sample(["p", "q", "r", "s", "t", "u", "v"], r.randrange(1, 4)))
        cells = [f"{r.uniform(3, 900):.2f}", str(day), r.choice(["yes", "no"]), tags,
                 r.choice(["Bonn", "Kiel", word])]
        for c in range(4):
            if i % 17 == 3 * c:
                cells[c] = word
        if i % 29 == 1:
            cells[0] = cells[1] = empty
        label = "a" if i % 17 in (0, 3) or r.random() < .3 else "b"
        rows.append(",".join([label] + cells))
    return write(path, rows)


def train(path, model, *options):
    run("train", *RICH, path, "-q", "-o", model, *options)


def supports(model, path, *options):
    shown = run("predict", model, path, "--json", "-q", *options).stdout.splitlines()
    return [(x["label"], x["support"], x["known"]) for x in map(json.loads, shown)]


def kinds(model):
    shown = json.loads(run("inspect", model, "--json").stdout)
    return {k["name"]: (k["kind"], k["missing"], k["odd"]) for k in shown["kinds"]}


def said(path, column, word):
    """How many of the different rows have nothing there, and how many the word."""
    with open(path, encoding="utf-8") as file:
        rows = {tuple(line.rstrip("\n").split(",")[1:]) for line in file}
    cells = [row[column - 1] for row in rows]
    assert 0 < cells.count("") <= 11 and cells.count(word) == 17, rows
    return cells.count(""), cells.count(word)


def na_only__every_form_is_a_value_like_any_other_word():
    """A word that no list has, and that sorts like the form, makes the same model."""
    for form in FORMS:
        table("word.csv", form + "x")
        train("word.csv", "word.m", "--na-only", "?")
        taken = kinds("word.m")
        assert taken["amount"] == ("number", *said("word.csv", 1, form + "x")), taken
        assert taken["day"] == ("date", *said("word.csv", 2, form + "x")), taken
        table("form.csv", form)
        train("form.csv", "form.m", "--na-only", "?")
        assert kinds("form.m") == taken, (form, kinds("form.m"))
        assert supports("form.m", "form.csv") == supports("word.m", "word.csv"), form


def na_only__without_it_they_are_missing():
    table("form.csv", "N/A")
    for options in ((), ("--na", "xyz")):
        train("form.csv", "form.m", *options)
        taken = kinds("form.m")
        assert taken["amount"][1:] == (17, 0) and taken["day"][1:] == (17, 0), taken
        shown = json.loads(run("predict", "form.m", "--case", "amount=N/A", "--case", "day=N/A",
                               "--case", "city=Bonn", "--json", "-q").stdout)
        assert shown["known"] == 1 and shown["unseen"] == [], shown


def na_only__a_listed_form_is_missing():
    table("form.csv", "N/A")
    table("empty.csv", "")
    train("form.csv", "form.m", "--na-only", "N/A,")
    train("empty.csv", "empty.m", "--na-only", "")
    assert supports("form.m", "form.csv") == supports("empty.m", "empty.csv")


def na_only__an_empty_cell_is_missing_beside_numbers_and_a_value_among_categories():
    table("word.csv", "N/Ax")
    train("word.csv", "word.m", "--na-only", "?")
    for given, known in (("amount=", 0), ("amount=  ", 0), ("day=", 0), ("tags=", 0),
                         ("amount=N/Ax", 1), ("day=N/Ax", 1), ("city=Bonn", 1)):
        shown = json.loads(run("predict", "word.m", "--case", given, "--json", "-q").stdout)
        assert (shown["known"] or 0, shown["unseen"]) == (known, []), (given, shown)
    shown = json.loads(run("predict", "word.m", "--case", "city=", "--json", "-q").stdout)
    assert shown["unseen"] == ["city="], shown


def na_only__every_command_goes_by_it():
    options = ("--na-only", "?")
    shown = {}
    for name, word in (("form", "N/A"), ("word", "N/Ax")):
        data, model = table(name + ".csv", word), name + ".m"
        train(data, model, *options)
        found = [json.loads(run("evaluate", data, *RICH, *options, "--json", "-q").stdout),
                 json.loads(run("evaluate", model, data, "--json", "-q").stdout)]
        why = run("explain", model, data, "--json", "-q", "--rows", "1-60").stdout.splitlines()
        shown[name] = ([(x["accuracy"], x["mcc"]) for x in found],
                       [(x["label"], x["support"]) for x in map(json.loads, why)])
    assert shown["form"] == shown["word"]
    table("form.csv", "N/A")
    run("convert", "form.csv", *options, "-o", "form.jsonl", "-q")
    train("form.jsonl", "jsonl.m", *options)
    assert supports("jsonl.m", "form.jsonl") == supports("form.m", "form.csv")


def na_only__new_cases_can_be_read_by_it():
    """Given to predict and explain, it overrules the model; --na adds to the model's list."""
    table("form.csv", "N/A")
    train("form.csv", "form.m")
    write("new.csv", ["amount,day,city", "N/A,N/A,Bonn", "3,2019-03-03,Kiel"])
    for command in (("predict",), ("explain",), ("explain", "-j", "2")):
        words = (*command, "form.m", "new.csv", "--json", "-q")
        unseen = [json.loads(x)["unseen"] for x in run(*words).stdout.splitlines()]
        assert unseen == [[], []], (command, unseen)
        shown = run(*words, "--na-only", "?").stdout.splitlines()
        unseen = [json.loads(x)["unseen"] for x in shown]
        assert unseen == [["amount: other=N/A", "day=N/A"], []], (command, unseen)
    write("large.csv", ["amount,day,city,remark"] + [f"N/A,N/A,Bonn,{'x' * 700}"] * 9000)
    many = run("predict", "form.m", "large.csv", "-j", "2", "--na-only", "?", "--json", "-q").stdout
    assert many.count('"unseen":["amount: other=N/A","day=N/A"') == 9000
    train("form.csv", "only.m", "--na-only", "?")
    shown = run("predict", "only.m", "new.csv", "--json", "-q", "--na", "N/A").stdout
    first = json.loads(shown.splitlines()[0])
    assert first["known"] == 1 and first["unseen"] == [], first
    shown = run("predict", "only.m", "--case", "amount=-", "--json", "-q", "--na", "N/A").stdout
    assert json.loads(shown)["unseen"] == ["amount: other=-"]


def na_only__a_model_without_kinds_stores_it():
    write("small.csv", ["label,a", "x,1", "y,N/A"] + ["x,2"] * 3)
    for options in (RICH, ("--model", "plain")):
        for words, wanted in (((), False), (("--na-only", "?"), True)):
            run("train", "small.csv", "-q", "-o", "small.m", *options, *words)
            shown = json.loads(run("inspect", "small.m", "--json").stdout)
            assert shown["options"]["reading"]["na_only"] is wanted, (options, words)


def na_only__inspect_shows_it():
    table("form.csv", "N/A")
    seen = {}
    for name, options in (("default", ()), ("added", ("--na", "x")), ("only", ("--na-only", "?,x")),
                          ("none", ("--na-only", ""))):
        train("form.csv", "m", *options)
        reading = json.loads(run("inspect", "m", "--json").stdout)["options"]["reading"]
        text = [x for x in run("inspect", "m").stdout.splitlines() if x.startswith("missing")]
        seen[name] = (reading["na"], reading["na_only"], [" ".join(x.split()) for x in text])
    assert seen == {"default": (None, False, []),
                    "added": (["", "?", "NA", "NaN", "null", "x"], False,
                              ["missing (empty), ?, NA, NaN, null, x"]),
                    "only": (["?", "x"], True, ["missing, only ?, x"]),
                    "none": ([""], True, ["missing, only (empty)"])}, seen


run_tests([na_only__every_form_is_a_value_like_any_other_word,
           na_only__without_it_they_are_missing,
           na_only__a_listed_form_is_missing,
           na_only__an_empty_cell_is_missing_beside_numbers_and_a_value_among_categories,
           na_only__every_command_goes_by_it,
           na_only__new_cases_can_be_read_by_it,
           na_only__a_model_without_kinds_stores_it,
           na_only__inspect_shows_it])
