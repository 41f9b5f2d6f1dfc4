"""explain --flip on tables of numbers: no value that training has seen and that is nearer changes
the answer, as predict says (bench/flips); with --range, --only and the others, what is offered is
within them, and typos are refused."""
import csv
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import random

from program import PROGRAM, SOURCE, rounds, run, run_tests, write

KINDS = {"rich": (), "lite": ("--effort", "lite"), "plain": ("--model", "plain")}


def load_bench():
    loader = importlib.machinery.SourceFileLoader("flips", os.path.join(SOURCE, "bench", "flips"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("flips", loader))
    loader.exec_module(module)
    return module


def draw_table(rows):
    """Numbers of several kinds, a category, and labels that follow from them with some noise."""
    lines = ["age,income,share,town,label"]
    for _ in range(rows):
        age, income = random.randrange(18, 80), round(random.lognormvariate(8, 1), 2)
        share, town = round(random.random(), 3), random.choice("abcde")
        score = (age > 45) + (income > 3000) + (share < 0.4) + (town in "ab")
        label = "yes" if score + random.choice([-1, 0, 0, 0, 1]) >= 2 else "no"
        cells = [age, income, share, town]
        cells = ["" if random.random() < 0.05 else cell for cell in cells]
        lines.append(",".join(map(str, [*cells, label])))
    return lines


def nearer_values_do_not():
    bench, offers = load_bench(), 0
    for kind, options in KINDS.items():
        path = pathlib.Path(write("table.csv", draw_table(250)))
        folder = pathlib.Path(kind)
        folder.mkdir()
        found, tried, wrong = bench.check_set(PROGRAM, kind, path, folder, 250, rounds(120),
                                              options)
        assert wrong == 0, (kind, found, tried, wrong)
        offers += found
    assert offers >= rounds(200), offers  # else little was compared


def nearer_values_of_known_data_do_not():
    bench = load_bench()
    data = pathlib.Path(os.environ.get("HCBR_DATA", os.path.join(SOURCE, "..", "shared", "data")))
    path = data / bench.SETS["heart"]
    if not path.is_file():
        print(f"SKIPPED: nearest flips of heart: there is no {path} (HCBR_DATA)")
        return
    path = path.resolve()
    found, _, wrong = bench.check_set(PROGRAM, "heart", path, pathlib.Path(), 300, rounds(300), ())
    assert found >= rounds(100) and wrong == 0, (found, wrong)


def allowed(change, told):
    """Is a change one that the options let be made?"""
    column, _, before = (change["removed"] or change["added"]).partition("=")
    after = (change["added"] or "").partition("=")[2]
    if column in told.get("--fixed", []) or column not in told.get("--only", [column]):
        return False
    low, high = told.get("--range", {}).get(column, (None, None))
    bounded = column in told.get("--range", {})
    up, down = column in told.get("--increase-only", []), column in told.get("--decrease-only", [])
    if (bounded or up or down) and not after:
        return False
    return ((low is None or float(after) >= low) and (high is None or float(after) <= high)
            and (not up or (before and float(after) > float(before)))
            and (not down or (before and float(after) < float(before))))


def bounds_hold():
    table = draw_table(200)
    write("past.csv", table)
    columns, numbers = ["age", "income", "share", "town"], ["age", "income", "share"]
    flips = 0
    for kind, options in KINDS.items():
        for keep in ("full", "none"):
            run("train", "past.csv", *options, "--keep-cases", keep, "-q", "-o", "m")
            for _ in range(rounds(4)):
                low = random.choice([None, random.randrange(20, 60)])
                high = (low or 20) + random.randrange(0, 30)
                told = {"--fixed": random.sample(columns, random.randrange(2)),
                        "--increase-only": random.sample(numbers, random.randrange(2)),
                        "--decrease-only": random.sample(numbers, random.randrange(2)),
                        "--range": {"age": (low, high)}}
                if random.random() < 0.5:
                    told["--only"] = random.sample(columns, 3)
                given = [x for name in told if name != "--range" and told[name]
                         for x in (name, ",".join(told[name]))]
                given += ["--range", f"age={'' if low is None else low}..{high}"]
                lines = run("explain", "m", "past.csv", "--rows", "1-25", "--cases", "0", "--top",
                            "0", "--flip", "--json", "-q", *given).stdout.splitlines()
                for line in lines:
                    found = json.loads(line)["flip"]
                    assert found["bounded"]
                    flips += len(found["flips"])
                    for flip in found["flips"]:
                        for change in flip["changes"]:
                            assert allowed(change, told), (change, told, kind)
    assert flips > rounds(100), flips


def flips_of_models_without_cases_are_round():
    """Where no cases are kept, a value of the nearest interval with few decimals is offered."""
    write("past.csv", draw_table(rounds(250)))
    run("train", "past.csv", "--keep-cases", "none", "-q", "-o", "m")
    lines = run("explain", "m", "past.csv", "--flip", "--cases", "0", "--top", "0", "--json",
                "-q").stdout.splitlines()
    with open("past.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    changed, expected, ages = [], [], 0
    for row, line in zip(rows, lines):
        for flip in json.loads(line)["flip"]["flips"]:
            cells = dict(row)
            for change in flip["changes"]:
                key = (change["removed"] or change["added"]).partition("=")[0]
                cells[key] = (change["added"] or "").partition("=")[2]
                ages += key == "age"
                assert key != "age" or "." not in cells[key], change  # cuts are between integers
            changed.append(",".join(cells.values()))
            expected.append(flip["label"])
    write("changed.csv", [",".join(rows[0]), *changed])
    got = [json.loads(line)["label"]
           for line in run("predict", "m", "changed.csv", "--json", "-q").stdout.splitlines()]
    assert got == expected and ages > rounds(20)


def typos_are_refused():
    write("past.csv", draw_table(60))
    for options in KINDS.values():
        run("train", "past.csv", *options, "-q", "-o", "m")
        for name, value in (("fixed", "agee"), ("only", "age,agee"), ("increase-only", "agee"),
                            ("decrease-only", "agee"), ("range", "agee=1..2")):
            got = run("explain", "m", "past.csv", "--flip", f"--{name}", value, code=2)
            assert "the model has no such column; did you mean 'age'?" in got.stderr, got.stderr
            assert not got.stdout
            got = run("explain", "m", "past.csv", f"--{name}", value, code=2)
            assert "is for --flip" in got.stderr
        for value in ("age", "age=", "age=..", "=1..2", "age=1-2", "age=2..1", "age=a..b",
                      "town=1..2"):
            got = run("explain", "m", "past.csv", "--flip", "--range", value, code=2)
            assert "--range" in got.stderr, got.stderr


def dates_are_bounded_as_dates():
    lines = ["since,label"]
    for _ in range(300):
        year, month, day = random.randrange(2015, 2023), random.randrange(1, 13), 1
        lines.append(f"{year}-{month:02}-{day:02},{'new' if year >= 2019 else 'old'}")
    write("past.csv", lines)
    run("train", "past.csv", "-q", "-o", "m")
    write("one.csv", ["since", "2016-05-01"])
    got = json.loads(run("explain", "m", "one.csv", "--flip", "--json", "--range",
                         "since=2016-01-01..2016-12-31").stdout)["flip"]
    assert not got["flips"] and got["bounded"]
    run("explain", "m", "one.csv", "--flip", "--range", "since=1..2", code=2)
    run("explain", "m", "one.csv", "--flip", "--increase-only", "since")


if __name__ == "__main__":
    run_tests([nearer_values_do_not, nearer_values_of_known_data_do_not, bounds_hold,
               flips_of_models_without_cases_are_round, typos_are_refused,
               dates_are_bounded_as_dates])
