"""Tables whose columns are of every kind: `Model.fit` of what a reader gives has the bytes of the
program's model, whatever the format and the model."""

import pathlib
import random
import sys
import warnings

import pytest

import hcbr

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "cli"))
from tables import draw_table, save_table  # noqa: E402

pytest.importorskip("pandas")
READERS = {"csv": hcbr.read_csv, "tsv": hcbr.read_tsv, "jsonl": hcbr.read_jsonl}


@pytest.mark.parametrize("seed", range(30))
def test_same_bytes_as_the_program(seed, program, tmp_path):
    random.seed(seed)
    names, rows = draw_table()
    form = random.choice(list(READERS))
    path, model = tmp_path / f"d.{form}", tmp_path / "m.hcbr"
    save_table(path, names, rows)
    for options in ({"effort": "lite"}, {"model": "plain"}):
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        program("train", "-q", path, "-o", model, *words)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = hcbr.Model.fit(READERS[form](path), **options)
        assert found.to_bytes() == model.read_bytes(), (names, options)
