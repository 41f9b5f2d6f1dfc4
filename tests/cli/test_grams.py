#!/usr/bin/env python3
"""Sequences of words stop at --max-grams, exactly there, and before they have taken the memory."""
import os
import random
import resource
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ENVIRONMENT, PROGRAM, run_tests, write

COST = 96  # bytes of a feature in addition to its text, as the help says


def call(*words, code=0):
    run = subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True,
                         text=True, check=False, env=ENVIRONMENT, timeout=120)
    assert run.returncode == code, (words, run.returncode, run.stderr)
    return run.stderr


def texts(count, length, kinds):
    return [" ".join(f"w{random.randrange(kinds)}" for _ in range(length)) for _ in range(count)]


def cost(rows, most):
    """What docs/INPUT.md says that the features of these texts take."""
    keys, features = set(), set()
    for row in rows:
        words, counts = row.split(), {}
        for i in range(len(words)):
            for n in range(1, min(most, len(words) - i) + 1):
                gram = "t:" + " ".join(words[i:i + n])
                counts[gram] = counts.get(gram, 0) + 1
        keys |= set(counts)
        features |= set(counts.items())
    return (sum(len(key) for key in keys) + sum(len(str(count)) for _, count in features)
            + COST * len(features))


def test_the_limit_is_exact():
    for most in (2, 3, 7, 16):
        rows = texts(random.randrange(5, 400), random.randrange(5, 60), random.choice((9, 5000)))
        write("d.csv", ["label,t"] + [f"{i % 2},{row}" for i, row in enumerate(rows)])
        bytes_needed = cost(rows, most)
        for threads in ("1", "3"):
            line = ["train", "--model", "plain", "-q", "d.csv", "--text", "t", "--ngrams",
                    str(most), "-j", threads, "-o", "m"]
            call(*line, "--max-grams", str(bytes_needed))
            os.remove("m")
            said = call(*line, "--max-grams", str(bytes_needed - 1), code=3)
            assert said == (
                f"hcbr train: d.csv: found sequences of up to {most} words that take more than "
                f"{bytes_needed - 1} bytes, expected fewer: a smaller --ngrams (--max-grams raises "
                "the limit)\n"), said
            assert not os.path.exists("m")
    # Words alone are not sequences.
    call("train", "-q", "d.csv", "--text", "t", "--max-grams", "1", "-o", "m")
    call("train", "-q", "d.csv", "--text", "t", "--max-grams", "0", "-o", "m", code=2)


def test_every_command_that_reads():
    rows = texts(200, 40, 3000)
    write("d.csv", ["label,t"] + [f"{i % 2},{row}" for i, row in enumerate(rows)])
    write("d.txt", rows)
    write("labels", [str(i % 2) for i in range(200)])
    os.mkdir("place")
    limit = ["--text", "t", "--ngrams", "8", "--max-grams", "100K"]
    for words in (["train", "d.csv", "-o", "place/m"], ["tune", "d.csv", "-o", "place/m"],
                  ["evaluate", "d.csv", "--predictions", "place/p"], ["audit", "d.csv"],
                  ["convert", "d.csv", "-o", "place/d.jsonl"]):
        assert "more than 102400 bytes" in call(*words, *limit, code=3)
        assert not os.listdir("place")
    said = call("train", "d.txt", "--outcomes", "labels", "-o", "place/m", *limit[2:], code=3)
    assert "more than 102400 bytes" in said, said


def test_one_long_text():
    """A row alone can be too much: it has its place, and can be skipped."""
    rows = texts(20, 10, 50)
    rows[7] = texts(1, 20000, 50000)[0]
    write("d.csv", ["label,t"] + [f"{i % 2},{row}" for i, row in enumerate(rows)])
    line = ["--text", "t", "--ngrams", "16", "--max-grams", "1M"]
    said = call("train", "d.csv", *line, "-o", "m", code=3)
    assert said.startswith("hcbr train: d.csv:9:1: found sequences of up to 16 words"), said
    said = call("train", "d.csv", *line, "--bad-rows", "skip", "-o", "m")
    assert "1 row could not be used" in said, said
    # So it is if the row is short as well, which alone would be taken.
    write("short.csv", ["label,t,x"] + [f"{i % 2},{row}" + ",1" * (i != 7)
                                        for i, row in enumerate(rows)])
    said = call("train", "short.csv", *line, "-o", "s", code=3)
    assert said.startswith("hcbr train: short.csv:9:1: found sequences of up to 16 words"), said
    said = call("predict", "m", "d.csv", "--max-grams", "1M", code=3)
    assert "d.csv:9:1: found sequences" in said, said
    call("predict", "m", "d.csv")


def test_memory():
    with open(PROGRAM, "rb") as file:
        if b"__asan" in file.read():
            return  # it has memory of its own
    write("d.csv", ["label,t"] + [f"{i % 2},{row}" for i, row in enumerate(texts(3000, 200, 9999))])
    call("train", "d.csv", "--text", "t", "--ngrams", "16", "--max-grams", "32M", "-o", "m", code=3)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert most < 150 * 1024, f"{most} KiB for 32 MiB of sequences"


if __name__ == "__main__":
    run_tests([test_the_limit_is_exact, test_every_command_that_reads, test_one_long_text,
               test_memory])
