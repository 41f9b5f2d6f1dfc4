"""Clean tables, and the same tables as people have them.

A table is a header and rows of text; a recipe says how its cells and its file are written. WAYS
lists recipes that change one thing, mixture() draws one of several. A way is exact if it changes
only how something is written: spelling of numbers and dates, missing values of number columns,
encoding, dialect, lines around the table. What is learnt must then be the same to the last bit.
"""
import csv
import datetime
import decimal
import gzip
import io
import json
import os
import re

NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?\Z")
DAYS = "day of record"  # columns that are added, so that every table has dates
MOMENTS = "seen at"
IDS = ("PassengerId",)  # numbers that name the rows are whole ones, without units and places
TOWNS = ["Zürich", "Genève", "Köln", "Málaga", "Århus"]
THIN, NARROW, HARD = "\u2009", "\u202f", "\u00a0"


class Table:
    def __init__(self, head, rows):
        self.head, self.rows = head, rows

    def column(self, c):
        return [row[c] for row in self.rows]

    def numbers(self):
        """Columns of numbers, but the label."""
        return [c for c, name in enumerate(self.head) if name not in ("label", DAYS, MOMENTS) and
                all(NUMBER.match(x) for x in self.column(c) if x) and any(self.column(c))]


def read(path, most, draw):
    """At most so many rows of a file, drawn at random; numbers in their shortest form."""
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    rows = [rows[i] for i in sorted(draw.sample(range(len(rows)), min(most, len(rows))))]
    rows = [["" if x.strip() == "?" else shortest(x.strip()) for x in row] for row in rows]
    return Table(head, rows)


def shortest(text):
    if not NUMBER.match(text):
        return text
    number = decimal.Decimal(text).normalize()
    return f"{number + 0:f}"


def prepare(table, draw):
    """Add dates and towns that say something of the label, and holes in columns of numbers."""
    label = table.head.index("label")
    known = sorted(set(table.column(label)))
    first = datetime.datetime(2018, 1, 13, 3, 4, 5)
    table.head += [DAYS, MOMENTS, "town"]
    for row in table.rows:
        place = known.index(row[label])
        row.append((first + datetime.timedelta(days=17 * draw.randrange(40) + 90 * place))
                   .strftime("%Y-%m-%d"))
        row.append((first + datetime.timedelta(days=draw.randrange(40),
                                               seconds=draw.randrange(86400) // (1 + place)))
                   .strftime("%Y-%m-%d %H:%M:%S"))
        row.append(TOWNS[min(draw.randrange(5), draw.randrange(1 + place, 6)) % 5])
    for c in table.numbers():
        if len(set(table.column(c))) > 12:
            for row in table.rows:
                row[c] = "" if draw.random() < .03 else row[c]
    return table


# ---- numbers ------------------------------------------------------------------------------------

def grouped(text, mark, point="."):
    whole, _, rest = text.lstrip("-").partition(".")
    parts = []
    while len(whole) > 3:
        whole, part = whole[:-3], whole[-3:]
        parts.insert(0, part)
    return "-" * text.startswith("-") + mark.join([whole] + parts) + (point + rest if rest else "")


def negative(before, after):
    return lambda x: before + x[1:] + after if x.startswith("-") else x


def exponent(text):
    digits = decimal.Decimal(text)
    return f"{digits:e}" if digits else "0e0"


def thousands(text):
    return shortest(f"{decimal.Decimal(text) / 1000:f}") + "k"


def is_large(values):
    return any(abs(decimal.Decimal(x)) >= 10000 for x in values)


def is_grouped(values):
    """Groups that a point can show: numbers from 1,000 to 999,999 alone would be decimals."""
    return is_large(values) and any(not 1000 <= abs(decimal.Decimal(x)) < 10 ** 6 for x in values)


def is_broken(values):
    """Decimals that cannot be taken for groups of three."""
    return any("." in x and len(x.partition(".")[2]) != 3 for x in values)


def has_negative(values):
    return any(x.startswith("-") for x in values)


def always(values):
    return len(values) > 0


# name: how a number is written, and which columns it can be done to
NUMBERS = {
    "comma for thousands": (lambda x: grouped(x, ","), is_large),
    "point for thousands": (lambda x: grouped(x, ".", ","), is_grouped),
    "apostrophe for thousands": (lambda x: grouped(x, "'"), is_large),
    "space for thousands": (lambda x: grouped(x, " "), is_large),
    "thin space for thousands": (lambda x: grouped(x, THIN), is_large),
    "narrow space for thousands": (lambda x: grouped(x, NARROW), is_large),
    "hard space for thousands": (lambda x: grouped(x, HARD), is_large),
    "decimal comma": (lambda x: x.replace(".", ","), is_broken),
    "dollar": (lambda x: ("-$" + x[1:]) if x.startswith("-") else "$" + x, always),
    "euro behind": (lambda x: x + " €", always),
    "code of a currency": (lambda x: "EUR " + x, always),
    "percent": (lambda x: x + "%", always),
    "unit": (lambda x: x + " kg", always),
    "unit without a space": (lambda x: x + "mm", always),
    "plus": (lambda x: x if x.startswith("-") else "+" + x, always),
    "parentheses for negative": (negative("(", ")"), has_negative),
    "minus behind": (negative("", "-"), has_negative),
    "minus sign of typesetters": (negative("\u2212", ""), has_negative),
    "zeros behind": (lambda x: x + ("00" if "." in x else ".00"), always),
    "exponent": (exponent, always),
    "thousands as k": (thousands, is_large),
    "blanks around": (lambda x: " " + x + "  ", always),
}
MISSING = ["N/A", "#N/A", "n/a", "NA", "-", "--", "None", "null", "NULL", ".", "NaN", "?"]

# ---- dates --------------------------------------------------------------------------------------

DATES = {
    "day first": "%d/%m/%Y",
    "month first": "%m/%d/%Y",
    "points": "%d.%m.%Y",
    "slashes, year first": "%Y/%m/%d",
    "name of month": "%B %d, %Y",
    "short name of month": "%d %b %Y",
    "weekday": "%a, %d %b %Y",
}
TIMES = {
    "T": "%Y-%m-%dT%H:%M:%S",
    "zone": "%Y-%m-%dT%H:%M:%SZ",
    "am and pm": "%m/%d/%Y %I:%M:%S %p",
    "day first, with time": "%d.%m.%Y %H:%M:%S",
}


def redate(text, form, of):
    return datetime.datetime.strptime(text, of).strftime(form) if text else text


# ---- files --------------------------------------------------------------------------------------

ENCODINGS = {
    "utf-8 with a mark": "utf-8-sig",
    "utf-16 with a mark": "utf-16",
    "utf-16 little endian": "utf-16-le",
    "utf-16 big endian": "utf-16-be",
    "windows-1252": "cp1252",
    "latin-1": "latin-1",
    "mac roman": "mac_roman",
}
PREAMBLES = {
    "a title": "Statistics of the year\n",
    "a title and an empty line": "Statistics of the year\n\n",
    "remarks": "# made by hand\n# twice a year\n",
}
FILES = {
    "semicolon": {"delimiter": ";"},
    "tab": {"delimiter": "\t"},
    "bar": {"delimiter": "|"},
    "spaces behind delimiters": {"pad": " "},
    "all in quotes": {"quotes": True},
    "carriage returns": {"end": "\r\n"},
    "no last newline": {"last": ""},
    "empty lines": {"end": "\n\n"},
    "empty column behind": {"behind": True},
    "sep=": {"delimiter": ";", "preamble": "sep=;\n"},
    "json lines": {"form": "jsonl"},
    "json list": {"form": "json"},
    **{name: {"preamble": text} for name, text in PREAMBLES.items()},
    **{name: {"encoding": code} for name, code in ENCODINGS.items()},
}


def spelled(table, recipe):
    """The cells as they are written."""
    rows = [row[:] for row in table.rows]
    for c in table.numbers():
        values = [x for x in table.column(c) if x]
        write, suits = NUMBERS[recipe["numbers"]] if "numbers" in recipe else (str, always)
        if not suits(values) or table.head[c] in IDS:
            write = str
        for row in rows:
            row[c] = write(row[c]) if row[c] else recipe.get("missing", "")
    for name, key, forms, of in ((DAYS, "dates", DATES, "%Y-%m-%d"),
                                 (MOMENTS, "times", TIMES, "%Y-%m-%d %H:%M:%S")):
        if key in recipe:
            c = table.head.index(name)
            for row in rows:
                row[c] = redate(row[c], forms[recipe[key]], of)
    return rows


def cell(text, delimiter, quotes):
    if quotes or any(x in text for x in delimiter + '"\n\r'):
        return '"' + text.replace('"', '""') + '"'
    return text


def written(table, recipe):
    """The bytes of the file, and its ending."""
    rows, form = spelled(table, recipe), recipe.get("form", "csv")
    if form != "csv":
        objects = [{k: x for k, x in zip(table.head, row) if x} for row in rows]
        text = json.dumps(objects, indent=1) if form == "json" else "".join(
            json.dumps(x, ensure_ascii=False) + "\n" for x in objects)
        return text.encode("utf-8"), form
    delimiter, quotes = recipe.get("delimiter", ","), recipe.get("quotes", False)
    out = io.StringIO()
    out.write(recipe.get("preamble", ""))
    for n, row in enumerate([table.head] + rows):
        row = row + [""] if recipe.get("behind") else row
        out.write((delimiter + recipe.get("pad", "")).join(
            cell(x, delimiter, quotes) for x in row))
        out.write(recipe.get("last", "\n") if n == len(rows) else recipe.get("end", "\n"))
    return out.getvalue().encode(recipe.get("encoding", "utf-8")), "csv"


def fits(table, recipe):
    """Does the recipe change anything, and can the encoding write it?"""
    try:
        return written(table, recipe) != written(table, {})
    except UnicodeEncodeError:
        return False


WAYS = {
    **{f"numbers: {name}": {"numbers": name} for name in NUMBERS},
    **{f"missing: {form}": {"missing": form} for form in MISSING},
    **{f"dates: {name}": {"dates": name} for name in DATES},
    **{f"times: {name}": {"times": name} for name in TIMES},
    **{f"file: {name}": recipe for name, recipe in FILES.items()},
}


def mixture(draw):
    recipe = {"numbers": draw.choice(list(NUMBERS)), "missing": draw.choice(MISSING),
              "dates": draw.choice(list(DATES)), "times": draw.choice(list(TIMES))}
    for name in draw.sample(list(FILES), 2):
        recipe.update(FILES[name])
    if recipe.get("form"):
        recipe.pop("encoding", None)
    if "preamble" in recipe and recipe["preamble"].startswith("sep="):
        recipe["delimiter"] = ";"
    return recipe


def tables(data):
    """The clean tables, by name: where they are."""
    return {name: os.path.join(data, *path.split("/")) for name, path in {
        "adult": "paper/adult.csv", "bank": "more/bank-additional.csv.gz",
        "titanic": "more/titanic.csv", "electricity": "more/electricity.csv.gz",
        "heart": "paper/heart.csv", "nursery": "more/nursery.csv"}.items()}
