"""Columns that number or name the cases are left out by default, and columns that only look so are
not: kinds/id_columns.py has both. Options take them in; plain models and --strict keep them."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kinds"))
import id_columns  # noqa: E402
from program import rounds, run, run_tests, write  # noqa: E402
from seeds import take_seed  # noqa: E402

RICH = ["--effort", "lite"]
SEED = take_seed(1)


def save(columns, times=1, path="t.csv"):
    """A table with a column that tells the label and one that makes its rows different."""
    head = [name for name, *_ in columns] + ["told", "other", "label"]
    rows = []
    for i in range(id_columns.ROWS):
        cells = ['"' + values[i].replace('"', '""') + '"' for _, values, *_ in columns]
        cells += [f"{i * 7 % 5}.5", f"{i * 37 % 997}.25", "ab"[i * 7 % 5 > 2]]
        rows += [",".join(cells)] * times
    write(path, [",".join(f'"{name}"' for name in head)] + rows)


def kinds_of(*options, path="t.csv"):
    found = json.loads(run("train", "--explain-input", "--json", path, *options).stdout)["kinds"]
    return {kind["name"]: kind for kind in found}


def becomes(column, **more):
    save([column], **more)
    name = column[0] or "1"
    return kinds_of()[name]["becomes"]


def ids__are_left_out():
    for seed in range(rounds(3)):
        for name, values, shared in id_columns.ids(SEED + seed):
            assert becomes((name, values)) == "left out", (name, values[:5])
            assert kinds_of()[name or "1"]["shared"] == shared, (name, values[:5])


def measured_columns__stay():
    for seed in range(rounds(3)):
        for name, values in id_columns.measured(SEED + seed):
            assert becomes((name, values)) != "left out", (name, values[:5])


def ids_of_some_rows__are_ids():
    """Some cells that say missing, whatever their form, change nothing about the others."""
    whole = [str(3 + 7 * i + i * i % 5) for i in range(id_columns.ROWS)]
    for column in (whole, [f"K{x:>08}" for x in whole]):
        for form in ("", "N/A", "--", "null"):
            cells = [form if i in (9, 50, 80) else x for i, x in enumerate(column)]
            assert becomes(("passenger_id", cells)) == "left out", (column[0], form)


def copies__change_nothing():
    for column in id_columns.ids(SEED)[::3] + id_columns.measured(SEED)[::3]:
        assert becomes(column[:2]) == becomes(column[:2], times=3), column[0]


def ids__are_said_and_taken_in():
    save([("patient_id", [str(100 + i // 3) for i in range(id_columns.ROWS)]),
          ("code", [f"K{i * 31:05}" for i in range(id_columns.ROWS)])])
    for command in (["train", "-o", "m", *RICH], ["evaluate", "--folds", "2", *RICH]):
        said = run(*command, "t.csv").stderr
        assert "(--type code=id takes it in)" in said and "--type patient_id=id" in said, said
        assert said.count("several rows have the same value of column 'patient_id': --group") == 1
    assert "several rows" not in run("train", *RICH, "t.csv", "-o", "m", "--group",
                                     "patient_id").stderr
    kept = run("train", *RICH, "t.csv", "-o", "m", "--type", "patient_id=id", "--type",
               "code=id").stderr
    assert "left out" not in kept and "several rows" not in kept, kept
    assert "left out" not in run("train", *RICH, "--strict", "t.csv", "-o", "m").stderr
    plain = run("train", "--model", "plain", "t.csv", "-o", "p").stderr
    assert "left out" not in plain
    assert "1/1" in run("predict", "p", "--case", "code=K00031").stdout
    found = run("audit", "t.csv", code=1).stdout
    assert "code has 120 values in 120 cases, like an id: --id or --ignore?" in found, found
    assert "patient_id has 40 values in 120 cases, like an id that several rows" in found, found


def the_only_column__stays():
    write("one.csv", ["a,label"] + [f"v{i % 40},{'ab'[i % 40 > 20]}" for i in range(400)])
    run("train", *RICH, "one.csv", "-o", "m")
    said = run("predict", "-q", "m", "--case", "a=v39").stdout
    assert said.split("\t")[1] == "b" and "1/1" in said, said


def rows_of_one_id__are_counted_once():
    save([("who", [f"P{i // 3}" for i in range(id_columns.ROWS)])])
    said = run("train", *RICH, "t.csv", "--id", "who", "-o", "m").stderr
    assert said.count("80 rows have the id of an earlier one, such as 'P0'") == 1, said
    save([("who", [f"P{i}" for i in range(id_columns.ROWS)])])
    assert "earlier" not in run("train", *RICH, "t.csv", "--id", "who", "-o", "m").stderr


def features__are_counted_alike():
    save([("day", [f"2019-03-{1 + i % 28:02}" for i in range(id_columns.ROWS)]),
          ("code", [f"K{i * 31:05}" for i in range(id_columns.ROWS)]),
          ("town", ["Ulm" if i % 3 else "Bonn" for i in range(id_columns.ROWS)])])
    counts = [json.loads(run(*command, "--json", "t.csv", code=None).stdout)["features"]
              for command in (["train", "-o", "m", *RICH], ["evaluate", "--folds", "2", *RICH],
                              ["audit"])]
    assert len(set(counts)) == 1, counts


if __name__ == "__main__":
    run_tests([ids__are_left_out, ids_of_some_rows__are_ids, measured_columns__stay,
               copies__change_nothing, ids__are_said_and_taken_in, rows_of_one_id__are_counted_once,
               the_only_column__stays, features__are_counted_alike])
