"""What hcbr writes and shows can be given to it again: answers that predict added to a table are
left out, numbers are read however they are written, columns that are misspelled are named, and
inspect takes the names that explain prints."""
import json
import random

from program import rounds, run, run_tests
from tables import save_table

ODD = ["a,b", 'say "x"', "é", "unknown", "label", "p(label)", "x_2", "1"]


def answers(*arguments):
    done = run("predict", *arguments, "--json")
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def draw_rows(labels, count):
    rows = []
    for _ in range(count):
        label = random.choice(labels)
        rows.append([label if random.random() < .8 else "other", str(random.randrange(60)),
                     random.choice("uvw"), label])
    return rows


def check_added(form, to, name, labelled, plain):
    """The table with answers once and twice is decided as the table itself."""
    labels = random.sample(ODD, random.choice([2, 3]))
    names, rows = ["kind", "n", "p", name], draw_rows(labels, 60)
    save_table("d.csv", names, rows)
    run("train", "-q", "d.csv", "--label", name, "-o", "m.hcbr",
        *(["--model", "plain"] if plain else []))
    part = 4 if labelled else 3
    path = save_table(f"new.{form}", names[:part], [row[:part] for row in rows[:20]])
    wanted, said = answers("m.hcbr", path)
    assert ("labelled cases" in said) == labelled, said
    for again in range(2):
        after = f"after{again}.{to}"
        run("predict", "-q", "m.hcbr", path, "--add-columns", "--to", to, "-o", after)
        found, said = answers("m.hcbr", after)
        assert found == wanted, (form, to, name, labelled, plain, found[0], wanted[0])
        assert ("labelled cases" in said) == labelled, said
        assert said.count("hcbr predict added") == 1 and "warning" not in said, said
        explained = run("explain", "m.hcbr", after, "--rows", "1", "--json")
        assert json.loads(explained.stdout)["unseen"] == wanted[0]["unseen"]
        path = after


def test_added_columns_are_left_out():
    for _ in range(rounds(3)):
        for form in ("csv", "tsv", "jsonl"):
            check_added(form, random.choice(["csv", "tsv", "jsonl"]),
                        random.choice(["label", "class"]), random.random() < .5,
                        random.random() < .3)


def test_columns_of_training_stay():
    """Columns that the model knows are its own, whatever they are called."""
    rows = [[random.choice("ab"), str(random.random()), random.choice("uv")] for _ in range(60)]
    rows = [[row[0], row[1], row[2], "yes" if row[0] == "a" else "no"] for row in rows]
    save_table("d.csv", ["label_2", "p(a)", "kind", "label"], rows)
    run("train", "-q", "d.csv", "-o", "m.hcbr")
    found, said = answers("m.hcbr", "d.csv")
    assert "added" not in said and all(x["known"] == 1 for x in found)
    assert [x["label"] for x in found] == [row[3] for row in rows]
    fewer = [[row[0], row[2], row[3], "1"] for row in rows]
    save_table("e.csv", ["label_2", "kind", "label", "p(b)"], fewer)
    found, said = answers("m.hcbr", "e.csv")  # label is followed by a column that was not there
    assert "2 columns that hcbr predict added are left out: 'label' to 'p(b)'" in said, said
    save_table("f.csv", ["label_2", "kind", "x", "p(b)"], fewer)
    assert "added" not in answers("m.hcbr", "f.csv")[1]


def spellings(value):
    """The same whole number otherwise."""
    grouped = f"{abs(value):,}"
    sign = "-" if value < 0 else ""
    forms = [f"{sign}{grouped}", sign + grouped.replace(",", " "), sign + grouped.replace(",", "'"),
             f" {sign}{grouped}.0 ", f"{sign}{abs(value):05}.00", f"{sign}{grouped}*"]
    return forms + ([f"({grouped})", f"{grouped}-", f"\u2212{grouped}"] if value < 0 else [])


def test_numbers_are_read_however_they_are_written():
    rows = [[random.randrange(-9999, 99999), random.choice("uv")] for _ in range(200)]
    save_table("d.csv", ["amount", "kind", "label"],
         [[a, k, "high" if a > 40000 else "low"] for a, k in rows])
    run("train", "-q", "d.csv", "-o", "m.hcbr")
    for _ in range(rounds(12)):
        value = random.randrange(-9999, 99999)
        wanted = answers("m.hcbr", "--case", f"amount={value}", "--case", "kind=u")[0]
        for form in spellings(value):
            one = ["--case", f"amount={form}", "--case", "kind=u"]
            found = answers("m.hcbr", *one)[0]
            assert found == wanted, (value, form, found, wanted)
            for path in ("n.csv", "n.jsonl"):
                save_table(path, ["amount", "kind"], [[form, "u"]])
                assert answers("m.hcbr", path)[0] == wanted, (value, form, path)
            why = json.loads(run("explain", "m.hcbr", *one, "--json").stdout)
            assert why["unseen"] == [] and why["probability"] == wanted[0]["probability"]
    for odd in ("x", "3,00,0,", "12 km", "2024-01-05"):
        assert answers("m.hcbr", "--case", f"amount={odd}")[0][0]["unseen"] == [f"amount={odd}"]


def test_misspelled_columns_are_named():
    rows = [[str(i % 50), random.choice("uv"), "yes" if i % 50 > 20 else "no"] for i in range(200)]
    save_table("d.csv", ["duration", "purpose", "label"], rows)
    run("train", "-q", "d.csv", "--ignore", "purpose", "-o", "m.hcbr")
    right = "duration"
    for wrong in ("duratoin", "Duration", "durations"):
        said = run("predict", "-q", "m.hcbr", "--case", f"{wrong}=24").stderr
        assert f"--case {wrong}: no past case had such a column; did you mean {right}?" in said
        assert "did you mean" in run("explain", "m.hcbr", "--case", f"{wrong}=24").stderr
    said = run("predict", "m.hcbr", "--case", "else=1", "--case", "duration=1").stderr
    assert "--case else: no past case had such a column\n" in said, said
    for right in ("duration=1", "purpose=u", "label=yes"):
        assert "--case" not in run("predict", "m.hcbr", "--case", right).stderr


def test_inspect_takes_what_explain_prints():
    rows = [[str(random.randrange(9)), str(random.randrange(200) / 4), random.choice(["u", "v w"]),
             f"20{random.randrange(10, 22)}-0{random.randrange(1, 9)}-11"] for _ in range(120)]
    rows = [[*row, "yes" if float(row[1]) + 4 * int(row[0]) > 40 else "no"] for row in rows]
    save_table("d.csv", ["grade", "rate", "kind", "day", "label"], rows)
    run("train", "-q", "d.csv", "-o", "m.hcbr")
    for row in random.sample(range(1, 121), rounds(9)):
        why = json.loads(run("explain", "m.hcbr", "d.csv", "--rows", row, "--all", "--json").stdout)
        shown = {name for atom in why["atoms"] for name in atom["features"]
                 if len(atom["features"]) == 1 and "=" in name and "<" not in name}
        assert any(name.startswith("grade=") for name in shown), shown
        for name in shown:
            for text in {name, name.replace("=", " ", 1) if "v w" not in name else name}:
                atom = json.loads(run("inspect", "m.hcbr", "--atom", text, "--json").stdout)["atom"]
                assert row in atom["rows"], (name, text, row)
                assert bool(atom["range"]) != bool(atom["features"]), atom
    text = run("inspect", "m.hcbr", "--atom", "rate=20").stdout
    assert text.startswith("atom ") and "a range of numbers in" in text, text
    assert "\n  rate " in text, text
    run("inspect", "m.hcbr", "--atom", "rate=high", code=2)


if __name__ == "__main__":
    run_tests([test_added_columns_are_left_out, test_columns_of_training_stay,
               test_numbers_are_read_however_they_are_written, test_misspelled_columns_are_named,
               test_inspect_takes_what_explain_prints])
