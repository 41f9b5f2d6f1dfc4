"""Makes study.txt: what scipy and scikit-learn say of random numbers.

usage: python3 make_study.py > study.txt    (needs numpy, scipy, scikit-learn)

Run once; the tests read the file. Numbers are written in full. Differences are multiples of 1/64,
so that ties and zeros are exact; the first ones have neither. Lines are broken between numbers.

  wilcoxon STATISTIC P COUNT DIFFERENCE...    wilcoxon() as it chooses the way by itself
  exponent SLOPE COUNT X... Y...              linregress() of the logarithms
  mcc VALUE TP FP FN TN                       matthews_corrcoef()
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
