"""docs/OPTIONS.md and the types of the Python package are what the table of options makes them."""
import os
import subprocess
import sys

ROOT = os.environ.get("HCBR_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
sys.exit(subprocess.run([os.path.join(ROOT, "tools", "options"), "--check", "--hcbr",
                         os.environ["HCBR"]], check=False).returncode)
