"""Messages name parameters of Python: no option as the library or the command line spells it."""

import re

import pytest
from conftest import ROOT

import hcbr
from hcbr._hcbr import in_python, options

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
NAMED = re.compile(r"option ([a-z_.]+)")
# What Python never gets: a comparison of models and cases has no function.
ELSEWHERE = {"limit"}
# Pages and objects of JSON are those of the program.
RENDERED = {"render"}


def texts():
    """All texts of the library, with what stands behind each other joined."""
    for path in sorted((ROOT / "src").rglob("*.c")):
        code = re.sub(r'"\s*\n\s*"', "", path.read_text(encoding="utf-8"))
        for found in LITERAL.finditer(code):
            yield path.relative_to(ROOT / "src").parts[0], found[1].replace('\\"', '"')


def test_every_option_that_a_message_names_is_a_parameter():
    known, seen = {*options(), "join.name"}, set()
    for stage, text in texts():
        assert stage == "render" or not re.search(r"(?<![-\w])--[a-z][a-z-]+", text), text
        names = NAMED.findall(text)
        for name in names:
            assert name in known or name in ELSEWHERE or stage in RENDERED, text
        seen.update(names)
        said = in_python(text)
        assert not set(NAMED.findall(said)) & known, said
        for name in set(names) & known - {"join.name"}:
            assert f"{name}=" in said, said
    assert len(seen) > 30 and "bad_rows" in seen


@pytest.mark.parametrize("text, expected", [
    ("(option bad_rows stop refuses this)", '(bad_rows="stop" refuses this)'),
    ("with option keep_cases anonymous or full", 'with keep_cases="anonymous" or "full"'),
    ("(option strict keeps them)", "(strict=True keeps them)"),
    ("option header 1 keeps", "header=1 keeps"),
    ("(option quote none takes", '(quote="none" takes'),
    ("option id or option ignore?", "id=... or ignore=...?"),
    ("expected option label last, option label none", 'expected label="last", label="none"'),
    ("one (option join.name)", "one (join={file: (key, name)})"),
    ("column 'option strict' is one; don't (option strict)",
     "column 'option strict' is one; don't (strict=True)"),
    ("no option is known", "no option is known"), ("", ""), ("option ", "option "),
])
def test_how_parameters_are_said(text, expected):
    assert in_python(text) == expected


def test_what_users_see(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,label\n1,x\n2,\n3,y\n4,x\n")
    with pytest.warns(hcbr.DataWarning, match=r'left out: line 3 \(bad_rows="stop" refuses this\)'):
        hcbr.read_csv(path)
    with pytest.raises(hcbr.DataError, match=r"expected 'none' \(label=...\)"):
        hcbr.train(path, label="none")
