"""A flawed row stops no table, and files are read as loading benchmarks mean them.

usage: test_pollution.py    (the program is $HCBR; HCBR_LONG=1: all variants)
"""
import csv
import os
import random
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pollution  # noqa: E402  pylint: disable=wrong-import-position
from program import (  # noqa: E402  pylint: disable=wrong-import-position
    PROGRAM, Checks, lines, rounds, run, run_bytes, write)
from seeds import take_seed  # noqa: E402  pylint: disable=wrong-import-position

check = Checks()
EACH = 14  # variants of a kind that are tried
# The least mean of a kind, of 10; where a field is lost, that of one row in 84 or of the header.
LEAST = {"one delimiter less": 9.8, "row in single quotes": 9.94, "footnote": 9.95,
         "row with blanks as delimiter": 9.95, "row with another delimiter": 9.95,
         "quote inside": 9.99}


def each_kind_is_read():
    """One flaw each: the mean of all variants is far above what is asked, and so is each kind's."""
    kinds = {}
    for variant in pollution.variants():
        kinds.setdefault(variant.kind, []).append(variant)
    chosen, total, count = [], 0, 0
    for variants in kinds.values():
        step = 1 if os.environ.get("HCBR_LONG") == "1" else max(1, len(variants) // rounds(EACH))
        # first rows are headers, and they count once
        chosen += variants[:9] + variants[9::step]
    found = {}
    for variant, points, _ in pollution.score_all(PROGRAM, chosen):
        found.setdefault(variant.kind, []).append(points)
    for kind, points in found.items():
        mean = sum(points) / len(points)
        check(f"{kind}: {mean:.3f}", mean >= LEAST.get(kind, 9.999))
        total += mean * len(kinds[kind])
        count += len(kinds[kind])
    check(f"all {count}: {total / count:.3f}", count >= 2000 and total / count >= 9.95)
    check("kinds", len(found) >= 25)


def convert(name, *options):
    """The table that is read, and what was said; None: it stopped."""
    code, out, said = run_bytes("convert", "-q", "--no-label", name, "--to", "csv", "-o", "-",
                                *options)
    return (list(csv.reader(out.decode().splitlines())) if code == 0 else None), said


def write_bytes(name, data):
    with open(name, "wb") as file:
        file.write(data)
    return name


def flaws_are_said_and_refused():
    """With its place, and --bad-rows stop and --strict stop at it."""
    draw = random.Random(take_seed())
    head, table = pollution.HEAD, pollution.make_rows()
    flaws = {
        "stray": lambda line: [line[0], '"' + line[1]] + line[2:],
        "last": lambda line: line[:8] + ['"'],
        "delimiter": lambda line: [";".join(line)],
        "quotes": lambda line: [f"'{x}'" if "," in x else x for x in line[:6]] +
                               ["'" + line[6].strip('"').replace('""', '"') + ", yes'"] + line[7:],
        "text": lambda line: line[:6] + [line[6] + " and x"] + line[7:],
        "many": lambda line: line[:3] + ["x", "y", "z", "u", "v"] + line[3:],
    }
    for name, flaw in flaws.items():
        places = list(range(12, len(table) - 1, 1 if rounds(3) == 3 else 4))
        draw.shuffle(places)
        for place in places:  # f.csv of the last of them is used below
            written = pollution.lines(head, table)
            written[place] = flaw(written[place])
            write_bytes("f.csv", pollution.join(written))
            found, said = convert("f.csv")
            check(f"{name}, line {place + 1}: read", found is not None and
                  len(found) >= len(table), said)
            check(f"{name}, line {place + 1}: said", "1 row " in said and
                  f": line {place + 1} " in said, said)
            if name == "delimiter":
                check(f"{name}, line {place + 1}: values", found is not None and
                      found[1:] == table, said)
        for option in (["--bad-rows", "stop"], ["--strict"]):
            found, said = convert("f.csv", *option)
            check(f"{name}: {option}", found is None and (f"f.csv:{place + 1}:" in said or
                                                          f"f.csv:{place + 2}:" in said), said)
        found, said = convert("f.csv", "--bad-rows", "skip")
        check(f"{name}: skip", found is not None and len(found) <= len(table) + 1, said)


def values_stand_in_their_columns():
    """An extra delimiter or another one moves no number into a column of words."""
    rows = [f"n{i % 7},{i},{'uvw'[i % 3]},{i % 5}.5,x" for i in range(60)]
    flaws = {"n3,,3,u,1.5,x": ["n3", "3", "u", "1.5", "x"],
             "n3,3,u,,1.5,x": ["n3", "3", "u", "1.5", "x"],
             "n3, the third,3,u,1.5,x": ["n3, the third", "3", "u", "1.5", "x"],
             "n3;3;u;1.5;x": ["n3", "3", "u", "1.5", "x"],
             "n3\t3\tu\t1.5\tx": ["n3", "3", "u", "1.5", "x"],
             "n three 3 u 1.5 x": ["n three", "3", "u", "1.5", "x"],
             "'n3, or so',3,u,1.5,x": ["n3, or so", "3", "u", "1.5", "x"],
             '"n3,3,u,1.5,x': ['"n3', "3", "u", "1.5", "x"],
             '"n3"" or so,3,u,1.5,x': ['"n3"" or so', "3", "u", "1.5", "x"],
             'n3,3,u,1.5,"': ["n3", "3", "u", "1.5", '"'],
             'n3,3,u,1.5,"\r': ["n3", "3", "u", "1.5", '"'],
             "n3,3,u,1.5,x,,": ["n3", "3", "u", "1.5", "x"]}
    for flaw, meant in flaws.items():
        for place in (15, 30, 60):
            write("f.csv", ["name,count,kind,size,end"] + rows[:place] + [flaw] + rows[place:])
            found, said = convert("f.csv")
            check(f"{flaw!r} in row {place}", found is not None and len(found) == 62 and
                  found[place + 1] == meant and found[place + 2:] ==
                  [row.split(",") for row in rows[place:]], f"{said} {found and found[place + 1]}")
    # where nothing tells which delimiter is too many, the row is left out
    write("f.csv", ["a,b,c"] + ["u,v,w"] * 30 + ["u,v,w,x"] + ["x,y,z"])
    found, said = convert("f.csv")
    check("left out", found is not None and len(found) == 32 and "left out: line 32" in said, said)


def words_have_other_delimiters():
    """Where no column has numbers, the other delimiter must be the only one, and without blanks."""
    rows = [f"n{i % 7},{'uvw'[i % 3]},{'xyz'[i % 2]}" for i in range(40)]
    for flaw, read in (("n3;u;x", True), ("n3\tu\tx", True), ("n3|u|x", True), ("n3:u:x", False),
                       ("n3;u", False), ("n3;u;x;y", False), ("n3; u; x", False),
                       ("n3 u x", False), ("12:30:15", False), ("see https://a.b:80", False)):
        for place in (0, 15, 39):
            write("f.csv", ["name,kind,end"] + rows[:place] + [flaw] + rows[place:])
            found, said = convert("f.csv")
            name = f"{flaw!r} in row {place}"
            clean = [row.split(",") for row in rows]
            if read:
                clean.insert(place, re.split("[;\t|]", flaw))
            check(name, found is not None and found[1:] == clean and
                  ("1 row has other delimiters" if read else "1 line of one field") in said, said)


def many_flawed_rows_stop():
    rows = [f"{i},2,x" if i % 8 else f"u,v,w,{i}" for i in range(20, 200)]
    write("f.csv", ["a,b,c"] + [f"{i},2,y" for i in range(20)] + rows)
    found, said = convert("f.csv")
    check("many", found is None and "that cannot be read as the others are" in said, said)
    write("f.csv", ["a,b,c"] + [f"{i},2,y" for i in range(4)] + ["1,2,3,4"])
    found, said = convert("f.csv")
    check("few rows tell nothing", found is None and "found more than 3 fields" in said, said)


def threads_and_borders_change_nothing():
    """Flaws on all sides of the borders of reads and chunks; the table cleaned by hand."""
    draw = random.Random(take_seed())
    for number in range(rounds(3)):
        dirty, clean = ["name,label,count,note"], ["name,label,count,note"]
        for i in range(40000):
            row = [f"n{i % 50}", "xyz"[i % 3], str(draw.randrange(90)), f'"t, {i % 9}"']
            kind = draw.randrange(400) if 300 < i < 39990 else 99
            meant = list(row)
            if kind == 0:
                row[0], meant[0] = '"' + row[0], '"""' + row[0] + '"'
            elif kind == 1:
                row[3], meant[3] = '"', '""""'
            elif kind == 2:
                row = [";".join(row)]
            elif kind == 3:
                row[3] = f"'t, {i % 9}'"
            elif kind == 4:
                row.insert(2, "")
            dirty.append(",".join(row))
            clean.append(",".join(meant))
        write("dirty.csv", dirty)
        write("clean.csv", clean)
        results = []
        for name, threads in (("clean.csv", 1), ("dirty.csv", 1), ("dirty.csv", 2),
                              ("dirty.csv", 3)):
            code, _, said = run_bytes("train", "-q", "--model", "plain", name, "-o", "m", "-j",
                                      threads)
            with open("m", "rb") as file:
                results.append((code, file.read(), [line for line in said.splitlines()
                                                    if "dirty" in line]))
        check(f"threads {number}: said", results[1] == results[2] == results[3] and
              len(results[1][2]) == 2, str([said for _, _, said in results]))
        check(f"threads {number}: read", results[0][1] == results[1][1])


def an_open_quote_costs_a_line():
    """Not even where the limit of a record comes before the end of the file."""
    rows = [f"{i},x{i % 7},{i % 5}" for i in range(3000)]
    for place in (12, 2500):
        for quote in ('7,"x,2', '"7,x,2', '7,x,"2'):
            write("f.csv", ["a,b,c"] + rows[:place] + [quote] + rows[place:])
            for options in ([], ["--max-line", "1024"]):
                found, said = convert("f.csv", *options)
                check(f"open {quote} in row {place} {options}", found is not None and
                      found[place + 1] == quote.split(",") and len(found) == 3002 and
                      f"line {place + 2} " in said, said)


def quotes_of_two_rows_swallow_none():
    """Two stray quotes in the same column close no field over the rows between them."""
    rows = [f"{i},x{i % 7},{i % 5},y" for i in range(500)]
    for apart in (1, 2, 40):
        for column in range(4):
            dirty = list(rows)
            for place in (250, 250 + apart):
                row = dirty[place].split(",")
                row[column] = '"' + row[column] if column < 3 else '"'
                dirty[place] = ",".join(row)
            write("f.csv", ["a,b,c,d"] + dirty)
            found, said = convert("f.csv")
            check(f"column {column}, {apart} apart", found is not None and found[1:] ==
                  [row.split(",") for row in dirty] and "2 rows have quotes" in said, said)
    write("f.csv", ["a,b,c"] + [f'{i},x,"one\ntwo, three\n4,b,c d"' for i in range(40)])
    found, said = convert("f.csv")
    check("a field over lines", found is not None and len(found) == 41 and not said, said)


def another_table_is_left_out():
    first = [f"T{i % 90},{i % 17},{i % 3}" for i in range(90000)]
    for rows in (12, 150, 250, 90000)[:rounds(4)]:
        top = ["town,size,label"] + first[:rows]
        for second in (["river,length", "Rhine,1230", "Elbe,1094"],
                       ["river,length,sea,depth", "Rhine,1230,N,3", "Elbe,1094,N,2"]):
            for gap in ([], [""]):
                write("two.csv", top + gap + second * 2)
                code, _, said = run_bytes("convert", "-q", "two.csv", "-o", "two.out.csv")
                name = f"{len(second[0])} below {rows} rows, {gap}"
                check(name, code == 0 and lines("two.out.csv")[1:] == [
                    ",".join([x.split(",")[2]] + x.split(",")[:2]) for x in top[1:]] and
                      f"begins in line {rows + 2 + len(gap)}," in said, said)
                code, _, said = run_bytes("convert", "-q", "two.csv", "-o", "x.csv", "--bad-rows",
                                          "stop")
                check(name + " stop", code == 3 and "found" in said, said)
    models = []
    for threads in 1, 2, 3:
        run("train", "-q", "--model", "plain", "two.csv", "-o", "m", "-j", threads)
        with open("m", "rb") as file:
            models.append(file.read())
    check("threads", models[0] == models[1] == models[2])


def empty_fields_over_lines_are_read():
    """The last record has one field more, in quotes, that holds a line break alone."""
    for delimiter in ";,":
        for end in ("\n", "\r\n"):
            rows = [f'"{i}"{delimiter}"x"{delimiter}"{i % 5}"' for i in range(40)]
            data = end.join(["a,b,c".replace(",", delimiter)] + rows +
                            [f'"40"{delimiter}"y"{delimiter}"21"{delimiter}"{end}"']) + end
            write_bytes("f.csv", data.encode())
            found, said = convert("f.csv")
            check(f"a field of {end!r}", found is not None and found[-1] == ["40", "y", "21"] and
                  len(found) == 42 and "empty fields behind" in said, said)
            found, said = convert("f.csv", "--bad-rows", "stop")
            check(f"a field of {end!r}: stop", found is None and "never closed" not in said, said)


def tables_may_be_empty():
    """A header without rows, and a file without anything: an empty table, but no model."""
    run("train", "-q", "--model", "plain", write("t.csv", ["label,a", "x,1", "y,2"]), "-o", "m")
    for data, head in ((b"label,a,b\n", ["label", "a", "b"]), (b"a,b", ["a", "b"]), (b"", None),
                       (b"\n\r\n", None)):
        write_bytes("e.csv", data)
        code, out, said = run_bytes("convert", "-q", "e.csv", "--to", "csv", "-o", "-")
        check(f"convert {data!r}", code == 0 and "warning: e.csv: " in said and
              out.decode() == (",".join(head) + "\n" if head else ""), said)
        code, out, said = run_bytes("predict", "-q", "m", "e.csv", "--to", "jsonl")
        check(f"predict {data!r}", code == 0 and out == b"", said)
        for command in (["train", "e.csv", "-o", "n"], ["evaluate", "e.csv"], ["audit", "e.csv"]):
            code, _, said = run_bytes(*command, "--label", "label" if head else "a")
            check(f"{command[0]} {data!r}", code == 3 and not os.path.exists("n"), said)


def empty_columns_are_kept():
    """In their places, and the model is the same."""
    write("t.csv", ["e1,a,e2,label,b,e3", ",1,,x,u,", ",2,,y,,", ",,,x,v,"])
    run("convert", "-q", "t.csv", "-o", "o.csv")
    check("columns", lines("o.csv") == ["label,e1,a,e2,b,e3", "x,,1,,u,", "y,,2,,,", "x,,,,v,"],
          str(lines("o.csv")))
    for name in "t.csv", "o.csv":
        run("train", "-q", "--model", "plain", name, "-o", name + ".m")
    with open("t.csv.m", "rb") as one, open("o.csv.m", "rb") as other:
        check("model", one.read() == other.read())


if __name__ == "__main__":
    sys.exit(check.run(
        each_kind_is_read, flaws_are_said_and_refused, values_stand_in_their_columns,
        words_have_other_delimiters, many_flawed_rows_stop,
        threads_and_borders_change_nothing, an_open_quote_costs_a_line,
        quotes_of_two_rows_swallow_none, another_table_is_left_out,
        empty_fields_over_lines_are_read, tables_may_be_empty, empty_columns_are_kept))
