#!/usr/bin/env python3
"""A label called unknown is told from no decision, in text as in JSON: text shows such a label in
quotes, and one that has quotes already in one more pair."""
import html
import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import PROGRAM, json_lines, lines, run_tests, write

LABELS = ["unknown", '"unknown"', '""unknown""', "known", "Unknown", '"known"', "unknown ",
          '"unknown', "(none)"]


def call(*words):
    run = subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True,
                         text=True, check=False, timeout=60)
    assert run.returncode == 0, (words, run.stderr)
    return run.stdout


def shown(label):
    if label is None:
        return "unknown"
    return f'"{label}"' if label.strip('"') == "unknown" and label.count('"') % 2 == 0 else label


def test_no_two_labels_look_alike():
    texts = [shown(label) for label in LABELS + [None]]
    assert len(set(texts)) == len(texts)


def prepare(labels):
    write("d.jsonl", [json.dumps({"label": label, "x": f"v{n}", "y": f"w{random.randrange(9)}"})
                      for _ in range(12) for n, label in enumerate(labels)])
    call("train", "-q", "--fallback", "unknown", "d.jsonl", "-o", "m")
    rows = [{"x": f"v{random.randrange(len(labels))}", "label": random.choice(labels)}
            for _ in range(30)]
    write("new.jsonl", [json.dumps(x) for x in rows + [{"z": "never seen"}, {}]])


def test_predict_explain_and_page():
    for labels in (LABELS, ["unknown", "known"]):
        prepare(labels)
        decided = [json.loads(x)["label"] for x in
                   call("predict", "-q", "--json", "m", "new.jsonl").splitlines()]
        assert None in decided and "unknown" in decided, decided
        wanted = [shown(label) for label in decided]
        text = [x.split("\t")[1] for x in call("predict", "-q", "m", "new.jsonl").splitlines()]
        assert text == wanted, (text, wanted)
        given = [x.get("label") for x in json_lines("new.jsonl")]
        titles = re.findall(r"^row \d+: (.*)$", call("explain", "-q", "m", "new.jsonl"), re.M)
        assert len(titles) == len(wanted)
        for title, label, truth in zip(titles, wanted, given):
            said = title.split("; the data says ")
            assert said[0] == label or said[0].startswith(label + " ("), (title, label)
            assert truth is None or said[1] == shown(truth), (title, truth)
        call("explain", "-q", "m", "new.jsonl", "--html", "page")
        found = re.findall(r"<p>(?:The answer is <strong><bdi>(.*?)</bdi>|There is (no answer))",
                           "\n".join(lines("page")), re.S)
        assert [bool(none) for _, none in found] == [label is None for label in decided], found
        found = ["unknown" if none else html.unescape(label) for label, none in found]
        assert found == wanted, (found, wanted)


def test_evaluate():
    for labels in (["unknown", "known"], ["unknown", "Unknown", "(none)"]):
        prepare(labels)
        text = call("evaluate", "-q", "d.jsonl", "--folds", "3")
        header = next(x for x in text.splitlines() if x.startswith("true / decided"))
        assert header.split()[3:] == [shown(x) for x in sorted(labels)] + ["unknown"], header


if __name__ == "__main__":
    run_tests([test_no_two_labels_look_alike, test_predict_explain_and_page, test_evaluate])
