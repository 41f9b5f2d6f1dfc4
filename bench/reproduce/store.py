"""Results of the steps, kept in build/reproduce so that nothing is computed twice, and what runs.

A result is one JSON file. Its name is a digest of what it depends on: the program (or the library
that is compared with), the data, the options. A run that was stopped goes on where it was; a
program that changed computes its own results again.
"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from bench import ENVIRONMENT, HCBR, ROOT  # pylint: disable=wrong-import-position

DATA = os.path.abspath(os.environ.get("HCBR_DATA") or os.path.join(ROOT, "..", "shared", "data"))


def digest_of(*things):
    """Of values that JSON can hold."""
    text = json.dumps(things, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def digest_of_file(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=12)).hexdigest()


def program_fingerprint():
    """Of the program and of the shared library that stands beside it, if there is one."""
    folder = os.path.dirname(HCBR)
    parts = [HCBR] + [os.path.join(folder, name) for name in sorted(os.listdir(folder))
                      if name == "libhcbr.so.0"]
    return digest_of(*map(digest_of_file, parts))


class Progress:
    """A line on a terminal, rewritten; elsewhere a line when a step begins and ends."""

    def __init__(self, stream=sys.stderr):
        self.stream, self.live = stream, stream.isatty()
        self.start, self.computed, self.kept = time.monotonic(), 0, 0
        self.steps, self.step, self.name = 1, 0, ""

    def begin(self, name, number, steps):
        self.name, self.step, self.steps = name, number, steps
        self.say("")

    def say(self, what):
        seconds = int(time.monotonic() - self.start)
        line = (f"[{self.step}/{self.steps}] {self.name}: {what}  "
                f"({self.computed} computed, {self.kept} kept, {seconds // 60}:{seconds % 60:02})")
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            self.stream.write("\r\033[K" + line[:width])
            self.stream.flush()
        elif not what or what == "done":
            self.stream.write(line + "\n")
            self.stream.flush()

    def end(self):
        if self.live:
            self.stream.write("\r\033[K")
        self.stream.write(f"{self.computed} results computed, {self.kept} kept\n")


class Store:
    """Results by what they depend on."""

    def __init__(self, folder, progress):
        self.folder, self.progress = folder, progress
        self.program = program_fingerprint()
        self.work = tempfile.mkdtemp(prefix="hcbr-reproduce-")
        self.files = {}
        os.makedirs(folder, exist_ok=True)

    def close(self):
        shutil.rmtree(self.work)

    def path(self, name):
        return os.path.join(self.work, name)

    def file(self, name, write):
        """A data file in the work folder, made once by `write(path)`."""
        path = self.path(name)
        if path not in self.files:
            write(path)
            self.files[path] = digest_of_file(path)
        return path

    def get(self, what, key, compute):
        """What `compute()` gave for this key once, or gives now. `what` is shown."""
        path = os.path.join(self.folder, digest_of(what, key) + ".json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.progress.kept += 1
                return json.load(file)["result"]
        self.progress.say(what)
        result = compute()
        with open(path + ".part", "w", encoding="utf-8") as file:
            json.dump({"what": what, "key": key, "result": result}, file)
        os.replace(path + ".part", path)
        self.progress.computed += 1
        return json.loads(json.dumps(result))

    def inputs(self, arguments):
        """The arguments of a command with files replaced by what is in them."""
        return [self.files[a] if a in self.files else
                digest_of_file(a) if os.path.isfile(a) else a for a in arguments]

    def key(self, arguments, read=None):
        return ["hcbr", self.program, getattr(read, "__name__", ""),
                *self.inputs([str(a) for a in arguments])]

    def hcbr(self, what, *arguments, read=None, output=()):
        """
        The JSON of a run of the program. `read(json)` makes the result that is kept; `output` are
        arguments that say where to write.
        """
        return self.get(what, self.key(arguments, read),
                        lambda: (read or (lambda said: said))(run(*arguments, *output)))


def run(*arguments):
    """The JSON of a run of the program with one thread."""
    command = [HCBR, *map(str, arguments), "--json", "-q", "-j", "1"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=ENVIRONMENT)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def run_version():
    """The first line of --version."""
    done = subprocess.run([HCBR, "--version"], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()[0]
