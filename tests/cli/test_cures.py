"""What goes wrong with the tables people have, and the cure that each message names: taking the
message at its word makes the command work."""
import csv
import json
import sqlite3

from program import VOTES, lines, run, run_tests, write


def said(*arguments, code=3):
    return run(*arguments, "-o", "m.hcbr", code=code).stderr


def no_header():
    rows = lines(VOTES)[1:]
    write("n.csv", rows)
    assert "--no-header" in said("train", "n.csv")
    assert "column '1', 2 labels" in said("train", "n.csv", "--no-header", "--label", "1", code=0)


def semicolons():
    write("s.csv", [line.replace(",", ";") for line in lines(VOTES)])
    words = "note: s.csv: fields are separated by ';' (--delimiter overrides this)"
    assert words in said("train", "s.csv", code=0)
    text = said("train", "s.csv", "--strict")
    assert "s.csv:1:1: found columns 'class;" in text and "give it for --delimiter" in text, text
    write("b.csv", [line.replace(",", "|") for line in lines(VOTES)])
    assert "If '|' separates them, give it for --delimiter" in said("train", "b.csv", "--strict")
    run("train", "-q", "s.csv", "--strict", "--delimiter", ";", "-o", "a.hcbr")
    run("train", "-q", VOTES, "-o", "b.hcbr")
    prints = {json.loads(run("inspect", model, "--json").stdout)["fingerprint"]
              for model in ("m.hcbr", "a.hcbr", "b.hcbr")}
    assert len(prints) == 1, prints


def missing_labels():
    table = lines(VOTES)
    for i in (3, 9, 40):
        table[i] = "," + table[i].partition(",")[2]
    write("m.csv", table)
    text = said("train", "m.csv", code=0)
    assert "3 rows without a label are left out: lines 4, 10, 41 (--bad-rows stop" in text, text
    assert "m.csv:4:1: found ''" in said("train", "m.csv", "--bad-rows", "stop")
    assert "m.csv:4:1: found ''" in said("train", "m.csv", "--strict")
    text = said("train", "m.csv", "--bad-rows", "skip", code=0)
    assert "cases     432" in text and "m.csv:4:1:" in text, text


def misspelled_names():
    run("convert", "-q", VOTES, "-o", "v.jsonl")
    run("train", "-q", VOTES, "-o", "v.hcbr")
    text = said("train", "v.jsonl", "--ignore", "immigratoin", code=0)
    assert "no case has the key 'immigratoin' (--ignore); did you mean 'immigration'?" in text, text
    text = said("train", VOTES, "--ignore", "immigratoin")
    assert "did you mean 'immigration'?" in text, text
    for data in (VOTES, "v.jsonl"):
        text = said("train", data, "--type", "immigratoin=flag", code=2)
        assert "'immigratoin'" in text and "did you mean 'immigration'?" in text, text
        text = run("explain", "v.hcbr", data, "--rows", 1, "--flip", "--fixed", "immigratoin",
                   code=2).stderr
        assert "--fixed 'immigratoin'" in text and "did you mean 'immigration'?" in text, text


def too_few_cases():
    write("f.csv", ["label,x", "a,1", "b,2", "a,3", "b,4"])
    text = run("evaluate", "f.csv", code=2).stderr
    assert "10 folds of 4 cases, expected at most 4 (--folds)" in text, text
    run("evaluate", "f.csv", "--folds", 4)


def no_label_anywhere():
    write("l.csv", ["label,kind,x"] + [f",{'ab'[i % 2]},{i}" for i in range(20)])
    text = said("train", "l.csv")
    words = "l.csv: found no row with a label, expected at least one (--label names another column)"
    assert words in text, text
    said("train", "l.csv", "--label", "kind", code=0)
    write("l.jsonl", ['{"label": "", "kind": "a"}'] * 3)
    assert "(--label names another column)" in said("train", "l.jsonl")


def databases():
    with sqlite3.connect("d.db") as base:
        base.execute("create table a (label, x)")
        base.execute("create table b (label, x)")
        base.executemany("insert into a values (?, ?)", [("u", 1), ("v", 2)] * 9)
    text = said("train", "d.db", code=2)
    assert "'a', 'b'" in text and "FILE#TABLE" in text and "--query" in text, text
    said("train", "d.db#a", code=0)
    said("train", "d.db", "--query", "select * from a", code=0)
    text = said("train", "d.db", "--query", "select * from b")
    assert "the result of --query has no row" in text, text
    assert "no such table: c" in said("train", "d.db", "--query", "select * from c", code=2)
    write("e.csv", [])
    assert "e.csv: empty file" in said("train", "e.csv")
    write("h.csv", ["label,x"])
    assert "h.csv: found no case" in said("train", "h.csv")


def names_with_commas():
    names = ["label", "a,b", "c\\d", "e", "a"]
    rows = [["x", i % 3, i % 5, i % 2, 1] if i % 2 else ["y", i % 3, i % 4, 1, 2]
            for i in range(40)]

    def put(path, names):
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(
                [names, *([row[:len(names)] for row in rows])])

    put("c.csv", names)
    put("d.csv", names[:-1])
    text = said("train", "d.csv", "--ignore", "a,b")
    assert "found column 'a,b', expected 'a' (--ignore)" in text and r"\," in text, text
    for ignored in (["--ignore", r"a\,b,e"], ["--ignore", r"a\,b", "--ignore", "e"]):
        said("train", "c.csv", *ignored, code=0)
        stored = json.loads(run("inspect", "m.hcbr", "--json").stdout)["options"]["reading"]
        assert sorted(stored["ignore"]) == ["a,b", "e"], stored
    said("train", "c.csv", "--presence", r"a\,b,e", code=0)
    said("train", "c.csv", "--type", "a,b=category", code=0)
    said("train", "c.csv", "--label", "a,b", "--id", "c\\d", code=0)
    said("train", "c.csv", code=0)
    run("explain", "m.hcbr", "c.csv", "--rows", 1, "--flip", "--fixed", r"a\,b", "-q")


if __name__ == "__main__":
    run_tests([no_header, semicolons, missing_labels, misspelled_names, too_few_cases,
               no_label_anywhere, databases, names_with_commas])
