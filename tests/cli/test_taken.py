"""Columns are what their values say: disguises of numbers and formats of dates change no decision,
texts are words, sets have members; the model keeps it, options overrule it."""
import datetime
import json
import os
import random
import re

from program import SOURCE, run, run_tests, write

RICH = ("--model", "rich", "--effort", "lite")
SIZE = 300


def number(value):
    return f"{value:.2f}"


def point_of(text):
    """The same with dots between thousands and a decimal comma."""
    return text.replace(",", ";").replace(".", ",").replace(";", ".")


DISGUISES = {
    "currency": lambda v: f"${v:,.2f}",
    "code": lambda v: f"{v:.2f} EUR",
    "comma": lambda v: point_of(f"{v:,.2f}"),
    "comma_alone": lambda v: number(v).replace(".", ","),
    "blanks": lambda v: f"{v:,.2f}".replace(",", "\u202f"),
    "quotes": lambda v: f"{v:,.2f}".replace(",", "'"),
    "percent": lambda v: f"{v:.2f}%",
    "unit": lambda v: f"{v:.2f} kg",
    "parentheses": lambda v: f"({-v:.2f})" if v < 0 else f"{v:.2f}",
    "plus": lambda v: f"{v:+.2f}",
    "padded": lambda v: f" {v:.2f} ",
    "thousands": lambda v: f"{v / 1000:.5f}k",
}
MISSING = ["N/A", "n/a", "-", "None", "NULL", ".", "#N/A", "--", "missing"]
DATES = {
    "dmy": "%d/%m/%Y", "mdy": "%m/%d/%Y", "points": "%d.%m.%Y", "words": "%d %B %Y",
    "american": "%b %d, %Y", "compact": "%Y%m%d", "slashes": "%Y/%m/%d",
    "weekday": "%A, %d %B %Y",
}


def quoted(cell):
    return '"' + cell.replace('"', '""') + '"'


def table(path, show=number, date="%Y-%m-%d", missing="", dates=True):
    """Two numbers, one of them missing at times, a word, a day."""
    r = random.Random(5)
    rows = ["label,amount,other,colour" + (",day" if dates else "")]
    for i in range(SIZE):
        a, b = round(r.uniform(-3000, 9000), 2), round(r.uniform(1, 900), 2)
        day = datetime.date(2015, 1, 1) + datetime.timedelta(days=r.randrange(2500))
        label = "yes" if a + 20 * b + 900 * (day.weekday() > 4) + r.gauss(0, 900) > 12000 else "no"
        cells = [label, show(a), missing if i % 9 == 4 else show(b), r.choice(["red", "blue"])]
        rows.append(",".join(quoted(c) for c in cells + [day.strftime(date)] * dates))
    return write(path, rows)


def supports(model, path):
    shown = run("predict", model, path, "--json", "-q").stdout.splitlines()
    return [(json.loads(x)["label"], json.loads(x)["support"]) for x in shown]


def kinds(path, *options):
    shown = run("train", *RICH, path, *options, "--explain-input", "--json").stdout
    return {k["name"]: k for k in json.loads(shown)["kinds"]}


def train(path, model, *options):
    run("train", *RICH, path, "-q", "-o", model, *options)
    with open(model, "rb") as file:
        return file.read()


def taken__disguises_of_numbers_change_no_decision():
    table("clean.csv", dates=False)
    train("clean.csv", "clean.m")
    wanted = supports("clean.m", "clean.csv")
    assert {label for label, _ in wanted} == {"yes", "no"}
    for name, show in DISGUISES.items():
        table("dirty.csv", show, dates=False)
        train("dirty.csv", "dirty.m")
        assert kinds("dirty.csv")["amount"]["kind"] == "number", name
        assert supports("dirty.m", "dirty.csv") == wanted, name
        # plain numbers of two places are read by the models of all of them
        assert supports("dirty.m", "clean.csv") == wanted, name


def taken__forms_of_missing_are_missing_beside_numbers():
    table("clean.csv")
    train("clean.csv", "clean.m")
    wanted = supports("clean.m", "clean.csv")
    for form in MISSING:
        table("dirty.csv", missing=form)
        train("dirty.csv", "dirty.m")
        assert supports("dirty.m", "dirty.csv") == wanted, form


def taken__formats_of_dates_change_no_decision():
    table("clean.csv")
    train("clean.csv", "clean.m")
    columns = [c["name"] for c in json.loads(run("inspect", "clean.m", "--json").stdout)["columns"]]
    for part in ("year", "month", "day of month", "day of week", "day of year"):
        assert f"day: {part}" in columns, columns
    wanted = supports("clean.m", "clean.csv")
    for name, form in DATES.items():
        table("dirty.csv", date=form)
        train("dirty.csv", "dirty.m")
        assert kinds("dirty.csv")["day"]["kind"] == "date", name
        assert supports("dirty.m", "dirty.csv") == wanted, name


def few_moments(path, show, missing=""):
    """Few different moments: the value stands beside its parts."""
    r = random.Random(9)
    rows = ["label,at,x"]
    for i in range(SIZE):
        at = datetime.datetime(2019, 3, 1, 20, 21) + datetime.timedelta(
            days=r.randrange(40), minutes=37 * (i % 3))
        label = "yes" if at.day in (3, 14, 22, 27) or r.random() < .1 else "no"
        cells = [label, missing if i % 50 == 7 else show(at), f"{r.random():.3f}"]
        rows.append(",".join(quoted(c) for c in cells))
    return write(path, rows)


def same_in_all(forms):
    """Models of every form decide the same, also cases of every other form that they can read."""
    wanted = None
    for name, show in forms.items():
        few_moments("few.csv", show)
        train("few.csv", "few.m")
        found = kinds("few.csv")["at"]
        assert (found["kind"], found["becomes"]) == ("date", "date parts"), (name, found)
        columns = {c["name"]: c
                   for c in json.loads(run("inspect", "few.m", "--json").stdout)["columns"]}
        this = (columns, supports("few.m", "few.csv"))
        wanted = wanted or this
        assert this == wanted, name
    return wanted[0]


def taken__a_date_that_is_kept_has_one_form():
    days = {name: (lambda at, form=form: at.strftime(form))
            for name, form in {"iso": "%Y-%m-%d", **DATES}.items()}
    assert same_in_all(days)["at"]["values"] == 40
    times = {form: (lambda at, form=form: at.strftime(form)) for form in (
        "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%d/%m/%Y %H:%M:%S.000", "%m/%d/%Y %I:%M %p",
        "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S+02:00", "%d %B %Y %H:%M")}
    same_in_all(times)
    same_in_all({form: (lambda at, form=form: at.strftime(form)) for form in (
        "%H:%M", "%H:%M:%S", "%I:%M %p")})
    same_in_all({form: (lambda at, form=form: at.strftime(form)) for form in (
        "%Y-%m", "%B %Y", "%b %Y")})
    few_moments("few.csv", days["dmy"])
    train("few.csv", "few.m")
    shown = json.loads(run("explain", "few.m", "--case", "at=14/03/2019", "--case", "x=0.5",
                           "--json", "--all", "-q").stdout)
    assert any("at=2019-03-14" in g["features"] for g in shown["atoms"]), shown["atoms"]


def columns_of_all_kinds(path, missing):
    """An id of numbers, one of words, flags of both sorts, a set and a date, with gaps."""
    r = random.Random(12)
    rows = ["label,row_id,token,open,sold,tags,day"]
    for i in range(SIZE):
        day = datetime.date(2019, 3, 1) + datetime.timedelta(days=r.randrange(140))
        tags = "|".join(r.sample(["p", "q", "r", "s", "t", "u", "v"], r.randrange(1, 4)))
        cells = [str(1000 + 3 * i), f"A{i:04}-x", r.choice(["yes", "no"]), r.choice("01"), tags,
                 str(day)]
        label = "a" if (cells[2] == "yes") + ("p" in tags) + r.random() > 1.2 else "b"
        for c, every in enumerate((61, 59, 11, 13, 17, 2)):
            if i % every == 1:
                cells[c] = missing
        rows.append(",".join([label] + [quoted(c) for c in cells]))
    return write(path, rows)


def taken__forms_of_missing_are_missing_beside_every_kind_but_categories():
    columns_of_all_kinds("clean.csv", "")
    train("clean.csv", "clean.m")
    wanted = supports("clean.m", "clean.csv")
    clean = json.loads(run("inspect", "clean.m", "--json").stdout)
    names = {k["name"]: k["kind"] for k in clean["kinds"]}
    assert names == {"row_id": "id", "token": "id", "open": "flag", "sold": "flag", "tags": "set",
                     "day": "date"}, names
    for form in ["N/A", "--", "#N/A"]:
        columns_of_all_kinds("dirty.csv", form)
        train("dirty.csv", "dirty.m")
        dirty = json.loads(run("inspect", "dirty.m", "--json").stdout)
        for key in ("cases", "occurrences", "features", "atoms", "columns"):
            assert dirty[key] == clean[key], (form, key, dirty[key], clean[key])
        assert {k["name"]: k["kind"] for k in dirty["kinds"]} == names, form
        assert supports("dirty.m", "dirty.csv") == wanted, form
        assert supports("dirty.m", "clean.csv") == wanted, form
        given = ["--case", f"open={form}", "--case", f"tags={form}", "--case", f"row_id={form}",
                 "--case", "sold=1"]
        shown = json.loads(run("predict", "dirty.m", *given, "--json", "-q").stdout)
        assert shown["known"] == 1 and shown["unseen"] == [], shown


def taken__a_plain_number_is_one_beside_decimal_commas():
    table("comma.csv", DISGUISES["comma_alone"], dates=False)
    train("comma.csv", "comma.m")

    def support(value):
        shown = run("predict", "comma.m", "--case", f"amount={value}", "--case", "other=10",
                    "--json", "-q").stdout
        return json.loads(shown)["support"], json.loads(shown)["known"]
    for plain, comma in (("1234.56", "1234,56"), ("-7.5", "-7,5"), ("0.125", "0,125"),
                         ("1234.567", "1234,567"), ("1.234", "1234"), ("12.5", "12,50")):
        assert support(plain) == support(comma), plain
    assert support("1.234") != support("1,234")
    rows = open("comma.csv", encoding="utf-8").read().splitlines()
    for n in (4, 44, 144):  # three plain ones among the others
        cells = rows[n].split('","')
        cells[1] = cells[1].replace(",", ".")
        rows[n] = '","'.join(cells)
    write("mixed.csv", rows)
    found = kinds("mixed.csv")["amount"]
    assert found["kind"] == "number" and found["odd"] == 0, found
    train("mixed.csv", "mixed.m")
    assert supports("mixed.m", "mixed.csv") == supports("comma.m", "comma.csv")


def taken__odd_values_are_features_beside_the_number():
    r = random.Random(3)
    rows = ["label,age,x"]
    for i in range(SIZE):
        age = "refused" if i % 20 == 3 else str(r.randrange(18, 90))
        rows.append(f"{'b' if age == 'refused' or r.random() < .3 else 'a'},{age},{r.random():.3f}")
    write("odd.csv", rows)
    assert kinds("odd.csv")["age"]["odd"] == 15
    train("odd.csv", "odd.m")
    names = {c["name"]: c["kind"]
             for c in json.loads(run("inspect", "odd.m", "--json").stdout)["columns"]}
    assert names["age"] == "number" and "age: other" in names, names
    shown = json.loads(run("predict", "odd.m", "--case", "age=refused", "--case", "x=0.5",
                           "--json", "-q").stdout)
    assert shown["known"] == 1, shown


def taken__texts_and_sets_are_as_options_read_them():
    r = random.Random(4)
    words = [f"word{i}" for i in range(60)]
    rows = ["label,note,tags"]
    for i in range(SIZE):
        note = [r.choice(words) for _ in range(r.randrange(3, 9))]
        rows.append(f"{'a' if 'word7' in note or 'word9' in note else 'b'},{' '.join(note)},"
                    f"{'|'.join(r.sample(['p', 'q', 'r', 's', 't', 'u', 'v'], r.randrange(1, 4)))}")
    write("text.csv", rows)
    train("text.csv", "found.m")
    given = ("--text", "note", "--split", "tags:|")
    train("text.csv", "given.m", "--ngrams", "2", *given)
    assert supports("found.m", "text.csv") == supports("given.m", "text.csv")
    train("text.csv", "typed.m", "--strict", "--type", "note=text", "--type", "tags=set:|")
    assert supports("typed.m", "text.csv") == supports("given.m", "text.csv")
    train("text.csv", "words.m", *given)
    train("text.csv", "found.m", "--ngrams", "1")
    assert supports("found.m", "text.csv") == supports("words.m", "text.csv")
    assert supports("given.m", "text.csv") != supports("words.m", "text.csv")


def taken__pairs_of_words_are_features_up_to_4_mib_of_texts():
    r = random.Random(4)
    words = [f"word{i:05}" for i in range(900)]
    size = (4 << 20) // 1000
    texts = [" ".join(r.choice(words) for _ in range(100)) for _ in range(size)]
    texts = [t + " " + "x" * (999 - len(t) - (i % 7)) for i, t in enumerate(texts)]
    texts[0] += " " + "y" * ((4 << 20) - sum(map(len, texts)) - 1)
    assert sum(map(len, texts)) == 4 << 20
    for more, pairs in ("", True), ("z", False):
        write("t.csv", ["label,note"] + [f"{'ab'[i % 2]},{t}{more if i == 0 else ''}"
                                         for i, t in enumerate(texts)])
        shown = run("train", "--model", "plain", "--type", "note=text", "t.csv", "-q", "--json",
                    "-o", "t.m").stdout
        assert (json.loads(shown)["features"] > 100000) == pairs, shown


def taken__a_model_is_the_same_for_threads_and_orders():
    table("a.csv", DISGUISES["currency"], date=DATES["words"], missing="N/A")
    with open("a.csv", encoding="utf-8") as file:
        head, *rows = file.read().splitlines()
    random.Random(1).shuffle(rows)
    write("b.csv", [head] + rows)
    first = train("a.csv", "a.m", "--keep-cases", "none", "-j", "1")
    assert train("a.csv", "a.m", "--keep-cases", "none", "-j", "4") == first
    fingerprint = json.loads(run("inspect", "a.m", "--json").stdout)["fingerprint"]
    second = train("b.csv", "b.m", "--keep-cases", "none", "-j", "3")
    assert len(first) == len(second) and fingerprint
    assert supports("a.m", "a.csv") == supports("b.m", "a.csv")
    assert kinds("a.csv") == kinds("b.csv")


def taken__cases_one_by_one_are_taken_like_a_file():
    table("a.csv", DISGUISES["currency"], date=DATES["words"])
    train("a.csv", "a.m")
    with open("a.csv", encoding="utf-8") as file:
        rows = [line[1:-2].split('","') for line in file.readlines()[1:6]]
    wanted = supports("a.m", "a.csv")
    for row, (label, support) in zip(rows, wanted):
        given = [f"{key}={value}"
                 for key, value in zip(("amount", "other", "colour", "day"), row[1:])
                 if value]
        shown = json.loads(run("predict", "a.m", "--json", "-q",
                               *(x for g in given for x in ("--case", g))).stdout)
        assert (shown["label"], shown["support"]) == (label, support), row
    shown = [json.loads(x) for x in run("explain", "a.m", "a.csv", "--json", "-q").stdout
             .splitlines()[:5]]
    assert [(x["label"], x["support"]) for x in shown] == wanted[:5]


def taken__options_overrule_the_values():
    table("a.csv", date=DATES["dmy"])
    assert kinds("a.csv", "--type", "amount=category")["amount"]["becomes"] == "category"
    train("a.csv", "a.m", "--type", "amount=category", "--type", "other=ignore")
    columns = {c["name"]: c["kind"]
               for c in json.loads(run("inspect", "a.m", "--json").stdout)["columns"]}
    assert columns["amount"] == "category" and "other" not in columns, columns
    assert kinds("a.csv", "--strict") == {}
    rows = [f"{'ab'[i % 2]},{1 + i % 9}/{1 + i // 9 % 9}/2020,{i}" for i in range(90)]
    write("d.csv", ["label,when,x"] + rows)
    assert "every value would also be a date" in kinds("d.csv")["when"]["why"]
    assert "day first" in kinds("d.csv", "--dates", "dmy")["when"]["why"]
    assert "month first" in kinds("d.csv", "--dates", "mdy")["when"]["why"]
    for wrong in ("amount=nothing", "amount", "=number", "nosuch=number", "amount=set:", "label"):
        run("train", *RICH, "a.csv", "--type", wrong, "-o", "no", code=2)
    run("train", *RICH, "a.csv", "--type", "amount=text", "--text", "amount", "-o", "no", code=2)
    # plain models take values as they stand, unless an option says otherwise
    table("p.csv", DISGUISES["currency"])
    run("train", "--model", "plain", "p.csv", "-q", "-o", "p.m")
    assert json.loads(run("inspect", "p.m", "--json").stdout)["kinds"] == []
    run("train", "--model", "plain", "p.csv", "--type", "amount=number", "-q", "-o", "p.m")
    table("q.csv")
    shown = json.loads(run("predict", "p.m", "q.csv", "--json", "-q").stdout.splitlines()[0])
    assert not [x for x in shown["unseen"] if x.startswith("amount=")], shown


def taken__the_quick_judge_says_what_all_values_say():
    """Columns of which not each value is looked at: a fifth odd, epochs, numbers below 0."""
    r = random.Random(8)
    words = ["refused", "unknown", "low", "high"]
    money = [f"${r.randrange(100, 9999) / 100:.2f}" for _ in range(85)]
    for most, kind in (3, "number"), (4, "category"):
        odd = [words[i % most] for i in range(15)]
        three_places("o.csv", odd + money)
        x = kinds("o.csv")["x"]
        assert (x["kind"] == "number") == (kind == "number"), x
        assert kind != "number" or x["odd"] == 15, x
    seconds = [str(1580000000 + r.randrange(10 ** 7)) for _ in range(60)]
    for name, kind in ("created_at", "date"), ("size", "number"):
        write("e.csv", [f"label,{name}"] + [f"{'ab'[i % 2]},{'-' if i % 9 == 4 else x}"
                                            for i, x in enumerate(seconds)])
        assert kinds("e.csv")[name]["kind"] == kind, name
    days = [f"20{r.randrange(10, 20)}{r.randrange(1, 13):02}{r.randrange(1, 29):02}"
            for _ in range(60)]
    three_places("d.csv", days)
    assert kinds("d.csv")["x"]["kind"] == "date"
    long = [str(r.randrange(10 ** 11, 10 ** 12)) for _ in range(60)]
    small = [str(r.randrange(-20, 40)) for _ in range(60)]
    for name in "code", "size":
        for values, kind in (["-1"] + long[1:], "id"), (long, "id"), (small, "number"):
            write("c.csv", [f"label,{name}"] + [f"{'ab'[i % 2]},{x}" for i, x in enumerate(values)])
            x = kinds("c.csv")[name]
            assert x["kind"] == kind, (name, x)
            doubt = "may be names of categories" in x["why"]
            assert doubt == (name == "code" and kind == "number"), (name, x)


def three_places(path, values):
    write(path, ["label;x;y"] + [f"{'ab'[i % 2]};{x};{i}.5" for i, x in enumerate(values)])


def taken__points_before_three_digits_are_never_taken_silently():
    """83.311 everywhere may be 83311: said, with the option that says which; refused by --strict
    where an option asks for numbers."""
    r = random.Random(9)
    whole = [r.randrange(1000, 1000000) for _ in range(60)]
    points = [f"{n // 1000}.{n % 1000:03d}" for n in whole]
    three_places("p.csv", points)
    three_places("w.csv", whole)
    three_places("d.csv", [n / 1000 for n in whole])
    said = "no value shows whether the mark before three digits groups thousands"
    x = kinds("p.csv")["x"]
    assert x["kind"] == "number" and said in x["why"] and not x["given"], x
    text = run("train", *RICH, "p.csv", "-o", "p.m").stderr
    assert "(--type x=number:comma or x=number:point says which)" in text, text
    for mark, other in (("comma", "w.csv"), ("point", "d.csv")):
        option = ("--type", f"x=number:{mark}")
        assert said not in kinds("p.csv", *option)["x"]["why"]
        train("p.csv", "p.m", *option)
        train(other, "o.m", "--type", "x=number:point")
        assert supports("p.m", "p.csv") == supports("o.m", other), mark
        train("p.csv", "s.m", "--strict", "--delimiter", ";", *option)
        assert supports("s.m", "p.csv") == supports("o.m", other), mark
    # with --strict nothing is guessed where an option makes a column one of numbers or dates
    strict = ("train", *RICH, "--strict", "--delimiter", ";", "-o", "no")
    text = run(*strict, "p.csv", "--type", "x=number", code=3).stderr
    assert "column 'x'" in text and "--type" in text and "number:comma" in text, text
    # where none does, values stay as they are, which is said, and changes nothing
    text = run(*strict, "p.csv").stderr
    assert said in text and "x=number:comma" in text and "x  number (as it is)" in text, text
    three_places("q.csv", points[:-1] + [points[-1] + "5"])
    assert said not in run(*strict, "q.csv").stderr
    three_places("t.csv", [f"{1 + i % 9}/{1 + i // 9}/2020" for i in range(60)])
    text = run(*strict, "t.csv", "--type", "x=date", code=3).stderr
    assert "column 'x'" in text and "--dates" in text, text
    run(*strict, "t.csv", "--type", "x=date", "--dates", "mdy")
    # one value that shows what the mark means is enough
    for shown in ("1.5", "0.311", "1234", "1234.567"):
        three_places("p.csv", points + [shown])
        assert said not in kinds("p.csv")["x"]["why"], shown
    # labels that are plain numbers are read as they stand
    write("l.csv", ["label,y"] + [f"{x},{i}" for i, x in enumerate(points)])
    assert "<= " in run("train", *RICH, "l.csv", "--bins", "3", "-o", "l.m").stderr
    text = run("train", *RICH, "l.csv", "--bins", "comma:3", "-o", "l.m").stderr
    assert re.search(r"> \d{6} \d+$", text, re.M), text


def taken__columns_that_say_nothing_new_are_left_out():
    r = random.Random(6)
    rows = ["label,a,b,c,d,same"]
    for i in range(60):
        x, word = r.randrange(50), r.choice(["p", "q", "r"])
        rows.append(f"{'ny'[x > 20]},{x},{x},{word},{word},one")
    write("a.csv", rows)
    found = kinds("a.csv")
    assert {name for name, k in found.items() if k["becomes"] == "left out"} == {"b", "d", "same"}
    train("a.csv", "a.m")
    write("b.csv", [",".join(row.split(",")[i] for i in (0, 1, 3)) for row in rows])
    train("b.csv", "b.m")
    assert supports("a.m", "a.csv") == supports("b.m", "b.csv")


def taken__what_is_not_obvious_is_said():
    table("a.csv", DISGUISES["percent"], date=DATES["words"])
    said = run("train", *RICH, "a.csv", "-o", "a.m").stderr
    assert "amount  number: numbers with the unit %" in said, said
    assert "colour" not in said, said
    assert "columns" not in run("train", *RICH, "a.csv", "-q", "-o", "a.m").stderr
    assert "amount" in run("evaluate", *RICH, "a.csv", "--folds", "2").stderr
    text = run("inspect", "a.m").stdout
    assert "taken for" in text and "date parts only" in text, text


def taken__ids_are_said_with_what_takes_them_in():
    columns_of_all_kinds("ids.csv", "")
    said = run("train", *RICH, "ids.csv", "-o", "ids.m").stderr.splitlines()
    hinted = [line.replace("columns", "").split()[0] for line in said if "takes it in" in line]
    assert hinted == ["row_id", "token"], said
    said = run("train", *RICH, "ids.csv", "--type", "token=id", "-o", "ids.m").stderr.splitlines()
    hinted = [line.replace("columns", "").split()[0] for line in said if "takes it in" in line]
    assert hinted == ["row_id"], said


def taken__forms_of_missing_are_those_of_the_document():
    """docs/INPUT.md says that its list is complete: it is that of the source."""
    with open(os.path.join(SOURCE, "docs", "INPUT.md"), encoding="utf-8") as file:
        listed = file.read().partition("these are missing, too,")[2].partition("The list is")[0]
    forms = re.findall(r"`([^`]+)`", listed)
    assert len(forms) > 30, forms
    table("forms.csv", DISGUISES["percent"])
    train("forms.csv", "forms.m")
    for form in forms:
        for spelled in form, form.upper(), form.lower(), f" {form} ":
            shown = json.loads(run("predict", "forms.m", "--case", f"amount={spelled}", "--json",
                                   "-q").stdout)
            assert shown["reason"] == "empty case" and shown["unseen"] == [], (spelled, shown)
    with open(os.path.join(SOURCE, "src", "kinds", "forms.c"), encoding="utf-8") as file:
        lists = re.findall(r'return "([^;]*)";\n', file.read().partition("forms_of(unsigned")[2])
    known = "".join(lists).encode().decode("unicode_escape").encode("latin-1").decode("utf-8")
    assert {x for x in known.split("\t") if x} == {x.lower() for x in forms}, known


def taken__the_first_cases_are_shown_as_the_model_gets_them():
    """--explain-input shows of each row what the trained model keeps of it."""
    r = random.Random(8)
    rows = ["label,price,day,note,tags,row,same,code,n"]
    for i in range(60):
        day = datetime.date(2019, 3, 1) + datetime.timedelta(days=r.randrange(20))
        note = " ".join(r.sample("old new red blue small large warm cold flat round".split(), 3))
        tags = "|".join(r.choices(["p", "q", "r", "s"], k=r.randrange(1, 4)))
        price = "refused" if i in (1, 30) else "N/A" if i == 2 else f"${r.randrange(1, 90)}.5"
        rows.append(f"{'ab'[i % 2]},{price},{day},{note} {i},{tags},{i},x,c{i % 3},{i % 7}")
    write("first.csv", rows)
    for model in (RICH, ("--model", "plain"), ("--model", "plain", "--type", "day=date"),
                  (*RICH, "--type", "note=category"), (*RICH, "--ngrams", "1"),
                  (*RICH, "--categorical", "n,day"), (*RICH, "--na-only", "?")):
        run("train", "first.csv", *model, "-q", "-o", "first.m")
        shown = json.loads(run("train", "first.csv", *model, "--explain-input", "--json").stdout)
        assert len(shown["first"]) == 5
        for case in shown["first"]:
            kept = json.loads(run("inspect", "first.m", "--case", case["row"], "--json").stdout)
            features = [f for atom in kept["case"]["atoms"] for f in atom["features"]]
            assert sorted(case["features"]) == sorted(features), (model, case, features)
    text = run("train", "first.csv", *RICH, "--explain-input").stdout
    assert re.search("^row 2: b <- price: other=refused & day=2019-03-.. & day: year=2019 & ", text,
                     re.M), text
    assert re.search("^row 3: a <- day=", text, re.M), text
    with open("first.csv", encoding="utf-8") as file:  # all values are not known before the last
        text = run("train", "-", "--format", "csv", *RICH, "--explain-input",
                   stdin=file.read()).stdout
    assert "row 2: b <- price=refused & day=2019-03-" in text, text
    assert text.endswith("can be read once only\n"), text


def taken__words_where_numbers_or_dates_were_are_said():
    """One warning a column, with a count and the first of them, whatever the threads."""
    random.seed(4)
    rows = [f"{'yn'[i % 2]},{random.randrange(90)},${random.randrange(9999)}.50,"
            f"2020-{1 + i % 12:02}-{1 + i % 28:02},{'uvw'[i % 3]}" for i in range(120)]
    write("old.csv", ["label,plain,price,day,kind"] + rows)
    run("train", "old.csv", *RICH, "-q", "-o", "w.m")
    for many in (40, 90000):
        new = [f"{i % 90},${i % 999}.50,2020-03-{1 + i % 28:02},{'uvw'[i % 3]}"
               for i in range(many)]
        said = {"plain": ("numbers", 0), "price": ("numbers", 1), "day": ("dates", 2)}
        places = {name: sorted(random.sample(range(many), 7)) for name in said}
        for name, (_, column) in said.items():
            for place in places[name]:
                row = new[place].split(",")
                row[column] = ["red", "2021-05-06", "soon"][column]
                new[place] = ",".join(row)
        new[5] = new[5].rsplit(",", 1)[0] + ",other"  # a category may well be new
        write("new.csv", ["plain,price,day,kind"] + new)
        wanted = {f"the column {name!r} had {kind} in training: 7 values here are none and count "
                  f"as missing, such as {['red', '2021-05-06', 'soon'][column]!r} in row "
                  f"{places[name][0] + 1}" for name, (kind, column) in said.items()}
        for command in (["predict"], ["predict", "-j", "2"], ["predict", "-j", "3"],
                        *([["explain"], ["explain", "-j", "2"]] if many < 90000 else [])):
            lines_said = run(*command, "w.m", "new.csv").stderr.splitlines()
            found = [line.split("warning: ", 1)[1] for line in lines_said if "in training" in line]
            assert len(found) == 3 and set(found) == wanted, (command, found, wanted)
    write("one.csv", ["plain,price,day,kind", "x,$1,2020-01-02,u", ",,,", "NA,-,?,"])
    said = run("predict", "w.m", "one.csv").stderr
    assert said.count("in training") == 1 and "1 value here is none and counts as" in said, said
    run("train", "old.csv", "--model", "plain", "-q", "-o", "p.m")
    assert "in training" not in run("predict", "p.m", "old.csv").stderr


run_tests([taken__disguises_of_numbers_change_no_decision,
           taken__forms_of_missing_are_missing_beside_numbers,
           taken__formats_of_dates_change_no_decision,
           taken__a_date_that_is_kept_has_one_form,
           taken__forms_of_missing_are_missing_beside_every_kind_but_categories,
           taken__a_plain_number_is_one_beside_decimal_commas,
           taken__odd_values_are_features_beside_the_number,
           taken__texts_and_sets_are_as_options_read_them,
           taken__pairs_of_words_are_features_up_to_4_mib_of_texts,
           taken__points_before_three_digits_are_never_taken_silently,
           taken__the_quick_judge_says_what_all_values_say,
           taken__a_model_is_the_same_for_threads_and_orders,
           taken__cases_one_by_one_are_taken_like_a_file,
           taken__options_overrule_the_values,
           taken__columns_that_say_nothing_new_are_left_out,
           taken__what_is_not_obvious_is_said,
           taken__ids_are_said_with_what_takes_them_in,
           taken__forms_of_missing_are_those_of_the_document,
           taken__the_first_cases_are_shown_as_the_model_gets_them,
           taken__words_where_numbers_or_dates_were_are_said])
