#!/usr/bin/env python3
"""Progress on a terminal: audit and tune say how far they are, the share never falls within a
stage, the line is removed at the end; stopped in the middle they end with 128 and the signal.

On terminals of 40 and 80 columns a line of progress fits, a stage that another one follows has
reached its end, and after a run that ends or fails the terminal shows what a pipe would get. So it
does but for bold and colours, which NO_COLOR and a dumb terminal do without."""
import fcntl
import os
import pty
import random
import re
import signal
import struct
import subprocess
import sys
import termios

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ENVIRONMENT, PROGRAM, run_tests, write

ERASE = "\r\033[K"


def prepare(rows):
    random.seed(5)
    write("v.csv", ["label,x,y,z,w"] + [
        f"{random.randrange(2)},{random.randrange(1000)},{random.random():.3f},"
        f"c{random.randrange(90)},{random.random():.2f}" for _ in range(rows)])


def start(words, stderr):
    return subprocess.Popen([PROGRAM, *words], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=stderr,
                            env=dict(ENVIRONMENT, TERM="xterm"))


def watch(words, stop_at=None):
    """Run it with a terminal; its status, and what it has drawn. It is stopped when it draws the
    stage `stop_at`."""
    ours, theirs = pty.openpty()
    run = start(words, theirs)
    os.close(theirs)
    said = ""
    while True:
        try:
            piece = os.read(ours, 4096).decode()
        except OSError:  # the other side is closed
            break
        said += piece
        if stop_at and "\r" + stop_at in said:
            run.send_signal(signal.SIGINT)
            stop_at = None
    os.close(ours)
    return run.wait(timeout=60), said


def shares(said, stage):
    return [int(share) for share in re.findall(r"\r" + stage + r" +(\d+) %", said)]


def check(words, stage, codes, rows):
    """A short run shows no progress: the table grows until the machine is not too fast for it."""
    for times in (1, 4, 16, 64):
        prepare(rows * times)
        code, said = watch(words)
        assert code in codes, (words, code, said)
        found = shares(said, stage)
        if len(found) < 3:
            continue
        assert found == sorted(found) and found[-1] <= 100, (words, found)
        assert ERASE in said and not said.rstrip().endswith("%"), (words, said[-200:])
        if os.path.exists("model"):
            os.remove("model")
        code, said = watch(words, stage)
        if code in codes and not shares(said, stage):
            continue  # over before it was drawn
        assert code == 128 + signal.SIGINT and "stopped by SIGINT" in said, (words, code, said)
        assert not os.path.exists("model"), words
        return
    raise AssertionError((words, "no progress is drawn"))


def test_audit():
    check(["audit", "v.csv"], "audit", (0, 1), 100000)


def test_tune():
    check(["tune", "--effort", "lite", "--folds", "3", "v.csv", "-o", "model"], "evaluate", (0,),
          4000)


WIDTHS = (40, 80)
LITE = ["--effort", "lite", "v.csv"]
# An -o at the end is for a file; without it the result goes to standard output.
LONG = {
    "train": ["train", *LITE, "-o"],
    "tune": ["tune", "--folds", "2", *LITE, "-o"],
    "evaluate": ["evaluate", "--folds", "2", *LITE],
    "explain": ["explain", "m", "v.csv", "--rows", "1-200", "--flip"],
    "report": ["report", "--quick", "--folds", "2", *LITE, "-o"],
}


def on_terminal(words, to, columns, stderr=None, **environment):
    """Run it with both outputs on a terminal of so many columns; its status, and all it got."""
    environment = {**ENVIRONMENT, "TERM": "xterm", **(environment or {"NO_COLOR": "1"})}
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with open(to or os.ttyname(theirs), "w", encoding="utf-8") as stdout:
        run = subprocess.Popen([PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=stdout,
                               stderr=stderr or theirs, env=environment)
    os.close(theirs)
    said = b""
    while True:
        try:
            said += os.read(ours, 65536)
        except OSError:
            break
    os.close(ours)
    return run.wait(timeout=60), said.decode()


def shown(said, columns):
    """The lines that a terminal shows, those joined that it has broken."""
    rows, broken, column = [""], [False], 0
    for part in re.findall(r"\r|\n|\033\[K|\033|[^\r\n\033]", said):
        if part == "\r":
            column = 0
        elif part == "\n":
            rows.append("")
            broken.append(False)
            column = 0
        elif part == "\033[K":
            rows[-1] = rows[-1][:column]
        else:
            assert part != "\033", said
            if column == columns:
                rows.append("")
                broken.append(True)
                column = 0
            rows[-1] = rows[-1][:column].ljust(column) + part + rows[-1][column + 1:]
            column += 1
    lines = []
    for row, joins in zip(rows, broken):
        if joins:
            lines[-1] += row
        else:
            lines.append(row)
    return lines


def same(lines):
    """Without times, and without the breaks that the width of a terminal asks for."""
    return re.sub(r"[\d:.,]*\d", "#", " ".join(" ".join(lines).split()))


def complete(said, columns, words):
    """How many lines of progress were drawn; each fits, and none is replaced by another stage's
    before its end."""
    drawn = re.findall(r"\r([^\r\n\033]*)\033\[K", said)
    stage = [line[:9].strip() for line in drawn]
    for i, line in enumerate(drawn):
        assert len(line) < columns, (words, line)
        if i and stage[i] and stage[i - 1] and stage[i] != stage[i - 1]:
            assert "%" not in drawn[i - 1] or "100 %" in drawn[i - 1], (words, drawn[i - 1:i + 1])
    return len([name for name in stage if name])


def long_enough(name):
    """A run that draws progress on terminals of each width, and what these got."""
    for rows in (3000, 12000, 48000, 192000):
        prepare(rows)
        if name == "explain":
            subprocess.run([PROGRAM, "train", "-q", *LITE, "-o", "m"], check=True,
                           capture_output=True)
        words = LONG[name] + ["out"] * (LONG[name][-1] == "-o")
        found = [(columns, *on_terminal(words, None, columns)) for columns in WIDTHS]
        if all(complete(said, columns, words) > 2 for columns, _, said in found):
            return words, found
    raise AssertionError((name, "no progress is drawn"))


def test_nothing_is_left():
    for name in LONG:
        words, found = long_enough(name)
        piped = subprocess.run([PROGRAM, *words], capture_output=True, check=False, text=True,
                               stdin=subprocess.DEVNULL, env=ENVIRONMENT)
        for columns, code, said in found:
            assert code == piped.returncode, (words, code, said)
            lines = shown(said, columns)
            assert not re.search(r"^[a-z ]{9} +\d+ %", "\n".join(lines), re.M), (words, lines)
            expected = same((piped.stderr + piped.stdout).splitlines()).split()
            assert sorted(same(lines).split()) == sorted(expected), (words, lines, expected)
        bad = words[:-1] + ["/dev/full"] if words[-1] == "out" else words
        code, said = on_terminal(bad, "/dev/full", WIDTHS[0])
        lines = shown(said, WIDTHS[0])
        assert code == 5 and complete(said, WIDTHS[0], bad) >= 0, (bad, code, said)
        assert "No space left" in " ".join(lines), (bad, lines)
        assert not re.search(r"^[a-z ]{9} +\d+ %", "\n".join(lines), re.M), (bad, lines)


SGR = re.compile(r"\033\[[\d;]*m")
COLOURED = {
    "explain": (["explain", "m", "v.csv", "--rows", "1-9", "--all", "--flip", "--ask"], ["--json"]),
    "versus": (["explain", "m", "v.csv", "--rows", "1", "--versus", "2"], ["--json"]),
    "evaluate": (["evaluate", "--folds", "2", *LITE, "-v"], ["--json"]),
    "inspect": (["inspect", "m", "--top", "9"], ["--json"]),
    "plain": (["inspect", "p"], ["--json"]),
    "audit": (["audit", "leak.csv"], ["--json"]),
    "drift": (["drift", "m", "leak.csv", "--label", "label"], ["--json"]),
    "study": (["study", "cover", "v.csv"], ["--json"]),
    "predict": (["predict", "m", "v.csv"], ["--json"]),
    "convert": (["convert", "v.csv", "-o", "-", "--to", "csv"], []),
}


def plain(text, name):
    """Without times; the columns beside a past case are narrower on a terminal."""
    text = re.sub(r"\d\.\d{3} s", "# s", text)
    return " ".join(text.split()) if name == "versus" else text


def test_colour():
    """Bold and colours stand around the text that a pipe gets, and end where a line does."""
    prepare(60)
    with open("v.csv", encoding="utf-8") as file:
        lines = file.read().splitlines()
    write("leak.csv", [lines[0] + ",told"] + [f"{line},t{line[0]}" for line in lines[1:]])
    for model, kind in (("m", "rich"), ("p", "plain")):
        subprocess.run([PROGRAM, "train", "-q", "v.csv", "--model", kind, "-o", model], check=True,
                       capture_output=True)
    styled = set()
    for name, (words, json) in COLOURED.items():
        piped = subprocess.run([PROGRAM, *words], capture_output=True, check=False, text=True,
                               stdin=subprocess.DEVNULL, env=dict(ENVIRONMENT, TERM="xterm"))
        assert piped.returncode in (0, 1) and "\033" not in piped.stdout, (words, piped)
        expected = plain(piped.stdout, name)
        for environment in ({"COLORTERM": ""}, {"NO_COLOR": ""}, {"NO_COLOR": "1"},
                            {"NO_COLOR": "0"}, {"TERM": "dumb"}, {"TERM": ""}):
            code, said = on_terminal(words, None, 80, subprocess.DEVNULL, **environment)
            text = plain(SGR.sub("", said).replace("\r\n", "\n"), name)
            assert code == piped.returncode and text == expected, (words, environment, text)
            wanted = not environment.get("NO_COLOR") and "TERM" not in environment
            assert wanted or "\033" not in said, (words, environment)
            looks = SGR.findall(said)
            assert all(look in ("\033[1m", "\033[1;31m", "\033[1;32m") for look in looks[::2])
            assert all(look == "\033[0m" for look in looks[1::2]) and len(looks) % 2 == 0, looks
            styled |= {(name, look) for look in looks if wanted}
        for option in json:
            assert "\033" not in on_terminal(words + [option], None, 80, subprocess.DEVNULL,
                                             COLORTERM="")[1], words
    assert {name for name, _ in styled} == set(COLOURED) - {"predict", "convert"}, styled
    assert ("audit", "\033[1;31m") in styled and ("evaluate", "\033[1;31m") in styled, styled


if __name__ == "__main__":
    run_tests([test_audit, test_tune, test_nothing_is_left, test_colour])
