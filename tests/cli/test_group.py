"""--group: no part of a group is held out, by training's own folds either; the column is never a
feature, the model remembers it, and new cases need not have it."""
import json
import random

from program import run, run_tests, rounds, sections, write

MODELS = {"plain": ("--model", "plain"), "rich": ("--model", "rich", "--effort", "lite")}


def draw(groups, each):
    """Rows whose label only their group tells, by a value that no other group has."""
    rows = []
    for g in range(groups):
        label = random.choice(["yes", "no"])
        rows += [(label, f"v{g}", random.choice("abc"), f"g{g}") for _ in range(each)]
    random.shuffle(rows)
    return rows


def table(path, rows):
    return write(path, ["label,value,c,who"] + [",".join(row) for row in rows])


def lines_of(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        for label, value, c, who in rows:
            file.write(json.dumps({"who": who, "label": label, "value": value, "c": c}) + "\n")
    return path


def held_out(data, *options):
    found = run("tune", data, "--folds", "5", "--json", "-q", "-o", "m",
                *options)
    return json.loads(found.stdout)["held_out"]["accuracy"]["mean"]


def group__is_never_held_out_in_part():
    """With the group the label cannot be known, without it the value gives it away."""
    for name, options in MODELS.items():
        right, cases, least = 0.0, 0, 1.0
        for _ in range(rounds(6)):
            rows = draw(40, 6)  # no two are equal: those would stay together as well
            rows = [(label, value, f"{c}|n{i}", who)
                    for i, (label, value, c, who) in enumerate(rows)]
            table("t.csv", rows)
            right += held_out("t.csv", "--group", "who", "--split", "c:|", *options) * len(rows)
            cases += len(rows)
            least = min(least, held_out("t.csv", "--ignore", "who", "--split", "c:|", *options))
        # a group of six is right or wrong as one: the standard error is that of the groups
        assert abs(right / cases - .5) < 3 * .5 / (cases / 6) ** .5 + .05, (name, right / cases)
        assert least > .9, (name, least)


def group__is_never_a_feature_and_is_remembered():
    rows = draw(20, 4)
    table("t.csv", rows)
    lines_of("t.jsonl", rows)
    for options in MODELS.values():
        for data in ("t.csv", "t.jsonl"):
            run("train", data, "--group", "who", *options, "-q", "-o", data + ".hcbr")
        assert sections("t.csv.hcbr") == sections("t.jsonl.hcbr")
        model = json.loads(run("inspect", "t.csv.hcbr", "--json").stdout)
        assert model["options"]["reading"]["group"] == "who" and model["keys"] == 2
        assert "group           who" in run("inspect", "t.csv.hcbr").stdout
        # new cases need no group, and may have any
        write("new.csv", ["value,c,who", "v1,a,someone", "v2,b,"])
        write("bare.csv", ["value,c", "v1,a", "v2,b"])
        write("new.jsonl", ['{"value":"v1","c":"a","who":7}', '{"value":"v2","c":"b"}'])
        found = [run("predict", "t.csv.hcbr", data, "-q").stdout
                 for data in ("new.csv", "bare.csv", "new.jsonl")]
        assert found[0] == found[1] == found[2], found
    shown = json.loads(run("train", "t.csv", "--group", "who", "--explain-input", "--json").stdout)
    assert [c["use"] for c in shown["columns"]] == ["label", "value", "value", "group"]


def group__folds_do_not_depend_on_the_order_of_rows():
    for _ in range(rounds(5)):
        rows = draw(30, 5)
        expected = None
        for _ in range(3):
            table("t.csv", rows)
            found = json.loads(run("evaluate", "t.csv", "--group", "who", "--folds", "5", "--json",
                                   "-q", *MODELS["rich"]).stdout)
            figures = [(p["held_out"], p["accuracy"], round(p["log_loss"], 9))
                       for p in found["parts"]]
            assert expected in (None, figures), (expected, figures)
            expected = figures
            random.shuffle(rows)


def group__that_is_not_there_is_refused():
    rows = draw(10, 3)
    table("t.csv", rows)
    for command in ("train", "tune"):
        found = run(command, "t.csv", "--group", "whom", "-o", "m", code=3)
        assert "expected 'whom'" in found.stderr, found.stderr
        found = run(command, "t.csv", "--group", "who", "--ignore", "who", "-o", "m", code=2)
        assert "both --group and --ignore" in found.stderr, found.stderr
        found = run(command, "t.csv", "--group", "label", "--label", "label", "-o", "m", code=2)
    table("one.csv", [(label, value, c, "g") for label, value, c, _ in rows])
    found = run("tune", "one.csv", "--group", "who", "-o", "m", code=2)
    assert "found 1 group, expected at least 2" in found.stderr, found.stderr


run_tests([group__is_never_held_out_in_part, group__is_never_a_feature_and_is_remembered,
           group__folds_do_not_depend_on_the_order_of_rows, group__that_is_not_there_is_refused])
