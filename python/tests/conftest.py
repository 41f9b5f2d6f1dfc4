"""What the tests share: the program to compare with, and small sets of data."""

import os
import pathlib
import subprocess

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

ROOT = pathlib.Path(__file__).resolve().parents[2]
set_hypothesis_home_dir(ROOT / "build" / "hypothesis")
VOTES = ROOT / "examples" / "votes.csv"

settings.register_profile(
    "short", max_examples=25, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile(
    "long", max_examples=1000, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("long" if os.environ.get("HCBR_LONG") == "1" else "short")


def find_program():
    given = os.environ.get("HCBR_PROGRAM")
    if given:
        return given
    for preset in ("release", "test", "dev"):
        path = ROOT / "build" / preset / "hcbr"
        if path.exists():
            return str(path)
    return None


@pytest.fixture(scope="session")
def program():
    """Runs the program; its output."""
    path = find_program()
    if path is None:
        pytest.skip("the program was not built")

    def run(*words):
        return subprocess.run(
            [path, *map(str, words)], check=True, capture_output=True, text=True
        ).stdout

    return run


@pytest.fixture(scope="session")
def votes():
    """The votes as a frame of texts: X and y."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(VOTES, dtype=str, keep_default_na=False)
    return frame.drop(columns="class"), frame["class"]


@pytest.fixture(scope="session")
def numbers():
    """Two classes that numbers tell apart, with missing values."""
    draw = np.random.default_rng(7)
    X = draw.normal(size=(200, 4))
    y = (X[:, 0] + 0.5 * X[:, 1] > 0).astype(int)
    X[draw.random(X.shape) < 0.05] = np.nan
    return X, y
