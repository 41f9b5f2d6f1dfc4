"""Which column the label is, labels that are numbers, and data without labels."""
import csv
import json
import random

from program import VOTES, lines, run, run_tests, write

MODELS = (["--model", "plain"], [])


def flats(count, values=10**6):
    """Rows of a table with a number, in two decimals, that the others tell roughly."""
    rows = []
    for _ in range(count):
        size = random.randrange(values) / 100 - 20
        rows.append([f"{size:g}", f"{size + random.random():.3f}", random.choice("abc")])
    return rows


def put(path, rows, names=("price", "size", "kind")):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([names, *rows])
    return path


def given(model, data):
    return [json.loads(line)["given"] for line in
            run("predict", "-q", model, data, "--json").stdout.splitlines()]


def range_of(cuts, value):
    """The name of the range that a number is in, found the slow way."""
    below = [cut for cut in cuts if cut < value]
    above = [cut for cut in cuts if cut >= value]
    if not below:
        return f"<= {above[0]:g}"
    return f"{below[-1]:g} to {above[0]:g}" if above else f"> {below[-1]:g}"


def cuts_of(model):
    bins = json.loads(run("inspect", model, "--json").stdout)["options"]["reading"]["bins"]
    return [float(cut) for cut in bins.split(",") if cut]


def names_differ_in_case():
    table = lines(VOTES)
    for name in ("CLASS", "Class", "cLaSS"):
        write("v.csv", [table[0].replace("class", name)] + table[1:])
        for options in ([], ["--label", "class"], ["--label", "clASS"]):
            said = run("train", "v.csv", *options, "-o", "m.hcbr").stderr
            assert said.startswith(f"label: column '{name}', 2 labels\n"), said
            assert run("train", "-q", "v.csv", *options, "-o", "m.hcbr").stderr == ""
            run("train", "-q", "v.csv", *options, "--strict", "-o", "m.hcbr", code=3)
        run("convert", "-q", "v.csv", "-o", "v.jsonl", "--label", "class")
        said = run("train", "v.jsonl", "--label", "class", "-o", "j.hcbr").stderr
        assert said.startswith(f"label: column '{name}', 2 labels\n"), said
        with open("m.hcbr", "rb") as a, open("j.hcbr", "rb") as b:
            assert a.read() == b.read()
    write("v.csv", [table[0].replace("class", "Größe")] + table[1:])
    run("train", "-q", "v.csv", "--label", "GRÖßE", "-o", "m.hcbr")
    # an exact name goes first, and what is asked for as something else is no label
    write("v.csv", ["Class,class,a", "1,x,2", "3,y,4"])
    assert "column 'class', 2" in run("train", "v.csv", "-o", "m.hcbr").stderr
    write("v.csv", ["Class,Label,a", "1,x,2", "3,y,4"])
    assert "column 'Class'" in run("train", "v.csv", "--ignore", "Label", "-o", "m.hcbr").stderr
    # where no label is needed, a feature may have nearly its name
    write("v.csv", ["Class,class", "u,x", "v,y"] + ["u,x", "v,y"] * 20)
    run("train", "-q", "v.csv", "-o", "m.hcbr")
    write("n.csv", ["Class", "u", "v"])
    found = run("predict", "-q", "m.hcbr", "n.csv").stdout
    assert [line.split("\t")[1] for line in found.splitlines()] == ["x", "y"], found


def single_cases_are_said():
    write("s.csv", ["label,a", "x,1", "x,2", "y,1", "z,2"])
    said = run("train", "s.csv", "-o", "m.hcbr").stderr
    assert "note: 2 labels have a single case: 'y', 'z'" in said, said
    write("s.csv", ["label,a", "x,1", "x,2", "y,1", "y,2", "z,2"])
    for command in (["train", "-o", "m.hcbr"], ["audit"], ["evaluate", "--holdout", ".4"]):
        said = run(*command, "s.csv", code=None).stderr
        assert "label 'z' has a single case" in said, (command, said)
        assert "label: column 'label', 3 labels" in said, (command, said)


def measurements_stop():
    for values, cases, stops in ((31, 400, True), (30, 400, False), (10, 99, True),
                                 (10, 100, False), (6, 59, True), (5, 15, False), (2, 4, False)):
        rows = [[str(i % values), i % 3] for i in range(cases)]
        put("n.csv", rows, ("y", "a"))
        result = run("train", "n.csv", "-o", "m.hcbr", code=3 if stops else 0)
        if stops:
            for word in (f"{values} different numbers", f"{cases} cases", "'y'", "--bins",
                         "--labels-as-they-are"):
                assert word in result.stderr, result.stderr
            run("evaluate", "n.csv", code=3)
            run("audit", "n.csv", code=3)
            run("tune", "n.csv", "-o", "m.hcbr", code=3)
            run("train", "-q", "--model", "plain", "n.csv", "--labels-as-they-are", "-o", "m.hcbr")
            run("convert", "-q", "n.csv", "-o", "n.jsonl")
        write("t.csv", ["y,a"] + [f"c{row[0]},{row[1]}" for row in rows])  # texts are classes
        run("train", "-q", "--model", "plain", "t.csv", "-o", "m.hcbr")


def ranges_are_those_of_quantiles():
    for _ in range(30):
        rows = flats(random.choice((20, 61, 300)), random.choice((4, 40, 10**6)))
        numbers = sorted(float(row[0]) for row in rows)
        count = random.choice((2, 3, 4, 7))
        put("f.csv", rows)
        model = random.choice(MODELS)
        bins = "median" if count == 2 and random.random() < .5 else count
        if numbers[0] == numbers[-1]:
            continue
        run("train", "-q", *model, "f.csv", "--label", "price", "--bins", bins, "-o", "m.hcbr")
        cuts = cuts_of("m.hcbr")
        assert cuts == sorted(set(cuts)) and 1 <= len(cuts) < count
        assert set(cuts) <= set(numbers) and cuts[-1] < numbers[-1]
        for k in range(1, count):  # some cut is as near to each share as any number could be
            share = len(numbers) * k / count
            best = min(abs(sum(x <= cut for x in numbers) - share) for cut in numbers[:-1]
                       if cut < numbers[-1])
            assert min(abs(sum(x <= cut for x in numbers) - share) for cut in cuts) == best
        assert given("m.hcbr", "f.csv") == [range_of(cuts, float(row[0])) for row in rows]
        random.shuffle(rows)
        put("g.csv", rows)
        run("train", "-q", *model, "g.csv", "--label", "price", "--bins", bins, "-o", "g.hcbr")
        assert cuts_of("g.hcbr") == cuts


def ranges_are_stored():
    rows = flats(300)
    put("f.csv", rows)
    cuts = [-3.5, 0, 2000, 70000]
    text = "-3.5,0,2000,7e4"
    names = [range_of(cuts, value) for value in (-9, -1, 1, 2001, 80000)]
    assert names == ["<= -3.5", "-3.5 to 0", "0 to 2000", "2000 to 70000", "> 70000"]
    run("train", "-q", "f.csv", "--label", "PRICE", f"--bins={text}", "-o", "m.hcbr", "-j", 2)
    assert cuts_of("m.hcbr") == cuts
    new = [["0", 1, "a"], ["-3.5", 1, "a"], ["-3.4999", 1, "a"], ["1e9", 1, "b"], ["", 1, "b"],
           ["70000", 1, "c"], ["-0.0", 1, "c"]]
    put("n.csv", new)
    assert given("m.hcbr", "n.csv") == ["-3.5 to 0", "<= -3.5", "-3.5 to 0", "> 70000", None,
                                        "2000 to 70000", "-3.5 to 0"]
    result = run("evaluate", "f.csv", "--label", "price", "--bins", 3, "--json")
    labels = [x["name"] for x in json.loads(result.stdout)["labels"]]
    assert [name.split()[0] for name in labels][::2] == ["<=", ">"], labels
    for bins in ("1", "0", "-3", "x", "3,2", "3,3", "1,x", "", ",", "1001", "nan,1"):
        assert "--bins" in run("train", "f.csv", "--label", "price", f"--bins={bins}", "-o",
                               "x.hcbr", code=2).stderr
    result = run("train", "f.csv", "--label", "kind", "--bins", 2, "-o", "x.hcbr", code=3)
    assert "expected a number (--bins)" in result.stderr
    run("train", "f.csv", "--label", "kind", "--bins", "2,", "-o", "x.hcbr", code=3)


def no_label():
    write("u.csv", ["a,b", "1,x", "2,"])
    for options in ([], ["--no-label"]):
        result = run("convert", "u.csv", *options, "-o", "u.jsonl")
        assert ("found no label" in result.stderr) == (not options)
        assert lines("u.jsonl") == ['{"a":"1","b":"x"}', '{"a":"2"}']
        assert "read with --no-label" in result.stderr
        run("convert", "-q", "u.jsonl", *options, "-o", "v.csv")
        assert lines("v.csv") == lines("u.csv")
        shown = run("train", "u.csv", *options, "--explain-input", "-q").stdout
        assert "row 1: a=1 & b=x\n" in shown, shown
        shown = json.loads(run("train", "u.jsonl", *options, "--explain-input", "-q",
                               "--json").stdout)
        assert [x["name"] for x in shown["columns"]] == ["a", "b"]
        assert shown["first"][0]["label"] is None
    write("l.csv", ["label,b", "1,x", "2,y"])
    run("convert", "-q", "l.csv", "--no-label", "-o", "l.jsonl")
    assert lines("l.jsonl") == ['{"label":"1","b":"x"}', '{"label":"2","b":"y"}']
    write("o.csv", ["a", "1", '""', "2"])
    run("convert", "-q", "o.csv", "--no-label", "-o", "p.csv")
    assert lines("p.csv") == lines("o.csv")
    for wrong in (["convert", "u.csv", "-o", "u.libsvm"],
                  ["train", "u.csv", "--no-label", "-o", "m"],
                  ["convert", "l.csv", "--no-label", "--label", "b", "-o", "l.tsv"]):
        assert "label" in run(*wrong, code=2).stderr


def leaks_are_warned_of():
    rows = flats(300)
    table = [["hi" if float(row[0]) > 5000 else "lo", *row] for row in rows]
    put("f.csv", table, ("class", "price", "noise", "kind"))
    said = run("evaluate", "f.csv").stderr
    assert "warning" in said and "price" in said and "hcbr audit" in said, said
    assert "warning" not in run("evaluate", "f.csv", "--ignore", "price,noise").stderr
    table = [[row[0], "x" + row[0], *row[2:]] for row in table]
    put("f.csv", table, ("class", "copy", "noise", "kind"))
    assert "copy" in run("evaluate", "-q", "f.csv", "--ignore", "noise").stderr


if __name__ == "__main__":
    run_tests([names_differ_in_case, single_cases_are_said, measurements_stop,
               ranges_are_those_of_quantiles, ranges_are_stored, no_label, leaks_are_warned_of])
