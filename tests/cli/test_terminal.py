#!/usr/bin/env python3
"""Progress on a terminal: audit and tune say how far they are, the share never falls within a
stage, the line is removed at the end; stopped in the middle they end with 128 and the signal."""
import os
import pty
import random
import re
import signal
import subprocess
import sys

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


if __name__ == "__main__":
    run_tests([test_audit, test_tune])
