"""Accuracy, MCC (of any number of labels), log-loss and calibration from probabilities."""
import math


def metrics(truth, probability, decided=None):
    """truth: label numbers; probability: rows of one number per label."""
    if decided is None:
        decided = [max(range(len(p)), key=lambda l: (p[l], -l)) for p in probability]
    n, k = len(truth), len(probability[0])
    right = sum(t == d for t, d in zip(truth, decided))
    real, said = [0] * k, [0] * k
    for t, d in zip(truth, decided):
        real[t] += 1
        said[d] += 1
    cov = right * n - sum(a * b for a, b in zip(real, said))
    var = (n * n - sum(a * a for a in said)) * (n * n - sum(a * a for a in real))
    loss = -sum(math.log(max(p[t], 1e-15)) for t, p in zip(truth, probability)) / n
    return {"accuracy": right / n, "mcc": cov / math.sqrt(var) if var else 0.0, "log_loss": loss}


def ece(truth, probability, bins=15):
    """Of the label with the largest probability, over all cases at once."""
    total = [[0, 0.0, 0.0] for _ in range(bins)]
    for t, p in zip(truth, probability):
        best = max(range(len(p)), key=lambda l: (p[l], -l))
        cell = total[min(int(p[best] * bins), bins - 1)]
        cell[0] += 1
        cell[1] += p[best]
        cell[2] += best == t
    return sum(abs(c[1] - c[2]) for c in total) / len(truth)
