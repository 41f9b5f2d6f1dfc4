"""Completions offer what help says, in the shells themselves: bash, zsh and fish.

What must be offered is read from `hcbr --help` and `hcbr COMMAND --help`. Each choice offered must
be accepted by the program, and another word must not. A shell that is missing is said aloud.
"""
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(os.environ["HCBR"])
os.environ["PATH"] = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
FILES = ["data one.csv", "data two.csv", "votes.hcbr", "sub"]
problems = []
count = 0


def expect(what, found, wanted):
    global count
    count += 1
    if sorted(found) != sorted(wanted):
        problems.append(f"{what}: offers {sorted(found)}, expected {sorted(wanted)}")


def output(*words, code=0):
    run = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
    if run.returncode != code:
        problems.append(f"hcbr {' '.join(words)}: exit status {run.returncode}")
    return run.stdout


def options_of(command):
    """Of the help of a command: [(flags, argument)]."""
    found = []
    for line in output(command, "--help").splitlines():
        match = re.match(r" {2,6}(-\w)?(?:, )?(--[\w-]+)?(?: (\S+))?(?:  |$)", line)
        if match and (match.group(1) or match.group(2)):
            found.append(([f for f in match.group(1, 2) if f], match.group(3)))
    return found


def choices_of(argument):
    parts = argument.split("|") if argument and "|" in argument else []
    return [part for part in parts if part[0].islower()]


class Bash:
    """Runs the function that is registered for hcbr as bash would, and prints what it offers."""
    sees_rest = True
    SCRIPT = """source "$1"; COMP_CWORD=$2; shift 2
function=$(complete -p hcbr | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
COMP_WORDS=(hcbr "$@")
"$function" hcbr "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
"""

    def __init__(self, folder):
        self.path = os.path.join(folder, "hcbr.bash")

    def offers(self, *words, after=()):
        run = subprocess.run(["bash", "--norc", "-c", self.SCRIPT, "bash", self.path,
                              str(len(words)), *words, *after], capture_output=True, text=True)
        if run.stderr:
            problems.append(f"bash {words}: {run.stderr}")
        return run.stdout.splitlines()

    def columns(self, *words, after=()):
        """What bash makes of the words that it offers; it gets words as they are typed."""
        return [shlex.split(word)[0] for word in self.offers(*words, after=after)]

    def value_words(self, option, start):
        return [option, "=", start] if option.startswith("--") else None

    def equals_words(self, text):
        """How bash cuts a word at its equals signs."""
        return [part for part in re.split("(=)", text) if part]


class Fish:
    """fish hands completions the line up to the cursor, so what follows is not asked for."""
    sees_rest = False

    def __init__(self, folder):
        self.path = os.path.join(folder, "hcbr.fish")

    def offers(self, *words):
        line = " ".join(["hcbr", *words]).replace("\\", "\\\\").replace("'", "\\'")
        run = subprocess.run(["fish", "--no-config", "-c", f'source "{self.path}"\n'
                              f"complete -C '{line}'"], capture_output=True, text=True,
                             env=dict(os.environ, HOME=os.path.dirname(self.path)))
        if run.stderr:
            problems.append(f"fish {words}: {run.stderr}")
        found = [row.split("\t")[0].rstrip("/") for row in run.stdout.splitlines()]
        return [row.replace("\\ ", " ") for row in found]

    def columns(self, *words):
        return self.offers(*words)

    def value_words(self, option, start):
        return [f"{option}={start}"] if option.startswith("--") else None

    def equals_words(self, text):
        return [text]


class Zsh:
    """Types into an interactive zsh and has every word noted that completion adds."""
    sees_rest = True
    SETUP = """fpath=("$1" $fpath); autoload -Uz compinit; compinit -u -D
zstyle ':completion:*' completer _complete
compadd() {
    local -a found
    if [[ " ${(j: :)@[1,(i)(-|--)]} " == *' '-(O|A|D)* ]]; then builtin compadd "$@"; return; fi
    builtin compadd -O found "$@"
    [ $#found -eq 0 ] || print -rl -- $found >> "$NOTED"
    builtin compadd "$@"
}
zle-line-init() { : > "$READY" }
zle -N zle-line-init
"""

    def __init__(self, folder):
        self.folder = folder
        self.noted, self.ready = os.path.join(folder, "noted"), os.path.join(folder, "ready")
        with open(os.path.join(folder, "setup.zsh"), "w") as file:
            file.write(self.SETUP.replace("$1", folder))
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.environ.update(NOTED=self.noted, READY=self.ready, TERM="dumb", HOME=folder,
                              LC_ALL="C.UTF-8")
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self.type("source " + os.path.join(folder, "setup.zsh") + "\n")

    def type(self, text):
        """Type, then wait for the next prompt: keys typed before it would go to the terminal."""
        os.write(self.terminal, text.encode())
        limit = time.monotonic() + 60
        while not os.path.exists(self.ready):
            if time.monotonic() > limit:
                raise SystemExit(f"zsh does not answer to {text!r}")
            if select.select([self.terminal], [], [], 0.02)[0]:
                os.read(self.terminal, 65536)
        os.unlink(self.ready)

    def offers(self, *words, after=()):
        open(self.noted, "w").close()
        behind = " " + " ".join(after) if after else ""
        self.type(" ".join(["hcbr", *words]) + behind + "\x02" * len(behind) + "\t\x15\n")
        with open(self.noted) as file:
            found = dict.fromkeys(line.rstrip("\n").replace("\\ ", " ") for line in file)
        return list(found)

    def columns(self, *words, after=()):
        return self.offers(*words, after=after)

    def value_words(self, option, start):
        return [f"{option}={start}"] if option.startswith("--") else None

    def equals_words(self, text):
        return [text]


def strip_option(found, option):
    """fish offers the whole word --format=csv, the others the value."""
    return [word.removeprefix(option + "=") for word in found]


def kinds_of_study():
    """What the program says that it expects."""
    run = subprocess.run([PROGRAM, "study", "none", "none.csv"], capture_output=True, text=True)
    return run.stderr.split("expected one of ")[1].splitlines()[0].split(", ")


def check_shell(name, shell, commands):
    expect(f"{name}: commands", [w for w in shell.offers("") if not w.startswith("-")],
           commands + ["help"])
    expect(f"{name}: help", shell.offers("help", ""), commands)
    expect(f"{name}: help tr", shell.offers("help", "tr"), ["train"])
    expect(f"{name}: tr", shell.offers("tr"), ["train"])
    for command in commands:
        options = options_of(command)
        every = [flag for flags, _ in options for flag in flags]
        long = [flag for flag in every if flag.startswith("--")]
        found = shell.offers(command, "--")
        expect(f"{name}: {command} --", [w.rstrip("=") for w in found if w != "--"], long)
        for flags, argument in options:
            choices = choices_of(argument)
            for flag in flags if choices else []:
                expect(f"{name}: {command} {flag}", shell.offers(command, flag, ""), choices)
                words = shell.value_words(flag, choices[0][:2])
                if words:
                    expect(f"{name}: {command} {flag}={choices[0][:2]}",
                           strip_option(shell.offers(command, *words), flag),
                           [c for c in choices if c.startswith(choices[0][:2])])
        for flags, argument in options:
            if argument and not choices_of(argument) and argument.isupper() and \
                    not argument.startswith(("FILE", "OUT", "MODEL")):
                expect(f"{name}: {command} {flags[0]}", shell.offers(command, flags[0], ""), [])
                break
    expect(f"{name}: data", shell.offers("train", "data"), FILES[:2])
    expect(f"{name}: -o", [f.rstrip("/") for f in shell.offers("train", "-o", "v")],
           ["votes.hcbr"])
    models = [f.rstrip("/") for f in shell.offers("predict", "")]
    if name == "fish":  # models first, then what else is there
        models = models[:1] + ["sub"]
    expected = ["votes.hcbr", "sub"] if "sub" in models else ["votes.hcbr"]
    expect(f"{name}: model", models, expected)
    for words in [("--case", "age=3"), ("--eta", "yes=1"), ("--case=age=3",), ("--eta=yes=1",)]:
        cut = [part for word in words for part in shell.equals_words(word)]
        found = [f.rstrip("/") for f in shell.offers("predict", *cut, "")]
        if name == "fish":
            found = found[:1] + ["sub"]
        expect(f"{name}: model after {words}", found, expected)
        expect(f"{name}: data after {words}", shell.offers("predict", "votes.hcbr", *cut, "data"),
               FILES[:2])
    for words in [("--case", "age="), ("--case", "age=data"), ("--eta", "yes=data")]:
        cut = [part for word in words for part in shell.equals_words(word)]
        expect(f"{name}: {words}", shell.offers("predict", "votes.hcbr", *cut), [])
    for command in commands:
        for flags, argument in options_of(command):
            if argument in ("FILE", "OUT"):
                expect(f"{name}: {command} {flags[0]}", shell.offers(command, flags[0], "data"),
                       FILES[:2])
    expect(f"{name}: data after the model", shell.offers("predict", "votes.hcbr", "data"),
           FILES[:2])
    models = [f.rstrip("/") for f in shell.offers("drift", "")]
    expect(f"{name}: drift", models[:1] + ["sub"] if name == "fish" else models, expected)
    kinds = kinds_of_study()
    expect(f"{name}: study", shell.offers("study", ""), kinds)
    expect(f"{name}: study p", shell.offers("study", "p"), [k for k in kinds if k[0] == "p"])
    expect(f"{name}: study after an option", shell.offers("study", "--seed", "3", "cu"), ["curve"])
    expect(f"{name}: data of a study", shell.offers("study", "curve", "data"), FILES[:2])


NAMES = ["age", "late \"x\" fee", "it's", "plain name", "a$b", "two words, comma", "label"]


def write_data():
    """Tables of these columns, and what no column can be read from."""
    head = ",".join('"' + name.replace('"', '""') + '"' for name in NAMES) + "\n"
    with open("data one.csv", "w") as file:
        file.write(head + "1,2,3,4,5,6,y\n" * 30)
    with open("other.csv", "w") as file:
        file.write("one;two\n1;2\n3;4\n")
    with open("binary.csv", "wb") as file:
        file.write(bytes(range(256)) * 20)
    os.mkfifo("pipe.csv")


def check_columns(name, shell, commands):
    """Columns of the data on the line, quoted so that the shell makes them of it again."""
    write_data()
    data = "data\\ one.csv"
    for command in commands:
        before = {"predict": ["votes.hcbr"], "drift": ["votes.hcbr"], "explain": ["votes.hcbr"],
                  "study": ["curve"]}.get(command, [])
        for flags, argument in options_of(command):
            if argument not in ("COL", "COL,..."):
                continue
            found = shell.columns(command, *before, "other.csv", flags[0], "")
            expect(f"{name}: columns, {command} {flags[0]}", found, ["one", "two"])
            if shell.sees_rest:
                expect(f"{name}: columns before the data, {command} {flags[0]}",
                       shell.columns(command, *before, flags[0], "", after=["other.csv"]),
                       ["one", "two"])
    for words in [("train", data), ("train", "-q", "--seed", "3", data, "-o", "other.csv"),
                  ("evaluate", "--test", "other.csv", data, "other.csv")]:
        expect(f"{name}: columns of {words}", shell.columns(*words, "--label", ""), NAMES)
    for start in ("a", "l", "pl", "plain\\ n", "la"):
        expect(f"{name}: columns {start}", shell.columns("train", data, "--label", start),
               [n for n in NAMES if n.startswith(start.replace("\\", ""))])
    written = [n.replace(",", "\\,") for n in NAMES]
    for typed in ("", "age,", "it\\'s,age,", "two\\ words\\\\,\\ comma,a\\$b,"):
        has = re.sub(r"\\(.)", r"\1", typed)
        rest = [n for n in written if n not in re.split(r"(?<!\\),", has)]
        for start in ("", "l", "age"):
            found = shell.columns("train", data, "--ignore", typed + start)
            expect(f"{name}: list {typed}{start}", found,
                   [has + n for n in rest if n.startswith(start)])
    if shell.sees_rest:
        expect(f"{name}: list before the data",
               shell.columns("train", "--text", "age,pl", after=[data]), ["age,plain name"])
    words = shell.value_words("--text", "age,pl")
    expect(f"{name}: columns --text=age,pl",
           strip_option(shell.columns("train", data, *words), "--text"), ["age,plain name"])
    words = shell.value_words("--label", "ag")
    expect(f"{name}: columns --label=ag",
           strip_option(shell.columns("train", data, *words), "--label"), ["age"])
    for words in [("missing.csv",), ("binary.csv",), ("pipe.csv",), ("sub",), (), ("-",),
                  ("votes.hcbr",)]:
        expect(f"{name}: columns of {words}", shell.columns("train", *words, "--label", ""), [])
    for file in ("other.csv", "binary.csv", "pipe.csv"):
        os.unlink(file)
    open("data one.csv", "w").close()


def check_choices(commands):
    """What is offered is what the program takes."""
    global count
    for command in commands:
        before = {"predict": ["none.hcbr"], "drift": ["none.hcbr"],
                  "explain": ["none.hcbr"], "study": ["curve"]}
        operands = before.get(command, []) + ["none.csv"]
        output_option = [word for flags, argument in options_of(command) if flags == ["-o"]
                         for word in ("-o", "m.hcbr" if argument == "MODEL" else "new.jsonl")]
        for flags, argument in options_of(command):
            choices = choices_of(argument)
            for word in choices + ["no-such-word"] if choices else []:
                run = subprocess.run([PROGRAM, command, *operands, *output_option, flags[-1], word],
                                     capture_output=True, text=True)
                refused = run.returncode == 2 and f"{flags[-1]} {word}" in run.stderr
                free = len(choices) < len(argument.split("|"))
                count += 1
                if refused != (word == "no-such-word" and not free):
                    problems.append(f"hcbr {command} {flags[-1]} {word}: exit status "
                                    f"{run.returncode}: {run.stderr}")


def main():
    commands = re.findall(r"^  (\w+) ", output("--help"), re.M)
    with tempfile.TemporaryDirectory() as folder:
        for shell, name in [("bash", "hcbr.bash"), ("zsh", "_hcbr"), ("fish", "hcbr.fish")]:
            with open(os.path.join(folder, name), "w") as file:
                file.write(output("--print-completion", shell))
        output("--print-completion", "csh", code=2)
        output("--print-completion", code=2)
        work = os.path.join(folder, "work")
        os.makedirs(os.path.join(work, "sub"))
        os.chdir(work)
        for name in FILES[:3]:
            open(name, "w").close()
        check_choices(commands)
        for name, shell in [("bash", Bash), ("zsh", Zsh), ("fish", Fish)]:
            if shutil.which(name):
                made = shell(folder)
                check_shell(name, made, commands)
                check_columns(name, made, commands)
            else:
                print(f"NOT TESTED: {name} is not installed, its completions were not tried")
        os.chdir("/")
    for problem in problems:
        print(problem)
    print(f"{count} expectations, {len(problems)} problems")
    sys.exit(1 if problems or count < 40 else 0)


main()
