"""What convert writes of tables whose columns are of every kind gives the same model, byte for
byte, in every format and with both models."""
import json
import os
import random
import shlex

from program import PLAIN, rounds, run, run_tests, write
from tables import draw_table, save_table

TARGETS = ["csv", "tsv", "jsonl", "libsvm", "cases"]


def model(*arguments):
    run("train", "-q", *arguments, "-o", "m.hcbr")
    with open("m.hcbr", "rb") as file:
        return file.read()


def options_of(said):
    """Those that the summary says the file is to be read with."""
    read = [line for line in said.splitlines() if line.startswith("read with ")]
    return shlex.split(read[0])[2:] if read else []


def convert(path, to, *options):
    return options_of(run("convert", path, "-o", f"out.{to}", "--to", to, *options).stderr)


def test_kinds_survive():
    for _ in range(rounds(24)):
        names, rows = draw_table()
        path = save_table(random.choice(["d.csv", "d.tsv", "d.jsonl"]), names, rows)
        options = random.choice([[], [], ["--strict"], ["--na-only", "n/a"], ["--na", "refused"]])
        kinds = random.choice([["--effort", "lite"], PLAIN])
        wanted = model(path, *kinds, *options)
        for to in TARGETS:
            read = convert(path, to, *options)
            assert model(f"out.{to}", *kinds, *read) == wanted, (path, to, names, options, read)


def test_summary_can_be_pasted():
    """Names that a shell would take for something else, an empty list, a long path."""
    for name in ("the id", "it's", "a$b", "a*", 'say "x"', "-x", "#1", "a;b", "é", "k=v", "~"):
        write("d.jsonl", [json.dumps({name: str(i), "a": "pqr"[i % 3], "z;": "xy"[i % 2]})
                          for i in range(30)])
        options = ["--id", name, "--label", "z;"]
        read = convert("d.jsonl", "jsonl", *options, "--na-only", "")
        assert read == ["--label", "z;", "--id", name, "--na-only", ""], read
    folder = "f" * 250
    os.mkdir(folder)
    read = convert("d.jsonl", "libsvm", *options, "--names-out", f"{folder}/n")
    assert read[-1] == f"{folder}/n", read


def test_summary_says_what_differs():
    names, rows = draw_table(40)
    rows = [[random.choice(["a|b", "b|c", "a"]), *row] for row in rows]
    save_table("d.csv", ["tags", *names], rows)
    save_table("more.csv", ["tags", "town"], [["a|b", "Ulm"], ["a", "Bonn"]])
    for option in (["--ignore", "tags"], ["--split", "tags:|"], ["--text", "tags"],
                   ["--presence", "tags"], ["--join", "more.csv:tags"]):
        said = run("convert", "d.csv", "-o", "out.jsonl", *option).stderr
        assert f"differs   a model of the data as it was remembers {option[0]}\n" in said, said
        kinds = PLAIN if option[0] == "--text" else ["--effort", "lite"]
        whole, again = model("d.csv", *kinds, *option), model("out.jsonl", *kinds)
        assert whole != again
    for option in ([], ["--id", "tags"], ["--bad-rows", "skip"]):
        assert "differs" not in run("convert", "d.csv", "-o", "out.jsonl", *option).stderr


if __name__ == "__main__":
    run_tests([test_kinds_survive, test_summary_can_be_pasted, test_summary_says_what_differs])
