"""What the documents show is what happens."""

import doctest
import shutil

import pytest
from conftest import ROOT, VOTES

import hcbr

pytest.importorskip("sklearn")
pytest.importorskip("pandas")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", ["docs/PYTHON.md", "README.md"])
def test_documents(name, tmp_path, monkeypatch):
    shutil.copy(VOTES, tmp_path)
    (tmp_path / "examples").mkdir()
    shutil.copy(VOTES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(ROOT / name), module_relative=False, optionflags=FLAGS)
    assert found.failed == 0 and found.attempted > 2


def test_docstring():
    assert doctest.testmod(hcbr, optionflags=FLAGS).failed == 0


def test_everything_public_has_words():
    for name in hcbr.__all__:
        one = getattr(hcbr, name)
        assert isinstance(one, str) or one.__doc__, name
