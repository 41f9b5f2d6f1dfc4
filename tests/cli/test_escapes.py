#!/usr/bin/env python3
"""Nothing in the data steers a terminal or a page.

Names of columns, values, labels, ids and files hold characters that move the cursor, break lines,
turn the direction or are not seen. Whatever command shows them, in text, JSON, a page or an error,
none of them comes out as it is. What they are is taken from Python's tables of Unicode. All code
points are tried in ids, the harmful ones everywhere."""
import html
import json
import os
import random
import re
import subprocess
import sys
import unicodedata

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ENVIRONMENT, PROGRAM, run_tests

TURNS = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
MARKS = {0x61C, 0x200E, 0x200F, 0xFEFF, 0x2060}


def is_harmful(code):
    char = chr(code)
    return (unicodedata.category(char) in ("Cc", "Zl", "Zp")
            or unicodedata.bidirectional(char) in TURNS or code in MARKS
            or 0xE0000 <= code <= 0xE007F or code & 0xFFFE == 0xFFFE)


def is_letter(code):
    """Is it seen by people, and so to be shown as it is?"""
    return unicodedata.category(chr(code))[0] in "LMNPS"


HARMFUL = [code for code in range(1, 0x110000)
           if not 0xD800 <= code < 0xE000 and is_harmful(code)]
HARMFUL_SET = {chr(code) for code in HARMFUL}


def call(*words, code=0):
    run = subprocess.run([os.fsencode(word) for word in (PROGRAM, *words)], check=False,
                         stdin=subprocess.DEVNULL, capture_output=True, env=ENVIRONMENT, timeout=60)
    if isinstance(code, int):
        code = (code,)
    assert run.returncode in code, (words, run.returncode, run.stderr)
    return run


def harmless(what, data):
    text = data.decode("utf-8")  # valid, whatever the names of files
    for line in text.split("\n"):  # lines of the program's own
        found = HARMFUL_SET.intersection(line.replace("\t", ""))
        assert not found, (what, [f"U+{ord(c):04X}" for c in found], line[:200])
    return text


def shown(*words, code=0):
    run = call(*words, code=code)
    harmless((words, "standard error"), run.stderr)
    return harmless((words, "standard output"), run.stdout)


def unescape(text):
    """What out_text() wrote, as bytes, then as text."""
    named = {b"t": b"\t", b"n": b"\n", b"r": b"\r", b"\\": b"\\"}
    mean = lambda m: named.get(m.group(1)) or bytes([int(m.group(1)[1:], 16)])
    return re.sub(rb"\\(x..|.)", mean, text.encode()).decode()


def write_json(path, objects):
    with open(path, "w", encoding="utf-8") as file:
        for x in objects:
            text = json.dumps(x, ensure_ascii=random.random() < 0.5)
            file.write(text.replace("\ufeff", "\\ufeff") + "\n")  # at the beginning of a file only


def test_every_code_point():
    write_json("train.jsonl", [{"label": "yes" if i % 2 else "no", "x": f"v{i % 2}"}
                               for i in range(20)])
    call("train", "-q", "train.jsonl", "-o", "m")
    codes = [c for c in range(1, 0x110000) if not 0xD800 <= c < 0xE000]
    ids = ["".join(map(chr, codes[i:i + 512])) for i in range(0, len(codes), 512)]
    write_json("new.jsonl", [{"id": x, "x": "v1"} for x in ids])
    lines = shown("predict", "-q", "m", "new.jsonl", "--id", "id").split("\n")[:-1]
    assert [unescape(line.split("\t")[0]) for line in lines] == ids
    letters = "".join(lines)
    assert {chr(c) for c in codes if is_letter(c)} <= set(letters)
    lines = shown("predict", "-q", "--json", "m", "new.jsonl", "--id", "id").split("\n")[:-1]
    assert [json.loads(line)["id"] for line in lines] == ids
    call("explain", "-q", "m", "new.jsonl", "--id", "id", "--top", "0", "--cases", "0", "--html",
         "page.html")
    with open("page.html", "rb") as file:
        page = harmless("page", file.read())
    seen = set(html.unescape(page))
    assert {chr(c) for c in codes if is_letter(c)} <= seen
    shown("explain", "-q", "m", "new.jsonl", "--id", "id", "--top", "0", "--cases", "0")


def names_of(chars):
    """Data whose every name has one of the characters, and what it is called."""
    pick = lambda: random.choice(chars)
    keys = [f"k{i}{c}n" for i, c in enumerate(chars)]
    labels = [f"l{pick()}{i}" for i in range(3)]
    rows = []
    for i in range(60):
        label = labels[random.randrange(3)]
        row = {"label" + chars[0]: label, "id": f"i{pick()}{i}"}
        for key in random.sample(keys, min(8, len(keys))):
            row[key] = f"v{pick()}{labels.index(label)}{random.randrange(2)}"
        row["num" + chars[-1]] = i * 0.5
        rows.append(row)
    return rows, "label" + chars[0], keys


def one_round(chars, number):
    rows, label, keys = names_of(chars)
    stem = f"d{number}" + "".join(c for c in chars if c not in "/\0")[:20]
    data, model = stem + ".jsonl", stem + ".hcbr"
    write_json(data, rows)
    reading = ["--label", label, "--id", "id"]
    quick = ["--effort", "lite"]
    shown("train", data, *reading, *quick, "-v", "-o", model)
    shown("train", data, *reading, "--explain-input")
    shown("train", data, *reading, "--explain-input", "--json")
    shown("train", data, *reading, *quick, "-q", "--json", "-o", model)
    shown("tune", data, *reading, *quick, "--folds", "2", "-o", "tuned", code=(0, 1))
    for words in (["predict", model, data], ["explain", model, data, "--rows", "1", "-v",
                                             "--flip", "--ask", "--versus", rows[0]["id"]],
                  ["inspect", model], ["inspect", model, "--case", rows[0]["id"]],
                  ["audit", data, *reading], ["evaluate", data, *reading, *quick, "--folds", "2",
                                              "-v"]):
        code = (0, 1) if words[0] == "audit" else 0
        shown(*words, code=code)
        for line in shown(*words, "--json", code=code).split("\n")[:-1]:
            json.loads(line)
    call("explain", "-q", model, data, "--rows", "2", "--flip", "--ask", "--html", "page")
    with open("page", "rb") as file:
        harmless("page", file.read())
    write_json("new.jsonl", [{"key" + c: "value" + c, "id": "x" + c} for c in chars])
    shown("predict", model, "new.jsonl")
    shown("predict", model, "new.jsonl", "--json")
    shown("convert", data, *reading, "-o", "out.cases", "--json")
    shown("convert", data, *reading, "-o", stem + ".csv", code=(0, 3))
    with open("out.cases.names", "rb") as file:
        harmless("names", file.read())
    # Read again through the names, the cases are the same.
    shown("convert", "out.cases", "--names", "out.cases.names", "--outcomes", "out.cases.outcomes",
          "--id", "id", "-o", "again.jsonl")
    shown("convert", data, *reading, "-o", "once.jsonl")
    with open("again.jsonl", encoding="utf-8") as again, \
            open("once.jsonl", encoding="utf-8") as one:
        assert [json.loads(x) for x in again] == [json.loads(x) for x in one]
    # Mistakes that repeat what was given.
    shown("train", data, "--label", "no" + chars[0], "-o", "x", code=(2, 3))
    shown("train", data, *reading, "--numeric", "none" + chars[0], "-o", "x", code=2)
    shown("train", "missing" + chars[-1], "-o", "x", code=5)
    shown("predict", model, data, "--fallback", "none" + chars[0], code=(2, 3))
    shown("inspect", model, "--atom", "none" + chars[0], code=(1, 2, 3))
    shown("train", data, *reading, "--effort", chars[0], "-o", "x", code=2)
    shown("bad" + chars[0], code=2)
    with open("bad.jsonl", "w", encoding="utf-8") as file:
        file.write('{"label":"a","x":1}\n{"label":{"' + json.dumps(chars[0])[1:-1] + '":1}}\n')
    shown("train", "bad.jsonl", "-o", "x", code=3)
    for name in (data, model, stem + ".csv"):
        if os.path.exists(name):
            os.remove(name)


def test_harmful_characters_everywhere():
    chars = [chr(code) for code in HARMFUL]
    random.shuffle(chars)
    each = 12 if os.environ.get("HCBR_LONG") else 60
    for i in range(0, len(chars), each):
        one_round(chars[i:i + each], i)


def test_names_of_files_that_are_no_text():
    write_json("d.jsonl", [{"label": "yes" if i % 2 else "no", "x": f"v{i % 2}"}
                           for i in range(20)])
    name = os.fsdecode(b"raw\x9b31m\xff\xc3.jsonl")
    shown("train", name, "-o", "x", code=5)
    shown("convert", "d.jsonl", "-o", name)
    json.loads(shown("convert", "d.jsonl", "-o", name, "--json"))
    shown("train", name, "-o", os.fsdecode(b"m\x9b"))
    call("explain", "-q", os.fsdecode(b"m\x9b"), name, "--html", "page")
    with open("page", "rb") as file:
        harmless("page", file.read())


if __name__ == "__main__":
    run_tests([test_every_code_point, test_harmful_characters_everywhere,
               test_names_of_files_that_are_no_text])
