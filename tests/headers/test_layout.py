"""Public structures can grow without harm to programs that were compiled before.

Every structure in a public header is one of three kinds:
- sized: the caller's; the first field is `size_t size`, and what takes one in or out goes by it;
- an element of an array that the library returns; the structure with the array has a stride;
- complete: it never gets another field. Their sizes are written down here.
A sized structure or an element holds no other one by value, and no array whose length is a number
of kinds. Options have an init function, whose macro adds the size.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.environ.get("HCBR_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
INCLUDE = [os.path.join(ROOT, "include"), os.path.join(os.environ["HCBR_BUILD"], "include")]

# The array's field or structure and the stride beside it.
ELEMENTS = {
    "hcbr_explained_atom": "atom_stride",
    "hcbr_explained_case": "case_stride",
    "hcbr_explained_column": "column_stride",
    "hcbr_important_column": "column_stride",
    "hcbr_compared_feature": "feature_stride",
    "hcbr_compared_column": "column_stride",
    "hcbr_explained_word": "word_stride",
    "hcbr_flip": "flip_stride",
    "hcbr_question": "question_stride",
    "hcbr_ranked_atom": "atom_stride",
    "hcbr_summed_reason": "reason_stride",
    "hcbr_summed_label": "label_stride",
    "hcbr_summed_case": "case_stride",
}
# Elements with lists of their own, and the structure that has the strides of these.
HOLDERS = {"hcbr_explained_atom": "hcbr_explanation", "hcbr_summed_label": "hcbr_summed"}
# Reached by a pointer of its own, never in an array; the library's memory.
POINTED = {"hcbr_option", "hcbr_possible_value"}
# On machines with 64 bits.
COMPLETE = {
    "hcbr_options": 88,    # the caller's, zeroed by it: pointers, and what belongs to the library
    "hcbr_error": 1048,    # the caller's, filled by every function
    "hcbr_feature": 32,    # arrays of them come from and go to the caller
    "hcbr_change": 64,     # two features
    "hcbr_field": 48,      # arrays of them belong to a stream
    "hcbr_split": 16,
    "hcbr_emphasis": 24,
    "hcbr_join": 24,
    "hcbr_type": 16,
    "hcbr_typed_label": 16,  # arrays of them come from the caller
    "hcbr_threshold": 32,
    "hcbr_curve_point": 24,  # a whole array belongs to the caller
    "hcbr_cut": 16,
    "hcbr_cost": 24,
    "hcbr_flip_bound": 32,   # arrays of them come from the caller
    "hcbr_heldout_bin": 24,  # the caller's, an array of fixed length in hcbr_heldout
    "hcbr_page_text": 32,    # arrays of them come from the caller
    "hcbr_input": 32,      # the library's, zero before a callback fills it
    "hcbr_cell": 528,      # the caller's working memory for one line of text
}
# All fields are the caller's to set; results, which the library fills and render.h reads again.
NO_INIT = re.compile(
    r"hcbr_(allocator|comparison|decision|explanation|finding|flips|kind|questions|summed)$")

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
    kinds = (name in sized) + (name in ELEMENTS) + (name in POINTED) + (name in COMPLETE)
    if kinds != 1:
        problems.append(f"{name}: begin it with `size_t size`, or name it here as an element with "
                        "a stride or as complete")
    for field in fields(body):
        held = re.match(r"(?:const )?(hcbr_\w+) (?!\*)", field)
        if held and held.group(1) in structures and "*" not in field:
            if held.group(1) not in COMPLETE:
                problems.append(f"{name} holds {held.group(1)} by value: it could not grow")
            elif name in COMPLETE and held.group(1) not in COMPLETE:
                problems.append(f"{name} is complete but holds {held.group(1)}")
        if re.search(r"\[HCBR_\w+(KINDS|END|COUNT)\]", field):
            problems.append(f"{name}: {field} grows in the middle when a kind is added")
        array = re.match(r"const (hcbr_\w+) \*(\w+)$", field)
        if array and array.group(1) in ELEMENTS:
            # one past case is pointed at; lists have a stride where they are or in their holder
            stride = ELEMENTS[array.group(1)]
            whole = body + structures.get(HOLDERS.get(name, ""), "")
            if array.group(2) != "past" and not re.search(rf"size_t {stride}\b", whole):
                problems.append(f"{name}.{array.group(2)} has no {stride}")
        if array and array.group(1) in sized and re.search(rf"{array.group(2)}_count|size_t count",
                                                           body):
            if re.search(rf"size_t {array.group(2).rstrip('s')}_count", body):
                problems.append(f"{name}.{array.group(2)} is an array of sized structures without "
                                "a stride")

for result, name, parameters in functions:
    # Nothing that can grow is returned or taken by value, nor filled without a size.
    for other in list(sized) + list(ELEMENTS) + list(POINTED):
        if re.search(rf"\b{other}\s+\w+\s*(,|$)", parameters) or re.fullmatch(rf"\s*{other}\s*",
                                                                              result):
            problems.append(f"{name}() passes {other} by value")
        if other in ELEMENTS and re.search(rf"(?<!const )\b{other} \*\w", parameters):
            problems.append(f"{name}() fills {other}, whose size the caller does not say")
        if other in ELEMENTS and re.search(rf"const {other} \*\*", parameters) and \
                "count" in parameters:
            problems.append(f"{name}() returns an array of {other} without a stride")

exported = {name for _, name, _ in functions}
for name in sorted(sized):
    options = name.endswith("_options") or any(
        re.search(rf"const {name} \*", parameters) for _, _, parameters in functions)
    if not options or NO_INIT.match(name):
        continue
    if f"{name}_init" not in exported:
        problems.append(f"{name} is read by the library and has no {name}_init()")
    elif not re.search(rf"void {name}_init\({name} \*\w+, size_t size\);", text) or \
            not re.search(rf"#define {name}_init\((\w+)\) {name}_init\(HCBR_SIZED\(\1\)\)", text):
        problems.append(f"{name}_init() does not take the caller's size")

# Every sized structure is tried with every size; the elements of results are the library's memory.
with open(os.path.join(ROOT, "tests/unit/base/test_sizes.c"), encoding="utf-8") as file:
    tried = set(re.findall(r"\b(?:OPTIONS|RESULT|STATUS)\((hcbr_\w+)", file.read()))
for name in sorted(sized - tried - {"hcbr_explained_row"}):  # a callback only reads this one
    problems.append(f"{name} is not in the tables of tests/unit/base/test_sizes.c")

# Complete structures are what they were; sized ones start with their size.
lines = ["#include <hcbr/hcbr.h>", "#include <stdio.h>", "int main(void) {"]
for name in sorted(COMPLETE):
    lines.append(f'    printf("{name} %zu\\n", sizeof({name}));')
for name in sorted(sized):
    lines.append(f'    _Static_assert(offsetof({name}, size) == 0, "{name}");')
lines += ["    return 0;", "}"]
with tempfile.TemporaryDirectory() as folder:
    source, program = os.path.join(folder, "sizes.c"), os.path.join(folder, "sizes")
    with open(source, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    subprocess.run(["cc", "-std=c11", "-o", program, source] + [f"-I{path}" for path in INCLUDE],
                   check=True)
    for line in subprocess.run([program], check=True, capture_output=True,
                               text=True).stdout.splitlines():
        name, size = line.split()
        if int(size) != COMPLETE[name]:
            problems.append(f"{name} is complete with {COMPLETE[name]} bytes, but has {size}")

for problem in problems:
    print(problem)
print(f"{len(structures)} structures, {len(sized)} of them sized, {len(problems)} problems")
sys.exit(bool(problems) or len(sized) < 20 or len(structures) < 30)
