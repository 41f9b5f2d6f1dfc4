"""The worked example of docs/REASONS.md, run on the European Court data: every command, every line.

usage: test_reasons_doc.py    (HCBR: the program; HCBR_DATA: the data, else ../shared/data)
Without the data the test says so and is skipped.
"""
import os
import re
import subprocess
import sys
import tempfile

HCBR = os.path.abspath(os.environ["HCBR"])
SOURCE = os.environ.get("HCBR_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
DATA = os.path.abspath(os.environ.get("HCBR_DATA") or os.path.join(SOURCE, "..", "shared", "data"))


def main():
    data = os.path.join(DATA, "echr", "a6_full.jsonl.gz")
    if not os.path.exists(data):
        print(f"SKIPPED: {data} is not there (set HCBR_DATA)")
        sys.exit(77)
    with open(os.path.join(SOURCE, "docs", "REASONS.md"), encoding="utf-8") as f:
        blocks = re.findall(r"^```console\n(.*?)^```", f.read(), re.M | re.S)
    failed = commands = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(HCBR, os.path.join(folder, "hcbr"))
        env = dict(os.environ, PATH=folder + ":" + os.environ["PATH"], HCBR_DATA=DATA,
                   LC_ALL="C.UTF-8")
        for block in blocks:
            for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
                line, _, shown = part.partition("\n")
                got = subprocess.run(line, shell=True, cwd=folder, env=env, capture_output=True,
                                     text=True)
                commands += 1
                if got.stdout != shown or got.stderr:
                    failed += 1
                    print(f"$ {line}\n--- shown\n{shown}--- happened\n{got.stdout}{got.stderr}")
    print(f"{commands} commands, {failed} problems")
    sys.exit(1 if failed or commands < 8 else 0)


main()
