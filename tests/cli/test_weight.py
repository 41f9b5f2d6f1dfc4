"""--weight: a weight n is n copies of a row and 0 none, through the program; the column is never a
feature; what is no weight is refused with its place."""
import json
import random

from program import lines, run, run_tests, sections, write

RICH = ("--model", "rich", "--effort", "lite")
FACTS, LABELS, STRENGTHS, CASES, ROWS, READ, DECIDES = 1, 2, 6, 11, 12, 8, 18


def draw(count):
    """Rows of a number, a category and a label, with a weight."""
    rows = []
    for _ in range(count):
        x, c = random.gauss(0, 1), random.choice("abc")
        label = "yes" if x + (c == "a") + random.gauss(0, .5) > .3 else "no"
        rows.append((f"{label},{x:.2f},{c}", random.choice([0, 1, 1, 2, 3])))
    return rows


def table(path, rows):
    return write(path, ["label,x,c,w"] + [f"{row},{weight}" for row, weight in rows])


def answers(model, path):
    out = run("predict", model, path, "--json", "-q").stdout.splitlines()
    return [{k: v for k, v in json.loads(row).items() if k != "row"} for row in out]


def weight__counts_as_copies():
    for _ in range(5):
        rows = draw(200)
        table("weighed.csv", rows)
        copies = [(row, 1) for row, weight in rows for _ in range(weight)]
        table("copies.csv", copies)
        random.shuffle(copies)
        table("shuffled.csv", copies)
        for name in ("weighed", "copies", "shuffled"):
            run("train", *RICH, f"{name}.csv", "--weight", "w", "-q", "-o", f"{name}.hcbr")
        expected = answers("copies.hcbr", "weighed.csv")
        assert answers("weighed.hcbr", "weighed.csv") == expected
        assert answers("shuffled.hcbr", "weighed.csv") == expected
        assert sections("weighed.hcbr")[DECIDES] == sections("copies.hcbr")[DECIDES]


def weight__of_0_is_no_row():
    for _ in range(5):
        rows = [(row, min(weight, 1)) for row, weight in draw(100)]
        rows.append(("never,7,only-here", 0))
        random.shuffle(rows)
        table("all.csv", rows)
        table("left.csv", [row for row in rows if row[1]])
        for name in ("all", "left"):
            run("train", *RICH, f"{name}.csv", "--weight", "w", "-q", "-o", f"{name}.hcbr")
        whole, left = sections("all.hcbr"), sections("left.hcbr")
        whole.pop(ROWS)  # which row a case was
        assert whole == left
        report = json.loads(run("train", *RICH, "all.csv", "--weight", "w", "--json", "-q", "-o",
                                "m").stdout)
        assert report["cases"] == sum(weight for _, weight in rows)


def weight__is_never_a_feature_and_is_remembered():
    table("t.csv", draw(60))
    run("train", *RICH, "t.csv", "--weight", "w", "-q", "-o", "m.hcbr")
    for threads in ("2", "3"):
        run("train", *RICH, "t.csv", "--weight", "w", "-j", threads, "-q", "-o", "n.hcbr")
        assert sections("m.hcbr") == sections("n.hcbr")
    model = json.loads(run("inspect", "m.hcbr", "--json").stdout)
    assert model["options"]["reading"]["weight"] == "w" and model["keys"] == 2
    assert "weight" in run("inspect", "m.hcbr").stdout
    # new cases need no weight, and may have any
    write("new.csv", ["x,c,w", "1,a,what", "0,b,-1"])
    write("bare.csv", ["x,c", "1,a", "0,b"])
    assert answers("m.hcbr", "new.csv") == answers("m.hcbr", "bare.csv")
    shown = json.loads(run("train", "t.csv", *RICH, "--weight", "w", "--explain-input",
                           "--json").stdout)
    assert [c["use"] for c in shown["columns"]] == ["label", "value", "value", "weight"]


def weight__stands_in_json_lines_too():
    rows = draw(80)
    table("t.csv", rows)
    with open("t.jsonl", "w", encoding="utf-8") as file:
        for row, weight in rows:
            label, x, c = row.split(",")
            file.write(json.dumps({"label": label, "x": x, "w": weight, "c": c}) + "\n")
    for name in ("t.csv", "t.jsonl"):
        run("train", *RICH, name, "--weight", "w", "-q", "-o", name + ".hcbr")
    a, b = sections("t.csv.hcbr"), sections("t.jsonl.hcbr")
    assert a == b


def weight__that_is_none_is_refused_with_its_place():
    for bad in ("-1", "x", "", "NA", "inf", "nan", "1e10", "1,5", "0x1", "1 "):
        if "," not in bad:
            write("bad.csv", ["label,w,x", "a,1,1", f"b,{bad},2"])
            found = run("train", *RICH, "bad.csv", "--weight", "w", "-o", "m", code=3)
            assert found.stderr == (f"hcbr train: bad.csv:3:3: found '{bad}', expected a weight, "
                                    "a number from 0 to 1e+09\n"), found.stderr
        write("bad.jsonl", ['{"label":"a","w":"1","x":1}', f'{{"label":"b","w":"{bad}","x":2}}'])
        found = run("train", *RICH, "bad.jsonl", "--weight", "w", "-o", "m", code=3)
        assert found.stderr.startswith("hcbr train: bad.jsonl:2:18: found "), found.stderr
    write("lacks.jsonl", ['{"label":"a","w":1,"x":1}', '{"label":"b","x":2}'])
    found = run("train", *RICH, "lacks.jsonl", "--weight", "w", "-o", "m", code=3)
    assert found.stderr.startswith("hcbr train: lacks.jsonl:2:1: found no key 'w'"), found.stderr
    write("twice.jsonl", ['{"label":"a","w":1,"w":1,"x":1}'])
    run("train", *RICH, "twice.jsonl", "--weight", "w", "-o", "m", code=3)
    write("none.csv", ["label,w,x", "a,0,1", "b,0,2"])
    run("train", *RICH, "none.csv", "--weight", "w", "-o", "m", code=3)
    write("skip.csv", ["label,w,x", "a,1,1", "b,what,2", "b,2,3"])
    found = run("train", *RICH, "skip.csv", "--weight", "w", "--bad-rows", "skip", "-o", "m")
    assert "skip.csv:3:3" in found.stderr and "cases     2" in found.stderr, found.stderr
    write("t.svm", ["1 1:1", "0 2:1"])
    run("train", *RICH, "t.svm", "--weight", "w", "-o", "no", code=2)
    run("train", "--model", "plain", "skip.csv", "--weight", "w", "-o", "no", code=2)
    run("train", *RICH, "skip.csv", "--weight", "w", "--ignore", "w", "-o", "no", code=2)
    run("train", *RICH, "skip.csv", "--weight", "label", "--label", "label", "-o", "no", code=2)
    run("train", *RICH, "skip.csv", "--weight", "other", "-o", "no", code=3)


def weight__reaches_the_models_and_the_figures_of_evaluate():
    """Rows with the labels exchanged weigh next to nothing, in training and when they are held
    out: nearly all that counts is decided well."""
    rows = []
    for i in range(300):
        x, odd = random.random(), i % 3 == 0
        label = ("low", "high")[(x > .5) != odd]
        rows.append((f"{label},{x:.3f},a", 0.001 if odd else 1))
    table("t.csv", rows)
    light = json.loads(run("evaluate", *RICH, "t.csv", "--weight", "w", "--json", "-q").stdout)
    equal = json.loads(run("evaluate", *RICH, "t.csv", "--ignore", "w", "--json", "-q").stdout)
    assert light["accuracy"]["mean"] > .97 > equal["accuracy"]["mean"], light["accuracy"]
    assert light["log_loss"]["mean"] < equal["log_loss"]["mean"]
    assert abs(sum(cell["count"] for cell in light["confusion"]) - 200.1) < 1e-6
    assert light["cases"] == equal["cases"] == 300


def near(a, b, where=""):
    """Are two reports the same, numbers up to rounding?"""
    if isinstance(a, dict):
        assert set(a) == set(b), where
        for key in a:
            near(a[key], b[key], f"{where}.{key}")
    elif isinstance(a, list):
        assert len(a) == len(b), where
        for i, pair in enumerate(zip(a, b)):
            near(*pair, f"{where}[{i}]")
    elif isinstance(a, float) or isinstance(b, float):
        assert abs(a - b) <= 1e-9 * max(1, abs(a)), (where, a, b)
    else:
        assert a == b, (where, a, b)


def without(report, *keys):
    return {k: v for k, v in report.items() if k not in keys}


def weight__counts_as_copies_in_every_figure():
    """Evaluate, inspect and what is said where nothing is known, with folds that keep copies
    together, given by a file or by groups; rows of weight 0 are in none."""
    rows_counted = ("cases", "held_out", "fit_seconds", "predict_seconds", "seed", "parts",
                    "skipped_rows")
    for labels in (2, 3):
        rows = []
        for i in range(120):
            x, c = random.gauss(0, 1), random.choice("abc")
            score = x + (c == "a") + random.gauss(0, .7)
            label = "pqr"[min(labels - 1, max(0, int(score + 1)))]
            # The most frequent label by rows is not the one by weight.
            weight = random.choice((0, 1, 3, 5)) if label == "q" else random.choice((0, 1, 1, 1))
            rows.append((f"{label},{'' if i % 30 == 7 else f'{x:.1f}'},{'' if i % 30 == 7 else c}",
                         weight, i % 4, i))
        copies = [row for row in rows for _ in range(row[1])]
        for name, list_ in (("weighed", rows), ("copies", copies)):
            write(name + ".csv", ["label,x,c,w,g"] + [
                f"{row},{weight if name == 'weighed' else 1},{number}"
                for row, weight, _, number in list_])
            write(name + ".folds", [str(fold) for _, _, fold, _ in list_])
        common = ("--weight", "w", "--ignore", "g")
        found = [json.loads(run("evaluate", *RICH, f"{name}.csv", *common, "--folds-file",
                                f"{name}.folds", "--json", "-q").stdout)
                 for name in ("weighed", "copies")]
        near(without(found[0], *rows_counted), without(found[1], *rows_counted), "evaluate")
        for one, other in zip(*(report["parts"] for report in found)):
            drop = ("trained", "held_out", "fit_seconds", "predict_seconds")
            near(without(one, *drop), without(other, *drop), "parts")
        assert found[0]["accuracy"]["baseline"] == found[1]["accuracy"]["baseline"]
        write("none.csv", ["x,c,z,g", ",,,", ",,new,", "0.5,a,,"])
        for fallback in ("auto", "prior", "unknown"):
            for name in ("weighed", "copies"):
                run("train", *RICH, f"{name}.csv", *common, "--fallback", fallback, "-q", "-o",
                    f"{name}.hcbr")
            near(answers("weighed.hcbr", "none.csv"), answers("copies.hcbr", "none.csv"), fallback)
        # Shares among the cases without a feature, and five cases' worth of those of all.
        share = sum(w for row, w, _, _ in rows if row[0] == "q") / len(copies)
        empty = [row[0] for row, _, _, _ in copies if row.endswith(",,")]
        known = (empty.count("q") + 5 * share) / (len(empty) + 5) if empty else share
        assert abs(answers("weighed.hcbr", "none.csv")[0]["probability"]["q"] - known) < 1e-12
        seen = [json.loads(run("inspect", f"{name}.hcbr", "--json", "--top", "1000").stdout)
                for name in ("weighed", "copies")]
        near([without(label, "cases") for label in seen[0]["labels"]],
             [without(label, "cases") for label in seen[1]["labels"]], "labels")
        near(seen[0]["columns"], seen[1]["columns"], "columns")
        for kind in ("strongest", "conjunctions"):
            for label in seen[0][kind]:
                groups = [[without(group, "cases") for group in report[kind][label]]
                          for report in seen]
                near(*groups, f"{kind} of {label}")
        near(without(seen[0]["options"]), without(seen[1]["options"]), "options")


def weight__of_large_files_is_read_by_several_threads():
    rows = [(f"{'ab'[i % 2]},{i % 7},{'xyz'[i % 3]}", i // 40000 % 3) for i in range(240000)]
    table("large.csv", rows)
    for threads in ("1", "4"):
        run("train", *RICH, "large.csv", "--weight", "w", "-j", threads, "-q", "-o", threads)
    assert lines("large.csv") and sections("1") == sections("4")


def works(name, *options):
    """Train, predict, explain and evaluate: all end well, with probabilities."""
    run("train", "--model", "rich", f"{name}.csv", *options, "-q", "-o", f"{name}.hcbr")
    rows = lines(f"{name}.csv")
    write("few.csv", rows[:1] + rows[-4:])
    for row in answers(f"{name}.hcbr", "few.csv"):
        assert all(0 <= p <= 1 for p in row["probability"].values()), row
        assert abs(sum(row["probability"].values()) - 1) < 1e-12, row
    for row in run("explain", f"{name}.hcbr", "few.csv", "--json", "-q").stdout.splitlines():
        assert "nan" not in row and "inf" not in row.replace("influence", ""), row
    return answers(f"{name}.hcbr", "few.csv")


def weight__may_be_far_above_all_others():
    few = ["no,2", "yes,2", "no,3", "no,4"]
    for heavy in (2000000, 1, 1000, 1e9):
        write("t.csv", ["label,a,w", f"yes,1,{heavy}"] + [f"{row},1" for row in few])
        weighed = works("t", "--weight", "w")
        figures = json.loads(run("evaluate", "--model", "rich", "t.csv", "--weight", "w", "--folds",
                                 "2", "--json", "-q").stdout)
        assert 0 <= figures["log_loss"]["mean"] < 37, figures["log_loss"]
    assert [row["label"] for row in weighed[2:]] == ["no", "no"]
    write("r.csv", ["label,a"] + ["yes,1"] * 1500000 + few[:3])
    assert [row["label"] for row in works("r")][-1] == "no"


run_tests([weight__may_be_far_above_all_others, weight__counts_as_copies, weight__of_0_is_no_row,
           weight__is_never_a_feature_and_is_remembered, weight__stands_in_json_lines_too,
           weight__that_is_none_is_refused_with_its_place,
           weight__reaches_the_models_and_the_figures_of_evaluate,
           weight__counts_as_copies_in_every_figure,
           weight__of_large_files_is_read_by_several_threads])
