"""Columns that number or name the cases are left out in Python as in the program."""

import pathlib
import sys
import warnings

import pytest

import hcbr

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "kinds"))
import id_columns  # noqa: E402

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def frame():
    """Every column of the list, each under a name of its own."""
    rows = {f"{name} {i}": values for i, (name, values, _) in enumerate(id_columns.ids(1))}
    rows["told"] = [f"{i * 7 % 5}.5" for i in range(id_columns.ROWS)]
    rows["label"] = ["ab"[i * 7 % 5 > 2] for i in range(id_columns.ROWS)]
    return pandas.DataFrame(rows)


def test_same_columns_and_bytes_as_the_program(frame, program, tmp_path):
    path, model = tmp_path / "t.csv", tmp_path / "m.hcbr"
    frame.to_csv(path, index=False)
    program("train", "-q", "--effort", "lite", path, "-o", model)
    with pytest.warns(hcbr.DataWarning, match="left out"):
        found = hcbr.Model.fit(hcbr.read_csv(path), effort="lite")
    assert found.to_bytes() == model.read_bytes()


def test_one_warning(frame):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        hcbr.Model.fit(frame.drop(columns="label"), frame["label"], effort="lite")
    said = [str(x.message) for x in said if issubclass(x.category, hcbr.DataWarning)]
    assert len([x for x in said if "left out" in x or "several rows" in x]) == 1, said
    assert "several rows have the same value" in " ".join(said)
