"""NULL for what must not be NULL is HCBR_EUSAGE, in every public function that returns a status.

Each pointer of each such function is NULL in turn; the others point to 64 KiB of zeros, so whatever
looks at one of them before it has looked at all ends the process. What may be NULL is listed here.
"""
import ctypes
import glob
import os
import re
import sys

ROOT = os.environ["HCBR_SOURCE"]
EUSAGE = -1
# Options, rules and context may be NULL everywhere, and arrays of which there are 0 elements.
MAY_BE = {
    "hcbr_cases_copy": {"which"},
    "hcbr_json_inspect_one": {"explainer"},
    "hcbr_report_add": {"name"},
    "hcbr_options_set": {"value"},
    "hcbr_writer_create": {"write"},
    "hcbr_model_rank_atoms": {"atoms"},
    "hcbr_explainer_create": {"index"},
    "hcbr_html_explanation": {"explainer", "row"},
}
ARRAYS = {"features", "columns", "paths", "list"}
MUST_BE = {("hcbr_importance_get", "columns"), ("hcbr_flip_options_check", "options")}


def functions():
    for path in sorted(glob.glob(os.path.join(ROOT, "include/hcbr/*.h"))):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read(), flags=re.S)
        for match in re.finditer(r"HCBR_API\s+(?:HCBR_MUST_CHECK\s+)?hcbr_status\s+(hcbr_\w+)\s*"
                                 r"\(([^;]*)\);", text):
            yield match.group(1), [" ".join(p.split()) for p in match.group(2).split(",")]


def may_be_null(function, parameter):
    name = re.search(r"\w+$", parameter).group()
    if (function, name) in MUST_BE:
        return False
    return (name in ("err", "context") or name in ARRAYS or
            name in MAY_BE.get(function, ()) or
            re.match(r"const hcbr_(\w+_options|rule) \*", parameter) is not None)


def main():
    library = ctypes.CDLL(os.environ["HCBR_LIBRARY"])
    problems, tried, count = [], 0, 0
    for name, parameters in functions():
        call = getattr(library, name)
        count += 1
        pointers = ["*" in p or p.startswith("hcbr_explained_row_fn") for p in parameters]
        for at, parameter in enumerate(parameters):
            if not pointers[at] or may_be_null(name, parameter):
                continue
            rooms = [ctypes.create_string_buffer(65536) if p else None for p in pointers]
            given = [room if p else ctypes.c_uint64(0) for room, p in zip(rooms, pointers)]
            given[at] = None
            for n, p in enumerate(parameters):
                if may_be_null(name, p) and pointers[n] and not p.endswith("*err"):
                    given[n] = None
            print(f"{name}: {parameter}", flush=True)
            status = call(*given)
            message = rooms[-1].raw[536:].split(b"\0")[0].decode()
            tried += 1
            if status != EUSAGE:
                problems.append(f"{name}, {parameter} NULL: status {status}")
            elif re.search(r"\w+$", parameter).group() not in message:
                problems.append(f"{name}, {parameter} NULL: {message!r}")
    if count < 70:
        problems.append(f"only {count} functions found")
    for problem in problems:
        print(problem)
    print(f"{count} functions, {tried} pointers, {len(problems)} problems")
    sys.exit(bool(problems))


main()
