"""hcbr train --min-cases, and what hcbr inspect says that a model reveals: names of values and how
few cases had them, counted here from the table; and none of the rare ones is in the file."""
import collections
import json
import random

from program import DOCUMENT, PLAIN, document_keys, run, run_tests, write

MODELS = (["--effort", "lite"], PLAIN)


def draw_rows(count):
    """A name of one or two cases, a category, a number of many and one of few values, a text."""
    return [{"label": random.choice("pq"), "name": f"name{i // 2 if i % 5 else 1000 + i:04}",
             "job": random.choice(["clerk", "cook", "smith"]),
             "size": str(random.randrange(900) / 8),
             "grade": str(random.randrange(5)),
             "note": " ".join({f"word{random.randrange(40)}" for _ in range(3)})}
            for i in range(count)]


def write_rows(rows):
    return write("x.csv", [",".join(rows[0])] + [",".join(row.values()) for row in rows])


def count_values(rows, rich):
    """By value: how many rows have it."""
    counts = collections.Counter()
    for row in rows:
        for key in ("name", "job") + (() if rich else ("size", "grade")):
            number = float(row[key]) if key in ("size", "grade") else row[key]
            counts[key, number] += 1
        for word in row["note"].split():
            counts["note", word] += 1
    return counts


def inspect(path):
    return json.loads(run("inspect", path, "--json").stdout)


def figures_are_those_of_the_table():
    for model in MODELS:
        rich = model != PLAIN
        for least in 1, 2, 4:
            rows = draw_rows(80)
            counts = count_values(rows, rich)
            kept = {value: n for value, n in counts.items() if n >= least}
            run("train", write_rows(rows), *model, "--text", "note", "--keep-cases", "none",
                "--min-cases", least, "-q", "-o", "m")
            got = inspect("m")
            reveals = got["reveals"]
            assert got["options"]["min_cases"] == least
            assert reveals["cases"] == 0 and reveals["values"] == len(kept) == got["features"]
            assert reveals["of_one_case"] == sum(n == 1 for n in kept.values())
            assert reveals["least_cases"] == min(kept.values())
            numbers = [c for c in got["columns"] or [] if c["kind"] == "number"]
            assert reveals["number_columns"] == len(numbers) == 2 * rich
            assert reveals["cuts"] == sum(c["cuts"] for c in numbers)
            assert (reveals["exact_columns"], reveals["exact_values"]) == (rich, 5 * rich)
            with open("m", "rb") as file:
                bytes_of = file.read()
            for (_, value), n in counts.items():
                if isinstance(value, str) and value.startswith("name") and n < least:
                    assert value.encode() not in bytes_of, value
            check_text(run("inspect", "m").stdout, reveals, least, rich)


def check_text(text, reveals, least, rich):
    assert ("least cases" in text) == (least > 1)
    assert f"reveals         {reveals['values']} names of values, " in text
    if least == 1:
        assert f", {reveals['of_one_case']} of them of a single case (see --min-cases)\n" in text
    else:
        assert f", of at least {reveals['least_cases']} cases each\n" in text
    assert ("cuts of 2 number columns, all values of 1 of them\n" in text) == rich


def kept_cases_are_said_to_be_there():
    write_rows(draw_rows(30))
    for model in MODELS:
        for keep, words in ("full", "file\n"), ("anonymous", "file without names\n"):
            run("train", "x.csv", *model, "--keep-cases", keep, "-q", "-o", "m")
            assert inspect("m")["reveals"]["cases"] == 30
            assert "reveals         all cases, which are in the " + words in \
                run("inspect", "m").stdout


def rare_values_are_unseen():
    rows = draw_rows(60)
    write_rows(rows)
    for model in MODELS:
        run("train", "x.csv", *model, "--min-cases", 3, "-q", "-o", "m", "--ignore",
            "note,size,grade")
        for row in run("predict", "m", "x.csv", "--json", "-q").stdout.splitlines():
            assert [u.split("=")[0] for u in json.loads(row)["unseen"]] == ["name"], row


def nothing_may_be_left():
    write_rows(draw_rows(20))
    for model in MODELS:
        said = run("train", "x.csv", *model, "--min-cases", 21, "-o", "m").stderr
        assert "no case has a feature" in said
        got = inspect("m")
        assert got["features"] == 0 and got["empty_cases"] == 20
        assert got["reveals"]["values"] == got["reveals"]["number_columns"] == 0
        assert got["reveals"]["least_cases"] is None
        run("inspect", "m")
        run("predict", "m", "x.csv", "-q")
        run("evaluate", "x.csv", *model, "--min-cases", 21, "-q")
        run("tune", "x.csv", *model, "--min-cases", 21, "-q", "-o", "t", code=None)
        assert "--min-cases 0: a number from 1" in \
            run("train", "x.csv", *model, "--min-cases", 0, "-o", "m", code=2).stderr


def keys_are_documented():
    write_rows(draw_rows(20))
    run("train", "x.csv", "-q", "-o", "m")
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read()
    assert "reveals" in document_keys("hcbr.inspect/1")
    for key in inspect("m")["reveals"]:
        assert f"`{key}`" in text, key


run_tests([figures_are_those_of_the_table, kept_cases_are_said_to_be_there, rare_values_are_unseen,
           nothing_may_be_left, keys_are_documented])
