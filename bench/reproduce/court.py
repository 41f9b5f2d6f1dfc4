"""The judgments of the European Court of Human Rights: three articles, seven sections each.

Values are relative frequencies of n-grams. A plain model knows only whether two values are equal,
so each case is written in three forms: `values` as they are, `counts` where the least value of a
case stands for one occurrence, and `words`, the n-grams alone. An empty case gets a feature that
says so: the paper's rule gives it a label, too.

Two sections have a form that fits them better. The topics are 30 numbers that every case has;
`quarters` puts each into one of four ranges with as many cases, as the paper proposes for
continuous values. Most cases of law have no text; `filled` is the words of the others, and
`filled-values` their values. No label takes part.
"""
import bisect
import csv
import gzip
import json
import os

from store import DATA

ARTICLES = (3, 6, 8)
SECTIONS = ("full", "procedure", "circumstances", "relevantLaw", "facts", "law", "topics")
FORMS = ("values", "counts", "words")
FITTING = {"topics": "quarters", "law": "filled"}  # else words


def read(article, section):
    """Cases: (label, {word: value})."""
    path = os.path.join(DATA, "echr", f"a{article}_{section}")
    if section == "topics":
        with open(path + ".csv", encoding="utf-8") as file:
            return [(r.pop("label"), {k: float(v) for k, v in r.items() if k != "case"})
                    for r in csv.DictReader(file)]
    with gzip.open(path + ".jsonl.gz", "rt", encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    return [(c["label"], c["features"]) for c in cases]


def quarters(cases):
    """By word: its values in order."""
    order = {}
    for _, features in cases:
        for word, value in features.items():
            order.setdefault(word, []).append(value)
    return {word: sorted(values) for word, values in order.items()}


def form_of(features, form, order):
    if form in ("values", "filled-values"):
        return features or {"empty": 1}
    if form in ("words", "filled"):
        return [k for k, v in features.items() if v > 0] or ["empty"]
    if form == "quarters":
        return {k: 4 * bisect.bisect_left(order[k], v) // len(order[k])
                for k, v in features.items()}
    one = min((v for v in features.values() if v > 0), default=1)
    return {k: round(v / one) for k, v in features.items()} or {"empty": 1}


def write(article, section, form, path):
    """A section as JSON Lines in one of the forms."""
    cases = read(article, section)
    if form.startswith("filled"):
        cases = [case for case in cases if case[1]]
    order = quarters(cases) if form == "quarters" else {}
    with open(path, "w", encoding="utf-8") as file:
        for label, features in cases:
            row = {"label": label, "features": form_of(features, form, order)}
            file.write(json.dumps(row) + "\n")


def figures(evaluate, article, section):
    """
    Accuracy of each form by `evaluate(command, form, *options)`: plain models of the three forms,
    of the words with passes and thresholds tuned in each fold, of the form that fits, tuned as
    well; and rich models of the values, of effort lite and normal, and without empty cases.
    """
    found = {form: evaluate("evaluate", form, "--model", "plain") for form in FORMS}
    tune = ("--model", "plain", "--try-passes", "1,5,20")
    found["tuned"] = evaluate("tune", "words", *tune)
    form = FITTING.get(section, "words")
    found["fitting"] = evaluate("tune", form, *tune)
    for effort in "lite", "normal":
        found[effort] = evaluate("evaluate", "values", "--effort", effort)
        found[f"{effort}_filled"] = evaluate("evaluate", "filled-values", "--effort", effort) \
            if section == "law" else found[effort]
    empty = [label for label, features in read(article, section) if not features]
    return {"article": article, "section": section, "cases": len(read(article, section)),
            "empty": len(empty), "empty_violations": empty.count("v"), **found}
