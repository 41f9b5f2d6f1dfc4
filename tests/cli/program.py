"""What tests of the program share: running it, small files, and a main that runs each test in an
empty folder with the same seed (HCBR_SEED, else 1)."""
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

from seeds import take_seed

PROGRAM = os.path.abspath(os.environ.get("HCBR") or sys.argv[1])
SOURCE = os.environ.get("HCBR_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
VOTES = os.path.abspath(os.path.join(SOURCE, "examples", "votes.csv"))
DOCUMENT = os.path.abspath(os.path.join(SOURCE, "docs", "JSON.md"))
ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8", TERM="dumb")
with open(PROGRAM, "rb") as program_file:
    SANITIZED = re.search(rb"__[at]san_init", program_file.read()) is not None
# A sanitizer sees in a part of a long test what it would see in all of it.
QUICK = SANITIZED and os.environ.get("HCBR_LONG") != "1"
PLAIN = ["--model", "plain"]  # of a call that names no model it is the default, a rich one


def rounds(count):
    """Rounds of a test: all of them as released, a third under a sanitizer."""
    return (count + 2) // 3 if QUICK else count


def run(*arguments, code=0, stdin=None):
    result = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True,
                            input=stdin, text=True, check=False, env=ENVIRONMENT)
    assert code in (None, result.returncode), (arguments, result.returncode, result.stderr)
    return result


def run_bytes(*arguments, data=None):
    """Status, standard output as bytes and what was said of a run that may fail."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], input=data, capture_output=True,
                          check=False, env=ENVIRONMENT)
    return done.returncode, done.stdout, done.stderr.decode("utf-8")


class Checks:
    """Checks that all are made, whatever fails."""

    def __init__(self):
        self.failed = []

    def __call__(self, name, good, more=""):
        if not good:
            self.failed.append(name)
            print("FAILED", name, more)

    def run(self, *tests):
        """Run the tests in an empty folder; returns the exit status."""
        with tempfile.TemporaryDirectory(prefix="hcbr-") as folder:
            os.chdir(folder)
            for test in tests:
                test()
            os.chdir("/")
        print(f"{len(self.failed)} failed")
        return 1 if self.failed else 0


def lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def write(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(row + "\n" for row in rows))
    return path


def json_lines(path):
    return [json.loads(line) for line in lines(path)]


def close(a, b):
    return (a is None and b is None) or (a is not None and b is not None and abs(a - b) < 1e-12)


def document_keys(schema):
    """The keys that docs/JSON.md lists for a schema."""
    with open(DOCUMENT, encoding="utf-8") as file:
        text = re.search(r"^## " + re.escape(schema) + r"\n(.*?)(?=^## |\Z)", file.read(),
                         re.M | re.S).group(1)
    return set(re.findall(r"`(\w+)`", " ".join(
        line.split("|")[1] for line in text.splitlines() if line.startswith("|"))))


def shuffled(table):
    """Lines of a csv file with the values of its label column in a random order."""
    place = table[0].split(",").index("class")
    labels = [row.split(",")[place] for row in table[1:]]
    random.shuffle(labels)
    rows = [row.split(",") for row in table[1:]]
    return [table[0]] + [",".join(row[:place] + [label] + row[place + 1:])
                         for row, label in zip(rows, labels)]


def sections(path):
    """The sections of a model file by type (docs/FORMAT.md, 2)."""
    with open(path, "rb") as file:
        data = file.read()
    count, = struct.unpack_from("<I", data, 12)
    found = {}
    for i in range(count):
        kind, _, offset, length, _ = struct.unpack_from("<IIQQQ", data, 24 + 32 * i)
        found[kind] = data[offset:offset + length]
    return found


def run_tests(tests):
    seed = take_seed(1)
    for test in tests:
        random.seed(seed)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            test()
            os.chdir("/")
        print(f"passed {test.__name__}")
