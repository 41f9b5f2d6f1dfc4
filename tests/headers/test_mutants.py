"""The maker of mutants (tests/mutants/patterns.py) on a small sample of C and of Python: changes
that its patterns name are expected. `make mutants` says whether stored mutants still apply, so
that a moved line of code stops no test."""
import os
import sys

ROOT = os.environ.get("HCBR_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "mutants"))
sys.dont_write_bytecode = True
import patterns  # noqa: E402

C = r'''/* a + b < c in a comment */
#include "a.h"
static int sum(const int *x, size_t count) {
    int total = 0; // i + 1 < 2
    for (size_t i = 0; i < count; i++)
        total += x[i];
    assert(total >= 0);
    if (done)
        say("a < b", total - 1);
    put(total, "==", x);
    hcbr_i_free(x);
    return a && b ? f(a, b, c) : -1;
}
'''
OF_C = {
    "5 skipped: for (size_t i = 0; i < count; i++) -> for (size_t i = 1; i < count; i++)",
    "5 bound: for (size_t i = 0; i < count; i++) -> for (size_t i = 0; i <= count; i++)",
    "6 sign: total += x[i]; -> total -= x[i];",
    "8 condition: if (done) -> if (!(done))",
    '9 sign: say("a < b", total - 1); -> say("a < b", total + 1);',
    '9 one: say("a < b", total - 1); -> say("a < b", total);',
    '10 statement: put(total, "==", x); -> ;',
    "12 condition: return a && b ? f(a, b, c) : -1; -> return a || b ? f(a, b, c) : -1;",
    "12 arguments: return a && b ? f(a, b, c) : -1; -> return a && b ? f(b, a, c) : -1;",
}
PYTHON = '''"""a < b and c"""
def least(values, limit):
    if not values and limit >= 2:  # a < b
        return max(values, limit)
    return f"a < {limit}"
'''
OF_PYTHON = {
    "3 condition: if not values and limit >= 2:  # a < b -> if values and limit >= 2:  # a < b",
    "3 condition: if not values and limit >= 2:  # a < b -> if not values or limit >= 2:  # a < b",
    "3 bound: if not values and limit >= 2:  # a < b -> if not values and limit > 2:  # a < b",
    "4 arguments: return max(values, limit) -> return max(limit, values)",
}


def differ(what, found, expected):
    found, expected = set(map(str, found)), set(map(str, expected))
    for line in sorted(found - expected):
        print(f"{what}: made {line}")
    for line in sorted(expected - found):
        print(f"{what}: expected {line}")
    return found != expected


wrong = differ("C", patterns.changes("a.c", C), OF_C)
wrong |= differ("Python", patterns.changes("a.py", PYTHON), OF_PYTHON)
wrong |= differ("line 6", patterns.changes("a.c", C, {6}),
                {line for line in OF_C if line.startswith("6 ")})
made = patterns.changes("a.c", C)
few = patterns.choose(made, 5, 1)
wrong |= differ("drawn again", patterns.choose(patterns.changes("a.c", C), 5, 1), few)
if len(few) != 5 or len({c.kind for c in few}) != 5:  # every kind before any kind again
    print(f"drawn: {few}")
    wrong = True
sys.exit(wrong)
