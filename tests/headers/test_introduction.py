"""The programs that hcbr.h shows compile without a warning, do what they say and fail where their
data are missing, and its list of headers is complete."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.environ["HCBR_SOURCE"]
LIBRARY = os.environ["HCBR_LIBRARY"]
BUILD = os.environ["HCBR_BUILD"]
EXPECTED = [r"democrat, by \d+ atoms and \d+ past cases\n", r"413 decided\n"]
problems = []

with open(os.path.join(ROOT, "include/hcbr/hcbr.h"), encoding="utf-8") as file:
    text = file.read()
comment = re.sub(r"^ \* ?", "", text[:text.index("*/")], flags=re.M)
programs = re.findall(r"^@code\n(.*?)^@endcode$", comment, re.M | re.S)
if len(programs) != len(EXPECTED):
    problems.append(f"{len(programs)} programs, expected {len(EXPECTED)}")
simple = programs[0].split("int main")[1].count("\n") if programs else 0
if simple > 30:
    problems.append(f"the first program has {simple} lines, expected a short one")
with tempfile.TemporaryDirectory() as folder:
    shutil.copy(os.path.join(ROOT, "examples/votes.csv"), folder)
    for number, (source, expected) in enumerate(zip(programs, EXPECTED)):
        path = os.path.join(folder, f"program{number}")
        with open(path + ".c", "w", encoding="utf-8") as file:
            file.write(source)
        subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic",
                        "-I" + os.path.join(ROOT, "include"), "-I" + os.path.join(BUILD, "include"),
                        path + ".c", "-o", path, LIBRARY,
                        "-Wl,-rpath," + os.path.dirname(LIBRARY)], check=True)
        os.mkdir(path + ".d")
        run = subprocess.run([path], cwd=path + ".d", capture_output=True, text=True)
        if run.returncode == 0 or run.stdout or "votes.csv" not in run.stderr:
            problems.append(f"program {number} without its data: exit {run.returncode}, "
                            f"{run.stdout!r}, {run.stderr!r}")
        run = subprocess.run([path], cwd=folder, capture_output=True, text=True)
        if run.returncode or run.stderr or not re.fullmatch(expected, run.stdout):
            problems.append(f"program {number}: exit {run.returncode}, {run.stdout!r}, "
                            f"{run.stderr!r}, expected {expected!r}")
for path in glob.glob(os.path.join(ROOT, "include/hcbr/*.h")):
    name = os.path.basename(path)
    if name != "hcbr.h" and not re.search(rf"^\|.*\b{re.escape(name)}\b.*\|", comment, re.M):
        problems.append(f"{name} is not in the introduction")
for problem in problems:
    print(problem)
print(f"{len(programs)} programs, {len(problems)} problems")
sys.exit(bool(problems))
