"""Every mutant applies: its line is there once, and the tests it names exist. Where code has moved,
its mutants have to move with it. That tests notice them is seen by `make mutants`."""
import os
import subprocess
import sys

ROOT = os.environ.get("HCBR_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
RUN = os.path.join(ROOT, "tests", "mutants", "run")
LEAST = 80

listed = subprocess.run([sys.executable, RUN, "--list"], capture_output=True, text=True, check=True)
count = len(listed.stdout.splitlines())
done = subprocess.run([sys.executable, RUN, "--check"], capture_output=True, text=True, check=False)
print(done.stdout, end="")
if count < LEAST:
    print(f"{count} mutants, expected at least {LEAST}")
sys.exit(done.returncode or count < LEAST)
