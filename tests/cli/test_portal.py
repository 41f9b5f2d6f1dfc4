"""Files as open-data portals give them are read as their owners meant them.

usage: test_portal.py    (the program is $HCBR)

portal_cases.py and the other portal_*.py hold small imitations, each with the table that is meant,
written by hand. Large ones are made here: the same table with more rows, so that several reads and
threads are at work.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
import portal_agencies
import portal_bureaus
import portal_cases
import portal_cities
import portal_desks
import portal_offices
import portal_registers
import portal_styles
import seeds

HCBR = os.path.abspath(os.environ["HCBR"])
CASES = (portal_cases.CASES + portal_styles.STYLES + portal_offices.OFFICES +
         portal_cities.CITIES + portal_bureaus.BUREAUS +
         portal_registers.REGISTERS + portal_agencies.AGENCIES + portal_desks.DESKS)
failed = []


def read(name, data, label, options=()):
    """The rows of a file as dictionaries without their missing values; what was said."""
    with open(name, "wb") as file:
        file.write(data)
    named = ["--label", label] if label else ["--no-label"]
    done = subprocess.run([HCBR, "convert", name, *named, "--to", "jsonl", "-o", "-", *options],
                          capture_output=True, timeout=60, check=False)
    said = done.stderr.decode()
    if done.returncode != 0:
        return None, said
    return [json.loads(line) for line in done.stdout.decode().splitlines()], said


def meant(case):
    return [{key: value for key, value in zip(case.columns, row) if value is not None}
            for row in case.rows]


def check(name, ok, what):
    if not ok:
        failed.append(name)
        print(f"FAILED {name}\n{what}")


def tables_of_two_widths_stop():
    for data, words in portal_offices.STOPS:
        found, said = read("t.csv", data.encode(), "")
        check(f"two tables: {words}", found is None and words in said, said)


def texts_stay_texts():
    """A label, a tab and words, or words alone, are no table, whatever their commas."""
    for data in ("ham\tone, two, three\nspam\tfour, five, six\nham\ta, b, c\n",
                 "ham\tone,two,3\nspam\tfour,five,6\nham\ta,b,7\n",
                 "one, two and three\nfour, five or six\nseven, eight, nine\n",
                 "red, green, blue\nsee, hear, speak no more\nup, down, left or right\n",
                 "a script\n\nfirst a | b | c\n\nhow it goes\nas it was\n\nx,y,z\n1,2,3\n4,5,6\n",
                 "see you at six\nsee me at ten\nsee us at one\nsee it at two\n"):
        found, said = read("t.txt", data.encode(), "")
        check(f"text {data!r}", found is not None and "by its first lines" not in said, said)


def mended_bytes_are_read_alike():
    """Lines of windows-1252 in UTF-8 stand on all sides of the borders of reads and chunks."""
    draw = random.Random(seeds.take_seed())
    for number in range(3):
        rows = [("ab"[i % 2], draw.choice(["café", "thé", "eau", "crème brûlée"]), str(i % 7))
                for i in range(40000)]
        odd = sorted(draw.sample(range(len(rows)), 9))
        data = b"kind,says,size\n" + b"".join(
            (",".join(row) + "\n").encode("latin-1" if i in odd else "utf-8")
            for i, row in enumerate(rows))
        lines = [i + 2 for i in odd if not rows[i][1].isascii()]
        with open("t.csv", "wb") as file:
            file.write(data)
        results = []
        for threads in "1", "2", "3":
            done = subprocess.run([HCBR, "train", "--model", "plain", "t.csv", "--label", "kind",
                                   "-j", threads, "-o", "m"], capture_output=True, check=False)
            with open("m", "rb") as file:
                results.append((file.read(), [line for line in done.stderr.decode().split("\n")
                                              if "note" in line or "warning" in line]))
        with open("t.csv", "w", encoding="utf-8") as file:
            file.write("kind,says,size\n" + "".join(",".join(row) + "\n" for row in rows))
        subprocess.run([HCBR, "train", "--model", "plain", "t.csv", "--label", "kind", "-o", "m"],
                       capture_output=True, check=False)
        with open("m", "rb") as file:
            clean = file.read()
        shown = ", ".join(str(line) for line in lines[:5]) + (", ..." if len(lines) > 5 else "")
        check(f"mended bytes {number}", results[0] == results[1] == results[2] and
              results[0][0] == clean and (not lines or shown in str(results[0][1])),
              str([said for _, said in results]))


def large_files_are_read_alike():
    """Remarks, odd quotes and short rows fall on all sides of the borders of chunks."""
    draw = random.Random(seeds.take_seed())
    styles = {"plain": lambda i: f'{"ab"[i % 2]},"x, {i % 7}",{i % 5}\n',
              "apostrophes": lambda i: f"{'ab'[i % 2]},'x, {i % 7}',{i % 5}\n",
              "escapes": lambda i: f'{"ab"[i % 2]},"x \\", {i % 7}\\"",{i % 5}\n'}
    for style, row in styles.items():
        for number in range(6):
            parts = ["kind,says,size\n"]
            for i in range(45000):
                parts.append(row(i))
                if i > 300 and draw.random() < .002:
                    parts.append("\n" + "Notes: more, of it\n" * draw.randrange(1, 4))
                elif i > 300 and draw.random() < .002:
                    parts.append(draw.choice(["a,word\n", "North\n", "b,x,1,,\n"]))
            with open("t.csv", "w", encoding="utf-8") as file:
                file.write("".join(parts) + row(0))
            results = []
            for threads in "1", "2", "3":
                done = subprocess.run([HCBR, "train", "--model", "plain", "t.csv", "--label",
                                       "kind",
                                       "-j", threads, "-o", "m"], capture_output=True, check=False)
                with open("m", "rb") as file:
                    results.append((file.read(), [line for line in done.stderr.decode().split("\n")
                                                  if "note" in line or "warning" in line]))
            check(f"large, {style} {number}", results[0] == results[1] == results[2] and
                  "below an empty one are left out" in str(results[0][1]),
                  str([said for _, said in results]))


def remarks_at_borders_are_read_alike():
    """Most chunks begin with a remark that stands below an empty line of the chunk before."""
    parts = ["kind,says,size\n"]
    for i in range(9000):
        parts.append(f"{'ab'[i % 2]},x {i % 7},{i % 5}\n")
        if i > 300:
            parts.append("\n" + "Notes: more, of it\n" * 4)
            parts.append("Also of it,,\n" * 4 if i % 2 else "")
    results = []
    with open("t.csv", "w", encoding="utf-8") as file:
        file.write("".join(parts) + "a,x,1\n")
    for threads in "1", "2", "3":
        done = subprocess.run([HCBR, "train", "--model", "plain", "t.csv", "--label", "kind", "-j",
                               threads, "-o", "m"], capture_output=True, check=False)
        with open("m", "rb") as file:
            results.append((file.read(), [line for line in done.stderr.decode().split("\n")
                                          if "note:" in line or "warning:" in line]))
    said = str(results[0][1])
    check("remarks at borders", results[0] == results[1] == results[2] and
          "34796 short lines below an empty one" in said and "17400 " in said and
          "short row" not in said, str([said for _, said in results]))


def double_line_ends_are_read_at_borders():
    """Each read ends at another place of the line ends."""
    rows = [{"kind": "ab"[i % 2], "says": "x" * (i % 23), "size": str(i)} for i in range(1, 40000)]
    data = "kind,says,size\r\r\n" + "".join(f'{row["kind"]},{row["says"]},{row["size"]}\r\r\n'
                                            for row in rows)
    found, said = read("t.csv", data.encode(), "kind")
    rows = [{key: value for key, value in row.items() if value} for row in rows]
    check("double line ends", found == rows and "two carriage returns" in said, said)
    models = []
    for threads in "1", "3":
        subprocess.run([HCBR, "train", "--model", "plain", "t.csv", "--label", "kind", "-j",
                        threads, "-o", "m"], capture_output=True, check=False)
        with open("m", "rb") as file:
            models.append(file.read())
    check("double line ends, threads", models[0] == models[1], "models differ")


def escapes_at_borders_are_read():
    """An escape is the last byte of a read, and what it stands before ends a field or a line."""
    text = '"\n' * 3000
    for shift in range(3):
        rows = [{"kind": "ab"[i % 2], "says" + "s" * shift: text, "size": str(i)}
                for i in range(70)]
        data = ["kind,says" + "s" * shift + ",size\n"]
        data += [f'{row["kind"]},"' + '\\"\n' * 3000 + f'",{row["size"]}\n' for row in rows]
        found, said = read("t.csv", "".join(data).encode(), "kind")
        check(f"escapes at borders, {shift}", found == rows and "escapes" in said, said)


def main():
    names = [case.name for case in CASES]
    check("names", len(set(names)) == len(names) and len(names) >= 60, f"{len(names)} cases")
    with tempfile.TemporaryDirectory(prefix="hcbr-portal-") as folder:
        os.chdir(folder)
        for case in CASES:
            found, said = read(case.file, case.data, case.label, case.options)
            check(case.name, found == meant(case),
                  f"{said}found    {found}\nexpected {meant(case)}")
            for words in case.said:
                check(f"{case.name}: {words}", words in said, said)
            if not case.said:
                check(f"{case.name}: silent", "note:" not in said and "warning:" not in said, said)
        for case in CASES:  # what was found is refused, or said, in the strict mode
            if case.strict is None:
                continue
            found, said = read(case.file, case.data, case.label, ("--strict", *case.options))
            check(f"{case.name}: strict", case.strict in said if found is None else
                  found != meant(case) and "note:" not in said, said)
        tables_of_two_widths_stop()
        texts_stay_texts()
        mended_bytes_are_read_alike()
        large_files_are_read_alike()
        remarks_at_borders_are_read_alike()
        double_line_ends_are_read_at_borders()
        escapes_at_borders_are_read()
        os.chdir("/")
    print(f"{len(names)} files, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
