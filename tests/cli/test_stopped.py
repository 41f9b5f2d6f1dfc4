#!/usr/bin/env python3
"""A run that is stopped ends with 128 and the signal's number, says so, and leaves nothing behind.

Every command that writes is stopped by every signal that ends a program from outside: while it
waits for data, and at random moments of its work. A file that may not grow is an error of writing.
"""
import os
import random
import resource
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ENVIRONMENT, PROGRAM, run_tests, write

SIGNALS = [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGXCPU,
           signal.SIGUSR1, signal.SIGUSR2]

# Each with the data as the last word but for what is written.
WRITING = {
    "train": (["train", "--effort", "lite"], ["-o", "place/model"]),
    "tune": (["tune", "--effort", "lite", "--folds", "2"], ["-o", "place/model"]),
    "evaluate": (["evaluate", "--effort", "lite", "--folds", "2"],
                 ["--predictions", "place/p", "--folds-out", "place/f"]),
    "predict": (["predict", "m"], ["-o", "place/answers"]),
    "explain": (["explain", "m"], ["-o", "place/reasons"]),
    "page": (["explain", "m"], ["--html", "place/page"]),
    "convert": (["convert", "--to", "cases"], ["-o", "place/cases"]),
}


def prepare(rows=60, follows=0):
    """A table whose label follows from x and y in this share of the rows, and a model of it."""
    os.makedirs("place", exist_ok=True)
    random.seed(7)
    lines = ["label,x,y,z"]
    for _ in range(rows):
        x, y = random.random(), random.random()
        label = (x > .5) != (y * y > x / 2) if random.random() < follows else random.randrange(2)
        lines.append(f"{int(label)},{x:.3f},{y:.3f},c{random.randrange(9)}")
    write("v.csv", lines)
    run = subprocess.run([PROGRAM, "train", "-q", "--effort", "lite", "v.csv", "-o", "m"],
                         check=False, capture_output=True)
    assert run.returncode == 0, run.stderr


def fresh():
    """In the child: no signal is ignored, as job control off would have it."""
    for number in SIGNALS + [signal.SIGXFSZ, signal.SIGPIPE]:
        signal.signal(number, signal.SIG_DFL)


def start(words, stdin, stdout=subprocess.DEVNULL, child=fresh):
    return subprocess.Popen([PROGRAM, *words], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE,
                            env=ENVIRONMENT, preexec_fn=child)


def ended(run, words, number):
    said = run.communicate(timeout=30)[1].decode()
    assert run.returncode == 128 + number, (words, number, run.returncode, said)
    assert f"stopped by {signal.Signals(number).name}" in said, (words, said)
    assert not os.listdir("place"), (words, number, os.listdir("place"))


def until_watching(run):
    """Wait until the program has said which signals it takes: bit 14 is SIGTERM."""
    for _ in range(400):
        with open(f"/proc/{run.pid}/status", encoding="ascii") as file:
            caught = next(line for line in file if line.startswith("SigCgt"))
        if int(caught.split()[1], 16) & 0x4000:
            return
        time.sleep(0.005)
    raise AssertionError("the program watches no signals")


def test_waiting_for_data():
    prepare()
    for words, to in WRITING.values():
        runs = []
        for number in SIGNALS:
            line = words + ["-", "--format", "csv"] + to
            run = start(line, subprocess.PIPE)
            run.stdin.write(b"label,x,y,z\n1,0.5,0.5,c1\n0,0.1,0.9,c2\n")
            run.stdin.flush()
            runs.append((run, line, number))
        for run, line, number in runs:
            until_watching(run)
        time.sleep(0.15)  # they read what there is, and wait
        for run, line, number in runs:
            run.send_signal(number)
        for run, line, number in runs:
            run.wait(timeout=30)  # before its input ends
        for run, line, number in runs:
            ended(run, line, number)


def test_at_work():
    prepare(6000)
    for name, (words, to) in WRITING.items():
        line = words + (["--top", "3"] if words[0] == "explain" else []) + ["v.csv"] + to
        for number in SIGNALS[:5]:
            run = start(line, subprocess.DEVNULL)
            until_watching(run)
            time.sleep(random.random() * 0.15)
            run.send_signal(number)
            said = run.communicate(timeout=30)[1].decode()
            left = sorted(os.listdir("place"))
            if run.returncode == 0:  # it was quicker
                assert left and not any("." in file and not file.startswith("cases.")
                                        for file in left), (name, left)
            else:
                assert run.returncode == 128 + number, (name, number, run.returncode, said)
                assert f"stopped by {signal.Signals(number).name}" in said, (name, said)
                assert not left, (name, number, left)
            for file in left:
                os.remove(os.path.join("place", file))


def test_a_pipe_that_nobody_reads():
    prepare()
    runs = []
    for name, (words, to) in WRITING.items():
        os.mkfifo(name)
        line = words + ["v.csv"] + [to[0], name]
        if name == "convert":
            line += ["--names-out", "place/n", "--outcomes-out", "place/o"]
        runs.append((name, start(line, subprocess.DEVNULL)))
    time.sleep(1)
    for name, run in runs:
        run.send_signal(signal.SIGTERM)
    for name, run in runs:
        said = run.communicate(timeout=30)[1].decode()
        assert run.returncode == 143 and "stopped by SIGTERM" in said, (name, run.returncode, said)
    assert not os.listdir("place"), os.listdir("place")


def test_limit_of_processor_time():
    prepare(60000, .7)  # where nothing follows, training soon ends

    def limited():
        fresh()
        resource.setrlimit(resource.RLIMIT_CPU, (1, 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    # Many times a second's work on any machine.
    line = ["tune", "--folds", "50", "--effort", "max", "v.csv", "-o", "place/model"]
    ended(start(line, subprocess.DEVNULL, child=limited), line, signal.SIGXCPU)


def test_limit_of_size():
    prepare()
    for size in (0, 1, 100):
        def limited(most=size):
            fresh()
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        for words, to in WRITING.values():
            run = start(words + ["v.csv"] + to, subprocess.DEVNULL, child=limited)
            said = run.communicate(timeout=60)[1].decode()
            assert run.returncode == 5, (words, size, run.returncode, said)
            assert "File too large" in said and "place/" in said, (words, said)
            assert not os.listdir("place"), (words, size, os.listdir("place"))
        for line in (["predict", "m", "v.csv"], ["explain", "m", "v.csv"], ["inspect", "m"],
                     ["audit", "v.csv"], ["evaluate", "--effort", "lite", "v.csv"],
                     ["train", "--help"], ["--help"], ["train", "--effort", "lite", "v.csv",
                                                       "--json", "-o", "/dev/null"]):
            with open("printed", "wb") as file:
                run = start(line, subprocess.DEVNULL, stdout=file, child=limited)
                said = run.communicate(timeout=60)[1].decode()
            assert run.returncode == 5 and "standard output" in said, (line, run.returncode, said)


def test_what_is_ignored_stays_ignored():
    prepare()

    def deaf():
        fresh()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    run = start(["train", "--effort", "lite", "-", "--format", "csv", "-o", "place/model"],
                subprocess.PIPE, child=deaf)
    until_watching(run)
    run.send_signal(signal.SIGHUP)
    time.sleep(0.4)
    with open("v.csv", "rb") as file:
        said = run.communicate(file.read(), timeout=30)[1]
    assert run.returncode == 0 and os.listdir("place") == ["model"], said


if __name__ == "__main__":
    run_tests([test_waiting_for_data, test_at_work, test_a_pipe_that_nobody_reads,
               test_limit_of_processor_time, test_limit_of_size,
               test_what_is_ignored_stays_ignored])
