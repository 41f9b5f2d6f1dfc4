"""Every structure in a public header is one of two kinds:
- sized: the caller declares it; the first field is `size_t size`, and whatever takes one in or out
  checks it. Options have an init function, whose macro adds the size;
- whole: a part of an array or of another structure, or the caller's as it is. They are named here.
No sized structure is part of another one or passed by value, and no array of fields has a length
that is a number of kinds. Each sized structure is tried with every size.
"""
import glob
import os
import re
import sys

ROOT = os.environ.get("HCBR_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")

WHOLE = {
    "hcbr_explained_atom", "hcbr_explained_case", "hcbr_explained_column", "hcbr_explained_word",
    "hcbr_important_column", "hcbr_compared_feature", "hcbr_compared_column", "hcbr_flip",
    "hcbr_question", "hcbr_ranked_atom", "hcbr_summed_reason", "hcbr_summed_label",
    "hcbr_summed_case", "hcbr_possible_value", "hcbr_error", "hcbr_feature", "hcbr_change",
    "hcbr_field", "hcbr_split", "hcbr_emphasis", "hcbr_join", "hcbr_type", "hcbr_typed_label",
    "hcbr_threshold", "hcbr_curve_point", "hcbr_cut", "hcbr_cost", "hcbr_flip_bound",
    "hcbr_heldout_bin", "hcbr_item", "hcbr_input", "hcbr_cell",
    "hcbr_options", "hcbr_option", "hcbr_cases_info",
}
# All fields are the caller's to set; results, which the library fills and render.h reads again.
NO_INIT = re.compile(
    r"hcbr_(allocator|comparison|decision|explained_row|explanation|finding|flips|kind|questions"
    r"|summed)$")

problems = []


def read(path):
    with open(path, encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/|//[^\n]*", " ", file.read(), flags=re.S)


headers = sorted(glob.glob(os.path.join(ROOT, "include/hcbr/*.h")))
text = "\n".join(read(path) for path in headers)
structures = dict(re.findall(r"typedef struct (\w+) \{(.*?)\n\} \w+;", text, re.S))
functions = re.findall(r"HCBR_API\s+([\w\s*]*?)\b(hcbr_\w+)\(([^;{]*)\);", text)


def fields(body):
    """Declarations of a body, without the parameters of function pointers."""
    return [re.sub(r"\s+", " ", one).strip() for one in re.sub(r"\([^()]*\)\s*(?=;)", "()", body)
            .split(";") if one.strip()]


sized = {name for name, body in structures.items() if fields(body)[0] == "size_t size"}
for name, body in structures.items():
    if (name in sized) + (name in WHOLE) != 1:
        problems.append(f"{name}: begin it with `size_t size`, or name it here as whole")
    for field in fields(body):
        held = re.match(r"(?:const )?(hcbr_\w+) (?!\*)", field)
        if held and held.group(1) in sized and "*" not in field:
            problems.append(f"{name} holds {held.group(1)}, which has a size, by value")
        if re.search(r"\[HCBR_\w+(KINDS|END|COUNT)\]", field):
            problems.append(f"{name}: {field} grows in the middle when a kind is added")
problems += [f"{name} is named here and in no header" for name in sorted(WHOLE - set(structures))]

for result, name, parameters in functions:
    for other in sized:
        if re.search(rf"\b{other}\s+\w+\s*(,|$)", parameters) or re.fullmatch(rf"\s*{other}\s*",
                                                                              result):
            problems.append(f"{name}() passes {other} by value")

defaults = read(os.path.join(ROOT, "src/options/defaults.c"))
for name in sorted(sized):
    options = name.endswith("_options") or any(
        re.search(rf"const {name} \*", parameters) for _, _, parameters in functions)
    if not options or NO_INIT.match(name):
        continue
    if not re.search(rf"#define {name}_init\((\w+)\) HCBR_INIT\({name}, \1\)", text) or \
            not re.search(rf"\bOF\({name},", defaults):
        problems.append(f"{name} is read by the library and has no {name}_init()")

# Every sized structure is tried with every size; whole ones have none.
with open(os.path.join(ROOT, "tests/unit/base/test_sizes.c"), encoding="utf-8") as file:
    tried = set(re.findall(r"\b(?:OPTIONS|RESULT|STATUS)\((hcbr_\w+)", file.read()))
for name in sorted(sized - tried - {"hcbr_explained_row"}):  # a callback only reads this one
    problems.append(f"{name} is not in the tables of tests/unit/base/test_sizes.c")

for problem in problems:
    print(problem)
print(f"{len(structures)} structures, {len(sized)} of them sized, {len(problems)} problems")
sys.exit(bool(problems) or len(sized) < 20 or len(structures) < 30)
