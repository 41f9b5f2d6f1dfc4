"""The notebook of examples/ runs, and what is stored in it is what it gives."""

import importlib.machinery
import importlib.util
import json
import pathlib
import shutil

import pytest
from conftest import ROOT, VOTES

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")
pytest.importorskip("sklearn")
pytest.importorskip("pandas")
NOTEBOOK = ROOT / "examples" / "first_model.ipynb"


def load_tool():
    path = str(ROOT / "tools" / "run_notebook")
    loader = importlib.machinery.SourceFileLoader("run_notebook", path)
    spec = importlib.util.spec_from_loader("run_notebook", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def outputs(book):
    """Texts of all outputs; pandas' own pages differ between its versions."""
    out = []
    for cell in book["cells"]:
        for one in cell.get("outputs", []):
            data = one.get("data", {"text/plain": one.get("text")})
            for kind, text in sorted(data.items()):
                text = text if isinstance(text, str) else "".join(text)
                if kind == "text/plain" or 'class="hcbr"' in text:
                    out.append(text)
    return out


def test_notebook(tmp_path):
    shutil.copy(NOTEBOOK, tmp_path)
    shutil.copy(VOTES, tmp_path)
    found = load_tool().run(str(tmp_path / NOTEBOOK.name))
    stored = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert outputs(json.loads(json.dumps(found))) == outputs(stored)


def test_what_is_stored_needs_no_trust():
    stored = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    page = next(text for text in outputs(stored) if 'class="hcbr"' in text)
    for taken_out in ("<script", "<iframe", "<object", "<link", " onload=", "javascript:"):
        assert taken_out not in NOTEBOOK.read_text(encoding="utf-8").lower()
    assert "physician-fee-freeze" in page and "Past cases" in page
    paths = (str(ROOT), str(pathlib.Path.home()))
    assert not any(path in NOTEBOOK.read_text(encoding="utf-8") for path in paths)


def test_bar_shows_itself_in_a_notebook_and_leaves_nothing():
    code = (
        "import numpy as np, hcbr, IPython.display\n"
        "hcbr._progress.DELAY = 0  # however quick the machine is\n"
        "shown, before = [], hcbr._progress._Output.show\n"
        "def show(self, line):\n"
        "    shown.append(line)\n"
        "    before(self, line)\n"
        "hcbr._progress._Output.show = show\n"
        "X = np.random.default_rng(1).normal(size=(20000, 10))\n"
        "y = (X[:, 0] * X[:, 1] > 0).astype(int)\n"
        "model = hcbr.Model.fit(X, y)"
    )
    cells = [nbformat.v4.new_code_cell(code), nbformat.v4.new_code_cell(
        "print(len(shown) > 0, all(line.startswith('hcbr: ') for line in shown))\n"
        "model = hcbr.Model.fit(X, y, progress=True)\n"
        "hcbr.evaluate(X[:2000], y[:2000], progress=False)['folds']"
    )]
    book = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(book, timeout=600, kernel_name="python3").execute()
    outputs = [out for cell in book.cells for out in cell.outputs]
    assert not [out for out in outputs if out.get("name") == "stderr"], outputs
    assert [out["data"] for out in outputs if out["output_type"] == "display_data"] == [
        {"text/plain": ""}] * 2
    assert [out["text"] for out in outputs if out["output_type"] == "stream"] == ["True True\n"]
    assert [out["data"]["text/plain"] for out in outputs if "execution_count" in out] == ["10"]
