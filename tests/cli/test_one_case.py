"""--case: a case on the command line is decided and explained as the same case in a file is,
whatever the model does with its columns; mistakes are reported without a place, since there is no
file."""
import csv
import json
import os
import random

from program import PLAIN, VOTES, lines, run, run_tests, write

MARK = "\ufeff"  # stands in no file but escaped
ODD = ["", "?", "NA", "null", "true", "a=b", "=", 'say "x"', "back\\slash", "tab\there", "'", "-",
       "two\nlines", "ünï", MARK + "mark", "\u2028", " blank ", "x,y", "[1]", "{}", "--json",
       "none"]
NUMBERS = ["39", "-1", "0", "1.5", "1e3", "007", "+3", "0.10", "-0", "1e400", "nan", "39.0"]
WORDS = "red round ball the sea Don't ÉTÉ été x_1 42".split()
COLUMNS = ["size", "job", "tags", "note", "seen", "who", "class", "left out", "features", "w",
           "a.b", "k=v"]


def value_of(column):
    if column == "size":
        return random.choice([*NUMBERS, str(random.randrange(100)), "?"])
    if column == "tags":
        return "|".join(random.choice(["a", "b", "c", "", "NA", "none", "ü"])
                        for _ in range(random.randrange(1, 4)))
    if column == "note":
        return " ".join(random.choices(WORDS, k=random.randrange(5)))
    if column == "w":
        return random.choice(["1", "2", "0.5"])
    if column == "class":
        return random.choice(["yes", "no", "maybe"])
    return random.choice([*ODD, "p", "q", "r", "p", "q", "r"])


def write_table(path, columns, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(columns)
        writer.writerows(rows)


def train(path, *options, weight=True):
    """A model of random rows whose columns have every use there is."""
    rows = []
    for _ in range(80):
        row = {column: value_of(column) for column in COLUMNS}
        row["size"] = str(random.randrange(100))
        row["class"] = "yes" if int(row["size"]) + 30 * ("a" in row["tags"]) > 60 else "no"
        rows.append([row[column].replace(MARK, "") for column in COLUMNS])
    write_table("past.csv", COLUMNS, rows)
    run("train", "past.csv", *options, *(("--weight", "w") if weight else ()), "--label", "class",
        "--id", "who", "--split", "tags:|", "--text", "note", "--ngrams", "2", "--presence", "seen",
        "--ignore", "left out", "-q", "-o", path)


def draw_case(single):
    """Columns with their values, and bare features; single: what a row of a table can hold."""
    columns = {}
    for column in random.sample([c for c in COLUMNS if "=" not in c] + ["new", "ü"],
                                random.randrange(0, 9)):
        one = single or column in ("who", "class", "w") or random.random() < .5
        columns[column] = [value_of(column) for _ in range(1 if one else random.randrange(1, 4))]
    if "features" in columns:  # where the list of that name stands
        columns["features"] = columns.pop("features")
    bare = [random.choice(["seen", "p", "?", "class", "bare word", "ü", "note:red"])
            for _ in range(0 if single else random.choice([0, 0, 1, 3]))]
    return columns, bare


def words_of(columns, bare, mixed=False):
    """The command line; mixed: in any order but for the values of one column."""
    queues = [[f"{column}={value}" for value in values] for column, values in columns.items()]
    queues += [[word] for word in bare]
    words = []
    while queues:
        given = queues[random.randrange(len(queues)) if mixed else 0].pop(0)
        words += random.choice([["--case", given], ["--case=" + given]])
        queues = [q for q in queues if q]
    return words


def as_line(columns, bare, na):
    """The same case for JSON Lines; a number without quotes where that is the same text."""
    def scalar(value):
        number = value.lstrip("-").isdigit() and str(int(value)) == value
        return int(value) if number and random.random() < .5 else value
    line = {}
    pairs = []
    for column, values in columns.items():
        if column == "features":  # as it stands it would be the list of bare features
            pairs = [[column, value] for value in values if value not in na]
        else:
            line[column] = [scalar(v) for v in values] if len(values) > 1 else scalar(values[0])
    if bare or pairs:
        line["features"] = bare + pairs
    return json.dumps(line, ensure_ascii=random.random() < .5).replace(MARK, "\\ufeff")


def answer(*words):
    printed = run(*words, "--json", "-q").stdout.splitlines()
    assert len(printed) == 1, (words, printed)
    return json.loads(printed[0])


def rounded(found):
    """A decision but for the order of the features, which the last digits of a sum follow."""
    return found | {"unseen": sorted(found["unseen"])} | {
        key: found[key] and {label: round(value, 12) for label, value in found[key].items()}
        for key in ("support", "probability")}


def compare(model, columns, bare, files, *options):
    given = words_of(columns, bare)
    for command, more in (("predict", ()), ("explain", ("--all", "--ask", "--versus", "3")),
                          ("explain", ("--flip", "--flip-limit", "20000"))):
        found = answer(command, model, *options, *given, *more)
        if command == "explain":  # what it is said to be of
            assert found["origin"].pop("data") == "--case"
        for file in files:
            expected = answer(command, model, file, *options, *more)
            if command == "explain":
                assert expected["origin"].pop("data") == file
            assert found == expected, (command, given, file, lines(file), found, expected)
    mixed = words_of(columns, bare, mixed=True)
    found = answer("predict", model, *options, *mixed)
    expected = answer("predict", model, files[0], *options)
    assert rounded(found) == rounded(expected), (mixed, found, expected)


def one_case__is_decided_as_in_a_file():
    default = ["", "?", "NA", "NaN", "null"]
    tables = 0
    for options, weight, na in (((), True, default), (PLAIN, False, default),
                                (("--na-only", "none,p"), True, ["none", "p"])):
        train("m.hcbr", *options, weight=weight)
        for i in range(16):
            columns, bare = draw_case(single=i % 2 == 0)
            if not columns and not bare:
                continue
            write("new.jsonl", [as_line(columns, bare, na)])
            files = ["new.jsonl"]
            if not bare and all(len(values) == 1 and MARK not in values[0]
                                for values in columns.values()):
                # A table has all columns that the model names; the others may be missing.
                named = {c: [random.choice(na)] for c in
                         ("tags", "note", "seen", "who", "left out") if c not in columns} | columns
                write_table("new.csv", named, [[values[0] for values in named.values()]])
                files.append("new.csv")
                tables += 1
            compare("m.hcbr", columns, bare, files)
    assert tables > 5, tables


def one_case__of_votes_is_decided_as_its_row():
    """The default model, the rows of a table, in text too."""
    run("train", VOTES, "-q", "-o", "m.hcbr")
    with open(VOTES, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in random.sample(rows, 8):
        write_table("row.csv", row, [row.values()])
        columns = {column: [value] for column, value in row.items()}
        given = words_of(columns, [])
        compare("m.hcbr", columns, [], ["row.csv"], "--eta", "democrat=0.9")
        for command in ("predict", "explain"):
            found, expected = run(command, "m.hcbr", *given), run(command, "m.hcbr", "row.csv")
            assert found.stdout == expected.stdout
            assert found.stderr == expected.stderr  # the label was given: right or wrong
        run("explain", "m.hcbr", *given, "--html", "given.html")
        run("explain", "m.hcbr", "row.csv", "--html", "row.html")
        found, expected = lines("given.html"), lines("row.html")
        assert "<dt>Data</dt><dd><bdi>row.csv</bdi></dd>" in expected
        assert [x.replace("<bdi>--case</bdi>", "<bdi>row.csv</bdi>") for x in found] == expected


def one_case__says_what_is_new_and_no_more():
    train("m.hcbr")
    found = run("predict", "m.hcbr", "--case", "size=50", "--case", "new=1", "--case", "bare")
    assert found.stdout.rstrip("\n").split("\t")[3:] == ["1/3", "new=1, bare"]
    # sets and texts that were not given are no reason to warn
    assert found.stderr == "hcbr predict: warning: --case new: no past case had such a column\n"
    found = run("explain", "m.hcbr", "--case", "size=50", "--case", "who=me", "--rows", "1")
    assert found.stdout.startswith("row 1, me: "), found.stdout
    assert found.stderr == ""


def one_case__is_joined_as_a_row_of_a_file():
    write("shops.csv", ["shop,town,tags", "1,Ulm,a|b", "2,Bonn,c", "2,Ulm,b"])
    write("past.csv", ["label,shop,size"] + [f"{'yes' if i % 3 else 'no'},{1 + i % 3 // 2},{i % 7}"
                                             for i in range(40)])
    join = ("--join", "shops.csv:shop", "--split", "shops.tags:|")
    run("train", "past.csv", *join, "-q", "-o", "m.hcbr")
    for columns in ({"shop": ["1"]}, {"shop": ["2"], "size": ["3"]}, {"size": ["1"]}):
        write("new.jsonl", [json.dumps(columns)])
        for options in (join, ()):
            compare("m.hcbr", columns, [], ["new.jsonl"], *options)
    found = answer("explain", "m.hcbr", "--case", "shop=1", "--all", *join)
    assert any("shops.town=Ulm" in atom["features"] for atom in found["atoms"])


def one_case__may_have_no_bare_features():
    """A column called features that the model reads as something else."""
    write("past.csv", ["label,features,size"] + [f"{'yes' if i % 2 else 'no'},a|{i % 3},{i % 5}"
                                                 for i in range(40)])
    for option in (("--split", "features:|"), ("--text", "features"), ("--presence", "features"),
                   ("--ignore", "features"), ("--id", "features")):
        run("train", "past.csv", *option, "-q", "-o", "m.hcbr")
        write("new.jsonl", ['{"features":"a|2","size":"3"}'])
        compare("m.hcbr", {"features": ["a|2"], "size": ["3"]}, [], ["new.jsonl"])
        failed = run("predict", "m.hcbr", "--case", "size=3", "--case", "red", code=2)
        assert failed.stderr.startswith("hcbr predict: --case red: a bare feature is not possible")
        assert failed.stdout == ""


def one_case__has_no_lines():
    """What cannot be read is reported without a line number, since no file has one."""
    train("m.hcbr")
    for given, says in ((["class=yes", "class=no"], "found a list as the label 'class'"),
                        (["who=a", "who=b"], "found a list as the id 'who'"),
                        (["job=\udcff"], "found byte 0xff, expected UTF-8")):
        words = [word for feature in given for word in ("--case", feature)]
        for command in ("predict", "explain"):
            failed = run(command, "m.hcbr", *words, code=3)
            assert failed.stderr.startswith(f"hcbr {command}: --case: {says}"), failed.stderr
            assert failed.stdout == ""
    # A file of that name is a file.
    write("--case", ['{"class":["yes"]}'])
    failed = run("predict", "m.hcbr", "--format", "jsonl", "--", "--case", code=3)
    assert failed.stderr.startswith("hcbr predict: --case:1:"), failed.stderr


def one_case__may_have_many_features():
    train("m.hcbr")
    given = [word for i in range(20000) for word in ("--case", f"{'job' if i % 2 else i}={i}")]
    start = os.times().children_user
    found = run("predict", "m.hcbr", *given)
    assert "0/20000" in found.stdout
    assert os.times().children_user - start < 20  # not quadratic


if __name__ == "__main__":
    run_tests([one_case__is_decided_as_in_a_file, one_case__of_votes_is_decided_as_its_row,
               one_case__says_what_is_new_and_no_more, one_case__is_joined_as_a_row_of_a_file,
               one_case__may_have_no_bare_features, one_case__has_no_lines,
               one_case__may_have_many_features])
