"""A process may fork at any time: children decide whatever other threads do just then."""

import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("pandas")
SCRIPT = pathlib.Path(__file__).with_name("forks.py")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("hide", [[], ["hide"]], ids=["pyarrow", "without"])
def test_children_decide(hide):
    count = 1000 if os.environ.get("HCBR_LONG") == "1" else 200 if hide else 60
    done = subprocess.run(
        [sys.executable, "-W", "ignore", SCRIPT, str(count), *hide],
        capture_output=True, text=True, check=True,
    )
    assert done.stdout == "hung 0 looked 0\n"
