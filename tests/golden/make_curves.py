"""Makes curves.txt: what scikit-learn says of curves of random scores.

usage: python3 make_curves.py > curves.txt    (needs numpy, scikit-learn)

Run once; the tests read the file. Scores are multiples of 1/8, so that some are equal. Lines are
broken between numbers.

  case COUNT LABEL... SCORE...    labels are 1 or 0
  roc COUNT X... Y...             roc_curve() with all points
  pr COUNT X... Y...              precision_recall_curve() from the highest score on, without the
                                  point (0, 1) that it adds
"""
import random
import textwrap

import numpy as np
from sklearn import metrics

draw = random.Random(7)


def line(*values):
    words = (repr(float(v)) if isinstance(v, (float, np.floating)) else str(v) for v in values)
    print(textwrap.fill(" ".join(words), 98))


for case in range(40):
    n = draw.choice([2, 3, 5, 8, 20, 60])
    labels = [1, 0] + [draw.randrange(2) for _ in range(n - 2)]
    scores = [draw.randrange(-24, 24 if n < 20 else 200) / 8 + label for label in labels]
    line("case", n, *labels, *scores)
    x, y, _ = metrics.roc_curve(labels, scores, drop_intermediate=False)
    line("roc", len(x), *x, *y)
    precision, recall, _ = metrics.precision_recall_curve(labels, scores)
    line("pr", len(recall) - 1, *recall[:-1][::-1], *precision[:-1][::-1])
