"""Nested JSON takes memory by its bytes, however deep it may go: names of nested keys repeat those
around them, and what they may take has a limit and an option of its own."""
import os
import random
import subprocess

from program import PLAIN, PROGRAM, SANITIZED, run, run_tests


def nest(depth, name, valued):
    """An object in an object ..., with a value in each of them or in the last alone."""
    value = '"v":1,' if valued else ""
    return (f'{{"label":"yes",{value}"{name}":' + f'{{{value}"{name}":' * (depth - 1) + "1" +
            "}" * depth + '\n{"label":"no","v":2}\n')


def peak(*arguments):
    """Status, message and the largest memory in bytes of a run."""
    with subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as child:
        said = child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, said, usage.ru_maxrss * 1024


def test_memory_is_linear():
    for depth in (4000, 40000, 80000):
        for name in ("a", "k" * 40):
            for valued in (False, True):
                with open("d.jsonl", "w", encoding="ascii") as file:
                    file.write(nest(depth, name, valued))
                size = os.path.getsize("d.jsonl")
                code, said, memory = peak("train", "-q", "d.jsonl", *PLAIN, "-o", "m.hcbr",
                                          "--max-depth", "1000000")
                assert code == 3 and "dotted names add up to more than" in said, (code, said)
                assert "--max-names raises this limit" in said and "--max-depth" not in said, said
                assert SANITIZED or memory < (64 << 20) + 40 * size, (depth, name, memory, size)


def test_limit_is_raised():
    depth = random.randrange(200, 400)
    with open("d.jsonl", "w", encoding="ascii") as file:
        file.write(nest(depth, "key", True))
    row = len(nest(depth, "key", True).split("\n", maxsplit=1)[0])
    names = sum(4 * level + 3 for level in range(1, depth)) + sum(
        4 * level + 1 for level in range(1, depth))  # key.key, and v beside it
    given = ["train", "-q", "d.jsonl", *PLAIN, "-o", "m.hcbr", "--max-depth", depth, "--max-names"]
    run(*given, names - 12 * row)
    said = run(*given, names - 12 * row - 1, code=3).stderr
    assert f"add up to more than {names - 1} bytes" in said, (said, names)
    said = run("train", "-q", "d.jsonl", *PLAIN, "-o", "m.hcbr", "--max-names", "x", code=2).stderr
    assert "--max-names x: a whole number was expected" in said, said


if __name__ == "__main__":
    run_tests([test_memory_is_linear, test_limit_is_raised])
