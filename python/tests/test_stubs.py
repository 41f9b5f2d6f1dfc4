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


@pytest.mark.skipif(os.environ.get("HCBR_LONG") != "1", reason="long")
def test_users_see_types(tmp_path):
    code = (
        "import hcbr\n"
        "model = hcbr.Model.load('m.hcbr')\n"
        "one = model.predict_one({'a': 1})\n"
        "label: str | None = one.label\n"
        "share: float = one.support['x']\n"
        "wrong: int = one.reason\n"
    )
    (tmp_path / "use.py").write_text(code)
    done = subprocess.run([sys.executable, "-m", "mypy", "--follow-imports=silent", "use.py"],
                          cwd=tmp_path, capture_output=True, text=True, check=False,
                          env={**os.environ, "MYPYPATH": str(ROOT / "python")})
    assert done.returncode == 1 and done.stdout.count("error:") == 1, done.stdout
    assert "use.py:6" in done.stdout
