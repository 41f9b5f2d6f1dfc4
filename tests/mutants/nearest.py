"""Which tests know a file or a function best, and what has changed since a revision."""
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NEAREST = 6
CODE = ("src", "cli", "include", "python/src", "python/hcbr")


class NoRevision(Exception):
    """What git says of a revision that it does not know."""


def tests_of(folder, endings):
    """The tests below a folder: by name, the file."""
    return {os.path.splitext(n)[0]: os.path.join(top, n)
            for top, _, names in os.walk(os.path.join(ROOT, folder)) for n in sorted(names)
            if n.startswith("test_") and n.endswith(endings)}


def functions_of(text):
    """The shared functions that C code defines or declares."""
    return set(re.findall(r"^(?:[\w*]+ )*\*?(hcbr_\w+)\(", text, re.M))


def nearest(path, functions, most=NEAREST):
    """Names of the tests that know most of a file: its functions, words of its name, its folder."""
    parts = path.split("/")
    words = [w for w in re.split(r"[_.]", parts[-1])[:-1] if len(w) > 2 and w != "cmd"]
    if path.startswith("python/"):
        found, prefix = tests_of("python/tests", ".py"), ""
    elif path.startswith("cli/"):
        found, prefix = tests_of("tests/cli", (".py", ".sh")), "cli_"
    else:
        found, prefix = tests_of("tests", ".c"), ""
    scored = []
    for name, place in found.items():
        with open(place, encoding="utf-8") as file:
            known = set(re.findall(r"\bhcbr_\w+", file.read())) & functions
        alike = sum(w in name for w in words)
        score = 3 * alike + 2 * min(len(known), 4) + (f"/{parts[1]}/" in place)
        if score:
            scored.append((-score, name))
    return [prefix + name for _, name in sorted(scored)[:most]]


def nearest_of_file(path, most=NEAREST):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return nearest(path, functions_of(file.read()), most)


def changed_lines(base, folders=CODE):
    """Of each file that differs from a revision and is still there: its new lines' numbers."""
    shown = subprocess.run(["git", "diff", "-U0", base, "--", *folders], cwd=ROOT,
                           capture_output=True, text=True, check=False)
    if shown.returncode != 0:
        raise NoRevision(shown.stderr.strip())
    lines, file = {}, None
    for line in shown.stdout.splitlines():
        if line.startswith("+++ "):
            file = line[6:] if line != "+++ /dev/null" else None
        span = re.match(r"@@ \S+ \+(\d+)(?:,(\d+))?", line)
        if span and file:
            first, count = int(span[1]), int(span[2] or 1)
            lines.setdefault(file, set()).update(range(first, first + count))
    return lines
