"""Numbers in the text of explain are those of --json, rounded as printf rounds: to the nearest, and
a half to the even digit."""
import json
import random
import re

from program import run, run_tests, write

SIZES = (32, 160, 7)  # 1 / 32 and 3 / 160 end with a 5 that is exact, or nearly


def draw(size):
    return [json.dumps({"label": random.choice(["yes", "no"]),
                        "features": random.sample([f"f{n}" for n in range(2 * size)], size)})
            for _ in range(40)]


def numbers_are_rounded_as_printf_does():
    ties = compared = 0
    for size in SIZES:
        write("data.jsonl", draw(size))
        for kind in ("plain", "rich"):
            run("train", "data.jsonl", "--model", kind, "-q", "-o", "m")
            told = json.loads(run("explain", "m", "data.jsonl", "--rows", "1", "--json", "--all",
                                  "-q").stdout)
            text = run("explain", "m", "data.jsonl", "--rows", "1", "--all", "-q").stdout
            part = text[text.index("groups of features"):].split("\n\n")[0].split("\n")[1:]
            lines = [re.search(r"([+-]\d+\.\d+) +(\d\.\d{4}) +\d+$", line) for line in part]
            lines = [line for line in lines if line]
            assert len(lines) == len(told["atoms"])
            for line, atom in zip(lines, told["atoms"]):
                decimals = len(line[1].partition(".")[2])
                assert line[1] == f"{atom['lead']:+.{decimals}f}", (line[0], atom["lead"])
                assert line[2] == f"{atom['weight']:.4f}", (line[0], atom["weight"])
                compared += 1
                ties += atom["weight"] * 32 % 2 == 1
    assert compared > 100 and ties > 5, (compared, ties)


if __name__ == "__main__":
    run_tests([numbers_are_rounded_as_printf_does])
