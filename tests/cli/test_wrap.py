"""The text of explain keeps to the width of the terminal, or to 80 columns: sentences are broken
between words, the words are the same at every width, and tables fit a terminal of 80 columns."""
import fcntl
import os
import pty
import random
import struct
import subprocess
import termios

from program import ENVIRONMENT, PROGRAM, run, run_tests, write

TOWNS = ["Übersee am Chiemsee", "a very long name of a town that has many words in it",
         "ÄÖÜ äöüß ÄÖÜ äöüß ÄÖÜ äöüß", "Łódź Fabryczna with a station",
         "one-word-that-is-rather-long-but-has-no-blank"]
WORDS = ("--rows", "1-4", "--versus", "7", "--flip", "--ask", "-q")


def draw_table():
    lines = ["age of the applicant,employment history of the household,town,label"]
    for n in range(120):
        age, town = random.randrange(18, 90), random.choice(TOWNS)
        work = random.choice(["permanent contract since years", "none at all", "seasonal work"])
        label = "granted" if (age > 50) + (work[0] == "p") + (town[0] in "ÄŁ") > 1 else "refused"
        lines.append(f"{age},{work},{town if n % 5 else ''},{label}")
    return lines


def on_terminal(columns, *words):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=theirs,
                          stderr=subprocess.DEVNULL, env=ENVIRONMENT) as started:
        os.close(theirs)
        said = b""
        while True:
            try:
                said += os.read(ours, 4096)
            except OSError:  # the other side is closed
                break
    os.close(ours)
    assert started.returncode == 0
    return said.decode().replace("\r\n", "\n")


def is_table(line):
    """Columns stand apart by blanks; of a sentence only the first words do."""
    return "  " in line.strip() and not line.startswith(("support ", "chance ", "known "))


def sentences(text):
    return " ".join(word for line in text.split("\n") if not is_table(line)
                    for word in line.split())


def lines_keep_to_the_width():
    write("past.csv", draw_table())
    run("train", "past.csv", "-q", "-o", "m")
    plain = run("explain", "m", "past.csv", *WORDS).stdout
    wide = sentences(on_terminal(2000, "explain", "m", "past.csv", *WORDS))
    assert sentences(plain) == wide
    for line in plain.split("\n"):
        assert len(line) <= (94 if is_table(line) else 80), line
    for columns in (40, 57, 80, 100, 131):
        text = on_terminal(columns, "explain", "m", "past.csv", *WORDS)
        assert sentences(text) == wide, columns
        for line in text.split("\n"):
            most = max(columns, 94 if columns >= 94 else 80) if is_table(line) else columns
            if len(line) > most:  # a single word may be wider
                assert len(line.split()) <= 1 or line.startswith("row "), (columns, line)


def lines_are_filled():
    """A line ends only where the next word would not have had room."""
    write("past.csv", draw_table())
    run("train", "past.csv", "-q", "-o", "m")
    lines = run("explain", "m", "past.csv", *WORDS).stdout.split("\n")
    broken = 0
    for line, after in zip(lines, lines[1:]):
        if line.startswith("    held out") and after.startswith("    ") \
                and not is_table(after):
            broken += 1
            assert len(line) + 1 + len(after.split()[0]) > 80, (line, after)
    assert broken > 3, broken


if __name__ == "__main__":
    run_tests([lines_keep_to_the_width, lines_are_filled])
