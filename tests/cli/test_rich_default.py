"""The rich model is what train, tune and evaluate build where none is named, and predict shows its
probabilities."""
import json
import subprocess

from program import ENVIRONMENT, PROGRAM, VOTES, run, run_tests


def as_typed(*arguments):
    """Run the program with these words and no others."""
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=True,
                          env=ENVIRONMENT).stdout


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def default__is_the_rich_model():
    for command in ("train", "tune"):
        as_typed(command, VOTES, "-q", "-o", "default")
        run(command, "--model", "rich", VOTES, "-q", "-o", "rich")
        run(command, "--model", "plain", VOTES, "-q", "-o", "plain")
        assert contents("default") == contents("rich") != contents("plain"), command
    figures = [json.loads(text)["auc"] for text in (
        as_typed("evaluate", VOTES, "--json"),
        run("evaluate", "--model", "rich", VOTES, "--json").stdout,
        run("evaluate", "--model", "plain", VOTES, "--json").stdout)]
    assert figures[0] == figures[1] != figures[2]


def default__has_no_options_of_the_plain_model():
    for option in (("--passes", "2"), ("--scope", "all"), ("--given-order",)):
        found = subprocess.run([PROGRAM, "train", VOTES, *option, "-o", "no"], check=False,
                               capture_output=True, text=True, env=ENVIRONMENT)
        assert found.returncode == 2, option
        assert f"{option[0]} is for --model plain" in found.stderr, found.stderr


def predict__shows_the_probability_of_its_answer_or_the_lead():
    for kind, options in (("rich", ()), ("plain", ("--calibrate", "platt")), ("plain", ())):
        run("train", "--model", kind, VOTES, *options, "-q", "-o", "m")
        rows = [json.loads(line) for line in
                as_typed("predict", "m", VOTES, "-q", "--json").splitlines()]
        lines = as_typed("predict", "m", VOTES, "-q").splitlines()
        assert len(rows) == len(lines) == 435
        for row, line in zip(rows, lines):
            shown = line.split("\t")[2]
            if row["label"] is None:
                assert shown == "", line
                continue
            right = row["support"].copy()
            want = right.pop(row["label"]) - max(right.values())
            if kind == "rich" or options:
                want = row["probability"][row["label"]]
            assert abs(float(shown) - want) <= 1e-5 * abs(want), (line, row)


def explain__counts_past_cases_only_where_it_looked_at_them():
    as_typed("train", VOTES, "-q", "-o", "m")
    command = ("explain", "m", VOTES, "--rows", "3", "--json")
    looked = json.loads(as_typed(*command))
    not_looked = json.loads(as_typed(*command, "--cases", "0"))
    assert all(atom["case_count"] > 0 for atom in looked["atoms"])
    assert all(atom["case_count"] is None for atom in not_looked["atoms"])
    assert not_looked["no_cases"] == "none were asked for"
    for atoms in (looked["atoms"], not_looked["atoms"]):
        for atom in atoms:
            del atom["case_count"], atom["cases"]
    assert looked["atoms"] == not_looked["atoms"] and looked["bias"] == not_looked["bias"]


run_tests([explain__counts_past_cases_only_where_it_looked_at_them,
           default__is_the_rich_model,
           default__has_no_options_of_the_plain_model,
           predict__shows_the_probability_of_its_answer_or_the_lead])
