"""What rich models take columns for: the guess is shown before and after training, can be
overruled, and is warned about where the values speak against it."""
import json
import random

from program import PLAIN, document_keys, run, run_tests, write

RICH = ("--model", "rich", "--effort", "lite")


def columns(model):
    return {c["name"]: c for c in json.loads(run("inspect", model, "--json").stdout)["columns"]}


def guesses(path, *options):
    shown = json.loads(run("train", *RICH, path, *options, "--explain-input", "--json").stdout)
    return {c["name"]: c["kind"] for c in shown["columns"] if "kind" in c}


def people(path, count=200):
    """A number, one that is missing at times, few numbers, two, codes, words, a constant."""
    rows = ["label,age,mixed,grade,flag,zip,city,same,tags"]
    for i in range(count):
        age = random.randrange(18, 90)
        mixed = "none" if i % 25 == 0 else str(random.randrange(1000))
        rows.append(f"{'ab'[age > 50]},{age},{mixed},{1 + i % 5},{i % 2},{i % 90:05},"
                    f"{random.choice(['Rome', 'Oslo', 'Bern'])},x,{i % 4}|{i % 3}")
    return write(path, rows)


def columns__are_shown_before_and_after_training():
    people("p.csv")
    options = ("--split", "tags:|")
    found = run("train", *RICH, "p.csv", *options, "-q", "-o", "m")
    before, after = guesses("p.csv", *options), columns("m")
    kinds = {"age": "number", "mixed": "number", "grade": "number", "flag": "category",
             "zip": "category", "city": "category", "tags": "category"}
    assert {name: c["kind"] for name, c in after.items()} == kinds, after  # `same` is left out
    assert before == {k: v for k, v in kinds.items() if k != "tags"} | {"same": "category"}, before
    assert after["grade"]["values"] == 5 and after["grade"]["cuts"] == 4
    assert after["grade"]["lowest_cut"] == 1.5 and after["grade"]["highest_cut"] == 4.5
    assert after["tags"]["sparse"] and not after["city"]["sparse"]
    text = run("inspect", "m").stdout
    assert "columns         3 numbers, 4 categories, 0 present or absent" in text, text
    assert "  same                    constant  left out        all values are the same" in text
    assert "  grade                       number     5 values, 4 cuts from 1.5 to 4.5" in text, text
    assert "column<=number" in run("train", *RICH, "p.csv", "--explain-input").stdout
    assert "column<=number" not in run("train", *PLAIN, "p.csv", "--explain-input").stdout
    assert found.stderr == "", found.stderr
    said = run("train", *RICH, "p.csv", *options, "-o", "m").stderr
    assert "mixed  number: numbers; 8 of 200 say missing" in said, said
    found = run("train", *RICH, "p.csv", *options, "--strict", "-q", "-o", "m")
    said = found.stderr.splitlines()
    assert said == ["hcbr train: warning: column 'mixed' is taken for a category: 8 of 200 values "
                    "are no numbers, such as 'none' (list them in --na, or see --numeric)"], said
    assert columns("m").keys() == kinds.keys() | {"same"}


def columns__are_what_options_say():
    people("p.csv")
    options = ("--numeric", "mixed,flag", "--categorical", "zip,age", "--split", "tags:|")
    found = run("train", *RICH, "p.csv", *options, "-q", "-o", "m")
    after = columns("m")
    assert after["mixed"]["kind"] == after["flag"]["kind"] == "number", after
    assert after["zip"]["kind"] == after["age"]["kind"] == "category", after
    assert found.stderr == ("hcbr train: warning: column 'mixed' is a number: 8 of 200 values are "
                            "none, such as 'none', and count as missing\n"), found.stderr
    shown = guesses("p.csv", *options)
    assert shown["mixed"] == "number" and shown["zip"] == "category"
    # the words among the numbers count as if they were missing
    run("train", *RICH, "p.csv", *options, "--na", "none", "-q", "-o", "n")
    assert columns("n")["mixed"]["cuts"] == after["mixed"]["cuts"]
    found = run("train", *RICH, "p.csv", "--numeric", "tags,city", "--split", "tags:|", "-q", "-o",
                "m")
    assert "column 'tags' cannot be a number, since a case has several" in found.stderr
    assert "column 'city' cannot be a number, since none of its values" in found.stderr
    for wrong in (("--numeric", "nothing"), ("--categorical", "nothing"),
                  ("--numeric", "age", "--categorical", "age")):
        for command in (("train", "-o", "no"), ("evaluate",)):
            run(command[0], *RICH, "p.csv", *wrong, *command[1:], code=2)
    run("train", "--model", "plain", "p.csv", "--numeric", "age", "-o", "no", code=2)


def columns__that_number_the_cases_are_warned_about():
    rows = [f"{'ab'[random.random() > .5]},{i + 1000},{10 ** 17 + i % 40},{random.random():.3f}"
            for i in range(100)]
    write("t.csv", ["label,case,account,x"] + rows)
    said = run("train", *RICH, "t.csv", "-q", "-o", "m").stderr
    assert "column 'case' is taken for a number, but seems to number the cases" in said, said
    assert "column 'account' is taken for a number, but '100000000000000001' has more" in said
    assert len(said.splitlines()) == 2, said
    # not in the folds of an evaluation, and not of many columns one by one
    assert "column" not in run("evaluate", *RICH, "t.csv", "-q", "--folds", "3").stderr
    write("w.csv", ["label," + ",".join(f"c{i}" for i in range(9))] +
          [f"{'ab'[i % 2]}," + ",".join(f"{10 ** 17 + i * k % 70}" for k in range(1, 10))
           for i in range(100)])
    said = run("train", *RICH, "w.csv", "-q", "-o", "m").stderr.splitlines()
    assert len(said) == 7 and "1 more columns are doubtful" in said[-1], said


def columns__of_row_numbers_are_said_once():
    for name, first in (("id", 1), ("", 0), ("n", 0)):
        write("rows.csv", [f"{name},x,label"] + [f"{i},{i * 7 % 13},{'ab'[i % 3 == 0]}"
                                                 for i in range(first, first + 60)])
        shown = name or "1"
        said = [x for x in run("train", *RICH, "rows.csv", "-o", "m").stderr.splitlines()
                if shown + "  id" in x or f"column '{shown}'" in x]
        assert len(said) == 1 and said[0].endswith("(--type %s=id takes it in)" % shown), said
        said = run("train", *RICH, "rows.csv", "-q", "-o", "m").stderr  # the only place
        assert said.count("numbers or names the cases") == 1, said
    # those that no line names are warned of
    ids = [f"id{c:02}" for c in range(14)]
    write("many.csv", [",".join(ids + ["label"])] + [
        ",".join([str(3 * i + 100 * c) for c in range(13)] + [str(i), "ab"[i % 3 == 0]])
        for i in range(60)])
    said = run("train", *RICH, "many.csv", "-o", "m").stderr
    assert "... and 2 more" in said and "column 'id13' is taken for a number, but" in said, said


def columns__of_row_numbers_may_lack_some():
    """Rows without a label are left out, and their numbers are then lacking."""
    for every, first, wanted in ((10 ** 9, 1, True), (11, 1, True), (11, 0, True), (11, 2, True),
                                 (4, 1, False), (10 ** 9, 1950, False)):
        write("gaps.csv", [",x,label"] + [
            f"{i},{i * 7 % 13},{'' if i % every == 3 else 'ab'[i % 3 == 0]}"
            for i in range(first, first + 90)])
        said = run("train", *RICH, "gaps.csv", "-o", "m").stderr
        assert ("1  id (left out): whole numbers that count the rows" in said) == wanted, (every,
                                                                                         said)
    # of one that repeats it, too
    write("twice.csv", [",nr,x,label"] + [f"{i},{i},{i * 7 % 13},{'ab'[i % 3 == 0]}"
                                          for i in range(1, 61)])
    said = run("train", *RICH, "twice.csv", "-o", "m").stderr.splitlines()
    assert said[0].endswith("60 different in 60 rows (--type 1=id takes it in)"), said
    assert said[1].startswith("          nr  id (left out)"), said
    assert said[1].endswith("(--type nr=id takes it in)"), said


def columns__of_numbers_with_many_words_are_said():
    cure = "(--type a=number takes it for one)"

    def said_of(words, share, *options):
        write("mixed.csv", ["a,x,label"] + [
            f"{words[i // share % len(words)] if i % share == 1 else 20 + i % 41},{i}.5,"
            f"{'ab'[i % 3 == 0]}" for i in range(200)])
        said = run("train", *RICH, "mixed.csv", "-o", "m", *options).stderr.splitlines()
        return [x for x in said if " a  " in x or "column 'a'" in x]
    for words, share, options in ((["NA"], 3, ["--na-only", "?"]), (["refused"], 4, []),
                                  (["r", "s", "t", "u"], 12, [])):
        said = said_of(words, share, *options)
        assert len(said) == 1 and said[0].endswith("are numbers " + cure), said
        said = said_of(words, share, *options, "--type", "a=number")
        assert len(said) == 1 and " a  number: numbers; " in said[0], said
        assert columns("m")["a"]["kind"] == "number"
    assert said_of(["NA"], 3) == []  # it is missing
    assert "number: numbers; " in said_of(["refused"], 6)[0]
    assert said_of([f"w{i}" for i in range(40)], 2)[0].endswith(cure)
    write("few.csv", ["a,label"] + [f"{[1, 2, 3, 'A', 'B'][i % 5]},{'ab'[i % 3 == 0]}"
                                    for i in range(100)])  # names of categories
    assert "category" not in run("train", *RICH, "few.csv", "-o", "m").stderr


def columns__texts_are_words_and_unseen_values_are_named():
    write("t.csv", ["label,age,city,note"] + [
        f"{'ab'[i % 2]},{20 + i},{'Rome' if i % 3 else 'Oslo'},"
        f"{'good day' if i % 2 else 'bad bad day'}" for i in range(40)])
    run("train", *RICH, "t.csv", "--text", "note", "-q", "-o", "m")
    assert columns("m").keys() == {"age", "city", "note:good", "note:day", "note:bad"}
    write("new.csv", ["age,city,note", "31.5,Paris,good night", "many,Rome,day"])
    rows = [json.loads(x) for x in run("predict", "m", "new.csv", "--json", "-q").stdout.split("\n")
            if x]
    assert rows[0]["unseen"] == ["city=Paris", "note:night=1"], rows[0]  # a number is never unseen
    assert rows[1]["unseen"] == ["age=many"], rows[1]


def columns__of_a_plain_model_are_none():
    people("p.csv")
    run("train", "--model", "plain", "p.csv", "-q", "-o", "m")
    model = json.loads(run("inspect", "m", "--json").stdout)
    assert model["columns"] is None
    assert model.keys() <= document_keys("hcbr.inspect/1")
    assert "numbers," not in run("inspect", "m").stdout


run_tests([columns__are_shown_before_and_after_training, columns__are_what_options_say,
           columns__that_number_the_cases_are_warned_about,
           columns__of_row_numbers_are_said_once, columns__of_row_numbers_may_lack_some,
           columns__of_numbers_with_many_words_are_said,
           columns__texts_are_words_and_unseen_values_are_named,
           columns__of_a_plain_model_are_none])
