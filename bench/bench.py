"""What bench/run and bench/gate share: data, running a command with its cost, versions."""
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HCBR = os.environ.get("HCBR", os.path.join(ROOT, "build", "release", "hcbr"))
# Gigabytes of files: HCBR_BENCH_DIR moves them to another disk or into memory.
WORK = os.environ.get("HCBR_BENCH_DIR", os.path.join(ROOT, "build", "bench"))
KINDS = {"zipf": "libsvm", "categorical": "libsvm", "worst": "libsvm", "csv": "csv"}
ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8")


def path(name):
    return os.path.join(WORK, name)


def compiled(name, *libraries):
    """A program of bench/, compiled if it is not; None if its libraries are not there."""
    os.makedirs(WORK, exist_ok=True)
    source, program = os.path.join(ROOT, "bench", name + ".c"), path(name)
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        done = subprocess.run(["cc", "-std=gnu11", "-O2", source, "-o", program, *libraries],
                              stderr=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            return None
    return program


def data(kind, occurrences, seed=1):
    """A file of generated cases; made once."""
    program = compiled("generate", "-lm") or sys.exit("bench/generate.c does not compile")
    name = path(f"{kind}-{occurrences:.0f}-{seed}.{KINDS[kind]}")
    if not os.path.exists(name) or os.path.getmtime(name) < os.path.getmtime(program):
        with open(name + ".part", "wb") as out:
            subprocess.run([program, kind, str(occurrences), str(seed)], stdout=out, check=True)
        os.rename(name + ".part", name)
    return name


class Cost:
    """CPU seconds, wall seconds and peak bytes of a finished command."""

    def __init__(self, usage, wall, output):
        self.cpu = usage.ru_utime + usage.ru_stime
        self.wall = wall
        self.memory = usage.ru_maxrss * 1024
        self.output = output


def run(command, keep_output=False):
    """Run a command to its end; its standard output is thrown away unless it is to be kept."""
    start = time.perf_counter()
    target = subprocess.PIPE if keep_output else subprocess.DEVNULL
    child = subprocess.Popen(command, stdout=target, stderr=subprocess.PIPE, env=ENVIRONMENT)
    # The output of these commands is short: it fits into the pipes, which are read at the end.
    output = child.stdout.read() if keep_output else b""
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.stderr.write(errors.decode(errors="replace"))
        sys.exit(f"{' '.join(command)}: exit status {child.returncode}")
    return Cost(usage, wall, (output + errors).decode(errors="replace"))


def instructions(command):
    """Of a command, counted by callgrind: they do not depend on the load of the machine."""
    counter = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    return int(re.search(r"Collected : (\d+)", run(counter + command).output).group(1))


def train(file, model, *options):
    return [HCBR, "train", "--model", "plain", "-q", file, "-o", model, *options]


def version_lines():
    """One line for each program that is compared, and for the machine."""
    def first_line(*command):
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            return "not installed"
        return ((done.stdout + done.stderr).splitlines() or ["?"])[0]

    def package(name):
        line = first_line("dpkg-query", "-W", "-f", "${Version}", name)
        return line if re.match(r"\d", line) else "version unknown"

    processor = "processor unknown"
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"^model name\s*:\s*(.*)$", file.read(), re.M)
        if found:
            processor = found.group(1)
    return [
        f"{first_line(HCBR, '--version')}",
        f"{first_line('wc', '--version')}, in the locale C.UTF-8",
        f"LIBLINEAR (liblinear-tools {package('liblinear-tools')})",
        f"{first_line('cc', '--version')}",
        f"{first_line('valgrind', '--version')}",
        f"{processor}, {os.cpu_count()} threads, {first_line('uname', '-sr')}",
    ]
