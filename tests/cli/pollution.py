"""Variants of one clean table, each with one flaw, and how well a program reads them.

usage: pollution.py PROGRAM [KIND...]    (all variants, or those of some kinds; prints a table)

The measures are those of loading benchmarks: did it read the file at all, and precision, recall and
F1 of the names of columns, of records (the text of their fields, joined) and of cells, all as
multisets. A file that is read as it is meant scores 10. Precision and recall are swapped nowhere:
precision counts what was read, recall what was meant.
"""
import collections
import concurrent.futures
import csv
import io
import os
import random
import subprocess
import sys
import tempfile

ROWS = 83
HEAD = ["DAY", "HOUR", "Amount", "CODE", "Price", "KindOfThing", "Description", "PAGE", "Remarks"]
QUOTED = {6, 7}  # columns that are always in quotes
THINGS = ["Lamp", "Chair", "Garden Table", "Child's Bicycle", "Oak Shelf", "Kettle", "Wool Blanket",
          "Men's Coat", "Tent", "Reading Lamp", "Mirror", "Cook's Knife", "Ladder", "Desk"]
WORDS = ("a light and sturdy thing that lasts for years in any house or garden made by hand of the "
         "best wood wool or steel there is and easy to clean carry fold and repair").split()


class Variant:
    """A file, its kind, and the table that is meant: names and rows."""

    def __init__(self, kind, data, head, rows):
        self.kind, self.data, self.head, self.rows = kind, data, head, rows


# ---- the clean table ----------------------------------------------------------------------------

def make_rows(count=ROWS):
    draw = random.Random(5)
    rows = []
    for i in range(count):
        thing = draw.choice(THINGS)
        thing += draw.choice(["", "", ", Large", ", Round 48\"", " 5\" High"])
        text = " ".join(draw.choice(WORDS) for _ in range(draw.randrange(9, 25))).capitalize()
        words = text.split(" ")
        for _ in range(draw.randrange(4)):
            place = draw.randrange(2, len(words) - 2)
            words[place] = words[place].rstrip(",") + ","
        text = " ".join(words) + draw.choice([".", ".", " that's new.", " of 9\" length."])
        code = f"{draw.choice('ABGRYZ')}{draw.choice('GINPW')}-{draw.randrange(1000, 9999)}"
        rows.append([f"{1 + i % 28:02}/{1 + i // 28:02}/2018", f"{i // 4 % 24:02}:{i % 4 * 15:02}",
                     str(draw.randrange(31)), code, f"${draw.randrange(50, 9999) / 100}", thing,
                     text, f"https://www.example.org/thing/{code.replace('-', '_')}.html", ""])
    return rows


def cell(text, column, delimiter=",", quote='"', escape=None, quoted=QUOTED):
    if column in quoted or any(x in text for x in (delimiter, quote, "\n")):
        inner = text.replace(quote, (quote if escape is None else escape) + quote)
        return quote + inner + quote
    return text


def fields(row, **style):
    return [cell(text, c, **style) for c, text in enumerate(row)]


def lines(head, rows, **style):
    """Each line as its fields, as they are written."""
    return [fields(row, **style) for row in [head] + rows]


def join(written, delimiter=",", end="\r\n"):
    return "".join(delimiter.join(line) + end for line in written).encode()


# ---- flaws of the whole file --------------------------------------------------------------------

def ends():
    rows = make_rows()
    plain = join(lines(HEAD, rows))
    yield Variant("clean", plain, HEAD, rows)
    yield Variant("end of the file", plain[:-2], HEAD, rows)
    yield Variant("end of the file", plain + b"\r\n", HEAD, rows)
    for end in ("\n", "\r", "\r\r\n"):
        yield Variant("ends of records", join(lines(HEAD, rows), end=end), HEAD, rows)


def dialects():
    rows = make_rows()
    for delimiter in (";", "\t", "|", "^"):
        yield Variant("delimiter", join(lines(HEAD, rows, delimiter=delimiter), delimiter),
                      HEAD, rows)
    yield Variant("blank after delimiters", join(lines(HEAD, rows), ", "), HEAD, rows)
    yield Variant("blank as delimiter", join(lines(HEAD, rows, delimiter=" "), " "), HEAD, rows)
    bare = [[x.replace(" ", "_") if c not in QUOTED else x for c, x in enumerate(row)]
            for row in rows]
    yield Variant("blank as delimiter", join(lines(HEAD, bare, delimiter=" "), " "), HEAD, bare)
    for delimiter in (",", ";"):
        yield Variant("single quotes", join(lines(HEAD, rows, quote="'", delimiter=delimiter),
                                            delimiter), HEAD, rows)
        everywhere = lines(HEAD, rows, quote="'", delimiter=delimiter, quoted=set(range(9)))
        yield Variant("single quotes", join(everywhere, delimiter), HEAD, rows)
    yield Variant("backslash as escape", join(lines(HEAD, rows, escape="\\")), HEAD, rows)
    yield Variant("no escape", join(lines(HEAD, rows, escape="")), HEAD, rows)


def heads():
    rows = make_rows()
    plain = lines(HEAD, rows)
    yield Variant("no header", join(plain[1:]), [str(c + 1) for c in range(9)], rows)
    for more in (1, 2):
        upper = [[f"Group {n}{'ABC'[c // 3]}" for c in range(9)] for n in range(more)]
        names = [" ".join([line[c] for line in upper] + [HEAD[c]]) for c in range(9)]
        written = [fields(line) for line in upper] + plain
        yield Variant("header of several rows", join(written), names, rows)
        # the same names again are a header that was repeated
        yield Variant("header of several rows", join(plain[:1] * more + plain), HEAD, rows)
    yield Variant("header alone", join(plain[:1]), HEAD, [])
    yield Variant("header alone", join(plain[:1])[:-2], HEAD, [])
    yield Variant("one row", join(plain[:2]), HEAD, rows[:1])
    yield Variant("empty file", b"", [], [])
    yield Variant("empty file", b"\r\n", [], [])


def surroundings():
    rows = make_rows()
    plain = lines(HEAD, rows)
    empty = [[""] * 9]
    for words in ("PREAMBLE", "Sales of the year", "Sales, by day, of all shops"):
        wide = [[cell(words, 0)] + [""] * 8]
        yield Variant("preamble", join(wide + empty + plain), HEAD, rows)
        yield Variant("preamble", join(wide * 3 + plain), HEAD, rows)
        if "," not in words:
            yield Variant("preamble", join([[words], [""]] + plain), HEAD, rows)
            yield Variant("preamble", join([[words]] * 3 + plain), HEAD, rows)
    for words in ("FOOTNOTE of the shop", "Source: the shop", "* as of May"):
        wide = [[words] + [""] * 8]
        yield Variant("footnote", join(plain + empty + wide), HEAD, rows)
        yield Variant("footnote", join(plain + [[""], [words]]), HEAD, rows)
        yield Variant("footnote", join(plain + [[words]] * 2), HEAD, rows)


def tables():
    """Two tables, one below the other: the first is meant, unless the second is the same."""
    rows = make_rows()
    plain = lines(HEAD, rows)
    second = lines(HEAD, rows[::-1])
    for gap in ([], [[""]]):
        yield Variant("second table, as wide", join(plain + gap + second), HEAD, rows + rows[::-1])
        yield Variant("second table, narrower", join(plain + gap + [x[:8] for x in second]), HEAD,
                      rows)
        yield Variant("second table, wider", join(plain + gap + [x + ["x1"] for x in second]), HEAD,
                      rows)
        yield Variant("second table, narrow", join(plain + gap + [x[3:6] for x in second]), HEAD,
                      rows)


def columns():
    for c in range(9):
        rows = [row[:c] + [""] + row[c + 1:] for row in make_rows()]
        yield Variant("column emptied", join(lines(HEAD, rows)), HEAD, rows)
        names = HEAD[:c] + [""] + HEAD[c + 1:]
        meant = HEAD[:c] + [str(c + 1)] + HEAD[c + 1:] if c < 8 else HEAD[:8] + ["9"]
        yield Variant("name missing", join(lines(names, make_rows())), meant, make_rows())


# ---- flaws of one row ---------------------------------------------------------------------------

def changed(place, line, row):
    """The clean table with another line, and what it means; place 0 is the header."""
    rows = make_rows()
    written = lines(HEAD, rows)
    written[place] = line
    if place == 0:
        return join(written), row, rows
    return join(written), HEAD, rows[:place - 1] + [row] + rows[place:]


def each_row():
    table = [HEAD] + make_rows()
    for place, row in enumerate(table):
        yield place, row, fields(row)


def each_cell():
    for place, row, line in each_row():
        for c in range(9):
            yield place, row, line, c


def more_delimiters():
    for place, row, line, c in each_cell():
        yield Variant("one delimiter more", *changed(place, line[:c] + [""] + line[c:], row))


def less_delimiters():
    """Two fields in one: what both say stands in the first, and the last is missing."""
    for place, row, line, c in each_cell():
        if c > 0:
            one = row[:c - 1] + [row[c - 1] + row[c]] + row[c + 1:]
            yield Variant("one delimiter less", *changed(
                place, line[:c - 1] + [line[c - 1] + line[c]] + line[c + 1:], one))


def stray_quotes():
    for place, row, line, c in each_cell():
        stray = line[c][:1] + '"' + line[c][1:] if line[c][:1] == '"' else '"' + line[c]
        meant = row[:c] + ['"' + row[c]] + row[c + 1:]
        yield Variant("stray quote", *changed(place, line[:c] + [stray] + line[c + 1:], meant))


def stray_quotes_elsewhere():
    """At the end of a cell, or in its middle."""
    for place, row, line, c in each_cell():
        if (place * 9 + c) % 7 or len(row[c]) < 2:
            continue
        for at in (len(row[c]), len(row[c]) // 2):
            text = row[c][:at] + '"' + row[c][at:]
            inside = line[c][:1] == '"'
            stray = '"' + row[c].replace('"', '""')[:0] + text + '"' if inside else text
            yield Variant("quote inside", *changed(place, line[:c] + [stray] + line[c + 1:],
                                                   row[:c] + [text] + row[c + 1:]))


def rows_of_blanks():
    for place, row, line in each_row():
        yield Variant("row with blanks as delimiter", *changed(place, [" ".join(line)], row))


def rows_of_others():
    for place, row, line in each_row():
        if place % 4 == 0:
            other = fields(row, delimiter=";")
            yield Variant("row with another delimiter", *changed(place, [";".join(other)], row))
            other = fields(row, delimiter="\t")
            yield Variant("row with another delimiter", *changed(place, ["\t".join(other)], row))
        if place % 4 == 1:
            yield Variant("row in single quotes", *changed(place, fields(row, quote="'"), row))
        if place % 4 == 2:
            other = fields(row, escape="\\")
            yield Variant("row with a backslash as escape", *changed(place, other, row))
        if place % 4 == 3:
            rows = make_rows()
            written = [",".join(x) + ("\n" if i == place else "\r\n")
                       for i, x in enumerate(lines(HEAD, rows))]
            yield Variant("row with another end", "".join(written).encode(), HEAD, rows)


def beside_quotes():
    """Text or blanks beside a quoted field, or a quote in it that is not doubled."""
    for place, row, line in each_row():
        c = 6 + place % 2
        for stray, meant in ((line[c] + "x", row[c] + "x"), (" " + line[c], row[c]),
                             (line[c] + " ", row[c]), (line[c] + " x", row[c] + " x")):
            yield Variant("beside quotes", *changed(place, line[:c] + [stray] + line[c + 1:],
                                                    row[:c] + [meant] + row[c + 1:]))


PARTS = [ends, dialects, heads, surroundings, tables, columns, more_delimiters, less_delimiters,
         stray_quotes, rows_of_blanks, rows_of_others, stray_quotes_elsewhere, beside_quotes]


def variants():
    for part in PARTS:
        yield from part()


# ---- scores -------------------------------------------------------------------------------------

def measures(meant, found):
    """Precision, recall and F1 of one multiset against another."""
    meant, found = collections.Counter(meant), collections.Counter(found)
    both = sum((meant & found).values())
    if not meant:
        return [1.0, 1.0, 1.0]
    if not both:
        return [0.0, 0.0, 0.0]
    precision, recall = both / sum(found.values()), both / sum(meant.values())
    return [precision, recall, 2 * precision * recall / (precision + recall)]


def score(variant, text):
    """The sum of ten measures; text: the table that was read as csv, None: it was not."""
    if text is None:
        return 0.0
    found = list(csv.reader(io.StringIO(text, newline="")))
    if not variant.head:
        return 10.0 if not found else 1.0
    names, rows = (found[0] if found else []), found[1:]
    total = 1 + sum(measures(variant.head, names))
    total += sum(measures(["".join(row) for row in variant.rows], ["".join(row) for row in rows]))
    cells = variant.head + [text for row in variant.rows for text in row]
    return total + sum(measures(cells, [text for row in found for text in row]))


def load(program, variant, folder, number):
    """What the program reads, as csv, or None; and what it said."""
    path = os.path.join(folder, f"{number}.csv")
    with open(path, "wb") as file:
        file.write(variant.data)
    done = subprocess.run([program, "convert", "--no-label", path, "-o", path + ".out.csv"],
                          capture_output=True, check=False, timeout=60)
    said = done.stderr.decode()
    if done.returncode != 0:
        return None, said
    with open(path + ".out.csv", encoding="utf-8", newline="") as file:
        return file.read(), said


def score_all(program, chosen):
    """The variants with their scores and what was said."""
    with tempfile.TemporaryDirectory(prefix="hcbr-") as folder, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        loaded = pool.map(lambda x: load(program, x[1], folder, x[0]), enumerate(chosen))
        return [(v, score(v, text), said) for v, (text, said) in zip(chosen, loaded)]


def main():
    chosen = [v for v in variants() if len(sys.argv) < 3 or v.kind in sys.argv[2:]]
    scored = score_all(os.path.abspath(sys.argv[1]), chosen)
    kinds = {}
    for variant, points, _ in scored:
        kinds.setdefault(variant.kind, []).append(points)
    for kind, points in kinds.items():
        print(f"{kind:32} {len(points):5}  mean {sum(points) / len(points):6.3f}"
              f"  least {min(points):6.3f}")
    print(f"{'all':32} {len(scored):5}  mean {sum(x for _, x, _ in scored) / len(scored):6.3f}")


if __name__ == "__main__":
    main()
