"""Whoever reads the output of help and the like may stop when he has enough; a plain model of very
many labels is estimated."""
import json
import os
import re
import subprocess

from program import PROGRAM, run, run_tests, write


def readers__may_stop():
    for words in (["help"], ["help", "report"], ["report", "--help"], ["--version"],
                  ["--print-man", "train"], ["--print-completion", "bash"]):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([PROGRAM, *words], stdout=writing, stderr=subprocess.PIPE,
                              check=False)
        os.close(writing)
        assert done.returncode == 0 and not done.stderr, (words, done)


def plain_models__of_many_labels_are_estimated():
    """A feature of half of the cases meets as many labels: the few such features are most of it."""
    write("many.csv", ["label,a,b"] + [f"L{i},{i % 2},v{i}" for i in range(20000)])
    said = run("train", "--model", "plain", "many.csv", "-v", "-o", "m").stderr
    seconds = re.search(r"about +(\S+ \S+),", said)
    assert seconds, said
    found = run("train", "--model", "plain", "many.csv", "--json", "-q", "-o", "m").stdout
    assert json.loads(found)["estimate"]["seconds"] > 0.3, found


if __name__ == "__main__":
    run_tests([readers__may_stop, plain_models__of_many_labels_are_estimated])
