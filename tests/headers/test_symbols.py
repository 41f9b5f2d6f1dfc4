"""What the shared library shows and what it asks for.

It exports exactly the functions its headers declare, and imports nothing that prints, ends the
process, depends on the locale, the environment or a hidden random state, or rounds as the processor
likes.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.environ["HCBR_SOURCE"]
LIBRARY = os.environ["HCBR_LIBRARY"]
ASSERTS = {"__assert_fail"} if os.environ.get("HCBR_DEBUG") == "1" else set()
FORBIDDEN = re.compile(
    r"^(__)?v?(printf|fprintf|dprintf|sprintf|asprintf)(_chk)?$"
    r"|^(puts|fputs|fputc|putc|putchar|fwrite|perror|psignal|warn|warnx|err|errx|error|syslog)$"
    r"|^(stdout|stderr|stdin)$"
    r"|^(exit|_exit|_Exit|quick_exit|abort|raise|kill|__assert_fail|__assert_perror_fail)$"
    r"|^(setlocale|newlocale|uselocale|localeconv|nl_langinfo)$"
    r"|^(rand|srand|rand_r|random|srandom|drand48|lrand48|getenv|secure_getenv|setenv|putenv)$"
    r"|^(strtod|strtof|strtold|strtol|strtoul|strtoll|strtoull|atof|atoi|atol|atoll)$"
    r"|^(__isoc99_)?v?f?s?scanf$|^(strcpy|strcat|gets|strtok|system|popen|fork|signal|sigaction)$"
    r"|^(localtime|gmtime|asctime|ctime|strerror)$"
    # what the C library rounds by its version and by the processor: base/math.c has its own
    r"|^(__)?(exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|powi|cbrt|hypot|erf|erfc|tgamma"
    r"|lgamma|gamma|sin|cos|tan|sincos|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|fma"
    r"|j0|j1|jn|y0|y1|yn)[fl]?(_finite|_r)?$")
NEEDED = re.compile(
    r"^(libc|libm|libpthread|libxxhash|libz|libzstd|libutf8proc|ld-linux[-\w]*)\.so\.\d+$")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(which):
    lines = output("nm", "-D", which, LIBRARY).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines} - {"HCBR_0"}


def declared():
    names = set()
    for path in glob.glob(os.path.join(ROOT, "include", "hcbr", "*.h")):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        for match in re.finditer(r"HCBR_API\b([^;{]*)\(", text):
            found = re.search(r"\b(hcbr_\w+)\s*\(", match.group(0))
            if found:
                names.add(found.group(1))
    return names


def main():
    problems = []
    exported, wanted = symbols("--defined-only"), declared()
    for name in sorted(exported - wanted):
        problems.append(f"exported but declared in no public header: {name}")
    for name in sorted(wanted - exported):
        problems.append(f"declared in a public header but not exported: {name}")
    for name in sorted(wanted):
        if name.startswith("hcbr_i_"):
            problems.append(f"internal name in a public header: {name}")
    for name in sorted(symbols("--undefined-only") - ASSERTS):
        if FORBIDDEN.match(name):
            problems.append(f"the library must not call: {name}")
    dynamic = output("readelf", "-dW", LIBRARY)
    for name in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if not NEEDED.match(name):
            problems.append(f"the library must not need: {name}")
    if re.findall(r"\(SONAME\).*\[(.*)\]", dynamic) != ["libhcbr.so.0"]:
        problems.append("the soname is not libhcbr.so.0")
    if "BIND_NOW" not in dynamic and "NOW" not in dynamic:
        problems.append("not linked with -z now")
    archive = os.path.join(os.path.dirname(LIBRARY), "libhcbr.a")
    for line in output("nm", "-g", "--defined-only", archive).splitlines():
        fields = line.split()
        if len(fields) == 3 and not fields[2].startswith("hcbr_"):
            problems.append(f"global name without the prefix hcbr_ in libhcbr.a: {fields[2]}")
    for problem in problems:
        print(problem)
    print(f"{len(exported)} functions exported, {len(problems)} problems")
    sys.exit(1 if problems or len(wanted) < 40 else 0)


main()
