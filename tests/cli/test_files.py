#!/usr/bin/env python3
"""No command writes to a file it reads, and none writes one file twice.

The options are taken from the help, which is made from the table: every option that reads a file is
tried with every option that writes one, by the same path, another path, a symbolic link and a hard
link. A run that is refused touches nothing."""
import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ENVIRONMENT, PROGRAM, run_tests, write

# Arguments that are no files; a new one must be put here or begin with FILE, OUT or MODEL.
NO_FILES = {"C", "COL", "COL,...", "LIST", "COL:SEP", "N", "SELECT", "BYTES", "K", "SHARE", "D",
            "E", "NAME", "K,...", "L=V,...", "LABEL", "fp=V,fn=V", "CASE", "COL=VALUE", "FEATURE|N",
            "auto|LABEL|unknown|prior", "K|median|CUTS",
            "COL=KIND", "COL=LOW..HIGH,..."}
OPERANDS = {"DATA": "DATA", "DATA...": "DATA", "MODEL": "MODEL"}


def call(*words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE):
    return subprocess.run([PROGRAM, *words], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE,
                          check=False, env=ENVIRONMENT, timeout=60)


def commands():
    text = call("--help").stdout.decode()
    return re.findall(r"^  (\w+) ", text.split("Commands:")[1], re.M)


def options(command):
    """(name, argument, group) of each option that takes a value, and the operands' names."""
    text = call(command, "--help").stdout.decode()
    found, group = [], None
    for line in text.split("\nExamples:")[0].splitlines():
        if re.match(r"^[A-Z][\w ]*:$", line):
            group = line[:-1]
        option = re.match(r"^  (?:-(\w)|    )(?:, )?(?:--([\w-]+))?(?: (\S+))?(?:  |$)", line)
        if group and option and option.group(3):
            name = "--" + option.group(2) if option.group(2) else "-" + option.group(1)
            found.append((name, option.group(3), group))
    synopsis = re.search(r"^Usage: hcbr \w+ (.*)$", text, re.M).group(1)
    words = re.sub(r"-o \w+|[()|]", "", synopsis).split()
    return found, [OPERANDS[word] for word in words if word in OPERANDS]


def files_of(command):
    """What the command reads and what it writes: names of options and operands."""
    reads, writes = [], []
    found, operands = options(command)
    assert found, command
    for name, argument, group in found:
        if argument.startswith(("FILE", "OUT", "MODEL", "DATA")):
            written = group == "Output" and not argument.startswith("DATA")
            (writes if written else reads).append(name)
        else:
            assert argument in NO_FILES or re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)+", argument), (
                command, name, argument, "is it a file?")
    return operands + reads, writes


def prepare():
    rows = ["label,colour,key"]
    rows += [f"{'yes' if i % 3 else 'no'},{'red' if i % 2 else 'blue'},k{i % 4}"
             for i in range(40)]
    write("v.csv", rows)
    write("w.csv", rows)
    write("j.csv", ["key,more"] + [f"k{i},m{i % 2}" for i in range(4)])
    write("outcomes", ["yes" if i % 3 else "no" for i in range(40)])
    write("folds", [str(i % 4) for i in range(40)])
    write("importance", ["column,importance", "colour,2"])
    write("belief", ["label,colour,belief_source,belief_weight", "yes,red,Ana,2"])
    write("names", ["feature\t1\tcolour\tred", "feature\t2\tcolour\tblue"])
    write("v.libsvm", [f"{i % 2} {1 + i % 2}:1" for i in range(40)])
    result = call("train", "-q", "--effort", "lite", "v.csv", "-o", "m")
    assert result.returncode == 0, result.stderr
    database = sqlite3.connect("d.sqlite")
    database.execute("create table t(label, colour)")
    database.executemany("insert into t values(?, ?)",
                         [(str(i % 2), str(i % 3)) for i in range(40)])
    database.commit()
    database.close()


def snapshot():
    found = {}
    for name in sorted(os.listdir(".")):
        if os.path.isfile(name):
            with open(name, "rb") as file:
                found[name] = (os.stat(name).st_ino, file.read())
    return found


VALUES = {"--outcomes": "outcomes", "--names": "names", "--join": "j.csv", "--test": "w.csv",
          "--folds-file": "folds", "--importance": "importance", "--belief": "belief",
          "--past": "w.csv", "DATA": "v.csv", "MODEL": "m"}


def line(command, operands, read=None):
    """A command line that works, or would if its files were right, with `read` given."""
    data = "v.libsvm" if read == "--names" else "v.csv"
    words = [command] + [data if o == "DATA" else "m" for o in operands]
    if command in ("train", "tune", "evaluate"):
        words += ["--effort", "lite"]
    if read and read.startswith("--"):
        assert read in VALUES, (read, "is a file that this test does not know")
        words += [read, VALUES[read] + (":key" if read == "--join" else "")]
    return words, {"DATA": data, "MODEL": "m"}.get(read) or VALUES.get(read)


def refused(words, path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE):
    before = snapshot()
    result = call(*words, stdin=stdin, stdout=stdout)
    assert result.returncode == 2, (words, result.returncode, result.stderr)
    said = result.stderr.decode()
    assert os.path.basename(path) in said and "name another one" in said, (words, said)
    assert snapshot() == before, (words, "something was written")
    return said


turn = 0


def links(path):
    """The path and another way to the same file, each in turn; all of them if there is time."""
    global turn
    folder = os.path.abspath("links")
    os.makedirs(folder, exist_ok=True)
    soft, hard = os.path.join(folder, "soft"), os.path.join(folder, "hard")
    for name in (soft, hard):
        if os.path.lexists(name):
            os.remove(name)
    os.symlink(os.path.abspath(path), soft)
    os.link(path, hard)
    others = [soft, hard, "./" + path, os.path.abspath(path)]
    turn += 1
    return [path] + (others if os.environ.get("HCBR_LONG") else [others[turn % len(others)]])


def with_output(command, words, write_option, path):
    words = words + [write_option, path]
    if command == "convert" and write_option != "-o":
        words += ["-o", "other"]
    if command == "convert":
        words += ["--to", "cases" if write_option != "-o" else "jsonl"]
    return words


def test_every_file_read_and_every_file_written():
    prepare()
    pairs = 0
    for command in commands():
        reads, writes = files_of(command)
        operands = [r for r in reads if not r.startswith("-")]
        for read in reads:
            for to in writes:
                words, path = line(command, operands, read)
                for same in links(path):
                    said = refused(with_output(command, words, to, same), same)
                    # a report takes data, a model or results as its first operand
                    named = "DATA" if command == "report" and read == "MODEL" else read
                    assert named in said and to in said, said
                    pairs += 1
    assert pairs > 60, pairs


def test_files_written_twice():
    prepare()
    pairs = 0
    for command in commands():
        reads, writes = files_of(command)
        operands = [r for r in reads if not r.startswith("-")]
        for first in writes:
            for second in writes:
                if first == second:
                    continue
                words, _ = line(command, operands)
                if command == "convert":
                    words += ["--to", "cases"]
                    if "-o" not in (first, second):
                        words += ["-o", "other"]
                for one, other in (("new", "new"), ("new", "./new"), ("links/../new", "new")):
                    os.makedirs("links", exist_ok=True)
                    said = refused(words + [first, one, second, other], "new")
                    assert first in said and second in said, said
                with open("old", "w", encoding="utf-8") as file:
                    file.write("old\n")
                for same in links("old"):
                    refused(words + [first, "old", second, same], same)
                    pairs += 1
    assert pairs > 8, pairs
    # What convert makes of OUT's name.
    for ending in ("names", "outcomes"):
        refused(["convert", "v.csv", "--to", "cases", "-o", "x", "--names-out", "x.outcomes"]
                if ending == "outcomes" else
                ["convert", "v.csv", "--to", "cases", "-o", "x", "--outcomes-out", "x.names"],
                "x." + ending)
        os.link("v.csv", "x." + ending)
        refused(["convert", "v.csv", "--to", "cases", "-o", "x"], "x." + ending)
        os.remove("x." + ending)


def test_standard_input_and_output():
    prepare()
    for words in (["train", "-", "--format", "csv", "-o", "v.csv"],
                  ["train", "/dev/stdin", "--format", "csv", "-o", "v.csv"],
                  ["predict", "m", "-", "-o", "v.csv"], ["explain", "m", "-", "--html", "v.csv"],
                  ["convert", "-", "--format", "csv", "--to", "csv", "-o", "v.csv"],
                  ["evaluate", "-", "--format", "csv", "--predictions", "v.csv"],
                  ["evaluate", "w.csv", "--test", "-", "--predictions", "v.csv"]):
        with open("v.csv", "rb") as data:
            refused(words, "v.csv", stdin=data)
    # What is appended to the file that is read would never end.
    for words in (["predict", "m", "v.csv"], ["explain", "m", "v.csv"], ["audit", "v.csv"],
                  ["evaluate", "v.csv"], ["predict", "m", "v.csv", "-o", "-"],
                  ["train", "v.csv", "--json", "-o", "new"],
                  ["train", "v.csv", "--explain-input"],
                  ["convert", "v.csv", "--to", "csv", "-o", "-"]):
        with open("v.csv", "ab") as data:
            refused(words, "v.csv", stdout=data)
    with open("m", "ab") as data:
        refused(["inspect", "m"], "m", stdout=data)
        refused(["predict", "m", "--case", "colour=red"], "m", stdout=data)
    refused(["predict", "m", "--case", "colour=red", "-o", "m"], "m")
    refused(["explain", "m", "--case", "colour=red", "--html", "m"], "m")
    with open("out", "ab") as data:
        refused(["train", "v.csv", "--json", "-o", "out"], "out", stdout=data)


def test_pages_of_a_folder():
    prepare()
    words = ["explain", "m", "v.csv", "--rows", "1", "--html", "pages"]
    os.mkdir("pages")
    for read in ("m", "v.csv"):
        for page in ("index.html", "case-1.html", "case-2.html"):
            for link in (os.link, os.symlink):
                at = os.path.join("pages", page)
                link(os.path.abspath(read), at)
                if page == "case-2.html":  # it is not written
                    works(words)
                else:
                    refused(words, page)
                for name in os.listdir("pages"):
                    os.remove(os.path.join("pages", name))


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256))


def test_what_cannot_be_written_is_named():
    """As on a full disk: the first bytes are written, the rest is not."""
    prepare()
    os.mkdir("pages")
    before = snapshot()
    for words, name in ((["explain", "m", "v.csv", "--html", "pages"], "pages/case-1.html"),
                        (["explain", "m", "v.csv", "--html", "p.html"], "p.html"),
                        (["predict", "m", "v.csv", "-o", "out"], "out"),
                        (["train", "v.csv", "-o", "new"], "new"),
                        (["report", "v.csv", "--quick", "-o", "r.html"], "r.html"),
                        (["evaluate", "v.csv", "--predictions", "p"], "p"),
                        (["convert", "v.csv", "-o", "o.libsvm"], "o.libsvm")):
        result = subprocess.run([PROGRAM, *words, "-q"], capture_output=True, check=False,
                                env=ENVIRONMENT, preexec_fn=limit_files)
        assert result.returncode == 5, (words, result.returncode, result.stderr)
        said = result.stderr.decode()
        assert said.startswith(f"hcbr {words[0]}: {name}: cannot "), (said, name)
        assert said.endswith(": File too large\n"), said
        assert snapshot() == before and not os.listdir("pages"), words


def test_databases():
    prepare()
    for source in ("d.sqlite", "d.sqlite#t", "./d.sqlite#t"):
        for path in links("d.sqlite"):
            refused(["train", source, "-o", path], path)
    refused(["evaluate", "v.csv", "--test", "d.sqlite#t", "--predictions", "d.sqlite"], "d.sqlite")
    refused(["train", "v.csv", "--join", "d.sqlite#t:colour", "-o", "d.sqlite"], "d.sqlite")
    with open("d.sqlite-wal", "wb"):
        pass
    refused(["train", "d.sqlite", "-o", "d.sqlite-wal"], "d.sqlite-wal")


def works(words, **others):
    result = call(*words, **others)
    assert result.returncode == 0, (words, result.returncode, result.stderr)
    return result


def test_what_is_no_file_is_not_refused():
    prepare()
    works(["predict", "m", "v.csv", "-o", "/dev/stdout"])
    works(["predict", "m", "v.csv", "-o", "/dev/null"])
    works(["evaluate", "--effort", "lite", "v.csv", "--predictions", "/dev/null", "--folds-out",
           "/dev/null"])
    works(["predict", "m", "-", "-o", "/dev/null"], stdin=subprocess.DEVNULL)
    with open("out", "wb") as file: # standard output under its other name is written once
        works(["predict", "m", "v.csv", "-o", "/dev/stdout"], stdout=file)
    with open("out", "rb") as file:
        assert len(file.read().splitlines()) == 40
    os.mkfifo("pipe")
    with subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE) as cat:
        works(["predict", "m", "v.csv", "-o", "pipe"])
        assert len(cat.communicate()[0].splitlines()) == 40
    # An older result is not an input, and a file next to one that is read is another file.
    works(["predict", "m", "v.csv", "-o", "out"])
    works(["predict", "m", "v.csv", "-o", "v.csv2"])
    works(["predict", "m", "v.csv", "-o", "v.csv", "-o", "out"]) # the last one counts


if __name__ == "__main__":
    run_tests([test_every_file_read_and_every_file_written, test_files_written_twice,
               test_standard_input_and_output, test_pages_of_a_folder,
               test_what_cannot_be_written_is_named, test_databases,
               test_what_is_no_file_is_not_refused])
