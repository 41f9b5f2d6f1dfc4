"""python -m hcbr.compare: the command line of a comparison."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import threading
from typing import Any, Sequence

from .. import _hcbr
from . import compare
from .libraries import NAMES
from .text import plain

PROGRAM = "hcbr.compare"


class Parser(argparse.ArgumentParser):
    """One line for a mistake, as the program has."""

    def error(self, message: str) -> None:  # type: ignore[override]
        sys.stderr.write(plain(f"{PROGRAM}: {message} (--help lists all options)") + "\n")
        sys.exit(2)


def parser() -> Parser:
    made = Parser(
        prog=f"python -m {PROGRAM}", allow_abbrev=False,
        description="Measure hcbr and other libraries on the same folds of each DATA. Every "
        "library has its defaults; those that are not installed are named.",
        epilog="Exit status: 0 done, 2 usage, 3 bad data, 5 a file cannot be read or written, 6 "
        "out of memory, 130 stopped by Ctrl-C.",
    )
    made.add_argument("data", nargs="+", metavar="DATA", help="csv, tsv, jsonl or parquet")
    made.add_argument("--label", metavar="COL", help="column to predict (default: label, y, "
                      "class, target or outcome)")
    made.add_argument("--ignore", metavar="COL", action="append", default=[],
                      help="a column to leave out; may be repeated")
    made.add_argument("--against", metavar="LIST", help="libraries, of " + ",".join(NAMES))
    made.add_argument("--folds", metavar="N", type=int, default=5, help="default 5")
    made.add_argument("--repeats", metavar="N", type=int, default=2, help="default 2")
    made.add_argument("--seed", metavar="N", type=int, default=1, help="of the first repeat")
    made.add_argument("--effort", choices=["lite", "normal", "max"], help="of hcbr")
    made.add_argument("--limit", metavar="SECONDS", type=float, default=600.0,
                      help="most for a library on a data set (default 600; 0: none)")
    made.add_argument("-j", "--jobs", metavar="N", type=int, default=1, help="threads (default 1)")
    made.add_argument("--delimiter", metavar="C", help="of csv (default ,)")
    made.add_argument("--encoding", metavar="E", help="of csv (default utf-8)")
    made.add_argument("--html", metavar="FILE", help="write a page, which has no script")
    made.add_argument("--json", action="store_true", help="one object instead of tables")
    made.add_argument("-q", "--quiet", action="store_true", help="no progress")
    made.add_argument("--version", action="version", version=f"hcbr {_hcbr.version}")
    return made


def write(path: str, text: str) -> None:
    """The whole file, or none."""
    folder = os.path.dirname(os.path.abspath(path))
    handle, name = tempfile.mkstemp(prefix=".hcbr-", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def run(words: Sequence[str] | None) -> int:
    given = parser().parse_args(words)
    options = {"effort": given.effort} if given.effort else {}
    if given.html:  # hours later is too late to say that there is no such folder
        os.scandir(os.path.dirname(os.path.abspath(given.html))).close()
    found = compare(
        given.data, given.label, against=given.against, folds=given.folds, repeats=given.repeats,
        seed=given.seed, ignore=given.ignore, limit=given.limit or None, n_jobs=given.jobs,
        delimiter=given.delimiter, encoding=given.encoding,
        progress=False if given.quiet else None, **options,
    )
    said = json.dumps(found.to_dict(), ensure_ascii=True) + "\n" if given.json else str(found)
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(said.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()
    if given.html:
        write(given.html, found.to_html())
    return 0


def terminate(number: int, frame: Any) -> None:
    """As Ctrl-C: what was begun is ended, and its files are removed."""
    raise KeyboardInterrupt(number)


def main(words: Sequence[str] | None = None) -> int:
    """The status: 0 done, 2 usage, 3 bad data, 5 file, 6 memory, 130 stopped, 143 terminated."""
    status = {_hcbr.UsageError: 2, _hcbr.DataError: 3, TypeError: 2}
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, terminate)
    try:
        return run(words)
    except KeyboardInterrupt as wrong:
        sys.stderr.write(f"{PROGRAM}: stopped\n")
        return 128 + (wrong.args[0] if wrong.args else signal.SIGINT)
    except tuple(status) as wrong:
        sys.stderr.write(f"{PROGRAM}: {plain(str(wrong))}\n")
        return next(code for kind, code in status.items() if isinstance(wrong, kind))
    except OSError as wrong:
        where = f"{wrong.filename}: " if wrong.filename else ""
        sys.stderr.write(plain(f"{PROGRAM}: {where}{wrong.strerror or wrong}") + "\n")
        return 5
    except MemoryError:
        sys.stderr.write(f"{PROGRAM}: out of memory\n")
        return 6
