"""Bad and odd input: what the program says, what it leaves behind, what it costs.

usage: test_bad.py [PROGRAM]    (else the program is $HCBR)

The files bad/*.cases hold the corpus; bad/README.md says how they are written. Inputs too large to
be stored are made in bad_large.py. Every run is held to the same laws: the exit status and the
complete message, no output file after a failure, memory of at most 32 MiB + 16 times the bytes of
the input, at most a second per MiB.
"""
import difflib
import json
import os
import re
import shlex
import shutil
import signal
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
MIB = 1 << 20
PLAIN = ["--model", "plain"]  # quick, and its memory is that of the cases
FORMATS = ("csv", "tsv", "libsvm", "jsonl", "txt", "cases")
NAMES = {"txt": "text"}  # of formats that are not called like their ending
# What the models of the corpus are trained on: every predict case is decided with one of them.
GOOD = {
    "csv": b"label,a,b\nyes,1,2\nno,3,4\n",
    "tsv": b"label\ta\tb\nyes\t1\t2\nno\t3\t4\n",
    "libsvm": b"yes 1:1 2:1\nno 3:1 4:1\n",
    "jsonl": b'{"label":"yes","a":1,"b":2}\n{"label":"no","a":3,"b":4}\n',
    "txt": b"yes\ta b\nno\tc d\n",
    "cases": b"1 2 yes\n3 4 no\n",
}


class Run:
    """One finished run of the program."""

    def __init__(self, code, out, err, seconds, memory):
        self.code, self.out, self.err = code, out, err
        self.seconds, self.memory = seconds, memory


class Suite:
    """Runs the program in a folder of its own and counts what holds."""

    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.passed = self.failed = self.skipped = 0
        self.names = set()
        with open(self.program, "rb") as file:
            self.sanitized = b"__asan_init" in file.read()
        # Under the sanitizers each entry runs once a command: its words and results were compared.
        self.thorough = not self.sanitized or os.environ.get("HCBR_LONG") == "1"
        # A run begins as a copy of this process: what it measures is never less than that.
        self.most_base = (1024 if self.sanitized else 32) * MIB
        self.slower = 30 if self.sanitized else 1
        self.environment = dict(os.environ, LC_ALL="C.UTF-8", TERM="dumb",
                                ASAN_OPTIONS="detect_leaks=1:handle_sigill=2:exitcode=99",
                                UBSAN_OPTIONS="halt_on_error=1")

    # ---- running -------------------------------------------------------------------------------

    def run(self, arguments, stdin="/dev/null", stdout="stdout", limit=60):
        actions = [(os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0),
                   (os.POSIX_SPAWN_OPEN, 1, stdout, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
                   (os.POSIX_SPAWN_OPEN, 2, "stderr", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
        pid = os.posix_spawn(self.program, ["hcbr", *map(str, arguments)], self.environment,
                             file_actions=actions)
        signal.signal(signal.SIGALRM, lambda *_: os.kill(pid, signal.SIGKILL))
        signal.alarm(limit)
        _, status, usage = os.wait4(pid, 0)
        signal.alarm(0)
        seconds = usage.ru_utime + usage.ru_stime
        code = os.waitstatus_to_exitcode(status)
        with open("stderr", "rb") as file:
            err = file.read()
        out = b""
        if stdout == "stdout":
            with open("stdout", "rb") as file:
                out = file.read()
        return Run(code, out, err, seconds, usage.ru_maxrss * 1024)

    # ---- checking ------------------------------------------------------------------------------

    def report(self, name, problems):
        if name in self.names:
            problems = problems + ["this name was used before"]
        self.names.add(name)
        if not problems:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAILED {name}")
        for problem in problems:
            print("    " + problem.replace("\n", "\n    "))

    def skip(self, name, why):
        self.skipped += 1
        print(f"SKIPPED {name}: {why}")

    def laws(self, run, size, times=16):
        """What must hold of every run, whatever it was given."""
        problems = []
        text = run.err.decode("utf-8", "backslashreplace")
        if "Sanitizer" in text or "runtime error" in text:
            problems.append("the sanitizer reports:\n" + text[:4000])
        if run.code < 0 or run.code > 6:
            problems.append(f"ended with {run.code}")
        most = self.most_base + (64 if self.sanitized else times) * size
        if run.memory > most:
            problems.append(f"used {run.memory / MIB:.1f} MiB, allowed are {most / MIB:.1f}")
        longest = self.slower * (1 + size / MIB)
        if run.seconds > longest:
            problems.append(f"took {run.seconds:.2f} s, allowed are {longest:.2f}")
        try:
            run.err.decode("utf-8")
        except UnicodeDecodeError:
            problems.append("the message is not UTF-8")
        if re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", run.err):
            problems.append("the message holds control characters")
        return problems

    def compare(self, what, expected, found):
        if expected == found:
            return []
        lines = difflib.unified_diff(expected, found, "expected", "found", lineterm="", n=9)
        return [f"{what}:\n" + "\n".join(list(lines)[2:])]

    def judge(self, run, size, command, code, said, result=None):
        """Problems of a run, given its exit status, lines on stderr and result."""
        problems = self.laws(run, size)
        if run.code != code:
            problems.append(f"exit status {run.code}, expected {code}")
        found = run.err.decode("utf-8", "backslashreplace").splitlines()
        head = f"hcbr {command}: "
        found = [line[len(head):] if line.startswith(head) else line for line in found]
        problems += self.compare("standard error", said, found)
        left = sorted(os.listdir("out"))
        if code != 0 and left:
            problems.append(f"left behind: {' '.join(left)}")
        if code == 0 and run.code == 0 and result is not None and self.thorough:
            problems += self.compare("result", result, self.result(command, run))
        for name in left:
            os.unlink(os.path.join("out", name))
        return problems

    def result(self, command, run):
        """What came out: the rows of predict, or the labels and features of a model."""
        if command == "predict":
            out = run.out
            if os.path.exists("out/p"):
                with open("out/p", "rb") as file:
                    out = file.read()
            return out.decode("utf-8", "backslashreplace").replace("\t", "\\t").splitlines()
        shown = self.run(["inspect", "out/m", "--json", "--top", "4294967295"])
        if shown.code != 0:
            return [shown.err.decode("utf-8", "backslashreplace")]
        model = json.loads(shown.out)
        counts = [f"{label['name']} {label['cases']}" for label in model["labels"]]
        if model["empty_cases"]:
            counts.append(f"empty {model['empty_cases']}")
        if model["features"] > 1000:
            return [", ".join(counts), f"{model['features']} features in {model['atoms']} atoms"]
        features = {f for atoms in model["strongest"].values() for a in atoms
                    for f in a["features"]}
        lines = [", ".join(counts)]
        if features:
            lines.append("  ".join(json.dumps(f, ensure_ascii=False)[1:-1]
                                   for f in sorted(features)))
        return lines


# ---- the corpus --------------------------------------------------------------------------------

def unescape(text):
    """The bytes of a line of data: \\n \\t \\r \\\\ and \\xNN are escapes."""
    short = {"n": b"\n", "t": b"\t", "r": b"\r", "\\": b"\\"}
    out = b""
    for part in re.split(r"(\\x[0-9a-fA-F]{2}|\\.)", text):
        if part.startswith("\\x"):
            out += bytes([int(part[2:], 16)])
        elif part.startswith("\\"):
            out += short[part[1]]
        else:
            out += part.encode()
    return out


class Case:
    """An entry of the corpus."""

    def __init__(self, place, head):
        self.place = place
        fields = [field.strip() for field in head.split(" | ")]
        if len(fields) != 3:
            raise SystemExit(f"{place}: NAME | COMMAND | STATUS was expected")
        self.name, self.command, self.code = fields[0], fields[1], int(fields[2])
        self.bytes, self.said, self.result, self.changes = b"", [], [], []
        self.more = None

    def add(self, line):
        mark, rest = line[:1], line[2:]
        if mark == "<":
            self.bytes += unescape(rest)
        elif mark == "+":
            self.more = (self.more or b"") + unescape(rest)
        elif mark == "!":
            self.said.append(rest)
        elif mark == "=":
            self.result.append(rest)
        elif mark == "~":
            self.changes.append(rest.split(" "))
        else:
            raise SystemExit(f"{self.place}: a line that begins with {mark} is not known")


def load_cases(name):
    path = os.path.join(HERE, "bad", name + ".cases")
    cases, case = [], None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if not line:
                case = None
            elif line.startswith("#") and case is None:
                continue
            elif case is None:
                case = Case(f"bad/{name}.cases:{number}", line)
                cases.append(case)
            else:
                case.add(line)
    return cases


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def data_arguments(command, form, path, options, model=PLAIN):
    """The command line that reads path; its output goes to the folder out."""
    if command == "train":
        return ["train", *model, "-q", path, "-o", "out/m"] + options
    return ["predict", "-q", f"good.{form}.hcbr", path, "-o", "out/p"] + options


def check_data(suite, form, case):
    """A case of a data format: as a file and through standard input, in each of its commands."""
    words = shlex.split(case.command)
    commands = ("train", "predict") if words[0] == "both" else (words[0],)
    path = f"f.{form}"
    options = words[1:]
    if options and options[0].startswith("file="):
        path = options.pop(0)[5:]
    write(path, case.bytes)
    write("o", case.more or b"")
    for command in commands:
        expected = [line.replace("{command}", command) for line in case.said]
        name = f"{case.place} {case.name} {command}"
        run = suite.run(data_arguments(command, form, path, options))
        suite.report(name, suite.judge(run, len(case.bytes), command, case.code, expected,
                                       case.result))
        if command == "train" and case.code:  # refused with the same words for the default model
            run = suite.run(data_arguments(command, form, path, options, []))
            suite.report(name + " default", suite.judge(run, len(case.bytes), command, case.code,
                                                        expected, case.result))
        if path != f"f.{form}" or "--format" in options or not suite.thorough:
            continue
        said = [line.replace(f"f.{form}:", "<stdin>:") for line in expected]
        known = ["--format", NAMES.get(form, form)]
        run = suite.run(data_arguments(command, form, "-", known + options), path)
        suite.report(name + " stdin", suite.judge(run, len(case.bytes), command, case.code, said,
                                                  case.result))
    os.unlink(path)


def check_model(suite, case):
    """A model: good.csv.hcbr with changes, or other bytes; loaded by inspect and predict."""
    data = case.bytes
    with open("good.csv.hcbr", "rb") as file:
        good = file.read()
    if case.changes:
        data = good
    for change in case.changes:
        number = int(change[1]) if change[0] != "add" else 0
        if change[0] == "cut":
            data = data[:number] if number >= 0 else data[:len(data) + number]
        elif change[0] == "set":
            data = data[:number] + unescape(change[2]) + data[number + len(unescape(change[2])):]
        elif change[0] == "add":
            data += unescape(change[1])
        else:
            raise SystemExit(f"{case.place}: unknown change {change[0]}")
    write("f.hcbr", data)
    said = [line.replace("{size}", str(len(data))).replace("{good}", str(len(good)))
            for line in case.said]
    for command in ("inspect", "predict"):
        arguments = ["inspect", "f.hcbr"]
        if command == "predict":
            arguments = ["predict", "f.hcbr", "good.csv", "-o", "out/p"]
        run = suite.run(arguments)
        suite.report(f"{case.place} {case.name} {command}",
                     suite.judge(run, len(data), command, case.code, said, None))
    os.unlink("f.hcbr")


def check_line(suite, case):
    """A whole command line, in a folder with the good files and models."""
    words = shlex.split(case.command)
    if case.bytes:
        write("f.txt", case.bytes)
    run = suite.run(words)
    result = case.result if words[0] == "predict" else None
    suite.report(f"{case.place} {case.name}",
                 suite.judge(run, 0, words[0], case.code, case.said, result))


def prepare(suite):
    os.mkdir("out")
    os.mkdir("folder.csv")
    for form, data in GOOD.items():
        write(f"good.{form}", data)
        run = suite.run(["train", *PLAIN, "-q", f"good.{form}", "-o", f"good.{form}.hcbr"])
        if run.code != 0:
            raise SystemExit(f"good.{form} cannot be trained on: {run.err.decode()}")
    suite.run(["train", *PLAIN, "-q", "good.csv", "-o", "none.hcbr", "--keep-cases", "none"])


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("HCBR")
    if not program:
        raise SystemExit(__doc__)
    suite = Suite(program)
    import bad_large
    folder = tempfile.mkdtemp(prefix="hcbr-bad-")
    try:
        os.chdir(folder)
        prepare(suite)
        for form in FORMATS:
            for case in load_cases(form):
                check_data(suite, form, case)
        for case in load_cases("model"):
            check_model(suite, case)
        for case in load_cases("line") + load_cases("evaluate"):
            check_line(suite, case)
        bad_large.check(suite)
    finally:
        os.chdir("/")
        shutil.rmtree(folder)
    if suite.skipped:
        print(f"{suite.skipped} skipped")
    print(f"{suite.passed} passed, {suite.failed} failed")
    return 1 if suite.failed else 0


if __name__ == "__main__":
    sys.exit(main())
