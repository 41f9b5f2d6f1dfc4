"""Makes metrics.txt: random predictions and what scikit-learn says of them.

usage: /usr/bin/python3 make_metrics.py > metrics.txt    (Debian: python3-sklearn)

Run once; the tests read the file. A metric that does not exist is `none`: where scikit-learn
divides by zero it answers 0, so the places where it does are found here from the counts. An
undecided case is the prediction -1, which is no label: scikit-learn takes it as one more class.

  set LABELS COUNT POSITIVE      positive -1: means over the labels
  case TRUTH LABEL SUPPORT... PROBABILITY...    in 64ths and in 65536ths
  METRIC LABEL VALUE             label -1: of all
"""
import random
import warnings

import numpy as np
from sklearn import metrics
from sklearn.calibration import calibration_curve

warnings.simplefilter("ignore")
BINS = 15


def ratio(value, exists):
    return float(value) if exists else None


def one_label(y, p, l, scores):
    """recall and the like of label l against the rest; undecided cases are wrong."""
    truth, given, decided = y == l, p == l, p >= 0
    # seen from the rest: 1 the rest, 0 the label, 2 no answer
    rest = np.where(decided, np.where(given, 0, 1), 2)
    out = {
        "recall": ratio(metrics.recall_score(truth, given), truth.any()),
        "precision": ratio(metrics.precision_score(truth, given), given.any()),
        "specificity": ratio(metrics.recall_score(np.where(truth, 0, 1), rest, labels=[1],
                                                  average="macro"), (~truth).any()),
        "npv": ratio(metrics.precision_score(np.where(truth, 0, 1), rest, labels=[1],
                                             average="macro"), (rest == 1).any()),
        "f1": ratio(metrics.f1_score(truth, given), truth.any() or given.any()),
        "auc": None,
        "pr_auc": None,
    }
    if truth.any():
        out["pr_auc"] = float(metrics.average_precision_score(truth, scores))
    if truth.any() and not truth.all():
        out["auc"] = float(metrics.roc_auc_score(truth, scores))
    return out


def mean(values):
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else None


def measure(labels, y, p, support, probability, positive):
    decided = p >= 0
    lines = [("accuracy", -1, metrics.accuracy_score(y, p)),
             ("accuracy_decided", -1,
              ratio(metrics.accuracy_score(y[decided], p[decided]) if decided.any() else 0,
                    decided.any())),
             ("unknown", -1, float(np.mean(~decided))),
             ("mcc", -1, ratio(metrics.matthews_corrcoef(y, p), len(set(y)) > 1))]
    each = []
    for l in range(labels):
        others = np.delete(support, l, axis=1)
        scores = support[:, l] - (others.max(axis=1) if labels > 1 else 0)
        each.append(one_label(y, p, l, scores))
        for name, value in each[-1].items():
            lines.append((name, l, value))
    for name in each[0]:
        value = each[positive][name] if positive >= 0 else mean([e[name] for e in each])
        lines.append((name, -1, value))
    known = list(range(labels))
    if labels > 1:
        lines.append(("log_loss", -1, metrics.log_loss(y, probability, labels=known)))
    if labels == 2:
        about = probability[:, positive]
        right = y == positive
        lines.append(("brier", -1, metrics.brier_score_loss(right, about)))
    else:
        about = probability.max(axis=1)
        right = y == probability.argmax(axis=1)
        lines.append(("brier", -1, float(np.mean(np.sum(
            (probability - np.eye(labels)[y]) ** 2, axis=1)))))
    share, probable = calibration_curve(right, about, n_bins=BINS)
    # the bins that calibration_curve leaves out are empty
    place = np.searchsorted(np.linspace(0, 1, BINS + 1)[1:-1], about)
    counts = np.bincount(place, minlength=BINS)
    counts = counts[counts > 0]
    lines.append(("ece", -1, float(np.sum(counts * np.abs(share - probable)) / len(y))))
    return lines


def make(random_, labels, count, kind):
    support = np.array([[random_.randrange(-8, 65) / 64 for _ in range(labels)]
                        for _ in range(count)])
    probability = []
    for _ in range(count):
        cuts = sorted(random_.randrange(1, 65536) for _ in range(labels - 1))
        probability.append(np.diff([0] + cuts + [65536]) / 65536)
    probability = np.array(probability)
    y = np.array([random_.randrange(labels) for _ in range(count)])
    p = np.array([t if random_.random() < .6 else random_.randrange(labels) for t in y])
    if kind == "undecided":
        p = np.array([-1 if random_.random() < .3 else l for l in p])
    elif kind == "all undecided":
        p = np.full(count, -1)
    elif kind == "one truth":
        y = np.full(count, random_.randrange(labels))
    elif kind == "one answer":
        p = np.full(count, random_.randrange(labels))
    elif kind == "all right":
        p = y.copy()
    return y, p, support, probability


def main():
    random_ = random.Random(20260101)
    kinds = ["plain", "undecided", "all undecided", "one truth", "one answer", "all right"]
    sets = [(labels, count, kind) for labels in (2, 3, 5) for kind in kinds
            for count in (1, 7, 40)] + [(2, 400, "undecided"), (2, 300, "plain"),
                                        (4, 300, "undecided"), (3, 300, "plain")]
    print("# made by make_metrics.py with scikit-learn")
    for labels, count, kind in sets:
        y, p, support, probability = make(random_, labels, count, kind)
        positive = random_.choice([0, 1]) if labels == 2 else random_.choice([-1, -1, 0, 2])
        print("set", labels, count, positive)
        for i in range(count):
            print("case", y[i], p[i], *[int(64 * x) for x in support[i]],
                  *[int(65536 * x) for x in probability[i]])
        for name, label, value in measure(labels, y, p, support, probability, positive):
            print(name, label, "none" if value is None else repr(float(value)))


main()
