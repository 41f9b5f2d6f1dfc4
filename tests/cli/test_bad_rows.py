"""Odd rows are taken or left out as a table without them says, whatever the threads.

usage: test_bad_rows.py    (the program is $HCBR)
"""
import os
import random
import sys

from program import Checks, run_bytes as run
from seeds import take_seed

check = Checks()


def fingerprint(path, *options, data=None):
    """What the cases are, the rows they stood in left aside."""
    code, _, said = run("convert", "-q", path, "--to", "jsonl", "-o", "o.jsonl", *options,
                        data=data)
    if code != 0:
        return code, said
    with open("o.jsonl", "rb") as file:
        return file.read(), said


def fingerprint_of(text):
    with open("t.csv", "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return fingerprint("t.csv")


def words(count, one, many, lines):
    first = ", ".join(map(str, lines[:5])) + (", ..." if count > 5 else "")
    return (f"{count} {one if count == 1 else many}: line{'' if count == 1 else 's'} {first} "
            "(--bad-rows stop refuses this)")


def make(draw, rows, odd, first=1):
    """A table, the same one cleaned by hand, and the lines of each kind of odd row."""
    dirty, clean = ["a,label,b,c"], ["a,label,b,c"]
    found = {"label": [], "short": [], "one": []}
    line = 1
    for row in range(rows):
        line += 1
        a, b, c = (str(draw.randrange(40)) for _ in range(3))
        label = draw.choice("xyz")
        kind = draw.random() if first <= row < rows - 1 else 1
        if kind < odd:
            found["label"].append(line)
            dirty.append(draw.choice([f"{a},,{b},{c}", f"{a},NA,{b},{c}", f"{a},?,\"{b}\",{c}"]))
        elif kind < 2 * odd:
            found["short"].append(line)
            kept = draw.choice([f"{a},{label}", f"{a},{label},{b}", f"\"{a}\",{label},"])
            dirty.append(kept)
            clean.append(kept + "," * (3 - kept.count(",")))
        elif kind < 3 * odd:
            found["one"].append(line)
            dirty.append(draw.choice(["Part two", "x", "\"Source: a, b\""]))
        elif kind < 4 * odd:
            dirty.append(f"{a},{label},\"{b}\nb\",{c}")
            clean.append(dirty[-1])
            line += 1
        else:
            dirty.append(f"{a},{label},{b},{c}")
            clean.append(dirty[-1])
    return "\n".join(dirty) + "\n", "\n".join(clean) + "\n", found


def odd_rows_are_as_in_a_clean_table(draw):
    for rows, odd, first in ((3, .3, 1), (20, .1, 1), (300, .2, 1), (20000, .001, 1),
                             (90000, .02, 1), (60000, .25, 1), (120000, .0005, 80000)):
        dirty, clean, found = make(draw, rows, odd, first)
        for name, text in (("dirty.csv", dirty), ("clean.csv", clean)):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        wanted, _ = fingerprint("clean.csv", "--strict")
        expected = [words(len(found[kind]), one, many, found[kind]) for kind, one, many in (
            ("label", "row without a label is left out", "rows without a label are left out"),
            ("short", "short row is taken, its last columns are missing",
             "short rows are taken, their last columns are missing"),
            ("one", "line of one field is left out", "lines of one field are left out"))
                    if found[kind]]
        for path, data in (("dirty.csv", None), ("-", dirty.encode())):
            result, said = fingerprint(path, "--format", "csv", data=data)
            name = f"{rows} rows, {path}"
            check(name, result == wanted, said)
            told = [line.split(": ", 3)[3] for line in said.splitlines()]
            check(name + ": said", told == expected, said)
        models = []
        for threads in "1", "2", "3":
            code, _, said = run("train", "-q", "--model", "plain", "dirty.csv", "-o", "m", "-j",
                             threads)
            told = [line.split(": ", 3)[3] for line in said.splitlines() if "dirty.csv" in line]
            check(f"{rows} rows, {threads} threads", code == 0 and told == expected, said)
            with open("m", "rb") as file:
                models.append(file.read())
        check(f"{rows} rows: models", models[0] == models[1] == models[2])


def a_last_line_that_may_be_cut_stops(draw):
    """A short last line without its end; in a small table, with it, too."""
    for rows in (1, 50, 30000, 60000):
        _, clean, _ = make(draw, rows, 0)
        line = clean.count("\n") + 1
        ends = ["1,x", "1", "12"]
        if rows == 1:
            ends += ["1,x\n", "1,x\n\n \n", "1,x,2\r\n", " total \r\n"]
        for end in ends:
            with open("cut.csv", "w", encoding="utf-8", newline="") as file:
                file.write(clean + end)
            for threads in "1", "2":
                code, _, said = run("train", "-q", "--model", "plain", "cut.csv", "-o", "cut", "-j",
                                 threads)
                check(f"cut after {rows} rows {end!r} -j {threads}",
                      code == 3 and f"cut.csv:{line}:" in said and not os.path.exists("cut"), said)


def a_short_last_line_is_said(draw):
    """With its end it is a row like any other that is short, in a table of many that are not."""
    for rows in (50, 30000, 60000):
        _, clean, _ = make(draw, rows, 0)
        line = clean.count("\n") + 1
        for end, row in (("1,x\n", "1,x,,\n"), ("1,x\n\n\n", "1,x,,\n"), ("1,x,2\r\n", "1,x,2,\n"),
                         (" total \r\n", "")):
            wanted, _ = fingerprint_of(clean + row)
            result, said = fingerprint_of(clean + end)
            words_said = ("short row is taken, its last columns are missing" if row else
                          "line of one field is left out")
            check(f"short last line after {rows} rows {end!r}", result == wanted and
                  words(1, words_said, "", [line]) in said, said)


def a_remark_at_the_end_is_left_out(draw):
    """One field of two words or more is no row that was cut."""
    for rows in (1, 30000):
        _, clean, _ = make(draw, rows, 0)
        wanted, _ = fingerprint_of(clean)
        line = clean.count("\n") + 1
        for end in ("The end", "Source: somebody \r\n\n", "\"Source: a, b\"\n"):
            result, said = fingerprint_of(clean + end)
            check(f"remark after {rows} rows {end!r}", result == wanted and said.endswith(
                words(1, "line of one field is left out", "", [line]) + "\n"), said)


def another_table_is_said_wherever_it_begins(_):
    for rows in (20, 199, 200, 201, 5000, 300000):
        top = "town,size,label\n" + "".join(f"T{i % 90},{i % 17},{i % 3}\n" for i in range(rows))
        rest = "Rhine,1230,1\nElbe,1094,2\n"
        for names, other in (("river,length,basin\n", 1), ("'r','l','b'\n", 1),
                             ("Ulm,unknown,2\n", 0)):
            with open("two.csv", "w", encoding="utf-8") as file:
                file.write(top + "\n" + names + rest)
            for threads in ("1", "2")[:1 + (rows == 300000)]:
                code, _, said = run("train", "-q", "--model", "plain", "two.csv", "-o", "m", "-j",
                                 threads)
                wanted = f"line {rows + 3}, below an empty one, has words where the rows above"
                check(f"another table below {rows} rows, {names!r}",
                      code == 0 and said.count("below an empty one") == other == said.count(wanted),
                      said)


def main():
    draw = random.Random(take_seed())
    return check.run(*(lambda test=test: test(draw) for test in (
        odd_rows_are_as_in_a_clean_table, a_last_line_that_may_be_cut_stops,
        a_short_last_line_is_said, a_remark_at_the_end_is_left_out,
        another_table_is_said_wherever_it_begins)))


if __name__ == "__main__":
    sys.exit(main())
