"""The steps: each computes, or finds in the store, the figures of one table or figure."""
import importlib.machinery
import importlib.util
import json
import os
import shutil

import court
import measures
import peers
import sets
from store import ROOT, digest_of, run

CURVES = ("heart", "breast", "mushrooms", "splice", "adult", "phishing", "skin")
PARETO = ("phishing", "breast", "heart", "adult")
PROPOSALS = ("heart", "breast", "splice", "phishing", "mushrooms")
PLANES = ("phishing", "splice")
LARGE = ("adult", "phishing", "skin")
SIZES = (50, 100, 300, 1000, 3000, 5400)


class Extent:
    """How much is run: everything, or a little of everything (`--quick`)."""

    def __init__(self, quick):
        self.quick = quick
        self.names = ("breast", "heart") if quick else tuple(sets.NAMES)
        self.repeats = 2 if quick else 10
        self.rows, self.folds = (100, 2) if quick else (sets.MOST_ROWS, 10)
        self.generations = 5 if quick else 100
        self.articles = (6,) if quick else court.ARTICLES
        self.sections = ("law", "topics") if quick else court.SECTIONS

    def of(self, names):
        return [n for n in names if n in self.names]

    def tuned_folds(self, name):
        """Outer folds that tuned models are judged on."""
        return 2 if self.quick else 3 if name == "skin" else 10

    def rich_repeats(self, name):
        return 1 if self.quick or name in LARGE else 3


def keep(said):
    """Seven measures and the share of copies of an evaluation."""
    out = {m: said[m]["mean"] for m in measures.MEASURES}
    out["sd"] = said["accuracy"]["sd"]
    out["copies"] = said["copies"]["mean"]
    out["confusion"] = said["confusion"]
    return out


# ---- the seven data sets -----------------------------------------------------------------------

def description(store, extent):
    """Table 1: what the author's files hold."""
    out = {}
    for name in extent.names:
        path, *options = sets.plain_run(store, name)
        model = ["-o", store.path("described.hcbr")]
        said = store.hcbr(f"{name}: description", "train", path, *options, "--model", "plain",
                          read=counted, output=model)
        sizes = store.get(f"{name}: sizes", [store.files[path], "sizes"],
                          lambda p=path, n=name: case_sizes(p, n))
        positive = sets.POSITIVE[name]
        share = sum(x["cases"] for x in said["labels"] if x["name"] == positive) / said["cases"]
        out[name] = {**said, **sizes, "prevalence": share}
    return out


def counted(said):
    return {k: said[k] for k in ("cases", "features", "occurrences", "atoms", "labels")}


def case_sizes(path, name):
    """Least and most features of a case."""
    with open(path, encoding="utf-8") as file:
        if name == "breast":
            rows = [[c for c in line.strip().split(",")[1:-1] if c not in ("", "?")]
                    for line in file]
        else:
            first = 0 if name == "skin" else 1
            rows = [line.split()[first:] for line in file]
    return {"least": min(map(len, rows)), "most": max(map(len, rows))}


def plain(store, extent):
    """Table 3 without tuning: the plain model, without and with the memory rule."""
    out = {}
    for name in extent.names:
        common = ["evaluate", *sets.plain_run(store, name), "--model", "plain", "--positive",
                  sets.POSITIVE[name], "--repeats", extent.repeats]
        out[name] = {"plain": store.hcbr(f"{name}: plain", *common, read=keep),
                     "memory": store.hcbr(f"{name}: memory", *common, "--memory", read=keep)}
    return out


def rich(store, extent):
    """Table 3: the rich model, as it is and with a cut of the probability chosen on other folds."""
    out = {}
    for name in extent.names:
        path, positive = store.path("rich.jsonl"), sets.POSITIVE[name]

        def keep_rich(said, path=path, positive=positive):
            with open(path, encoding="utf-8") as file:
                rows = [json.loads(line) for line in file]
            answers = [(r["fold"], r["probability"][positive], r["truth"] == positive)
                       for r in rows]
            return {"rich": keep(said), "tuned": measures.cross_tuned(answers)}

        out[name] = store.hcbr(f"{name}: rich", "evaluate", *sets.reading(store, name),
                               "--positive", positive, read=keep_rich,
                               output=["--predictions", path])
    return out


def tuned(store, extent):
    """Table 3, tuned: `hcbr tune` on nine folds, its model on the tenth."""
    out = {}
    for name in extent.names:
        header, rows, _, fold = sets.sample(store, name, most=10 ** 9)
        options = sets.reading(store, name)[1:]
        options += [o for o in sets.plain_run(store, name)[1:] if o == "--passes"]
        if "--passes" in options:
            source = sets.plain_run(store, name)
            options.append(source[source.index("--passes") + 1])
        key = ["tuned", store.program, options, digest_of(rows), digest_of(fold.tolist())]
        parts = [store.get(f"{name}: tuned, fold {k + 1}", [*key, k],
                           lambda k=k: tune_fold(store, name, options, header, rows, fold, k))
                 for k in range(extent.tuned_folds(name))]
        out[name] = measures.means([measures.of_counts(*p) for p in parts])
    return out


def tune_fold(store, name, options, header, rows, fold, k):
    ending = ".csv" if header or name == "breast" else ".libsvm"
    for file, chosen in (("train", fold != k), ("test", fold == k)):
        with open(store.path(file + ending), "w", encoding="utf-8") as out:
            out.writelines(line + "\n" for line in
                           ([header] if header else []) + [r for r, c in zip(rows, chosen) if c])
    run("tune", store.path("train" + ending), *options, "--model", "plain", "-o",
        store.path("tuned.hcbr"))
    positive = sets.POSITIVE[name]
    said = run("evaluate", store.path("tuned.hcbr"), store.path("test" + ending), "--positive",
               positive)
    cells = {(c["truth"] == positive, c["label"] == positive): 0 for c in said["confusion"]}
    for c in said["confusion"]:
        cells[c["truth"] == positive, c["label"] == positive] += c["count"]
    return [cells.get(c, 0) for c in ((True, True), (False, True), (True, False), (False, False))]


def planes(store, extent):
    """Figures 4 to 6: the supports of held-out cases, right and wrong."""
    out = {}
    for name in extent.of(PLANES) or extent.names[:1]:
        path, positive = store.path("plane.jsonl"), sets.POSITIVE[name]

        def keep_plane(_, path=path, positive=positive):
            with open(path, encoding="utf-8") as file:
                rows = [json.loads(line) for line in file]
            other = next(k for k in rows[0]["support"] if k != positive)
            return [[round(r["support"][positive], 9), round(r["support"][other], 9),
                     int(r["truth"] == positive), int(r["label"] == r["truth"])] for r in rows]

        out[name] = store.hcbr(f"{name}: supports", "evaluate", *sets.plain_run(store, name),
                               "--model", "plain", read=keep_plane,
                               output=["--predictions", path])
    return out


# ---- other methods -----------------------------------------------------------------------------

def compare(store, extent):
    """Tables 4 and 5: scikit-learn's defaults and both models on the same rows and folds."""
    out = {}
    for name in extent.names:
        header, rows, labels, fold = sets.sample(store, name, extent.rows, extent.folds)
        positive = sets.POSITIVE[name]
        x, y = sets.matrix(name, rows), labels == positive
        key = [peers.VERSION, name, digest_of(rows), digest_of(fold.tolist())]
        found = {method: store.get(f"{name}: {method}", ["sklearn", method, *key],
                                   lambda m=method: peers.on_folds(m, x, y, fold))
                 for method in peers.METHODS}
        ending = ".csv" if header or name == "breast" else ".libsvm"
        data = store.file(f"compare-{name}{ending}", lambda p: write_rows(p, header, rows))
        folds = store.file(f"compare-{name}.folds", lambda p: write_rows(p, None, map(str, fold)))
        options = sets.reading(store, name)[1:] + ["--folds-file", folds, "--positive", positive]
        passes = sets.plain_run(store, name)
        passes = passes[passes.index("--passes"):][:2] if "--passes" in passes else []
        found["plain"] = store.hcbr(f"{name}: plain, compared", "evaluate", data, *options,
                                    "--model", "plain", *passes, read=keep)
        found["rich"] = store.hcbr(f"{name}: rich, compared", "evaluate", data, *options, read=keep)
        out[name] = {"rows": len(rows), "methods": found}
    return out


def write_rows(path, header, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(row + "\n" for row in ([header] if header else []) + list(rows))


def sizes(store, extent):
    """Figure 7: MCC by the number of training cases."""
    name = "heart" if extent.quick else "skin"
    header, rows, labels, fold = sets.sample(store, name, extent.rows, extent.folds)
    positive = sets.POSITIVE[name]
    x, y = sets.matrix(name, rows), labels == positive
    counts = [s for s in SIZES if s <= (fold != fold.min()).sum()]
    key = ["sizes", peers.VERSION, name, digest_of(rows), digest_of(fold.tolist()), counts]
    found = {method: store.get(f"{name}: {method} by size", [method, *key],
                               lambda m=method: peers.by_size(m, x, y, fold, counts))
             for method in peers.METHODS}
    ending = ".csv" if header or name == "breast" else ".libsvm"
    others = [r for r, k in zip(rows, fold) if k != fold.min()]
    test = store.file(f"sizes-test{ending}", lambda p: write_rows(
        p, header, [r for r, k in zip(rows, fold) if k == fold.min()]))
    for model in "plain", "rich":
        found[model] = []
        for size in counts:
            data = store.file(f"sizes-{size}{ending}",
                              lambda p, s=size: write_rows(p, header, others[:s]))
            said = store.hcbr(f"{name}: {model} of {size}", "evaluate", data,
                              *sets.reading(store, name)[1:], "--test", test, "--model", model,
                              "--positive", positive, read=keep)
            found[model].append(said["mcc"])
    return {"name": name, "sizes": counts, "mcc": found}


# ---- the European Court ------------------------------------------------------------------------

def accuracy_of(said):
    figures = said if "accuracy" in said else said["held_out"]  # evaluate, tune
    return {"accuracy": figures["accuracy"]["mean"], "cases": said["cases"]}


def judgments(store, extent):
    """Table 6: accuracy by article and section, in the forms that a value can have."""
    def evaluate(article, section):
        def one(command, form, *options):
            path = store.file(f"a{article}-{section}-{form}.jsonl",
                              lambda p: court.write(article, section, form, p))
            output = ["-o", store.path("court.hcbr")] if command == "tune" else []
            what = form if not output else "tuned" if form == "words" else f"{form}, tuned"
            what = f"{form}, {options[1]}" if "--effort" in options else what
            return store.hcbr(f"article {article}, {section}: {what}", command, path, *options,
                              read=accuracy_of, output=output)["accuracy"]
        return one

    return [court.figures(evaluate(article, section), article, section)
            for article in extent.articles for section in extent.sections]


# ---- experiments -------------------------------------------------------------------------------

def curves(store, extent):
    """Figures 9 and 10."""
    out = {}
    for name in extent.of(CURVES):
        one = {"plain": ["--repeats", extent.repeats], "rich": [
            "--model", "rich", "--repeats", extent.rich_repeats(name)]}
        out[name] = {}
        for model, options in one.items():
            source = sets.plain_run(store, name) if model == "plain" else sets.reading(store, name)
            out[name][model] = store.hcbr(f"{name}: learning curve, {model}", "study", "curve",
                                          *source, *options)["tables"]["curve"]
    return out


def space(store, extent):
    """Table 7 and figure 11."""
    return {name: store.hcbr(f"{name}: model space", "study", "space",
                             *sets.plain_run(store, name), "--generations", extent.generations)
            for name in extent.names}


def pareto(store, extent):
    """Figures 12 to 16."""
    out = {}
    for name in extent.of(PARETO):
        out[name] = {
            "plain": store.hcbr(f"{name}: thresholds, plain", "study", "pareto",
                                *sets.plain_run(store, name))["tables"],
            "rich": store.hcbr(f"{name}: thresholds, rich", "study", "pareto",
                               *sets.reading(store, name), "--model", "rich")["tables"]}
    return out


def proposals(store, extent):
    """What the paper proposes: hyperpaths, and features left out."""
    out = {}
    for name in extent.of(PROPOSALS):
        source = sets.without(sets.plain_run(store, name), "--passes")
        out[name] = {kind: store.hcbr(f"{name}: {kind}", "study", kind, *source)["tables"][kind]
                     for kind in ("reach", "prune")}
    return out


def times(store, extent):
    """Figure 8: seconds, and instructions where valgrind is installed."""
    out = {"seconds": store.hcbr("time", "study", "time")["tables"], "instructions": None,
           "in_order": store.hcbr("time, given order", "study", "time", "--given-order")["tables"]}
    if shutil.which("valgrind") and not extent.quick:
        path = os.path.join(ROOT, "bench", "study_time")
        loader = importlib.machinery.SourceFileLoader("study_time", path)
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader("study_time",
                                                                                 loader))
        loader.exec_module(module)
        out["instructions"] = store.get("instructions", ["instructions", store.program],
                                        lambda: module.exponents(store.work))
    return out


STEPS = {"description": description, "plain": plain, "rich": rich, "tuned": tuned,
         "planes": planes, "compare": compare, "sizes": sizes, "court": judgments,
         "curves": curves, "time": times, "space": space, "pareto": pareto,
         "proposals": proposals}
