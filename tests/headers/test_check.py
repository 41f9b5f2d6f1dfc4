"""`make check` knows the tests of a file, of a function and of itself."""
import os
import subprocess
import sys

ROOT = os.environ.get("HCBR_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
failed = 0


def list_tests(*names):
    done = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "check"), "--list", *names],
                          capture_output=True, text=True, check=False)
    found = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    return done.returncode, {name: tests.split() for name, tests in found.items()}, done.stderr


def expect(what, good):
    global failed
    if not good:
        print(f"FAILED {what}")
        failed += 1


NEAR = {"src/base/near.c": "test_near", "src/folds/folds.c": "test_folds",
        "include/hcbr/number.h": "test_number", "cli/sqlite.c": "cli_test_sqlite",
        "python/hcbr/_onnx.py": "test_onnx", "hcbr_number_parse": "test_number",
        "tests/cli/test_sqlite.sh": "cli_test_sqlite", "tests/unit/base/test_near.c": "test_near"}
status, found, _ = list_tests(*NEAR)
expect("status", status == 0)
expect("names", list(found) == list(NEAR))
for name, test in NEAR.items():
    expect(f"{name}: {found.get(name)}", test in found.get(name, []))
for name in ("src/base/no_such.c", "hcbr_no_such"):
    status, found, said = list_tests(name)
    expect(f"{name}: {status} {said}", status == 1 and name in said and not found)
status, found, said = list_tests("--base", "no-such-revision")
expect(f"revision: {said}", status == 1 and "no-such-revision" in said)
sys.exit(1 if failed else 0)
