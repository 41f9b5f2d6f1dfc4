"""Tests on parts of dates are shown in words that mean the same: what they say of a day and a time
is checked against what the test itself says, in every form of output."""
import datetime
import json
import random
import re

from program import run, run_tests, write

RICH = ("--model", "rich", "--effort", "lite")
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = ("January February March April May June July August September October November "
          "December").split()
PART = {
    "year": lambda t: t.year, "month": lambda t: t.month, "day of month": lambda t: t.day,
    "day of week": lambda t: t.isoweekday(), "day of year": lambda t: t.timetuple().tm_yday,
    "hour": lambda t: t.hour, "minute of day": lambda t: t.hour * 60 + t.minute,
    "days": lambda t: t.toordinal() - datetime.date(1970, 1, 1).toordinal(),
}
NUMBER = r"-?[0-9.]+"
KEY = "(?:pickup|when|at): (" + "|".join(PART) + ")"


def holds_test(test, moment):
    """What a test of the model says of a moment; None: it is no test on a part."""
    test = test[1:-1] if test.startswith("(") else test
    if test.startswith("not "):
        return not holds_test(test[4:], moment)
    any_holds = False
    for piece in test.split(" or "):
        if piece == "missing":
            continue
        found = re.fullmatch(f"(?:({NUMBER})<)?{KEY}(<=|>|=| not )({NUMBER}(?:[|]{NUMBER})*)"
                             "( nor missing)?", piece)
        if not found:
            return None
        low, part, sign, values, _ = found.groups()
        value, values = PART[part](moment), [float(v) for v in values.split("|")]
        holds = {"<=": value <= values[0], ">": value > values[0], "=": value in values,
                 " not ": value not in values}[sign]
        any_holds |= holds and (low is None or value > float(low))
    return any_holds


def day(text):
    return datetime.date.fromisoformat(text)


def minutes(text):
    hour, minute = text.split(":")
    return int(hour) * 60 + int(minute)


def holds_piece(piece, t):
    """What one of some alternatives says of a moment; "or later" is a plus, "or earlier" a minus
    behind it."""
    now = t.hour * 60 + t.minute
    compared = re.fullmatch(r"(?:(\S+) < )?\w+ (>|<=) (\S+)", piece)
    if compared:
        low, sign, end = compared.groups()
        holds = t.date() > day(end) if sign == ">" else t.date() <= day(end)
        return holds and (not low or t.date() > day(low))
    ends = piece.split(" to ")
    for names, value in ((WEEKDAYS, t.isoweekday()), (MONTHS, t.month)):
        if ends[0] in names:
            return names.index(ends[0]) + 1 <= value <= names.index(ends[-1]) + 1
    if re.fullmatch(r"\d{4}-\d\d-\d\d", piece):
        return t.date() == day(piece)
    if piece.startswith("before "):
        return now < minutes(piece[7:])
    if ":" in piece:
        return minutes(ends[0].strip("+")) <= now and (
            piece[-1] == "+" or now <= minutes(ends[-1]))
    found = re.fullmatch(r"(year|day) (\d+)(?: to (\d+))?([+-]| of the month| of the year)?", piece)
    what, first, last, rest = found.groups()
    value = (t.year if what == "year" else t.day if rest == " of the month"
             else t.timetuple().tm_yday)
    return (value >= int(first) or rest == "-") and (
        value <= int(last or first) or rest == "+")


def holds_words(words, t):
    words = words[1:-1] if words.startswith("(") else words
    words = words.removesuffix(" or missing").removesuffix(" nor missing")
    words = words.replace(" or later", "+").replace(" or earlier", "-")
    said = re.sub("(pickup|when|at): ", "", words)
    assert said != words or re.search(" (<|<=|>) ", words), words
    if said.startswith("not "):
        return not any(holds_piece(p, t) for p in said[4:].split(" nor "))
    return any(holds_piece(p, t) for p in said.split(" or "))


def table(path):
    r = random.Random(1)
    rows = ["label,pickup,x,when,at"]
    for i in range(400):
        pickup = datetime.datetime(2018, 11, 1) + datetime.timedelta(minutes=r.randrange(800000))
        when = datetime.date(2018, 1, 1) + datetime.timedelta(days=9 * r.randrange(30))
        at = f"{r.randrange(24):02}:{r.randrange(0, 60, 20):02}"
        score = ((pickup.weekday() > 4) + (pickup > datetime.datetime(2019, 8, 14)) +
                 (8 < pickup.hour < 18) + (when.month in (2, 3, 7)) + (at < "07:30"))
        cells = [f"{pickup:%Y-%m-%d %H:%M}", f"{r.random():.2f}", f"{when:%d/%m/%Y}", at]
        if i % 40 == 3:
            cells[r.choice((0, 2, 3))] = ""
        rows.append(",".join(["yes" if score + r.gauss(0, .3) > 2 else "no"] + cells))
    write("one.csv", rows[:3])
    return write(path, rows)


def model():
    table("d.csv")
    run("train", *RICH, "d.csv", "-q", "-o", "d.m")


def pairs(value):
    """Tests and what is said of them, wherever they stand in an object."""
    if isinstance(value, list):
        for item in value:
            yield from pairs(item)
    if not isinstance(value, dict):
        return
    if "words" in value:
        machine = value.get("features", value.get("tests", value.get("feature")))
        both = zip(machine, value["words"]) if isinstance(machine, list) else [
            (machine, value["words"])]
        yield from both
    for change in ("removed", "added"):
        if change + "_words" in value:
            yield value[change], value[change + "_words"]
    for item in value.values():
        yield from pairs(item)


# a day, a date, a month, a time or a range of times; or there is no value
SAID = (r"[A-Z][a-z]+day|[A-Z][a-z]+|\d{4}-\d\d-\d\d|day \d+ of the (month|year)"
        r"|\d\d:\d\d( to \d\d:\d\d)?|[-\u2013]")


def ends(text):
    """Alternatives of a test of a number, or of its words, as pairs of ends; None: neither."""
    found = []
    for piece in text.strip("()").split(" or "):
        both = re.fullmatch(rf"({NUMBER})<\w+<=({NUMBER})|\w+ ({NUMBER}) to ({NUMBER})", piece)
        most = re.fullmatch(rf"\w+<=({NUMBER})|(?:\w+)? ?at most ({NUMBER})", piece)
        least = re.fullmatch(rf"\w+>({NUMBER})|(?:\w+)? ?above ({NUMBER})", piece)
        if piece == "missing":
            found.append(None)
        elif both or most or least:
            given = [float(n) for n in (both or most or least).groups() if n is not None]
            found.append((given[0] if both or least else float("-inf"),
                          given[-1] if both or most else float("inf")))
        else:
            return None
    return found


def wider(test, words):
    """Words of a number say a range that holds that of the test, and is hardly wider."""
    exact, said = ends(test), ends(words)
    if not exact or not said or len(exact) != len(said):
        return False
    dust = 1e-11

    def close(x, y):
        """Four significant digits at least: within a thousandth; open ends are the same."""
        return x == y or abs(x - y) <= 0.001 * abs(x) + dust

    for a, b in zip(exact, said):
        if (a is None) != (b is None):
            return False
        if a and not (b[0] <= a[0] + dust and b[1] >= a[1] - dust and close(a[0], b[0]) and
                      close(a[1], b[1])):
            return False
    return True


def in_quotes(test):
    """A test of a category as it is said: its values in quotes, with `or` or `nor` between them."""
    missing = re.fullmatch(r"\((.*) or missing\)", test)
    found = re.fullmatch(r"(\w+)(=| not )(.*?)( nor missing)?", missing[1] if missing else test)
    if not found:
        return None
    key, sign, values, never = found.groups()
    between, word = (" or ", "") if sign == "=" else (" nor ", "not ")
    said = between.join(f'"{v}"' for v in values.split("|"))
    return f"{key}: {word}{said}{never or ''}{' or missing' if missing else ''}"


def date_words__mean_what_the_tests_mean():
    model()
    r = random.Random(8)
    moments = [datetime.datetime(2017, 12, 1) + datetime.timedelta(minutes=r.randrange(1100000))
               for _ in range(60)]
    found = set(pairs(json.loads(run("inspect", "d.m", "--json", "--top", "3000").stdout)))
    for options in (["--all"], ["--flip", "--versus", "3"], ["--ask"]):
        for line in run("explain", "d.m", "one.csv", "--json", "-q", *options).stdout.splitlines():
            found.update(pairs(json.loads(line)))
    shown = json.loads(run("explain", "d.m", "--case", "x=0.5", "--ask", "--json",
                           "-q").stdout)
    found.update(pairs(shown))
    parts = set()
    for test, words in found:
        if holds_test(test, moments[0]) is None:
            assert words in (test, in_quotes(test)) or wider(test, words), (test, words)
            assert not re.match(KEY, test) or test.endswith(("missing", "known")), test
            continue
        assert words != test, test
        parts.add((re.search(KEY, test)[1], "=" in test and "<" not in test))
        assert ("missing" in words) == ("missing" in test), (test, words)
        for t in moments:
            assert holds_test(test, t) == holds_words(words, t), (test, words, t)
    assert len(found) > 500 and len({part for part, _ in parts}) == len(PART), parts
    assert {"pickup: Saturday", "pickup: Saturday to Sunday"} <= {w for _, w in found}


def date_words__of_few_days():
    """A column of so few dates that its parts are categories, and one that few cases have."""
    r = random.Random(4)
    rows = ["label,when,at,x"]
    for i in range(300):
        when = datetime.date(2019, 1, 5) + datetime.timedelta(days=100 * r.randrange(6))
        at = datetime.date(2019, 5, 1) + datetime.timedelta(days=r.randrange(200))
        label = "yes" if (when.month in (1, 7)) + (i % 19 == 0) + r.gauss(0, .2) > .6 else "no"
        rows.append(f"{label},{when},{at if i % 19 == 0 else ''},{r.random():.3f}")
    write("few.csv", rows)
    moments = [datetime.datetime(2018, 12, 1) + datetime.timedelta(days=d) for d in range(700)]
    run("train", *RICH, "few.csv", "-q", "-o", "few.m")
    found = set(pairs(json.loads(run("inspect", "few.m", "--json", "--top", "2000").stdout)))
    for test, words in found:
        said = holds_test(test, moments[0]) is not None
        assert said == (words != test) or words == in_quotes(test) or wider(test, words), (test,
                                                                                          words)
        for t in moments if said else []:
            assert holds_test(test, t) == holds_words(words, t), (test, words, t)
    assert any(" nor " in words or " not " in words for _, words in found)
    assert any(" or " in words for _, words in found)


def date_words__are_in_every_output():
    model()
    for options in ([], ["--flip", "--versus", "3"]):
        text = run("explain", "d.m", "one.csv", "-q", "--top", "40", *options).stdout
        groups = re.sub(r"\n {4}(?! )(?![^\n]*  )", " ",  # sentences in one line
                        text[text.index("groups of features"):])
        assert re.search(r"(pickup|when): [A-Z][a-z]+day\b", groups), groups
        # marks of what is alike stand behind values side by side; these are told by their blanks
        plain = re.sub(r" = same ", " ", groups)
        assert not re.search(r": (day of|days|month|hour|minute)[^\n]*[=<>]", plain), groups
        # a value beside its column, in a sentence or a table: words or dates, no number of a part
        beside = re.findall(r": (?:day of \w+|days|month|hour|minute of day) \(([^)]*)\)", groups)
        assert len(beside) > 3, groups
        side = [(line[24:46].strip(), line[46:68].strip()) for line in groups.split("\n")
                if re.search(r": (day|month|hour|minute).* [=~#] ", line)]
        assert (len(side) > 3) == ("--versus" in options), groups
        said = [value.split(" here, ") for value in beside]
        for value in [*(re.sub(" there$", "", v) for pair in said for v in pair),
                      *(v for pair in side for v in pair)]:
            assert re.fullmatch(SAID, value), (value, groups)
    asked = run("explain", "d.m", "--case", "x=0.5", "--ask", "-q").stdout
    assert not re.search(r": (day of|days|month|hour|minute)[^\n]*[=<>]", asked), asked
    run("explain", "d.m", "one.csv", "-q", "--flip", "--html", "d.html")
    with open("d.html", encoding="utf-8") as file:
        page = file.read()
    assert re.search(r"<bdi>pickup: [A-Z][a-z]+day</bdi>", page)
    assert not re.search(r": (day of|days|month|hour|minute)[^<]*(=|&lt;|&gt;)", page)
    text = run("inspect", "d.m", "--top", "30").stdout
    days = re.search(r"pickup: days +number .* cuts from 2018-11-\d\d to 2020-0\d-\d\d\n", text)
    assert days, text
    groups = text[text.index("\nfeatures for"):text.index("\nimportance")]
    assert "pickup: Saturday" in groups
    assert not re.search(r": (day of|days|month|hour|minute)[^\n&]*[=<>]", groups), groups


def date_words__are_for_dates_alone():
    """A column that is called like a part stays what it is."""
    r = random.Random(2)
    rows = ["label,a: day of week,b"]
    for _ in range(200):
        a = r.randrange(1, 8)
        rows.append(f"{'x' if a > 5 else 'y'},{a},{r.random():.2f} kg")
    write("n.csv", rows)
    run("train", *RICH, "n.csv", "-q", "-o", "n.m")
    shown = run("explain", "n.m", "n.csv", "--rows", "1", "--json", "-q").stdout
    text = run("explain", "n.m", "n.csv", "--rows", "1", "-q").stdout
    for said in (shown, text):
        assert not re.search(r"(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day", said), said
        assert re.search(r"a: day of week[= ][1-7]\b", said), said


run_tests([date_words__mean_what_the_tests_mean, date_words__of_few_days,
           date_words__are_in_every_output,
           date_words__are_for_dates_alone])
