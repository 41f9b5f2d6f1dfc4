"""What a newcomer does first: the lines of docs/PYTHON.md, as they stand."""

import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT, VOTES

pytest.importorskip("sklearn")
pytest.importorskip("pandas")


def lines():
    text = (ROOT / "docs" / "PYTHON.md").read_text(encoding="utf-8")
    block = re.search(r"```python\n(.*?)```", text, re.S)
    assert block and "pip install" in text[: block.start()]
    return [line[4:] for line in block[1].splitlines() if line.startswith((">>> ", "... "))]


def test_newcomer(tmp_path):
    shutil.copy(VOTES, tmp_path)
    found = lines()
    assert len(found) + 1 <= 12  # and the one that installs
    for step in ("read_csv", "evaluate", "fit", "explain", "save", "load"):
        assert any(step in line for line in found), step
    subprocess.run([sys.executable, "-c", "\n".join(found)], cwd=tmp_path, check=True, timeout=120)
