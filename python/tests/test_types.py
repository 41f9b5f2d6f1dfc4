"""The types of the package, as two checkers see them."""

import importlib.util
import subprocess
import sys

import pytest
from conftest import ROOT


def check(module, *words):
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    ran = subprocess.run(
        [sys.executable, "-m", module, *words], cwd=ROOT, capture_output=True, text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_mypy():
    check("mypy", "--no-error-summary")


def test_pyright():
    """basedpyright is pyright with the node that it needs; the rules are pyright's.

    The project is named: otherwise a pyrightconfig.json of any folder above would count.
    """
    check("basedpyright", "--project", str(ROOT / "pyproject.toml"), "--level", "error",
          "--pythonpath", sys.executable)
