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
    return [float(cut) for cut in bins.removeprefix("comma:").split(",") if cut]


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
                                 (10, 100, False), (6, 40, True), (6, 59, True), (6, 60, False),
                                 (5, 15, False), (5, 5, False), (2, 4, False)):
        rows = [[str(i % values), f"{i}.25"] for i in range(cases)]
        put("n.csv", rows, ("y", "a"))
        result = run("train", "n.csv", "-o", "m.hcbr", code=3 if stops else 0)
        if stops:
            for word in (f"{values} different numbers", f"{cases} rows", "'y'", "--bins",
                         "--labels-as-they-are"):
                assert word in result.stderr, result.stderr
            run("evaluate", "n.csv", code=3)
            run("audit", "n.csv", code=3)
            run("tune", "n.csv", "-o", "m.hcbr", code=3)
            run("train", "-q", "--model", "plain", "n.csv", "--labels-as-they-are", "-o", "m.hcbr")
            run("convert", "-q", "n.csv", "-o", "n.jsonl")
        for sign in ("$%s", "%s %%", "%s,5", "(%s.5)", "%s kg", "%sk"):  # numbers in disguise
            write("d.csv", ["y;a"] + [f"{sign % row[0]};{row[1]}" for row in rows] + ["n/a;1"] * 3)
            said = run("train", "d.csv", "--model", "plain", "-o", "m.hcbr",
                       code=3 if stops else 0).stderr
            assert (f"{values} different numbers" in said) == stops, (sign, said)
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


def grouped(value, mark, group):
    text = f"{value:,.2f}"
    return text.replace(",", "x").replace(".", mark).replace("x", group)


DISGUISES = {
    "dollars": lambda x: "$" + grouped(x, ".", ","),
    "euros": lambda x: grouped(x, ",", ".") + " €",
    "swiss": lambda x: "CHF " + grouped(x, ".", "'"),
    "thin": lambda x: grouped(x, ",", "\u2009"),
    "percent": lambda x: f"{x:.2f}%",
    "comma": lambda x: f"{x:.2f}".replace(".", ","),
    "parentheses": lambda x: f"({-x:.2f})" if x < 0 else f"{x:.2f}",
    "plus": lambda x: f"{x:+.2f}",
    "kilograms": lambda x: f"{x:.2f} kg",
    "thousands": lambda x: f"{x / 1000:.5f}k",
}


def disguised_numbers_are_binned():
    """A model of disguised labels is that of the plain ones, but for how it reads labels."""
    for name, spell in DISGUISES.items():
        values = [round(random.uniform(-50, 9e4), 2) for _ in range(150)]
        rows = [[str(x), f"${x + random.random():,.1f}", random.choice("abc")] for x in values]
        put("p.csv", rows)
        put("d.csv", [[spell(x), *row[1:]] for x, row in zip(values, rows)])
        assert "different numbers" in run("train", "d.csv", "--label", "price", "-o", "x.hcbr",
                                          code=3).stderr, name
        for bins in ("4", "median", "at:300", "10,20000.5,30000"):
            for data, model in (("p.csv", "p.hcbr"), ("d.csv", "d.hcbr")):
                run("train", "-q", "--model", "plain", data, "--delimiter", ",", "--label",
                    "price", "--bins", bins, "-o", model)
            cuts = cuts_of("p.hcbr")
            assert cuts_of("d.hcbr") == cuts, name
            labels = [range_of(cuts, x) for x in values]
            assert given("d.hcbr", "d.csv") == given("p.hcbr", "p.csv") == labels, (name, bins)
            run("train", "-q", "--effort", "lite", "d.csv", "--delimiter", ",", "--label", "price",
                "--bins", bins, "-o", "r.hcbr", "--type", "kind=flag")
            assert given("r.hcbr", "d.csv") == labels, (name, bins)
            if name == "dollars":  # a plain model stores nothing of it
                with open("p.hcbr", "rb") as a, open("d.hcbr", "rb") as b:
                    assert a.read() == b.read()


def two_readings_are_never_guessed():
    rows = [[f"{random.randint(1, 9)},{random.randint(100, 999)}", i % 7] for i in range(200)]
    put("a.csv", rows, ("price", "size"))
    for bins in ("3", "at:5"):
        said = run("train", "a.csv", "--label", "price", "--bins", bins, "-o", "m.hcbr",
                   code=3).stderr
        assert "comma:" in said and "point:" in said and "," in said, said
    for mark, scale in (("point", 1), ("comma", 1000)):
        run("train", "-q", "a.csv", "--label", "price", "--bins", f"{mark}:3", "-o", "m.hcbr")
        values = [float(row[0].replace(",", "")) / scale for row in rows]
        cuts = cuts_of("m.hcbr")
        assert min(values) <= cuts[0] < max(values)
        assert given("m.hcbr", "a.csv") == [range_of(cuts, x) for x in values]


def long_numbers_have_short_ends():
    for scale in (1e-7, 1, 1e9):
        values = [random.random() * scale for _ in range(120)]
        put("l.csv", [[repr(x), f"{x:.3g}"] for x in values], ("y", "a"))
        run("train", "-q", "--model", "plain", "l.csv", "--bins", 5, "-o", "m.hcbr")
        bins = json.loads(run("inspect", "m.hcbr", "--json").stdout)["options"]["reading"]["bins"]
        cuts = [float(cut) for cut in bins.split(",")]
        numbers = sorted(values)
        for k, cut in enumerate(cuts, 1):  # the same cases as without
            assert sum(x <= cut for x in numbers) == 24 * k
        assert all(len(f"{cut:.6g}") <= 12 and float(f"{cut:.6g}") == cut for cut in cuts), cuts
        bounds = ["", *bins.split(",")]
        for name, x in zip(given("m.hcbr", "l.csv"), values):  # the name says where it is
            low, _, high = name.partition(" to ")
            if name.startswith("<= "):
                assert name[3:] == bounds[1] and x <= float(name[3:])
            elif name.startswith("> "):
                assert name[2:] == bounds[-1] and x > float(name[2:])
            else:
                assert float(low) < x <= float(high) and bounds.index(high) - 1 == \
                    bounds.index(low)
    put("l.csv", [["-", 1], ["1.5", 2], ["2.5", 2], ["3.5", 1]] * 5, ("y", "a"))
    said = run("train", "l.csv", "--bins", "2", "-o", "m.hcbr", code=3).stderr
    assert "found label '-' in row 1, expected a number (--bins)" in said and "--na" in said, said
    said = run("train", "l.csv", "--bins", "2", "--na=-", "-o", "m.hcbr").stderr
    assert "warning" in said and "5 rows" in said, said


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
    for bins in ("1", "0", "-3", "x", "3,2", "3,3", "1,x", "", ",", "1001", "nan,1", "at:",
                 "at:x", "at:3,2", "at:median", "comma:", "comma:1", "point:comma:3", "30, 40"):
        assert "--bins" in run("train", "f.csv", "--label", "price", f"--bins={bins}", "-o",
                               "x.hcbr", code=2).stderr
    result = run("train", "f.csv", "--label", "kind", "--bins", 2, "-o", "x.hcbr", code=3)
    assert "expected a number (--bins)" in result.stderr
    run("train", "f.csv", "--label", "kind", "--bins", "2,", "-o", "x.hcbr", code=3)
    for bins in ("30,", "at:30", "3e1", "30.0"):
        run("train", "-q", "f.csv", "--label", "price", "--bins", bins, "-o", "x.hcbr")
        assert cuts_of("x.hcbr") == [30]
    run("train", "-q", "f.csv", "--label", "price", "--bins", "30", "-o", "x.hcbr")
    assert len(cuts_of("x.hcbr")) == 29


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
               ranges_are_those_of_quantiles, disguised_numbers_are_binned,
               two_readings_are_never_guessed, long_numbers_have_short_ends,
               ranges_are_stored, no_label, leaks_are_warned_of])
