"""Folds, measures and intervals: the same for every library."""

from __future__ import annotations

import math
from typing import Any, Sequence

import numpy as np

BINS = 15
LEVEL = 0.95
LEAST_PROBABILITY = 1e-15
# Higher is better, but for log-loss and ECE.
MEASURES = ("mcc", "accuracy", "log_loss", "auc")
LOWER_IS_BETTER = ("log_loss", "ece")


def draw_folds(codes: Any, folds: int, seed: int) -> Any:
    """The fold of each row: stratified, and drawn from the seed alone.

    The rows of each label are shuffled and dealt out in turn; the next label goes on where the
    last one ended, so that folds differ by one row at the most.
    """
    draw = np.random.default_rng(seed)
    shuffled = draw.permutation(len(codes))
    order = shuffled[np.argsort(np.asarray(codes)[shuffled], kind="stable")]
    out: Any = np.empty(len(codes), dtype=np.int32)
    out[order] = np.arange(len(codes)) % folds
    return out


def decided(probability: Any) -> Any:
    """The most probable label of each row, the first of equals."""
    return np.argmax(probability, axis=1)


def mcc(truth: Any, said: Any, labels: int) -> float:
    """Matthews' correlation of any number of labels; 0 where it is not defined."""
    n, right = len(truth), int(np.sum(truth == said))
    real = np.bincount(truth, minlength=labels).tolist()
    given = np.bincount(said, minlength=labels).tolist()
    covariance = right * n - sum(a * b for a, b in zip(real, given))
    variance = (n * n - sum(a * a for a in given)) * (n * n - sum(a * a for a in real))
    return covariance / math.sqrt(variance) if variance else 0.0


def auc(positive: Any, score: Any) -> float | None:
    """The chance that a positive case has the higher score; equal scores count half."""
    positive = np.asarray(positive, dtype=bool)
    above, below = int(positive.sum()), int((~positive).sum())
    if not above or not below:
        return None
    _, place, count = np.unique(score, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    rank = (last - (count - 1) / 2)[place]
    return float((rank[positive].sum() - above * (above + 1) / 2) / (above * below))


def measure(truth: Any, probability: Any) -> dict[str, float | None]:
    """The measures of one fold; truth are numbers of the columns of `probability`."""
    labels = probability.shape[1]
    said = decided(probability)
    real = probability[np.arange(len(truth)), truth]
    loss = -math.fsum(math.log(max(p, LEAST_PROBABILITY)) for p in real.tolist()) / len(truth)
    return {
        "mcc": mcc(truth, said, labels),
        "accuracy": float(np.mean(said == truth)),
        "log_loss": loss,
        "auc": auc(truth == 1, probability[:, 1]) if labels == 2 else None,
    }


def calibration_error(truth: Any, probability: Any) -> float:
    """ECE of the most probable label over all rows at once, in 15 bins of equal width."""
    best = decided(probability)
    top = probability[np.arange(len(best)), best]
    cell = np.minimum((top * BINS).astype(int), BINS - 1)
    said = np.bincount(cell, weights=top, minlength=BINS)
    right = np.bincount(cell, weights=best == truth, minlength=BINS)
    return float(np.sum(np.abs(said - right)) / len(truth))


def interval(
    differences: Sequence[float], tested: float, trained: float, level: float = LEVEL
) -> tuple[float, float | None, float | None]:
    """The mean of paired differences, and its interval by the corrected resampled t-test.

    The models of several folds share training cases, so that the usual variance is too small:
    Nadeau and Bengio (2003) add the ratio of tested to trained cases to 1/J. Without two
    differences there is no interval.
    """
    d = np.asarray(differences, dtype=float)
    mean = float(d.mean())
    if len(d) < 2:
        return mean, None, None
    from scipy.special import stdtrit

    error = math.sqrt((1 / len(d) + tested / trained) * float(d.var(ddof=1)))
    half = float(stdtrit(len(d) - 1, (1 + level) / 2)) * error
    return mean, mean - half, mean + half


def mean_sd(values: Sequence[float | None]) -> dict[str, float] | None:
    """Mean and standard deviation of what there is; None if there is nothing."""
    seen = np.array([v for v in values if v is not None], dtype=float)
    if not len(seen):
        return None
    return {"mean": float(seen.mean()), "sd": float(seen.std(ddof=1)) if len(seen) > 1 else 0.0}
