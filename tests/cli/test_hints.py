"""Mistakes that people make get a hint that helps, and a case fits on a screen."""
import itertools
import json
import re

from program import VOTES, run, run_tests, write

SHOP = ["shop,size,label"] + [f"{shop},{size},{'late' if shop == 'rewe' else 'soon'}"
                              for shop in ("rewe", "aldi", "lidl") for size in range(20)]


def hint(*arguments, code=2):
    done = run(*arguments, code=code)
    return done.stderr.splitlines()[0]


def wrong_words():
    write("shop.csv", SHOP)
    run("train", "shop.csv", "-q", "-o", "m.hcbr")
    assert "hcbr explain --flip" in hint("flip", "m.hcbr")
    assert "hcbr explain --ask" in hint("ask", "m.hcbr")
    assert "did you mean --version?" in hint("--verison")
    assert "did you mean --help?" in hint("--hlep")
    assert "a command comes first" in hint("--json")
    for command in ("predict", "explain", "evaluate", "drift"):
        if command != "evaluate":
            said = hint(command, "shop.csv", "m.hcbr")
            assert "m.hcbr is: the model comes first" in said, said
    # neither is a model: the old message
    assert "not a model" in hint("predict", "shop.csv", "shop.csv", code=4)


def wrong_cases():
    write("shop.csv", SHOP)
    run("train", "shop.csv", "-q", "-o", "m.hcbr")
    for given, said in (("shp=rewe", "did you mean shop?"), ("shp=", "did you mean shop?"),
                        ("shop=rewee", "did you mean rewe?"), ("shop=Rewe", "did you mean rewe?"),
                        ("shop=markets", "they have")):
        for command in ("explain", "predict"):
            assert said in hint(command, "m.hcbr", "--case", given, code=0), (command, given)
    for fine in ("shop=rewe", "size=12345", "size=7", "shop="):
        assert "no past case" not in run("explain", "m.hcbr", "--case", fine).stderr, fine


def a_case_is_a_screen():
    for kind in ("plain", "rich"):
        run("train", VOTES, "--model", kind, "-q", "-o", "m.hcbr")
        text = run("explain", "m.hcbr", VOTES, "--rows", "1-60").stdout
        cases = re.split(r"\n(?=row \d+:)", text)
        assert len(cases) == 60
        assert max(case.count("\n") for case in cases) <= 42
        few = run("explain", "m.hcbr", VOTES, "--rows", "5", "--top", "3", "--cases", "4").stdout
        assert "groups of features" in few and few.count("\n+ row") == 4
        none = run("explain", "m.hcbr", VOTES, "--rows", "5", "--top", "0", "--cases", "0").stdout
        assert "columns, for" not in none and "groups" not in none and "past cases for" not in none
        for option in (["--all"], ["-v"]):
            more = run("explain", "m.hcbr", VOTES, "--rows", "5", *option).stdout
            assert more.count("\n") > 60 and "groups of features" in more


def lead_of_n(*case):
    given = [option for value in case for option in ("--case", value)]
    support = json.loads(run("explain", "m.hcbr", *given, "--json").stdout)["support"]
    return support["n"] - support["y"]


def nothing_worth_asking():
    """Listed is what some answer moves, and only that. Here a, b and c=w stand with both labels
    alike, so only c=u and c=v say anything."""
    values = {"a": "01", "b": "xyz", "c": "uvw"}
    lines = ["a,b,c,label"] + [f"{a},{b},{c},{label}" for a, b, c in
                               itertools.product(*values.values())
                               for label in {"u": "nn", "v": "yy", "w": "ny"}[c]]
    run("train", write("t.csv", lines), "--model", "plain", "--type", "a=category", "-q", "-o",
        "m.hcbr")
    listed = 0
    for key, first in (("a", "a=0"), ("a", "a=1"), ("b", "b=z"), ("c", "c=w")):
        now, moves = lead_of_n(first), set()
        for other in values.keys() - {key}:
            if any(abs(lead_of_n(first, f"{other}={value}") - now) > 1e-12
                   for value in values[other]):
                moves.add(other)
        ask = json.loads(run("explain", "m.hcbr", "--case", first, "--ask", "--json").stdout)["ask"]
        assert {q["key"] for q in ask["questions"]} == moves, (first, moves, ask)
        assert ask["open"] == 2
        text = run("explain", "m.hcbr", "--case", first, "--ask").stdout
        for other in values.keys() - {key}:
            assert (f"\n  {other} " in text.partition("worth asking")[2]) == (other in moves), text
        listed += len(moves)
    assert 0 < listed < 8, listed


run_tests([wrong_words, wrong_cases, a_case_is_a_screen, nothing_worth_asking])
