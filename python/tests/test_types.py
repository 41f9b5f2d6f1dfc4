"""The types of the package, as two checkers see them."""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import ROOT

from hcbr._hcbr import options
from hcbr._options import EvaluateOptions


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


USES = pathlib.Path(__file__).with_name("uses.py")
CHECKERS = {
    "mypy": (["--no-error-summary", "--config-file=", "--follow-imports=silent"],
             re.compile(r"uses\.py:(\d+): error")),
    "basedpyright": (["--level", "error", "--pythonpath", sys.executable],
                     re.compile(r"uses\.py:(\d+):\d+ - error")),
}


@pytest.mark.parametrize("checker", CHECKERS)
def test_wrong_uses_are_flagged_and_right_ones_are_not(checker, tmp_path):
    """As in a project of somebody else: without the settings of this one."""
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed")
    (tmp_path / "uses.py").write_text(USES.read_text(encoding="utf-8"), encoding="utf-8")
    folder = str(ROOT / "python")
    (tmp_path / "pyrightconfig.json").write_text(
        json.dumps({"extraPaths": [folder], "typeCheckingMode": "standard",
                    "reportUnusedExpression": False, "reportMissingModuleSource": False})
    )
    words, flagged = CHECKERS[checker]
    ran = subprocess.run(
        [sys.executable, "-m", checker, *words, "uses.py"] if checker == "mypy"
        else [sys.executable, "-m", checker, *words],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "MYPYPATH": folder},
    )
    lines = USES.read_text(encoding="utf-8").splitlines()
    wrong = {i for i, line in enumerate(lines, 1) if line.endswith("# WRONG")}
    found = {int(number) for number in flagged.findall(ran.stdout)}
    assert len(wrong) > 30 and found == wrong, (
        [lines[i - 1] for i in sorted(found ^ wrong)], ran.stdout
    )


def test_types_name_every_option():
    assert set(EvaluateOptions.__annotations__) == set(options())
