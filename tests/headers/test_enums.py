"""Every public function that takes an enum, alone or in options, is called with values that mean
nothing: tests/unit/base/test_enums.c names each of them, and each enum that it can take."""
import glob
import os
import re
import sys

ROOT = os.environ.get("HCBR_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")


def read(path):
    with open(path, encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/|//[^\n]*", " ", file.read(), flags=re.S)


headers = " ".join(read(path) for path in sorted(glob.glob(os.path.join(ROOT, "include/hcbr/*.h"))))
tested = read(os.path.join(ROOT, "tests/unit/base/test_enums.c"))
enums = set(re.findall(r"typedef enum (\w+)", headers))
structures = dict(re.findall(r"typedef struct (\w+) \{(.*?)\} \w+;", headers, re.S))

# Structures that hold an enum, also through another structure.
holds = {name: {e for e in enums if re.search(rf"\b{e}\b", body)}
         for name, body in structures.items()}
for _ in structures:
    for name, body in structures.items():
        for other in structures:
            if other != name and re.search(rf"\b{other}\b", body):
                holds[name] |= holds[other]

problems, functions, taken = [], 0, set()
for result, name, parameters in re.findall(
        r"HCBR_API\s+([\w\s*]*?)\b(hcbr_\w+)\(([^;{]*)\);", headers):
    found = set()
    for parameter in parameters.split(","):
        for word in re.findall(r"\w+", parameter):
            if word in enums and "*" not in parameter:
                found.add(word)
            if holds.get(word) and re.match(r"\s*const\s", parameter):  # read, not filled
                found |= holds[word]
    found -= {"hcbr_status"} if name != "hcbr_status_name" else set()
    if not found:
        continue
    functions += 1
    taken |= found
    if not re.search(rf"\b{name}\(", tested):
        problems.append(f"{name}() takes {', '.join(sorted(found))} and is not tried")
for enum in sorted(taken):
    if not re.search(rf"\({enum}\)", tested):
        problems.append(f"no value without meaning is tried of {enum}")
if functions < 12:
    problems.append(f"found {functions} functions that take an enum, expected more")
for problem in problems:
    print(problem)
print(f"{functions} functions, {len(taken)} enums, {len(problems)} problems")
sys.exit(bool(problems))
