"""The seven measures of the paper from four counts, and thresholds chosen on other folds."""
import math

MEASURES = ("accuracy", "recall", "specificity", "precision", "npv", "f1", "mcc")


def ratio(a, b):
    return a / b if b else math.nan


def of_counts(tp, fp, fn, tn):
    below = math.sqrt((tp + fp) * (tp + fn)) * math.sqrt((tn + fp) * (tn + fn))
    return {"accuracy": ratio(tp + tn, tp + fp + fn + tn), "recall": ratio(tp, tp + fn),
            "specificity": ratio(tn, tn + fp), "precision": ratio(tp, tp + fp),
            "npv": ratio(tn, tn + fn), "f1": ratio(2 * tp, 2 * tp + fp + fn),
            "mcc": (tp * tn - fp * fn) / below if below else 0.}


def counts(pairs):
    """tp, fp, fn, tn of (is positive, answered positive)."""
    found = [0, 0, 0, 0]
    for truth, answer in pairs:
        found[(0 if truth else 1) if answer else (2 if truth else 3)] += 1
    return found


def means(parts):
    """Means over the folds that have a measure, and the standard deviation of the accuracy."""
    out = {}
    for measure in MEASURES:
        values = [p[measure] for p in parts if not math.isnan(p[measure])]
        out[measure] = sum(values) / len(values) if values else None
    mean = out["accuracy"]
    spread = sum((p["accuracy"] - mean) ** 2 for p in parts)
    out["sd"] = math.sqrt(spread / (len(parts) - 1)) if len(parts) > 1 else 0.
    return out


def best_cut(answers):
    """The score from which on `positive` is most often right; answers: (score, is positive)."""
    answers = sorted(answers)
    right = sum(positive for _, positive in answers)
    best, cut = right, -math.inf
    for i, (score, positive) in enumerate(answers):
        right += -1 if positive else 1
        last = i + 1 == len(answers)
        if right > best and (last or answers[i + 1][0] > score):
            best, cut = right, math.inf if last else (score + answers[i + 1][0]) / 2
    return cut


def cross_tuned(answers):
    """Measures of (fold, score, is positive) with a cut for each fold, chosen on the others."""
    parts = []
    for fold in sorted({a[0] for a in answers}):
        cut = best_cut([a[1:] for a in answers if a[0] != fold])
        parts.append(of_counts(*counts((positive, score > cut) for k, score, positive in answers
                                       if k == fold)))
    return means(parts)
