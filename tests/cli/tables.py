"""Random tables whose columns are of every kind there is, spelled in many ways."""
import csv
import json
import random

DATES = ["{0:04}-{1:02}-{2:02}", "{2}.{1}.{0}", "{1}/{2}/{0}", "{0:04}{1:02}{2:02}",
         "{0:04}-{1:02}-{2:02} 1{3}:3{4}:00"]
LETTERS = "abcdefgh"
WORDS = "red round ball the sea a ship of wood and iron in deep cold water".split()


def grouped(value, mark):
    """A number with its thousands apart, the decimal mark a point or a comma."""
    text = f"{value:,.2f}"
    return text if mark == "." else text.translate(str.maketrans(",.", ".,"))


def accounted(value):
    return f"({-value})" if value < 0 else str(value)


def date_column():
    form = random.choice(DATES)
    return lambda: form.format(random.randrange(1999, 2024), random.randrange(1, 13),
                               random.randrange(1, 29), random.randrange(10), random.randrange(6))


def number(digits=1):
    return round(random.gauss(0, 900), digits)


def mixed(often, *others):
    return lambda: often() if random.random() < .93 else random.choice(others)


def any_spelling():
    value = random.randrange(40)
    return random.choice([str(value), f"{value}.0", f"+{value}", f"{value}e0", f"{value:03}",
                          f"{value}.50", f"0{value}"])


KINDS = {
    "real": lambda: lambda: str(number()),
    "whole": lambda: lambda: str(random.randrange(3000)),
    "few": lambda: lambda: random.choice(["1", "2", "3"]),
    "spelled": lambda: any_spelling,
    "accounted": lambda: lambda: accounted(number()),
    "comma": lambda: lambda: grouped(number(2), ","),
    "point": lambda: lambda: grouped(number(2), "."),
    "threes": lambda: lambda: f"{random.randrange(1, 99)}.{random.randrange(1000):03}",
    "money": lambda: lambda: f"${random.randrange(9000)}",
    "share": lambda: lambda: f"{random.randrange(1000) / 10} %",
    "holes": lambda: mixed(lambda: str(number()), "n/a", "-", "refused", ""),
    "doubt": lambda: mixed(lambda: str(random.randrange(200)), "many", "few", "some", "n/a", "?"),
    "code": lambda: lambda: f"{random.randrange(900):05}",
    "date": date_column,
    "moment": lambda: mixed(date_column(), "n/a", "soon"),
    "flag": lambda: mixed(lambda: random.choice(["yes", "no"]), "", "n/a"),
    "set": lambda: lambda: "|".join(random.sample(LETTERS, random.randrange(1, 4))),
    "text": lambda: lambda: " ".join(random.choices(WORDS, k=random.randrange(2, 9))),
    "mail": lambda: lambda: f"x{random.randrange(10 ** 6)}@y.org",
    "constant": lambda: lambda: "same",
    "empty": lambda: lambda: random.choice(["", "NA"]),
    "category": lambda: lambda: random.choice(["red", "blue", "a,b", 'say "x"', "é"]),
}


def draw_table(most=400):
    """Names, the label's last, and rows of a table that has a random choice of columns."""
    kinds = random.choices(list(KINDS), k=random.randrange(1, 7))
    columns = [KINDS[kind]() for kind in kinds]
    names = [f"{kind} {i}" for i, kind in enumerate(kinds)] + ["label"]
    rows = []
    for i in range(random.choice([5, 12, 40, most])):
        rows.append([column() for column in columns] + [["up", "down"][i % 2]])
    if random.random() < .2:  # a column again
        place = random.randrange(len(kinds))
        names.insert(0, "again")
        rows = [[row[place], *row] for row in rows]
    return names, rows


def save_table(path, names, rows):
    """Write it as csv, tsv or jsonl, by the ending of the path, which is returned."""
    form = str(path).rsplit(".", 1)[1]
    with open(path, "w", encoding="utf-8", newline="") as file:
        if form == "jsonl":
            for row in rows:
                file.write(json.dumps(dict(zip(names, row))) + "\n")
        else:
            csv.writer(file, delimiter="\t" if form == "tsv" else ",").writerows([names, *rows])
    return path
