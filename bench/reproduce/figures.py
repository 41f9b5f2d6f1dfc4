"""The figures of the paper, drawn again."""
import random

import chart

NO_MORE = 400  # points of a group that are drawn


def planes(page, found):
    panels, histograms = [], []
    for name, rows in found.items():
        draw = random.Random(1)
        right = [(r[0] + r[1], r[0] - r[1]) for r in rows if r[3]]
        wrong = [(r[0] + r[1], r[0] - r[1]) for r in rows if not r[3]]
        right = draw.sample(right, min(len(right), NO_MORE))
        wrong = draw.sample(wrong, min(len(wrong), NO_MORE))
        sums = [p[0] for p in right + wrong]
        panels.append(chart.points(name, [("right", right), ("wrong", wrong)],
                                   "sum of both supports", "difference of the supports",
                                   [((min(sums), 0), (max(sums), 0))]))
        differences = [r[0] - r[1] for r in rows]
        most = sorted(map(abs, differences))[int(.8 * len(rows))] or 1
        edges = [-most + 2 * most * k / 40 for k in range(41)]
        groups = [("right", [0] * 40), ("wrong", [0] * 40)]
        for r, d in zip(rows, differences):
            place = int((d + most) / (2 * most) * 40)
            groups[1 - r[3]][1][min(max(place, 0), 39)] += 1
        histograms.append(chart.bars(name, edges, groups, "difference of the supports",
                                     "held-out cases"))
    page.figure("supports", "Figures 4 and 6: supports of held-out cases, at most "
                f"{NO_MORE} right (blue) and as many wrong ones (orange). The line decides: above "
                "it the positive label has the larger support.",
                chart.figure("Supports of both labels", panels))
    page.figure("histograms", "Figure 5: held-out cases by the difference of their supports; right "
                "in blue, wrong in orange. The outermost bars hold all that is beyond.",
                chart.figure("Histograms of the difference of supports", histograms))


def by_size(page, found):
    order = ["plain", "rich"] + [m for m in found["mcc"] if m not in ("plain", "rich")]
    series = [(m, list(zip(found["sizes"], found["mcc"][m]))) for m in order]
    page.figure("sizes", f"Figure 7: MCC on one held-out tenth of {found['name']} by the number of "
                "training cases.",
                chart.figure("MCC by training cases", [chart.lines(
                    found["name"], series, "training cases", "MCC", log_x=True)],
                    [name for name, _ in series], columns=1))
    page.table(f"The same in numbers ({found['name']}).",
               ["method", *(f"{s:,}" for s in found["sizes"])],
               [[m, *(f"{v:.3f}" for _, v in values)] for m, values in series])


def times(page, tables):
    panels = []
    for table, column, title in (("by_cases", "cases", "N grows, m = 10"),
                                 ("by_size", "size", "m grows, N = 1024")):
        series = [(phase, [(r[column], r[phase]) for r in tables[table]])
                  for phase in ("partition", "strength", "train", "all")]
        panels.append(chart.lines(title, series, "cases" if column == "cases" else "size m",
                                  "seconds", log_x=True, log_y=True))
    page.figure("time", "Figure 8: CPU seconds to build a model of the cases {i, ..., i + m}; both "
                "axes are logarithmic, so linear growth is a line of slope 1.",
                chart.figure("Time by cases and by their size", panels,
                             ["partition", "strength", "train", "all"]))


def curves(page, found):
    def series(models, most=1.):
        out = []
        for model in "plain", "rich":
            for part in "train", "test":
                out.append((f"{model}, {part}", [(r["cases"], r[part + "_accuracy"])
                                                 for r in models[model] if r["share"] <= most]))
        return out

    panels = [chart.lines(name, series(models), "training cases", "accuracy")
              for name, models in found.items()]
    if "adult" in found:
        panels.append(chart.lines("adult, up to 30 %", series(found["adult"], .3),
                                  "training cases", "accuracy"))
    page.figure("curves", "Figures 9 and 10: accuracy on training cases and on a held-out tenth by "
                "the number of training cases.",
                chart.figure("Learning curves", panels, [
                    "plain, training", "plain, held out", "rich, training", "rich, held out"]))


def fitness(page, found):
    panels = []
    for name, said in found.items():
        rows = {r["name"]: r for r in said["tables"]["space"]}
        line = [(r["generation"], r["fitness"]) for r in said["tables"]["evolution"]]
        convex = rows["convex"]["fitness"]
        panels.append(chart.lines(name, [("evolution", line), (
            "convex", [(line[0][0], convex), (line[-1][0], convex)])], "generation", "fitness"))
    page.figure("fitness", "Figure 11: the best fitness of each generation of the evolution "
                "strategy, mean over the folds, and the fitness that the convex solver reaches.",
                chart.figure("Fitness by generation", panels, ["evolution strategy", "convex"]))


def thinned(rows, most=120):
    """At most about so many rows, the first and the last among them."""
    step = max(1, len(rows) // most)
    return rows[::step] + ([rows[-1]] if (len(rows) - 1) % step else [])


def pareto(page, found):
    panels, frontiers = [], []
    for name, models in found.items():
        for table, title in ("eta", "least support η"), ("eta_share", "least share η̄"):
            rows = models["plain"][table]
            panels.append(chart.lines(
                f"{name}, plain", [("accuracy", [(r["eta"], r["accuracy"]) for r in rows]),
                                   ("answered", [(r["eta"], r["answered"]) for r in rows])],
                title, "share"))
    for model, table, title in (("plain", "eta_frontier", "plain, least support η"),
                                ("plain", "eta_share_frontier", "plain, least share η̄"),
                                ("rich", "eta_frontier", "rich, least probability")):
        series = [(name, [(r["accuracy"], r["answered"]) for r in thinned(models[model][table])])
                  for name, models in found.items()]
        frontiers.append(chart.lines(title, series, "accuracy of the answers", "share answered",
                                     y_limits=(0, 1.02)))
    page.figure("thresholds", "Figures 12 to 15: accuracy of the answers and share of held-out "
                "cases answered, by the least support and by the least share.",
                chart.figure("Influence of the least support", panels, ["accuracy", "answered"]))
    page.figure("frontiers", "Figure 16: thresholds that no other one beats in both figures.",
                chart.figure("Pareto frontiers", frontiers, list(found)))
