"""Makes study.txt: what scipy and scikit-learn say of random numbers.

usage: python3 make_study.py > study.txt    (needs numpy, scipy, scikit-learn)

Run once; the tests read the file. Numbers are written in full. Differences are multiples of 1/64,
so that ties and zeros are exact; the first ones have neither. Lines are broken between numbers.

  wilcoxon STATISTIC P COUNT DIFFERENCE...    wilcoxon() as it chooses the way by itself
  exponent SLOPE COUNT X... Y...              linregress() of the logarithms
  mcc VALUE TP FP FN TN                       matthews_corrcoef()
  frontier COUNT SCORE... RIGHT... THRESHOLDS ETA... ANSWERED... ACCURACY... BEST...
      Answers with a score, right (1) or not; answered are those above ETA. The accuracy of the
      answers is the precision that precision_recall_curve() gives where "right" is the label. BEST:
      no other threshold is better in one of the two and at least as good in the other; each is
      compared with all others.
"""
import random
import textwrap
import warnings

import numpy as np
from scipy import stats
from sklearn import metrics

warnings.simplefilter("ignore")
draw = random.Random(20)


def line(*values):
    words = (repr(float(v)) if isinstance(v, (float, np.floating)) else str(v) for v in values)
    print(textwrap.fill(" ".join(words), 98))


for case in range(120):
    n = draw.choice([1, 2, 3, 5, 8, 10, 20, 49, 50, 51, 100, 130])
    if case < 60:  # sizes are all different, none is 0
        sizes = draw.sample(range(1, 4000), n)
        list_ = [draw.choice((-1, 1)) * s / 64 for s in sizes]
    else:
        list_ = [draw.randint(-12, 16) / 64 for _ in range(n)]
    if case % 3 == 0:  # many that agree: small p
        list_ = [abs(v) if draw.random() < .9 else v for v in list_]
    if not any(list_):
        list_[0] = 1 / 64
    kept = np.array(list_)
    # exact() for few differences without ties or zeros, else the normal approximation
    few = len(kept) <= 50 and len(set(map(abs, list_))) == len(list_) and all(list_)
    said = stats.wilcoxon(kept, method="exact" if few else "approx", zero_method="wilcox",
                          correction=False)
    line("wilcoxon", said.statistic, said.pvalue, len(list_), *map(float, list_))
for _ in range(30):
    n = draw.randint(2, 12)
    x = [draw.uniform(.1, 1000) for _ in range(n)]
    y = [draw.uniform(.5, 2) * v ** draw.uniform(-1, 3) for v in x]
    line("exponent", stats.linregress(np.log(x), np.log(y)).slope, n, *x, *y)
for _ in range(40):
    counts = [draw.choice([0, 1, draw.randint(0, 9), draw.randint(0, 5000)]) for _ in range(4)]
    tp, fp, fn, tn = counts
    truth = [1] * tp + [0] * fp + [1] * fn + [0] * tn
    given = [1] * tp + [1] * fp + [0] * fn + [0] * tn
    line("mcc", metrics.matthews_corrcoef(truth, given) if truth else 0., *map(float, counts))
for case in range(40):
    n = draw.choice([1, 2, 3, 5, 8, 20, 60])
    scores = [draw.randrange(-2 if case % 4 == 0 else 1, 12 if n < 20 else 60) / 8
              for _ in range(n)]
    right = [int(draw.random() < (.5 + score / 16)) for score in scores]
    # scikit-learn answers from a threshold on, hcbr above it: one earlier in the list
    precision, _, at = metrics.precision_recall_curve(right, scores)
    accuracy = dict(zip(at.tolist(), precision.tolist()))
    levels = sorted(accuracy)
    etas = [0.] + [s for s in levels[:-1] if s > 0]
    first = [levels[0]] + [levels[levels.index(s) + 1] for s in etas[1:]]
    points = [(sum(s >= f for s in scores), accuracy[f]) for f in first]
    best = [not any(o != p and o[0] >= p[0] and o[1] >= p[1] for o in points) for p in points]
    line("frontier", n, *scores, *right, len(etas), *etas, *(p[0] for p in points),
         *(p[1] for p in points), *map(int, best))
