"""explain --flip on columns of dates: a date changes as a whole, what is offered can be written
into the column and gives the answer that is told, as predict says, and no moment that is nearer
does."""
import csv
import datetime
import json
import random

from program import run, run_tests, write

DAY, MINUTE = datetime.timedelta(days=1), datetime.timedelta(minutes=1)
START = datetime.datetime(2019, 1, 1)
# How a moment is written in the file, how explain writes it, and what lies between two of them.
WAYS = {"days": ("%Y-%m-%d", "%Y-%m-%d", DAY), "german": ("%d.%m.%Y", "%Y-%m-%d", DAY),
        "digits": ("%Y%m%d", "%Y-%m-%d", DAY),
        "few": ("%Y-%m-%d", "%Y-%m-%d", DAY), "months": ("%Y-%m", "%Y-%m", DAY),
        "moments": ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M", MINUTE),
        "times": ("%H:%M", "%H:%M", MINUTE)}


def draw_moment(way):
    days = {"few": random.randrange(0, 60, 3), "times": 0}.get(way, random.randrange(700))
    return START + days * DAY + (random.randrange(1440) * MINUTE if way in ("moments", "times")
                                 else 0 * DAY)


def draw_table(way, rows):
    """Labels follow from parts of the date that contradict each other if they change alone."""
    lines = ["since,age,label"]
    for _ in range(rows):
        since, age = draw_moment(way), random.randrange(18, 80)
        score = {"times": 2 * (9 <= since.hour < 17),
                 "months": (since.month > 8) + (since.year > 2019),
                 "moments": (since.weekday() > 4) + (since.hour >= 18)}.get(
                     way, (since.weekday() > 4) + (since.month > 8) + (since.day < 5))
        score += (age > 60) + (random.random() < 0.1)
        lines.append(f"{since.strftime(WAYS[way][0])},{age},{'yes' if score > 1 else 'no'}")
    return lines


def predict(rows):
    write("changed.csv", ["since,age", *(f"{row['since']},{row['age']}" for row in rows)])
    said = [json.loads(line)
            for line in run("predict", "m", "changed.csv", "--json", "-q").stdout.splitlines()]
    assert all(x["known"] > .5 for x in said), "a date was not read: nothing but age is known"
    return [x["label"] for x in said]


def explain(*options):
    lines = run("explain", "m", "past.csv", "--rows", "1-30", "--cases", "0", "--top", "0",
                "--flip", "--json", "-q", *options).stdout.splitlines()
    with open("past.csv", encoding="utf-8", newline="") as file:
        return [(row, json.loads(line)) for row, line in zip(csv.DictReader(file), lines)]


def taken(change):
    column, _, before = (change["removed"] or change["added"]).partition("=")
    return column, before, (change["added"] or "").partition("=")[2]


def between(way, before, after):
    """A few moments between two of them, the first and the last among them."""
    form, unit = WAYS[way][1:]
    low, high = sorted(datetime.datetime.strptime(text, form) for text in (before, after))
    if way == "moments" and high - low >= DAY:  # the time of the day stays
        at = datetime.datetime.strptime(before, form)
        count = (high - low) // DAY
        all_of = [at + (n if at == low else -n) * DAY for n in range(1, count)]
    elif way == "months":
        all_of = [day for n in range(1, (high - low).days)
                  for day in [low + n * DAY] if day.day == 1]
    else:
        all_of = [low + n * unit for n in range(1, (high - low) // unit)]
    inner = random.sample(all_of, min(len(all_of), 12))
    return [moment.strftime(form) for moment in {*all_of[:1], *all_of[-1:], *inner}]


def check(way):
    rows, expected, nearer, kept, offers = [], [], [], [], 0
    for row, told in explain():
        for flip in told["flip"]["flips"]:
            cells = dict(row)
            for change in flip["changes"]:
                column, before, after = taken(change)
                assert column in row, change  # no part of a date
                if column == "since" and after:
                    assert before == datetime.datetime.strptime(
                        row["since"], WAYS[way][0]).strftime(WAYS[way][1]), (row, change)
                    offers += 1
                    if len(flip["changes"]) == 1:
                        nearer += [dict(row, since=text) for text in between(way, before, after)]
                        kept += [told["label"]] * (len(nearer) - len(kept))
                cells[column] = after
            rows.append(cells)
            expected.append(flip["label"])
    assert predict(rows) == expected, way
    assert predict(nearer) == kept, way
    return offers


def dates_change_as_a_whole():
    for way in WAYS:
        write("past.csv", draw_table(way, 250))
        for options in ((), ("--keep-cases", "none")):
            run("train", "past.csv", *options, "-q", "-o", "m")
            offers = check(way)
            assert offers >= 10, (way, options, offers)


def dates_keep_their_bounds():
    write("past.csv", draw_table("days", 250))
    run("train", "past.csv", "-q", "-o", "m")
    offers = 0
    for options, good in ((("--range", "since=2019-06-01..2019-12-31"),
                           lambda before, after: "2019-06-01" <= after <= "2019-12-31"),
                          (("--increase-only", "since"), lambda before, after: after > before),
                          (("--decrease-only", "since"), lambda before, after: after < before),
                          (("--fixed", "since"), lambda before, after: False)):
        for _, told in explain(*options):
            assert told["flip"]["bounded"]
            for flip in told["flip"]["flips"]:
                for change in flip["changes"]:
                    column, before, after = taken(change)
                    assert column == "age" or good(before, after), (options, change)
                    offers += column == "since"
    assert offers > 20, offers


def what_was_not_tried_is_said():
    """Dates are not combined with other changes, and a date that is missing is not filled in."""
    write("past.csv", draw_table("days", 250))
    run("train", "past.csv", "-q", "-o", "m")
    write("past.csv", ["since,age,label", ",30,no", ",70,yes"])
    for _, told in explain():
        found = told["flip"]
        assert not found["exhaustive"]
        assert len(found["flips"]) > 0 or found["searched"] == 0, found
        assert all(len(flip["changes"]) == 1 for flip in found["flips"]) or not found["exact"]


if __name__ == "__main__":
    run_tests([dates_change_as_a_whole, dates_keep_their_bounds, what_was_not_tried_is_said])
