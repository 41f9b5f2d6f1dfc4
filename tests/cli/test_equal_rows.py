"""evaluate --equal-rows: where rows repeat, folds that keep equal rows together stand beside the
usual ones. What a model has memorised counts in the usual ones only."""
import json
import math
import random

from program import run, run_tests, rounds, write

MODELS = {"plain": ("--model", "plain"), "rich": ("--model", "rich", "--effort", "lite")}
FIGURES = ("accuracy", "mcc", "f1", "recall", "auc", "log_loss")


def draw(count, known=True):
    """Rows of a number and two categories, and a label that they tell in part or not at all."""
    rows = []
    for i in range(count):
        x, c = random.gauss(0, 1), random.choice("abc")
        told = x + (c == "a") + random.gauss(0, .7) if known else random.gauss(0, 1)
        rows.append(f"{'yes' if told > .2 else 'no'},{x:.3f},{c},k{i}")
    return rows


def table(path, rows, weights=None):
    if weights is None:
        return write(path, ["label,x,c,k"] + rows)
    return write(path, ["label,x,c,k,w"] + [f"{r},{w}" for r, w in zip(rows, weights)])


def evaluate(path, *options):
    return json.loads(run("evaluate", path, "--folds", "5", "--json", "-q", *options).stdout)


def same(a, b):
    """Figures that differ by no more than the order of a sum."""
    return all((a[f]["mean"] is None and b[f]["mean"] is None)
               or abs(a[f]["mean"] - b[f]["mean"]) < 1e-9 for f in FIGURES)


def rows__that_repeat_are_evaluated_twice():
    rows = draw(60)
    for options in MODELS.values():
        table("once.csv", rows)
        table("twice.csv", rows + rows)
        assert evaluate("once.csv", *options)["together"] is None
        both = evaluate("twice.csv", *options)
        assert both["together"]["held_out"] == 120 and both["together"]["folds"] == 5
        for way in ("apart", "together"):
            one = evaluate("twice.csv", "--equal-rows", way, *options)
            assert one["together"] is None
            assert same(one, both if way == "apart" else both["together"])
        text = run("evaluate", "twice.csv", "-q", *options).stdout
        assert "that no past case equals" in text and "     above  together" in text
        assert all(len(line) <= 80 for line in text[text.index("Rows repeat"):].splitlines())
        assert "Rows repeat" not in run("evaluate", "once.csv", "-q", *options).stdout
        run("evaluate", "twice.csv", "-q", "--html", "page.html", *options)
        with open("page.html", encoding="utf-8") as file:
            assert "Equal rows together" in file.read()


def rows__that_hardly_repeat_are_not():
    rows = draw(300)
    table("t.csv", rows + rows[:1])  # 2 of 301 held-out rows have a copy, at most
    assert evaluate("t.csv", *MODELS["plain"])["together"] is None
    table("t.csv", rows + rows[:20])
    assert evaluate("t.csv", *MODELS["plain"])["together"] is not None


def rows__that_are_equal_are_in_one_fold():
    for _ in range(rounds(6)):
        rows = draw(40)
        rows += [random.choice(rows) for _ in range(60)]
        # of another label, too: features alone make rows equal
        rows += ["no" + row[row.index(","):] for row in rows[:20]]
        random.shuffle(rows)
        table("t.csv", rows)
        run("evaluate", "t.csv", "--folds", "5", "-q", "--equal-rows", "together", "--folds-out",
            "folds", "--predictions", "p.jsonl", *MODELS["plain"])
        fold = {}
        with open("folds", encoding="utf-8") as file:
            for row, of in zip(rows, file.read().split()):
                assert fold.setdefault(row[row.index(","):], of) == of
        assert len(set(fold.values())) == 5
        with open("p.jsonl", encoding="utf-8") as file:
            assert not any(json.loads(line)["copy"] for line in file)


def rows__may_stand_in_any_order():
    for _ in range(rounds(3)):
        rows = draw(50)
        rows += [random.choice(rows) for _ in range(50)]
        expected = None
        for _ in range(2):
            table("t.csv", rows)
            found = evaluate("t.csv", "--equal-rows", "together", *MODELS["rich"])
            assert expected is None or same(expected, found)
            expected = found
            random.shuffle(rows)


def weight__of_n_is_n_copies():
    for _ in range(rounds(3)):
        rows = draw(60)
        rows += [random.choice(rows) for _ in range(20)]
        weights = [random.choice([0, 1, 1, 2, 3]) for _ in rows]
        table("weighed.csv", rows, weights)
        copies = [row for row, weight in zip(rows, weights) for _ in range(weight)]
        table("copies.csv", copies, [1] * len(copies))
        found = [evaluate(name, "--weight", "w", *MODELS["rich"])["together"]
                 for name in ("weighed.csv", "copies.csv")]
        if found[0] is None:  # copies are apart in folds of rows; a weight never is
            found[0] = evaluate("weighed.csv", "--weight", "w", "--equal-rows", "together",
                                *MODELS["rich"])
        assert same(*found), [{f: x[f]["mean"] for f in FIGURES} for x in found]


def labels__dealt_at_random_are_not_predicted():
    """Each row twice, with one label: the usual folds remember it, the others know nothing. A rich
    model has found that what it remembers tells nothing about others, and may not use it."""
    for name, options in MODELS.items():
        sums = {"apart": 0.0, "together": 0.0}
        times, count = rounds(6), 100
        for _ in range(times):
            rows = draw(count, known=False)
            table("t.csv", rows + rows)
            found = evaluate("t.csv", *options)
            sums["apart"] += found["mcc"]["mean"]
            sums["together"] += found["together"]["mcc"]["mean"]
        error = 1 / math.sqrt(times * count)
        assert abs(sums["together"] / times) < 3.5 * error, (name, sums)
        assert name == "rich" or sums["apart"] / times > .3, (name, sums)


def choices__that_exclude_each_other_are_refused():
    rows = draw(20)
    table("t.csv", rows + rows)
    write("f", ["0", "1"] * 20)
    for other in (("--group", "k"), ("--past-only",), ("--folds-file", "f"), ("--test", "t.csv")):
        found = run("evaluate", "t.csv", "--equal-rows", "together", *other, code=2)
        assert "exclude each other" in found.stderr, found.stderr
        assert json.loads(run("evaluate", "t.csv", "--json", "-q", *other,
                              *(() if other[0] in ("--folds-file", "--test")
                                else ("--folds", "4"))).stdout)["together"] is None
    found = run("evaluate", "t.csv", "--equal-rows", "both", code=2)
    assert "beside, apart or together was expected" in found.stderr, found.stderr
    write("one.csv", ["label,x", "a,1", "b,1", "a,1", "b,1"])
    found = run("evaluate", "one.csv", "--folds", "2", "--equal-rows", "together", code=3)
    assert "found 1 different case, expected at least 2" in found.stderr, found.stderr


run_tests([rows__that_repeat_are_evaluated_twice, rows__that_hardly_repeat_are_not,
           rows__that_are_equal_are_in_one_fold, rows__may_stand_in_any_order,
           weight__of_n_is_n_copies, labels__dealt_at_random_are_not_predicted,
           choices__that_exclude_each_other_are_refused])
