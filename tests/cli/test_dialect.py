"""A table is read as the same table however it is written: dialects and encodings.

usage: test_dialect.py    (the program is $HCBR)
"""
import csv
import random
import sys

from program import Checks, run_bytes as run
from seeds import take_seed

WORDS = ["red", "blue", "Grün", "été", "two words", "a,b", "c;d", "e|f", "say \"no\"", "", "NA",
         "new\nline", "x"]
TITLES = ["", "Report of 2020\n", "Report of 2020\n\n", "# made by hand\n# on a day\n",
          "\"Report, of the year\"\n"]
check = Checks()


def model(data, *options, pipe=False):
    with open("x.csv", "wb") as file:
        file.write(data)
    code, _, said = run("train", "--model", "plain", "-" if pipe else "x.csv", "--format", "csv",
                        "-o", "m", *options, data=data if pipe else None)
    if code != 0:
        return None, said
    with open("m", "rb") as file:
        return file.read(), said


def cell(value, delimiter, always):
    if always or any(c in value for c in delimiter + "\"\n\r ,;|\t"):
        return '"' + value.replace('"', '""') + '"'
    return value


def written(table, delimiter=",", end="\n", pad="", quotes=False, title="", last=True):
    lines = [(delimiter + pad).join(cell(value, delimiter, quotes) for value in row)
             for row in table]
    return title + end.join(lines) + (end if last else "")


def make(draw):
    columns = draw.randrange(3, 7)
    table = [["label"] + [f"c{i}" for i in range(1, columns)]]
    draw.shuffle(table[0])
    for _ in range(draw.randrange(3, 60)):
        table.append([draw.choice(["yes", "no"]) if name == "label" else
                      draw.choice(WORDS) if name in ("c1", "c2") else str(draw.randrange(9) + 1)
                      for name in table[0]])
    return table


def colons_may_separate():
    """Not where they are part of times, addresses, sentences or URLs."""
    rows = [f"n{i % 7}:{'uvw'[i % 3]}:{10 + i % 50}:{15 + i % 40}:" for i in range(40)]
    users = [f"user{i}:x:{1000 + i}:100:{'A user' if i % 2 else ''}:some/folder/{i}:shell"
             for i in range(9)]
    separated = {"numbers", "words", "words without a header", "users", "quoted",
                 "numbers below names"}
    numbers = [f"{i % 24}:{i % 60:02}:{i % 7:02}" for i in range(40)]
    for name, lines, fields in (
            ("numbers", ["name:kind:hours:minutes:end"] + rows, 5),
            ("words", ["a:b:c"] + ["x:y:z", "u:v:w"] * 5, 3),
            ("words without a header", ["x:y:z", "u:v:w"] * 5, 3),
            ("users", users, 7),
            ("quoted", ["a:b:c"] + ['x:"12:30":5', 'y:"http://h:80/":6'] * 9, 3),
            ("numbers below names", ["hours:minutes:seconds"] + numbers, 3),
            ("times", numbers, 1),
            ("times below a name", ["time"] + numbers, 1),
            ("moments", [f"2020-01-{i:02} 12:{i:02}:15" for i in range(10, 30)], 2),
            ("logs", [f"2020-01-{i:02}T12:{i:02}:15 INFO stop" for i in range(10, 30)], 3),
            ("addresses", [f"00:1b:2c:3d:4e:{i}" for i in range(10, 30)], 1),
            ("sentences", ["see: this: that", "one: two: three"] * 9, 3),
            ("URLs", [f"https://host{i}:80/x" for i in range(9)], 1),
            ("two lines", ["a:b:c", "x:y:z"], 1),
            ("uneven", ["a:b:c", "x:y:z", "u:v:w", "x:y"] * 5, 1),
            ("commas", ["a:b:c,d"] + ["x:y:z,1", "u:v:w,2"] * 9, 2),
            ("strict", ["name:kind:hours:minutes:end"] + rows, 1)):
        with open("x.csv", "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        code, out, said = run("convert", "--no-label", "x.csv", "--to", "csv", "-o", "-",
                              *["--strict"] * (name == "strict"))
        found = list(csv.reader(out.decode().splitlines()))
        check(f"colons: {name}", code == 0 and {len(row) for row in found} == {fields},
              f"{found[:2]} {said}")
        check(f"colons: {name}, said", ("fields are separated by ':'" in said) ==
              (name in separated), said)


def every_dialect_gives_the_same_model(draw):
    for number in range(60):
        table = make(draw)
        wanted, said = model(written(table).encode(), "--strict")
        check(f"table {number}", wanted is not None, said)
        dialect = {"delimiter": draw.choice(",;\t|"), "end": draw.choice(["\n", "\r\n"]),
                   "quotes": draw.random() < .5, "title": draw.choice(TITLES),
                   "last": draw.random() < .5}
        full = all(value for row in table for value in row)
        dialect["pad"] = " " if full and dialect["delimiter"] != "\t" and draw.random() < .5 else ""
        code = draw.choice(["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-16-le", "cp1252"])
        if dialect["title"].startswith("#") and dialect["delimiter"] == " ":
            continue
        found, said = model(written(table, **dialect).encode(code), pipe=draw.random() < .3)
        check(f"table {number} {dialect} {code}", found == wanted, said)
        if dialect["delimiter"] != ",":
            check(f"table {number}: the delimiter is said", "fields are separated by" in said, said)
        if dialect["title"]:
            check(f"table {number}: the title is said", "above the header" in said, said)
        if dialect["pad"]:
            check(f"table {number}: blanks are said", "blanks after the delimiter" in said, said)
        found, said = model(written(table, dialect["delimiter"]).encode(), "--strict",
                            "--delimiter", dialect["delimiter"])
        # The option is stored in the model.
        check(f"table {number}: by option", found is not None and "fields are" not in said, said)


def padding_is_left_out(draw):
    for number in range(20):
        table = [["label", "a", "b"]] + [[draw.choice("xy"), draw.choice(["red", "two words"]),
                                          draw.choice(["q, r", "5", 'a "b"', "l\nm"])]
                                         for _ in range(draw.randrange(2, 30) if number else 30000)]
        wanted, _ = model(written(table).encode())
        for threads in "1", "2":
            found, said = model(written(table, pad=" ").encode(), "-j", threads)
            check(f"padding {number} {threads}", found == wanted, said)


def plain_tables_stay_plain(draw):
    """What the rules of csv read is never read otherwise."""
    for number in range(40):
        table = make(draw)
        for row in table[1:]:
            if draw.random() < .3:
                row[draw.randrange(len(row))] = draw.choice([";;;", "a;b;c", "a|b|c", " x", "\t\t"])
        label = table[0].index("label")
        for row in table[1:]:
            row[label] = "yes"
        text = "\n".join(",".join(value.replace(",", "").replace('"', "").replace("\n", "")
                                  for value in row) for row in table) + "\n"
        wanted, _ = model(text.encode(), "--strict")
        found, said = model(text.encode())
        check(f"plain {number}", found == wanted and "separated" not in said, said)


def quotes_are_of_one_file():
    """--quote, --escape, --header and --encoding are not stored: predict looks at its own file."""
    rows = "yes,{0}x, y{0},1\nno,{0}w{0},2\nyes,{0}x, y{0},3\nno,{0}v{0},2\n"
    plain, _ = model(("label,a,b\n" + rows.format('"')).encode())
    odd, said = model(("label,a,b\nunits,of,them\n" + rows.format("^")).encode(), "--quote", "^",
                      "--header", "2")
    check("the model has nothing of it", odd == plain, said)
    with open("plain", "wb") as file:
        file.write(plain)
    for name, text, options, good in (
            ("as csv has it", 'a,b\n"x, y",1\n', (), True),
            ("not as the file shows", "a,b\n^x, y^,1\n", (), False),
            ("given again", "a,b\n^x, y^,1\n", ("--quote", "^"), True),
            ("as the file shows", "a,b\n'x, y',1\n'w, z',2\n'x, y',3\n", (), True),
            ("escapes as the file shows", 'a,b\n"x, y",1\n"w \\" z",2\n"x, y",3\n', (), True),
            ("escapes given", "a,b\nx!, y,1\n", ("--escape", "!"), True)):
        with open("p.csv", "w", encoding="utf-8") as file:
            file.write(text)
        code, out, said = run("predict", "plain", "p.csv", *options)
        first = out.decode().split("\n", maxsplit=1)[0].split("\t")
        check(f"predict: {name}", (code == 0) == good and
              (not good or first[1] == "yes" and first[3] == "2/2"), said)


def notes_name_the_option():
    """Each thing that was found is said with the option that overrides it."""
    for text, words in (
            ("label;a\nx;1\ny;2\n", "separated by ';' (--delimiter overrides this)"),
            ("label  a\nx   1\ny     2\n", "runs of blanks (--delimiter overrides this)"),
            ("label,a\nx,'1, 2'\ny,'2'\n", "in single quotes (--quote overrides this)"),
            ('label,a\nx,"1 \\" 2"\ny,2\n', "after it (--escape overrides this)"),
            ("label,a,b\n,(kg),(m)\nx,1,2\ny,2,3\nx,4,5\n",
             "2 lines are read as the header (--header overrides this)")):
        code, said = model(text.encode())
        check(f"note: {words}", code is not None and words in said, said)


def main():
    draw = random.Random(take_seed())
    return check.run(*(lambda test=test: test(draw) for test in (
        every_dialect_gives_the_same_model, padding_is_left_out, plain_tables_stay_plain)),
        quotes_are_of_one_file, notes_name_the_option, colons_may_separate)


if __name__ == "__main__":
    sys.exit(main())
