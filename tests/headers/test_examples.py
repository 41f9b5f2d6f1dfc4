"""What README, docs and manual pages show is what happens.

Every line `$ command` in a ```console block (Markdown) or in the EXAMPLES of a manual page is run
by bash, the blocks of one document in order and in one folder, which holds copies of examples/. The
lines that follow must be its output (standard output and error). `...` stands for any text in a
line and, alone on a line, for any number of lines. A command shown without output must succeed, and
in a Markdown file be silent; the examples of a manual page also find a model, votes.hcbr.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.environ["HCBR_SOURCE"]
PROGRAM = os.environ["HCBR"]
problems = []


def markdown_blocks(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for match in re.finditer(r"^```console\n(.*?)^```$", text, re.M | re.S):
        yield text.count("\n", 0, match.start()) + 2, match.group(1).splitlines()


def man_blocks(path):
    """EXAMPLES as a terminal shows them, without the indentation."""
    page = subprocess.run(["mandoc", "-T", "utf8", "-O", "width=200", path], check=True,
                          capture_output=True, text=True).stdout
    page = re.sub(".\b", "", page)
    section = re.search(r"^EXAMPLES\n(.*?)^\S", page, re.M | re.S)
    if not section:
        problems.append(f"{os.path.basename(path)}: no EXAMPLES")
        return
    number = page.count("\n", 0, section.start()) + 2
    block, indent, start = [], 0, 0
    for offset, line in enumerate(section.group(1).splitlines()):
        stripped = line.strip()
        if stripped.startswith("$ "):
            if not block:
                start = number + offset
            indent = len(line) - len(line.lstrip())
            block.append(stripped)
        elif block and line[:indent].strip() == "" and len(line) > indent:
            block.append(line[indent:])
        elif block:
            yield start, block
            block = []
    if block:
        yield start, block


def commands(first, lines):
    """(line number, command, expected output lines) of a block."""
    found = []
    for offset, line in enumerate(lines):
        if line.startswith("$ "):
            found.append((first + offset, line[2:], []))
        elif found and found[-1][1].endswith("\\") and not found[-1][2]:
            found[-1] = (found[-1][0], found[-1][1] + "\n" + line, [])
        elif found:
            found[-1][2].append(line)
    for number, command, output in found:
        while output and not output[-1].strip():
            output.pop()
        yield number, command, output


def matches(expected, output):
    pattern = []
    for line in expected:
        if line.strip() == "...":
            pattern.append(r"(?:.*\n)*?")
        else:
            pattern.append(".*".join(re.escape(p) for p in line.split("...")) + r"[ \t]*\n")
    return re.fullmatch("".join(pattern), output) is not None


def run_document(name, blocks, folder):
    shutil.copytree(os.path.join(ROOT, "examples"), os.path.join(folder, "examples"))
    for file in glob.glob(os.path.join(ROOT, "examples", "*")):
        shutil.copy(file, folder)
    environment = dict(os.environ, LC_ALL="C.UTF-8", TERM="dumb")
    environment["PATH"] = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
    count = 0
    manual = name.endswith((".1", ".5"))
    if manual:
        subprocess.run([PROGRAM, "train", "--model", "plain", "-q", "votes.csv", "-o",
                        "votes.hcbr"], cwd=folder, check=True)
    for first, lines in blocks:
        for number, command, expected in commands(first, lines):
            run = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder,
                                 env=environment, text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=120)
            count += 1
            if expected and not matches(expected, run.stdout):
                problems.append(f"{name}:{number}: $ {command}\n--- shown\n" +
                                "\n".join(expected) + "\n--- happened\n" + run.stdout)
            elif not expected and (run.returncode != 0 or run.stdout.strip() and not manual):
                problems.append(f"{name}:{number}: $ {command}\nshown silent; exit status "
                                f"{run.returncode}, output:\n{run.stdout}")
    return count


def check_groff(pages):
    """The other formatter that is in use, where it is installed."""
    if not shutil.which("groff"):
        print("NOT TESTED: groff is not installed, pages were not tried with it")
        return
    for page in pages:
        run = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z", page], capture_output=True,
                             text=True)
        problems.extend(run.stderr.splitlines())


def main():
    documents = [os.path.join(ROOT, "README.md")] + sorted(glob.glob(ROOT + "/docs/*.md"))
    # REASONS.md needs data that are not in the repository: tests/cli/test_reasons_doc.py runs it
    documents = [d for d in documents if os.path.basename(d) != "REASONS.md"]
    pages = sorted(glob.glob(os.path.join(os.environ["HCBR_BUILD"], "man", "*.[15]")))
    total = 0
    for path in documents + pages:
        reader = markdown_blocks if path.endswith(".md") else man_blocks
        with tempfile.TemporaryDirectory() as folder:
            count = run_document(os.path.basename(path), list(reader(path)), folder)
        if count == 0 and (not path.endswith(".md") or path.endswith("README.md")):
            problems.append(f"{os.path.basename(path)}: shows no command")
        print(f"{os.path.basename(path)}: {count} commands")
        total += count
    for page in pages:
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page],
                              capture_output=True, text=True)
        # No date: it would change the bytes of a page with every build.
        found = [line for line in (lint.stdout + lint.stderr).splitlines()
                 if "missing date" not in line]
        problems.extend(found)
    check_groff(pages)
    if len(pages) < 6:
        problems.append(f"only {len(pages)} manual pages")
    for problem in problems:
        print(problem)
    print(f"{total} commands, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
