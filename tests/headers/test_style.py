"""What a tool can check of the style: sizes, columns, openings, forbidden words, clang-format."""
import os
import re
import shutil
import subprocess
import sys

ROOT = os.environ.get("HCBR_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
FOLDERS = [".ci", ".github", "bench", "cli", "cmake", "debian", "docs", "examples", "include",
           "python", "src", "tests", "tools"]
# Bytes that are data, not text of ours.
DATA = re.compile(r"^(tests/data/|tests/fuzz/corpus/|tests/cli/(data|expected|bad)/|"
                  r"examples/.*(csv|ipynb)$)")
WORDS = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b")
REGISTRIES = re.compile(r"\b(deb\.debian|pypi|pythonhosted|crates|npmjs)\." "(org|io|com)")
PLACES = re.compile(r"(?<![\w.-])/(" + "|".join(["wo" + "rk", "ro" + "ot", "ho" + "me"]) + r")/\w")
# A seed that nobody could give again. Tests take theirs from seed.h and cli/seeds.py, which print
# it and take it back from HCBR_SEED.
UNTOLD = re.compile(r"\btime\((NULL|0|nullptr)\)|/dev/u?random|\bgetrandom\b|\bos\.urandom\b"
                    r"|\bSystemRandom\b|random\.seed\(\)|random\.Random\(\)|time\.time(_ns)?\(\)"
                    r"|\bsrand\((?!\d)|\$\{?RANDOM\b|getenv\(\"(?!HCBR_SEED\")\w*SEED\"\)")
SEEDS = ("tests/seed.h", "tests/cli/seeds.py", "tests/headers/test_style.py")
MAX_LINES, MAX_COLUMNS = 800, 100
# Phrases that readers stumbled over, each with what to write instead. Documents, help, manual
# pages and comments are searched for them, also across the end of a line. Split here, so that this
# file does not find itself.
PHRASES = {
    "how man" + "ieth": "index, position",
    "as they li" + "ke": "in no particular order",
    "by being th" + "ere": "only their presence counts",
    "takes for an ans" + "wer": "say how answers are chosen",
    "least support V for la" + "bel": "threshold",
    "what no past case put th" + "ere": "not from past cases",
    "groups go by" + " it": "groups are sorted by it",
    "for who" + "ever": "name the reader",
    "nobody's busi" + "ness": "private, internal",
    "that are there or n" + "ot": "present or absent",
    "on the aver" + "age": "on average",
    "steer a term" + "inal": "control a terminal",
    "steer the term" + "inal": "control the terminal",
    "aim at coll" + "isions": "construct collisions",
    "be had tog" + "ether": "be combined",
    "stands in its pl" + "ace": "replaces it",
    "words for peo" + "ple": "messages",
    "text for peo" + "ple": "text",
}
# Comments of the code name the thing they speak of: these phrases leave a reader to guess it.
COMMENTS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(/\*.*?\*/|//[^\n]*)', re.S)
VAGUE = {
    r"at hand": "current",
    r"nobody|no one": "may be NULL, not wanted, private",
    r"whoever": "the caller, the observer",
    r"(?<!there )(?:is|are) none(?! of)": "is not one, not a number, absent",
    r"who (?:asks|gets|gives|has|knows|makes|reads|takes|uses|wants|writes)": "name the code",
}
problems = []


def tree():
    for name in sorted(os.listdir(ROOT)):
        if name != ".git" and os.path.isfile(os.path.join(ROOT, name)):  # a worktree has one
            yield name
    for folder in FOLDERS:
        for path, folders, names in os.walk(os.path.join(ROOT, folder)):
            folders[:] = sorted(f for f in folders if f != "__pycache__")
            for name in sorted(names):
                yield os.path.relpath(os.path.join(path, name), ROOT)


def check(path):
    with open(os.path.join(ROOT, path), "rb") as file:
        data = file.read()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        problems.append(f"{path}: not UTF-8")
        return
    is_c = path.endswith((".c", ".h"))
    lines = text.split("\n")
    if text and not text.endswith("\n"):
        problems.append(f"{path}: no newline at the end")
    if (is_c or re.match(r"python/.*\.pyi?$", path)) and len(lines) - 1 > MAX_LINES:
        problems.append(f"{path}: {len(lines) - 1} lines, more than {MAX_LINES}")
    if path.endswith(".c") and not text.startswith(("/*", "//")):
        problems.append(f"{path}: does not open with a comment that says what it is")
    if re.match(r"(src|cli|python)/.*\.c$", path) and not text.startswith("/*\n"):
        problems.append(f"{path}: its first line is not /* alone")
    for number, line in enumerate(lines, 1):
        if "\r" in line:
            problems.append(f"{path}:{number}: carriage return")
        if line != line.rstrip() and not path.endswith(".md"):
            problems.append(f"{path}:{number}: blanks at the end")
        if is_c and "\t" in line:
            problems.append(f"{path}:{number}: tab")
        # pages (.html) are what the program wrote
        if len(line) > MAX_COLUMNS and not path.endswith((".md", ".json", ".html")):
            problems.append(f"{path}:{number}: {len(line)} columns")
        if WORDS.search(line):
            problems.append(f"{path}:{number}: {WORDS.search(line).group(0)}")
        if path.startswith("tests/") and path not in SEEDS and UNTOLD.search(line):
            problems.append(f"{path}:{number}: a seed that cannot be given again "
                            "(tests/seed.h, tests/cli/seeds.py)")
        if PLACES.search(line):
            problems.append(f"{path}:{number}: a path of one machine")
        if REGISTRIES.search(line):
            problems.append(f"{path}:{number}: the host of an archive of packages")


def check_words(path):
    """Lines of documents, and phrases that must not come back."""
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        text = file.read()
    if path.endswith(".md"):
        code = False
        for number, line in enumerate(text.split("\n"), 1):
            code ^= line.lstrip().startswith("```")
            if len(line) > MAX_COLUMNS and not code:
                problems.append(f"{path}:{number}: {len(line)} columns")
    # the end of a line with the beginning of the next one: only its line ends count
    plain = re.sub(r'\s*\n[ \t]*(\*|//|#|")?[ \t]*', lambda m: "\n" * m.group().count("\n"), text)
    for phrase, instead in PHRASES.items():
        pattern = r"\s+".join(re.escape(word) for word in phrase.split())
        for found in re.finditer(r"\b" + pattern + r"\b", plain, re.I):
            number = plain.count("\n", 0, found.start()) + 1
            problems.append(f"{path}:{number}: '{phrase}' ({instead})")


def check_comments(path):
    """Comments of C, without their line ends and stars."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = file.read()
    for comment in COMMENTS.finditer(text):
        plain = re.sub(r"\s*\n[ \t]*(\*(?!/)|//)?[ \t]*", " ", comment.group(1) or "")
        for phrase, instead in VAGUE.items():
            for found in re.finditer(r"\b(?:" + phrase + r")\b", plain, re.I):
                number = text.count("\n", 0, comment.start()) + 1
                problems.append(f"{path}:{number}: '{found.group()}' ({instead})")


def check_format(paths):
    tool = shutil.which("clang-format")
    version = tool and subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
    if not version or "version 14." not in version:
        print("clang-format 14 not found: formatting not checked")
        return
    command = [tool, "--dry-run", "--Werror"] + paths
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if run.returncode != 0:
        for name in sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", run.stderr, re.M))):
            problems.append(f"{name}: not formatted (make format)")


def main():
    paths = [p for p in tree() if not DATA.match(p)]
    for path in tree():
        if path.startswith("tests/fuzz/corpus/") and not path.endswith(".tar"):
            problems.append(f"{path}: inputs are in archives (tests/fuzz/run --add TARGET FILE)")
    for path in paths:
        check(path)
        if not path.startswith("tests/mutants/") and path != "LICENSE":
            check_words(path)
        if re.match(r"(src|include|cli|python/src)/.*\.[ch]$", path):
            check_comments(path)
    check_format([p for p in paths if p.endswith((".c", ".h"))])
    for problem in problems:
        print(problem)
    print(f"{len(paths)} files, {len(problems)} problems")
    sys.exit(1 if problems or len(paths) < 40 else 0)


main()
