"""The stub of the module says what the module has, and users see its types."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT

import hcbr

pytest.importorskip("mypy")


def run(*words):
    folder = os.path.dirname(os.path.dirname(hcbr.__file__))
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True,
                          check=False, cwd=ROOT, env={**os.environ, "MYPYPATH": folder})
    assert done.returncode == 0, done.stdout + done.stderr


def test_stub_says_what_the_module_has():
    run("mypy.stubtest", "hcbr._hcbr")
