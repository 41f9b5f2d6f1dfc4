"""predict --to csv|tsv|jsonl, --add-columns, --sort: against what --json says, read by Python."""
import csv
import io
import json
import random
import re
import subprocess

from program import PLAIN, PROGRAM, VOTES, run, run_tests, write

ODD = ['a,b', 'say "x"', "two\nlines", "tab\there", " blank ", "label", "p(label)", "é", "unknown"]


def table(text, delimiter=","):
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    assert len({len(row) for row in rows}) == 1, rows[:2]
    return rows


def csv_text(rows, delimiter=","):
    to = io.StringIO(newline="")
    csv.writer(to, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return to.getvalue()


def odd_rows(count):
    """Rows of a table whose names, values and labels are awkward."""
    rows = [["id", "x,1", 'q"', "label", "n"]]
    for i in range(count):
        label = random.choice(ODD)
        rows.append([f"c{i}", label if random.random() < .8 else "other", random.choice(ODD + [""]),
                     label, str(random.randrange(50))])
    return rows


def put(path, text):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return path


def answers(*arguments):
    text = run("predict", "-q", *arguments, "--json").stdout
    return [json.loads(line) for line in text.split("\n") if line]


def shown(answer):
    label = answer["label"]
    return "unknown" if label is None else '"unknown"' if label == "unknown" else label


def test_tables():
    put("d.csv", csv_text(odd_rows(300)))
    run("train", "-q", "d.csv", "--id", "id", "-o", "m.hcbr")
    for rule in ([], ["--eta", "label=0.99,é=0.99"]):
        wanted = answers("m.hcbr", "d.csv", *rule)
        names = list(wanted[0]["probability"])
        assert sorted(names) == sorted(ODD)
        assert any(answer["label"] is None for answer in wanted) == bool(rule)
        for form, delimiter in (("csv", ","), ("tsv", "\t")):
            found = table(run("predict", "-q", "m.hcbr", "d.csv", "--to", form, *rule).stdout,
                          delimiter)
            assert found[0] == ["id", "label"] + [f"p({name})" for name in names], found[0]
            assert len(found) == len(wanted) + 1
            for row, answer in zip(found[1:], wanted):
                assert row[:2] == [answer["id"], shown(answer)]
                assert [float(p) for p in row[2:]] == list(answer["probability"].values())
    assert run("predict", "-q", "m.hcbr", "d.csv", "--to", "jsonl").stdout == run(
        "predict", "-q", "m.hcbr", "d.csv", "--json").stdout


def test_add_columns():
    rows = odd_rows(200)
    rows[0] += ["label_2", "p(é)"]
    for i, row in enumerate(rows[1:]):
        row += [str(i), "é" if i % 2 else ""]
    put("d.csv", csv_text(rows))
    put("d.tsv", csv_text(rows, "\t"))
    put("d.jsonl", "".join(json.dumps(dict(zip(rows[0], row))) + "\n" for row in rows[1:]))
    run("train", "-q", "d.csv", "--id", "id", "--ignore", "label_2", "-o", "m.hcbr")
    wanted = answers("m.hcbr", "d.csv")
    names = ["label_3"] + [f"p({x})" + ("_2" if x == "é" else "") for x in wanted[0]["probability"]]
    for data in ("d.csv", "d.tsv", "d.jsonl"):
        for form, delimiter in (("csv", ","), ("tsv", "\t")):
            found = table(run("predict", "-q", "m.hcbr", data, "--add-columns", "--to",
                              form).stdout, delimiter)
            assert found[0] == rows[0] + names, found[0]
            for row, given, answer in zip(found[1:], rows[1:], wanted, strict=True):
                assert row[:len(given)] == given, (row, given)
                assert row[len(given)] == shown(answer)
                assert [float(p) for p in row[len(given) + 1:]] == list(
                    answer["probability"].values())
        lines = run("predict", "-q", "m.hcbr", data, "--add-columns", "--to", "jsonl").stdout
        for line, given, answer in zip(lines.rstrip("\n").split("\n"), rows[1:], wanted,
                                       strict=True):
            one = json.loads(line)
            assert list(one)[:len(given)] == rows[0]
            assert [one[key] for key in rows[0]] == given
            assert one["label_3"] == answer["label"]
            assert one["probability"] == answer["probability"]
    assert run("predict", "-q", "m.hcbr", "d.csv", "--add-columns").stdout == run(
        "predict", "-q", "m.hcbr", "d.csv", "--add-columns", "--to", "csv", "-j", 3).stdout


def test_add_columns_ragged():
    """Keys that only some rows have, nested values, objects over several lines, two files."""
    objects = [{"a": 1, "label": "x"}, {"b": [1, {"c": "d\n"}], "a": None}, {"z": True, "b": "é\"",
                                                                          "label": 3}]
    write("d.jsonl", [json.dumps(x) for x in objects])
    put("pretty.json", json.dumps(objects, indent=2))
    write("t.csv", ["a,b,label"] + [f"{i % 7},{i % 3},{'xy'[i % 2]}" for i in range(60)])
    run("train", "-q", "t.csv", "-o", "m.hcbr")
    for data in ("d.jsonl", "pretty.json"):
        found = table(run("predict", "-q", "m.hcbr", data, "--add-columns").stdout)
        assert found[0] == ["a", "label", "b", "z", "label_2", "p(x)", "p(y)"], found[0]
        assert found[1][:4] == ["1", "x", "", ""]
        assert found[2][0] == "" and json.loads(found[2][2]) == [1, {"c": "d\n"}]
        assert found[3][1:4] == ["3", "é\"", "true"]
        lines = run("predict", "-q", "m.hcbr", data, "--add-columns", "--to",
                    "jsonl").stdout.rstrip("\n").split("\n")
        assert len(lines) == len(objects)
        for line, given in zip(lines, objects):
            one = json.loads(line)
            assert {key: one[key] for key in given} == given
            assert ("label_2" in one) == ("label" in given)
    write("1.csv", ["a,b,d", "1,2,8", "3,4", "5,6,7"])
    write("2.csv", ["c,b", "5,6"])
    found = table(run("predict", "-q", "m.hcbr", "1.csv", "2.csv", "--add-columns").stdout)
    assert [",".join(row[:4]) for row in found] == ["a,b,d,c", "1,2,8,", "3,4,,", "5,6,7,",
                                                    ",6,,5"], found


def test_sort():
    put("d.csv", csv_text(odd_rows(400)))
    run("train", "-q", "d.csv", "--id", "id", "-o", "m.hcbr")
    wanted = answers("m.hcbr", "d.csv")
    wanted.sort(key=lambda x: -x["probability"]["é"])  # stable
    assert len({x["probability"]["é"] for x in wanted}) < len(wanted), "no ties"
    for form in ("csv", "tsv"):
        found = table(run("predict", "-q", "m.hcbr", "d.csv", "--to", form, "--sort", "é").stdout,
                      "\t" if form == "tsv" else ",")
        assert [row[0] for row in found[1:]] == [x["id"] for x in wanted]
    assert answers("m.hcbr", "d.csv", "--sort", "é") == wanted
    text = run("predict", "-q", "m.hcbr", "d.csv", "--sort", "é").stdout.rstrip("\n").split("\n")
    assert [line.split("\t")[0] for line in text] == [x["id"] for x in wanted]
    both = run("predict", "-q", "m.hcbr", "d.csv", "--sort", "é", "--add-columns").stdout
    assert [row[0] for row in table(both)[1:]] == [x["id"] for x in wanted]
    for threads in (2, 5):
        assert run("predict", "-q", "m.hcbr", "d.csv", "--sort", "é", "--add-columns", "-j",
                   threads).stdout == both
    run("predict", "-q", "m.hcbr", "d.csv", "--sort", "é", "--add-columns", "-o", "out.csv")
    with open("out.csv", encoding="utf-8", newline="") as file:
        assert file.read() == both


def test_refused():
    run("train", "-q", VOTES, "-o", "m.hcbr")
    with open(VOTES, encoding="utf-8") as file:
        text = file.read()
    for path, words in (("-", "standard input"), ("/dev/stdin", "/dev/stdin")):
        result = subprocess.run([PROGRAM, "predict", "m.hcbr", path, "--format", "csv", "--sort",
                                 "democrat"], input=text, capture_output=True, text=True,
                                check=False)
        assert result.returncode == 2 and words in result.stderr, result.stderr
    result = run("predict", "m.hcbr", VOTES, "--sort", "Democrats", code=2)
    assert "did you mean democrat?" in result.stderr, result.stderr
    assert "did you mean" not in run("predict", "m.hcbr", VOTES, "--sort", "zzz", code=2).stderr
    run("convert", "-q", VOTES, "-o", "v.libsvm")
    result = run("predict", "m.hcbr", "v.libsvm", "--names", "v.libsvm.names", "--add-columns",
                 code=2)
    assert "libsvm, which has no columns" in result.stderr, result.stderr
    result = run("predict", "m.hcbr", VOTES, "--json", "--to", "csv", code=2)
    assert "--json is --to jsonl" in result.stderr
    run("predict", "m.hcbr", VOTES, "--to", "xml", code=2)


def test_no_probabilities():
    run("train", "-q", VOTES, *PLAIN, "-o", "m.hcbr")
    result = run("predict", "m.hcbr", VOTES, "--to", "csv")
    assert "no probabilities" in result.stderr
    wanted = answers("m.hcbr", VOTES)
    found = table(result.stdout)
    assert found[0] == ["row", "label", "support(democrat)", "support(republican)"]
    for row, answer in zip(found[1:], wanted, strict=True):
        assert row[:2] == [str(answer["row"]), shown(answer)]
        assert [float(x) for x in row[2:]] == list(answer["support"].values())
    wanted.sort(key=lambda x: x["support"]["democrat"] - x["support"]["republican"])
    found = answers("m.hcbr", VOTES, "--sort", "republican")
    assert [x["row"] for x in found] == [x["row"] for x in wanted]


def test_a_tie_is_zero():
    put("tie.csv", "label,a\n" + "x,p\ny,p\n" * 8)
    run("train", "tie.csv", *PLAIN, "-q", "-o", "tie.hcbr")
    assert run("predict", "tie.hcbr", "--case", "a=p").stdout.split("\t")[2] == "0"
    said = run("explain", "tie.hcbr", "--case", "a=p", "--json").stdout
    assert not re.search(r":-0[,}]", said), said


def test_no_rows():
    run("train", "-q", VOTES, "-o", "m.hcbr")
    with open(VOTES, encoding="utf-8") as file:
        write("e.csv", [file.readline().rstrip("\n")])
    for more in ([], ["--sort", "democrat"]):
        assert run("predict", "-q", "m.hcbr", "e.csv", "--to", "csv", *more).stdout == (
            "row,label,p(democrat),p(republican)\n")


if __name__ == "__main__":
    run_tests([test_tables, test_add_columns, test_add_columns_ragged, test_sort, test_refused,
               test_no_probabilities, test_a_tie_is_zero, test_no_rows])
