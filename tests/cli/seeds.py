"""The seed of a random test: HCBR_SEED, else one of the test or a new one. It is printed, so that a
run can be repeated."""
import os
import random


def take_seed(otherwise=None):
    around = os.environ.get("HCBR_SEED")
    if not around and otherwise is None:
        otherwise = random.SystemRandom().randrange(1 << 32)
    seed = int(around) if around else otherwise
    print(f"seed {seed} (HCBR_SEED repeats it)", flush=True)
    return seed
