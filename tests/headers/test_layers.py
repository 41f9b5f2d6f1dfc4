"""The tree is the data flow: checks which file may include which by reading the #include lines.

- a stage of src/ includes base/ and earlier stages, by their one shared header; other headers in
  its folder are its own;
- the program and the examples include only <hcbr/...>, public headers only each other; of its
  folders the program includes the header of their name;
- the engines, plain/ and rich/, are named and included in their own folders and in
  model/engines.c only;
- no two files have the same name.
- the files that src/README.md names are there;
- no text in src/ names an option of the command line: the library says "option max_line", the
  program spells it --max-line.
"""
import glob
import os
import re
import sys

ROOT = os.environ.get("HCBR_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
STAGES = ["base", "options", "kinds", "read", "cases", "folds", "engine", "plain", "rich", "tune",
          "model", "decide", "explain", "evaluate", "audit", "drift", "render"]
INSIDE = {  # folders of a stage, in their order
    "rich": ["encode", "tree", "linear", "boost", "forest", "stack", "fit", "score", "reasons",
             "file"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
OPTION = re.compile(r"(?<!var\()--(?:%|[a-z][a-z-]*(?![a-z-]*:#))")  # var(--x) and --x:# are CSS
# What only an engine's own folder and ENGINES may name.
ENGINES = os.path.join("src", "model", "engines.c")
NAMES = {
    "plain": re.compile(r"\bhcbr_i_(?:plain|strength|gather|moves|causes|partition|projections"
                        r"|atoms|atom_id|atom_index|train_run|train_options)"
                        r"(?!\w*_check)(?:_\w+)?\b"),
    "rich": re.compile(r"\b(?:hcbr_i_(?:rich|reasons|trial)|HCBR_I_RICH_)\w*|->rich\b"),
}
problems = []


def files(*folders):
    for folder in folders:
        for path, _, names in sorted(os.walk(os.path.join(ROOT, folder))):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(path, name), ROOT)


def includes(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return INCLUDE.findall(file.read())


def check_stage(path):
    parts = path.split(os.sep)
    stage = parts[1]
    inside = INSIDE.get(stage, [])
    if stage not in STAGES or len(parts) not in (3, 4) or (len(parts) == 4 and
                                                          parts[2] not in inside):
        problems.append(f"{path}: not a file of a stage")
        return
    here = inside.index(parts[2]) if len(parts) == 4 else None
    for mark, name in includes(path):
        if mark == "<":
            continue
        folder, _, header = name.rpartition("/")
        if folder in ("", stage) or folder.startswith(stage + "/"):
            within = folder.partition("/")[2]
            if not os.path.exists(os.path.join(ROOT, "src", folder or stage, header)):
                problems.append(f"{path}: includes \"{name}\", which is not in its stage")
            elif here is not None and within and inside.index(within) > here:
                problems.append(f"{path}: includes \"{name}\" of a later folder")
        elif folder not in STAGES:
            problems.append(f"{path}: includes \"{name}\", which is no stage")
        elif STAGES.index(folder) > STAGES.index(stage):
            problems.append(f"{path}: includes \"{name}\" of a later stage")
        elif folder in NAMES and path != ENGINES:
            problems.append(f"{path}: includes \"{name}\" of an engine")
        elif header != folder + ".h":
            problems.append(f"{path}: includes \"{name}\", which {folder}/ keeps to itself")


def check_words(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), file.read(),
                      flags=re.S)
    for number, line in enumerate(text.split("\n"), 1):
        for literal in LITERAL.findall(line.partition(" // ")[0]):
            if OPTION.search(literal):
                problems.append(f"{path}:{number}: {literal} names an option of the command line")


def check_names(path):
    if path == ENGINES:
        return
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = file.read()
    for engine, names in NAMES.items():
        if path.split(os.sep)[1] == engine:
            continue
        for found in sorted({match.group(0) for match in names.finditer(text)}):
            problems.append(f"{path}: names {found} of the engine {engine}/")


def check_public(path, own_headers):
    for mark, name in includes(path):
        if mark == '"':
            folder, _, header = name.rpartition("/")
            if not own_headers or (folder and header != folder + ".h"):
                problems.append(f"{path}: includes \"{name}\"; expected <hcbr/...> only")
            elif not os.path.exists(os.path.join(ROOT, os.path.dirname(path), name)):
                problems.append(f"{path}: includes \"{name}\", which is not in its folder")


def main():
    count = 0
    seen = {}
    for path in files("src"):
        check_stage(path)
        check_words(path)
        check_names(path)
        count += 1
    for path in files("cli", "python"):
        check_public(path, own_headers=True)
        count += 1
    for path in files("examples", "include"):
        check_public(path, own_headers=False)
        count += 1
    for path in files("src", "cli", "examples"):
        name = os.path.basename(path)
        if name in seen:
            problems.append(f"{path}: has the name of {seen[name]}")
        seen[name] = path
    with open(os.path.join(ROOT, "src", "README.md"), encoding="utf-8") as file:
        text = file.read()
    described = re.findall(r"^\| `(\w+)/`", text, re.M)
    present = [s for s in STAGES if os.path.isdir(os.path.join(ROOT, "src", s))]
    if described != present:
        problems.append(f"src/README.md: describes {described}, but src/ has {present}")
    for stage, folders in INSIDE.items():
        described = re.findall(rf"^\| `{stage}/(\w+)/`", text, re.M)
        if described != folders:
            problems.append(f"src/README.md: describes {described} of {stage}/, expected {folders}")
    for name in set(re.findall(r"`([\w/*.]+\.(?:c|h|py))`", text)):
        where = [os.path.join(ROOT, folder, name) for folder in ("", "src")]
        if name != "hcbr/version.h" and name not in seen and not any(map(glob.glob, where)):
            problems.append(f"src/README.md: there is no {name}")
    for problem in problems:
        print(problem)
    print(f"{count} files, {len(problems)} problems")
    sys.exit(1 if problems or count < 20 else 0)


main()
