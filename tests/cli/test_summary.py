"""explain --summary: each figure is found again from the explanations of the single rows, for plain
and rich models; the same for any number of threads; what does not go with it is refused."""
import csv
import json
import random
import re

from program import DOCUMENT, VOTES, run, run_tests, write

LABELS = ("label", "class")  # of the tables here


def explain(*arguments):
    return [json.loads(line) for line in run("explain", *arguments, "--json").stdout.splitlines()]


def near(a, b):
    return abs(a - b) <= 1e-12 * max(1, abs(a), abs(b))


def naive_reasons(rows, of, name, most):
    """By name: cases for, cases against, cases in which it is first, sums of leads."""
    found = {}
    for row in rows:
        first = True
        for reason in of(row)[:most]:
            sums = found.setdefault(name(reason), [0, 0, 0, 0.0, 0.0])
            lead = reason["lead"]
            sums[0] += lead > 0
            sums[1] += lead < 0
            sums[2] += lead > 0 and first
            sums[3] += lead
            sums[4] += abs(lead)
            first = first and lead <= 0
    return found


def check_reasons(got, all_count, expected, cases, by_cases):
    assert all_count == len(expected) and len(got) == len(expected), (all_count, len(expected))
    order = []
    for one in got:
        key = one["name"] if "name" in one else (one["kind"], *one["features"])
        sums = expected[key]
        assert [one["cases_for"], one["cases_against"], one["first"]] == sums[:3], (one, sums)
        assert near(one["lead"], sums[3] / cases) and near(one["absolute"], sums[4] / cases)
        order.append((-(sums[0] + sums[1]) if by_cases else 0, -one["absolute"]))
    assert order == sorted(order)


def check_summary(model, data):
    summary, = explain(model, data, "--summary", "--top", "100000")
    rows = explain(model, data, "--all", "--cases", "0", "--top", "100000")
    assert summary["schema"] == "hcbr.summary/1" and summary["cases"] == len(rows)
    for row in rows:  # what the reasons are for
        row["of"] = row["winner"] and (row["label"] or row["winner"])
    assert {a["label"] for a in summary["answers"]} == {row["of"] for row in rows}
    for answer in summary["answers"]:
        mine = [row for row in rows if row["of"] == answer["label"]]
        assert answer["cases"] == len(mine)
        assert answer["given"] == sum(row["given"] is not None for row in mine)
        assert answer["right"] == sum(row["given"] == row["label"] for row in mine
                                      if row["given"] is not None)
        columns = naive_reasons(mine, lambda row: row["columns"], lambda c: c["name"], None)
        check_reasons(answer["columns"], answer["all_columns"], columns, len(mine), False)
        groups = naive_reasons(mine, lambda row: row["atoms"],
                               lambda a: (a["kind"], *a["features"]), 3)
        check_reasons(answer["atoms"], answer["all_atoms"], groups, len(mine), True)
    sides = []
    for row in rows:
        leads = [c["lead"] for c in row["columns"]]
        sides.append((sum(x for x in leads if x > 0), -sum(x for x in leads if x < 0)))
    odd = sorted((-min(s), row["row"]) for s, row in zip(sides, rows)
                 if max(s) > 0 and 4 * min(s) >= 3 * max(s))
    conflicts = summary["conflicts"]
    assert conflicts["cases"] == len(odd) == len(conflicts["first"])
    assert [c["row"] for c in conflicts["first"]] == [row for _, row in odd]
    for c in conflicts["first"]:
        lead_for, against = sides[c["row"] - 1]
        assert near(c["lead_for"], lead_for) and near(c["lead_against"], against)
    usual = summary["usual_features"]
    with open(data, encoding="utf-8", newline="") as file:
        cells = [sum(cell not in ("", "?") for key, cell in row.items() if key not in LABELS)
                 for row in csv.DictReader(file)]
    known = [n - len(row["unseen"]) for n, row in zip(cells, rows)]
    few = sorted((n, row["row"]) for n, row in zip(known, rows) if 2 * n < usual)
    assert summary["unlike"]["cases"] == len(few)
    assert [(c["known"], c["row"]) for c in summary["unlike"]["first"]] == few
    return len(odd), len(few)


def summary_is_that_of_the_rows():
    odd = few = 0
    lines = ["age,job,town,height,label"]
    for _ in range(160):
        age, job = random.randrange(18, 80), random.choice("abc")
        label = "yes" if (age > 45) + (job == "b") + (random.random() < 0.3) >= 2 else "no"
        lines.append(f"{age},{job},{random.choice('xyz')},{random.randrange(150, 200)},{label}")
    write("past.csv", lines)
    new = ["age,job,town,height,label"]
    for _ in range(60):
        cells = [str(random.randrange(10, 90)), random.choice("abcd"), random.choice("xyzw"),
                 str(random.randrange(140, 210))]
        cells = [c if random.random() < 0.6 else "" for c in cells]
        new.append(",".join([*cells, random.choice(["yes", "no", ""])]))
    write("new.csv", new)
    for kind in (["--model", "plain"], ["--model", "rich", "--effort", "lite"], []):
        run("train", "past.csv", *kind, "-q", "-o", "m")
        got = check_summary("m", "new.csv")
        odd, few = odd + got[0], few + got[1]
    run("train", VOTES, "-q", "-o", "votes")
    odd += check_summary("votes", VOTES)[0]
    assert odd > 0 and few > 0, (odd, few)  # else nothing was compared


def summary_is_the_same_for_any_number_of_threads():
    run("train", VOTES, "-q", "-o", "m")
    for form in ((), ("--json",)):
        texts = {run("explain", "m", VOTES, "--summary", "-j", n, *form).stdout
                 for n in (1, 2, 5)}
        assert len(texts) == 1


def text_says_what_json_says():
    run("train", VOTES, "-q", "-o", "m")
    text = run("explain", "m", VOTES, "--summary", "--top", "2").stdout
    summary, = explain("m", VOTES, "--summary", "--top", "2")
    assert text.startswith(f"{summary['cases']} cases\n")
    for answer in summary["answers"]:
        for kind in ("columns", "atoms"):
            assert len(answer[kind]) == min(2, answer[f"all_{kind}"])
        if answer["label"] is None:
            continue
        assert f"\n{answer['label']}: {answer['cases']} cases, " in text
        for column in answer["columns"]:
            assert re.search(rf"\n  {column['name']} +{column['cases_for']} +"
                             rf"{column['cases_against']} +{column['first']} ", text), column
    assert f"for and against: {summary['conflicts']['cases']}\n" in text


def keys_are_documented():
    run("train", VOTES, "-q", "-o", "m")
    with open(DOCUMENT, encoding="utf-8") as file:
        section = re.search(r"^## hcbr\.summary/1\n(.*?)(?=^## |\Z)", file.read(), re.M | re.S)
    named = set(re.findall(r"`(\w+)`", section.group(1)))
    summary, = explain("m", VOTES, "--summary")
    answer = summary["answers"][0]
    for thing in (summary, answer, answer["columns"][0], answer["atoms"][0],
                  summary["conflicts"], summary["conflicts"]["first"][0]):
        assert set(thing) <= named, set(thing) - named


def what_is_for_one_row_is_refused():
    run("train", VOTES, "-q", "-o", "m")
    for other in (["--flip"], ["--ask"], ["--versus", "1"], ["--html", "page"], ["--cases", "3"],
                  ["--all"]):
        got = run("explain", "m", VOTES, "--summary", *other, code=2)
        assert other[0] in got.stderr, got.stderr
    empty = run("explain", "m", "-", "--summary", "--format", "csv", stdin="crime\n").stdout
    assert empty.startswith("0 cases\n"), empty


if __name__ == "__main__":
    run_tests([summary_is_that_of_the_rows, summary_is_the_same_for_any_number_of_threads,
               text_says_what_json_says, keys_are_documented, what_is_for_one_row_is_refused])
