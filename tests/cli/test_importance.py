#!/usr/bin/env python3
"""hcbr inspect: the importance of columns is the mean of what explanations of the past cases say,
of all of them or of evenly spaced ones; where no cases are kept, that is said."""
import json
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import run, run_tests, write
from seeds import take_seed

MOST = 1000  # past cases that are explained


def prepare(rows, draw):
    """Numbers and categories, some missing, that say something about one of three labels."""
    lines = ["id,label,x,y,c,d"]
    for i in range(rows):
        label = draw.randrange(3)
        x = f"{draw.random() + label:.2f}" if draw.random() < 0.8 else ""
        lines.append(f"n{i},l{label},{x},{draw.random():.1f},c{draw.randrange(3) + label},"
                     f"d{draw.randrange(2)}")
    write("v.csv", lines)


def train(model, *options):
    effort = ["--effort", "lite"] if model == "rich" else []
    run("train", "-q", "--id", "id", "--model", model, *effort, "v.csv", "-o", "m", *options)


def inspect(*options):
    return json.loads(run("inspect", "m", "--json", *options).stdout)


def means(rows):
    """Of the rows (from 1): importance, lead and cases of each column, by the explanations."""
    got = run("explain", "m", "v.csv", "--json", "--top", "100")
    by_name = {}
    for line in got.stdout.splitlines():
        case = json.loads(line)
        for column in case["columns"] if case["row"] in rows else ():
            one = by_name.setdefault(column["name"], [0, 0, 0])
            one[0] += abs(column["lead"])
            one[1] += column["lead"]
            one[2] += 1
    return {name: (a / len(rows), b / len(rows), n) for name, (a, b, n) in by_name.items()}


def near(a, b):
    return abs(a - b) <= 1e-9 * (1 + abs(b))


def check(rows):
    count = min(rows, MOST)
    expected = means({i * rows // count + 1 for i in range(count)})
    got = inspect("--top", "100")["importance"]
    assert got["cases"] == count and got["kept_cases"] == rows, got
    assert got["column_count"] == len(got["columns"]) == len(expected), (got, expected)
    sizes = [column["importance"] for column in got["columns"]]
    assert sizes == sorted(sizes, reverse=True)
    for column in got["columns"]:
        importance, lead, cases = expected[column["name"]]
        assert near(column["importance"], importance), (column, importance)
        assert near(column["lead"], lead) and column["cases"] == cases, (column, lead, cases)


def test_means_of_explanations():
    draw = random.Random(take_seed(20261117))
    for model in "plain", "rich":
        for rows in 7, 150:
            prepare(rows, draw)
            train(model)
            check(rows)


def test_evenly_spaced():
    draw = random.Random(take_seed(20261118))
    for rows in MOST, MOST + 1, 2 * MOST + 345:
        prepare(rows, draw)
        train("plain")
        check(rows)


def test_fewer_of_very_many():
    prepare(25000, random.Random(take_seed(20261121)))
    train("plain")
    got = inspect()["importance"]
    assert got["cases"] == 800 and got["kept_cases"] == 25000, got
    assert "over 800 of the 25000 past cases, evenly spaced" in run("inspect", "m").stdout


def test_what_is_shown():
    draw = random.Random(take_seed(20261119))
    prepare(1200, draw)
    train("plain")
    assert len(inspect("--top", "2")["importance"]["columns"]) == 2
    assert inspect("--top", "0")["importance"] is None
    text = run("inspect", "m", "--top", "2").stdout
    assert "over 1000 of the 1200 past cases, evenly spaced" in text, text
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("columns  ")) + 1
    shown = inspect()["importance"]["columns"][:2]
    for n, column in enumerate(shown):
        words = lines[at + n].split()
        assert words[0] == column["name"] and int(words[2]) == column["cases"], (words, column)
        assert abs(float(words[1]) - column["importance"]) <= 1e-3 * shown[0]["importance"]
    assert lines[at + 2] == "  2 more (--top)", lines[at + 2]
    assert "importance" not in run("inspect", "m", "--top", "0").stdout


def test_cases_that_are_not_kept():
    draw = random.Random(take_seed(20261120))
    prepare(60, draw)
    for model in "plain", "rich":
        train(model, "--keep-cases", "none")
        assert inspect()["importance"] is None
        assert ("the importance of columns is not known: the model was trained with --keep-cases "
                "none") in run("inspect", "m").stdout
        train(model, "--keep-cases", "anonymous")
        check(60)


if __name__ == "__main__":
    run_tests([test_means_of_explanations, test_evenly_spaced, test_fewer_of_very_many,
               test_what_is_shown, test_cases_that_are_not_kept])
