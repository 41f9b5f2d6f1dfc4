"""Input too large to be stored, and files that are no ordinary ones; part of test_bad.py."""
import json
import os
import subprocess
import threading

PLAIN = ["--model", "plain"]
MIB = 1 << 20
BIG = 10 * MIB
MANY = 10 ** 6


def pieces(*parts):
    """Bytes as a list of (text, times), so that no large string is ever made."""
    return [part if isinstance(part, tuple) else (part, 1) for part in parts]


def write_pieces(path, parts):
    """Write them and return how many bytes they are. Memory of this process must stay small."""
    size = 0
    with open(path, "wb") as file:
        for part, times in parts:
            if callable(part):
                for i in range(times):
                    size += file.write(part(i))
                continue
            at_once = max(1, 65536 // max(1, len(part)))
            for first in range(0, times, at_once):
                size += file.write(part * min(at_once, times - first))
    return size


def ids(i):
    return b" %d:1" % i


def columns(i):
    return b"c%d," % i


def keys(i):
    return b',"%d":1' % i


def length_of(part, count):
    """Bytes of the first count of ids(), columns() or keys()."""
    return len(part(0)) + sum(len(part(10 ** d)) * (min(count, 10 ** (d + 1)) - 10 ** d)
                              for d in range(7) if count > 10 ** d)


TOO_LONG = ("found a record of more than 67108864 bytes, expected a shorter one "
            "(--max-line raises the limit)")
NOT_CLOSED = ("found a quote that is never closed, expected another one "
              "(--quote none takes quotes as they stand)")
NO_LABEL = ("expected one named label, y, class, target or outcome, or the label's name "
            "(--label)")
DEEP = "found nesting deeper than 32, expected no deeper (--max-depth raises this limit)"
NO_ID = "expected id:value with an id of digits"
CUT = "x" * 40 + "..."
FIRST_COLUMNS = ", ".join(f"'c{i}'" for i in range(39)) + ", ... (1000000 in all)"

# Name, format, what is in it, where and why it is refused.
BAD = [
    ("long_value_before_a_short_row", "csv",
     pieces(b"label,a,b\nyes,", (b"x", BIG), b",2\nno,3\n"), "3:5: found 2 fields, expected 3"),
    ("long_value_not_utf8_at_its_end", "csv",
     pieces(b"label,a,b\nyes,\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", (b"x", BIG - 8), b"\x81,2\n"),
     f"2:{BIG + 5}: found byte 0x81, expected UTF-8 (--encoding names another)"),
    ("long_quoted_value_not_closed", "csv",
     pieces(b'label,a,b\nyes,"', (b"x\n", BIG // 2)), "2:5: " + NOT_CLOSED),
    ("long_row_of_quotes_not_closed", "csv", pieces((b'"', BIG + 1)), "1:1: " + NOT_CLOSED),
    ("many_quoted_fields", "csv", pieces(b"label,a,b\n", (b'"1",', MANY), b"1\n"),
     "2:13: found more than 3 fields, expected 3"),
    ("many_fields", "tsv", pieces(b"label\ta\tb\n", (b"1\t", MANY), b"1\n"),
     "2:7: found more than 3 fields, expected 3"),
    ("many_columns_the_label_twice", "csv", pieces((columns, MANY), b"label,label\n"),
     f"1:{length_of(columns, MANY) + 7}: found a second column 'label', expected every name once"),
    ("many_columns_without_label", "csv", pieces((columns, MANY - 1), b"c999999\n"),
     f"1:1: found columns {FIRST_COLUMNS}, {NO_LABEL}"),
    ("many_rows_the_last_bad", "csv", pieces(b"label,a,b\n", (b"yes,1,2\n", MANY), b"no"),
     f"{MANY + 2}:3: found 1 field, expected 3"),
    ("many_blank_lines", "csv", pieces((b"\n", MANY)),
     " empty file, expected a header with the names of the columns"),
    ("long_name_of_a_column", "tsv", pieces((b"x", MANY), b"\ta\n"),
     f"1:1: found columns '{CUT}', 'a', {NO_LABEL}"),
    ("long_token", "libsvm", pieces(b"yes ", (b"x", MANY), b"\n"),
     f"1:5: found '{CUT}', {NO_ID}"),
    ("long_id_with_a_letter", "libsvm", pieces(b"yes ", (b"7", BIG), b"x:1\n"),
     f"1:5: found '{'7' * 40}...', {NO_ID}"),
    ("long_value", "libsvm", pieces(b"yes 1:", (b"9", MANY), b"\n"),
     f"1:7: found '{'9' * 40}...' as a value, expected a finite number"),
    ("long_label_with_a_comma", "libsvm", pieces((b"x", MANY), b", 1:1\n"),
     f"1:1: found '{CUT}', expected one label without a comma (csv, or several labels of a case?)"),
    ("many_tokens_the_last_bad", "libsvm", pieces(b"yes", (ids, MANY), b" 1x:1\n"),
     f"1:{3 + length_of(ids, MANY) + 2}: found '1x:1', {NO_ID}"),
    ("many_blanks_then_a_bad_token", "libsvm", pieces(b"yes", (b" ", BIG), b"x\n"),
     f"1:{BIG + 4}: found 'x', {NO_ID}"),
    ("many_labels_alone_the_last_bad", "libsvm", pieces((b"a\n", MANY), b"a b\n"),
     f"{MANY + 1}:3: found 'b', {NO_ID}"),
    ("many_comments", "libsvm", pieces((b"# c\n", MANY)), " found no case, expected at least one"),
    ("deep_lists", "jsonl", pieces(b'{"label":"no","a":', (b"[", 10 ** 5)), "1:50: " + DEEP),
    ("deep_objects", "jsonl", pieces((b'{"a":', 10 ** 5)), "1:161: " + DEEP),
    ("deep_lists_closed", "jsonl",
     pieces(b'{"label":"no","a":', (b"[", 10 ** 5), (b"]", 10 ** 5), b"}\n"), "1:50: " + DEEP),
    ("long_string_not_closed", "jsonl", pieces(b'{"label":"', (b"x", BIG)),
     f"1:{BIG + 11}: found the end of the line, expected the closing quote of a string"),
    ("long_string_of_escapes", "jsonl", pieces(b'{"label":"', (b"\\u0041", MANY), b'\\q"}'),
     f'1:{6 * MANY + 12}: found \'q\', expected an escape: one of "\\/bfnrtu'),
    ("long_key_twice", "jsonl",
     pieces(b'{"', (b"x", MANY), b'":1,"', (b"x", MANY), b'":2}\n'),
     f"1:{MANY + 7}: found the key '{CUT}' twice in one object, expected it once"),
    ("long_number_with_a_letter", "jsonl", pieces(b'{"a":', (b"1", MANY), b"x}\n"),
     f"1:{MANY + 6}: found 'x', expected ',' or '}}'"),
    ("many_keys_one_twice", "jsonl",
     pieces(b'{"label":1', (keys, MANY // 4), b',"7":1}\n'),
     f"1:{10 + length_of(keys, MANY // 4) + 2}: "
     "found the key '7' twice in one object, expected it once"),
    ("many_items_the_last_bad", "jsonl",
     pieces(b'{"label":"no","a":[', (b"1,", MANY), b"x]}\n"),
     f"1:{2 * MANY + 20}: found 'x', expected a JSON value"),
    ("long_outer_key", "jsonl",
     pieces(b'{"label":1,"', (b"k", BIG), b'":{"a":0', (keys, 100), b"}}\n"),
     f"1:{BIG + 89}: found nested keys whose dotted names add up to more than "
     f"{65536 + 12 * (BIG + 712)} bytes, expected shorter outer keys (--max-names raises this "
     "limit)"),
    ("many_rows_the_last_bad", "jsonl",
     pieces((b'{"label":"yes","a":1}\n', MANY // 4), b'{"label":"yes","a":1\n'),
     f"{MANY // 4 + 1}:21: found the end of the line, expected ',' or '}}'"),
]

# Name, format, options, what is in it; the counts of cases, empty cases, features, atoms.
GOOD = [
    ("long_line", "csv", [], pieces(b"label,a\nyes,", (b"x", BIG), b"\nno,1\n"), (2, 0, 2, 2)),
    ("long_line_quoted", "tsv", [], pieces(b'label\ta\nyes\t"', (b'""\n', BIG // 3), b'"\nno\t1\n'),
     (2, 0, 2, 2)),
    ("long_line", "libsvm", [], pieces(b"yes 1:1", (b" ", BIG), b"2:1\nno 3:1\n"), (2, 0, 3, 2)),
    ("long_line", "jsonl", [], pieces(b'{"label":"yes","a":"', (b"x", BIG), b'"}\n{"label":2}\n'),
     (2, 1, 1, 1)),
    ("long_id", "libsvm", [], pieces(b"yes ", (b"7", MANY), b":1 7:1\nno 8:1\n"), (2, 0, 3, 2)),
    ("long_zeros", "libsvm", [], pieces(b"yes ", (b"0", MANY), b"7:1 7:1\nno 8:1\n"), (2, 0, 2, 2)),
    ("long_value", "libsvm", [], pieces(b"yes 7:1.", (b"0", MANY), b" 7:1\nno 8:1\n"),
     (2, 0, 2, 2)),
    ("many_tokens", "libsvm", [], pieces(b"yes", (ids, MANY), b"\nno 1:1\n"), (2, 0, MANY, 2)),
    ("one_token_often", "libsvm", [], pieces(b"yes", (b" 1:1", MANY), b"\nno 2:1\n"), (2, 0, 2, 2)),
    ("many_items", "jsonl", [],
     pieces(b'{"label":"yes","a":[0', (lambda i: b",%d" % (i + 1), MANY - 1), b']}\n{"label":2}\n'),
     (2, 1, MANY, 1)),
    ("many_columns", "csv", [],
     pieces((columns, MANY // 4), b"label\n", (b"1,", MANY // 4), b"yes\n", (b",", MANY // 4),
            b"no\n"), (2, 1, MANY // 4, 1)),
    ("long_number", "jsonl", [],
     pieces(b'{"label":1,"a":', (b"1", MANY), b'}\n{"label":2,"a":2}\n'), (2, 0, 2, 2)),
    ("many_labels", "libsvm", [], pieces((lambda i: b"l%d 1:1 2:%d\n" % (i, i % 7), 2000)),
     (2000, 0, 8, 8)),
    ("deep_lists_allowed", "jsonl", ["--max-depth", "200000"],
     pieces(b'{"label":"no","a":', (b"[", 10 ** 5), b"1", (b"]", 10 ** 5), b"}\n",
            b'{"label":"yes","a":2}\n'), (2, 0, 2, 2)),
]


def check_bad(suite):
    for name, form, parts, message in BAD:
        path = f"f.{form}"
        size = write_pieces(path, parts)
        run = suite.run(["train", *PLAIN, "-q", path, "-o", "out/m"])
        suite.report(f"large {name} {form}",
                     suite.judge(run, size, "train", 3, [f"{path}:{message}"]))
        os.unlink(path)


def check_good(suite):
    for name, form, options, parts, counts in GOOD:
        path = f"f.{form}"
        size = write_pieces(path, parts)
        run = suite.run(["train", *PLAIN, "-q", path, "-o", "out/m", "--json"] + options)
        problems = suite.laws(run, size, times=24)  # where a byte or two make a feature
        found = None
        if run.code == 0:
            model = json.loads(run.out)
            found = tuple(model[key] for key in ("cases", "empty_cases", "features", "atoms"))
        if found != counts:
            problems.append(f"cases, empty cases, features, atoms are {found}, expected {counts}; "
                            f"status {run.code}, {run.err.decode()[:500]}")
        if os.path.exists("out/m"):
            os.unlink("out/m")
        suite.report(f"large good {name} {form}", problems)
        os.unlink(path)


# ---- files that are no ordinary ones -----------------------------------------------------------

def feed(path, data):
    """Write data into a FIFO as soon as somebody reads it."""
    def write():
        with open(path, "wb") as file:
            file.write(data)
    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


def check_fifos(suite):
    os.mkfifo("pipe.csv")
    runs = [("good", b"label,a\nyes,1\nno,2\n", 0, [], ["no 1, yes 1", "a=1  a=2"]),
            ("cut", b"label,a\nyes,1\nno", 3, ["pipe.csv:3:3: found 1 field, expected 2"], None),
            ("empty", b"", 3, ["pipe.csv: empty file, expected a header with the names of the "
                               "columns"], None)]
    for name, data, code, said, result in runs:
        thread = feed("pipe.csv", data)
        run = suite.run(["train", *PLAIN, "-q", "pipe.csv", "-o", "out/m"])
        thread.join(5)
        suite.report(f"fifo {name}", suite.judge(run, len(data), "train", code, said, result))
    with open("good.csv.hcbr", "rb") as file:
        model = file.read()
    for name, data, code, said in [
            ("model", model, 0, []),
            ("model_cut", model[:-1], 4,
             [f"pipe.csv: model of {len(model) - 1} bytes, expected {len(model)} as its header "
              "says: it was cut or added to"])]:
        thread = feed("pipe.csv", data)
        run = suite.run(["inspect", "pipe.csv"])
        thread.join(5)
        suite.report(f"fifo {name}", suite.judge(run, len(data), "inspect", code, said))
    os.unlink("pipe.csv")


def check_zeros(suite):
    """A line without an end: refused once it is longer than the limit."""
    for form in ("csv", "tsv", "libsvm", "jsonl"):
        run = suite.run(["train", *PLAIN, "-q", "/dev/zero", "--format", form, "-o", "out/m"])
        suite.report(f"zeros {form}",
                     suite.judge(run, 64 * MIB, "train", 3, [f"/dev/zero:1:1: {TOO_LONG}"]))


def check_rights(suite):
    """What may not be read or written. The superuser may do anything: be nobody meanwhile."""
    other = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    if other:
        os.chmod(".", 0o755)
        try:
            subprocess.run([suite.program, "--version"], capture_output=True, check=True, **other)
        except (OSError, subprocess.CalledProcessError) as problem:
            suite.skip("rights", f"run by the superuser, and as nobody: {problem}")
            return
    os.mkdir("closed", 0o555)
    with open("secret.csv", "wb") as file:
        file.write(b"label,a\nyes,1\n")
    os.chmod("secret.csv", 0)
    open_folder = os.path.join(os.getcwd(), "open")
    os.mkdir(open_folder)
    os.chmod(open_folder, 0o777)
    for words, said in [
            (["train", *PLAIN, "secret.csv", "-o", "open/m"],
             "hcbr train: secret.csv: cannot open: Permission denied\n"),
            (["predict", "good.csv.hcbr", "secret.csv", "-o", "open/p"],
             "hcbr predict: secret.csv: cannot open: Permission denied\n"),
            (["inspect", "secret.csv"],
             "hcbr inspect: secret.csv: cannot open: Permission denied\n"),
            (["train", *PLAIN, "good.csv", "-o", "closed/m"],
             "hcbr train: closed/m: cannot be written: Permission denied\n"),
            (["predict", "good.csv.hcbr", "good.csv", "-o", "closed/p"],
             "hcbr predict: closed/p: cannot be written: Permission denied\n")]:
        run = subprocess.run([suite.program] + words, capture_output=True, text=True, **other)
        problems = suite.compare("standard error", said.splitlines(), run.stderr.splitlines())
        if run.returncode != 5:
            problems.append(f"exit status {run.returncode}, expected 5")
        if os.listdir("closed") or os.listdir("open"):
            problems.append("something was left behind")
        suite.report("rights " + " ".join(words), problems)


def check_closed(suite):
    """Standard streams that are closed: their numbers must not fall to files."""
    def shell(script):
        return subprocess.run(["sh", "-c", script], capture_output=True, text=True,
                              env=dict(suite.environment, hcbr=suite.program))
    with open("other.csv", "wb") as file:
        file.write(b"a,c\n1,2\n")
    shell('"$hcbr" predict good.csv.hcbr other.csv -o out/expected')
    run = shell('"$hcbr" predict good.csv.hcbr other.csv -o out/found <&- >&- 2>&-')
    with open("out/expected", "rb") as expected, open("out/found", "rb") as found:
        problems = suite.compare("output", [repr(expected.read())], [repr(found.read())])
    if run.returncode != 0:
        problems.append(f"exit status {run.returncode}, expected 0")
    suite.report("closed all predict", problems)
    run = shell('"$hcbr" train other.csv --label c -o out/m 2>&- && "$hcbr" inspect -q out/m')
    suite.report("closed stderr train", [run.stderr] if run.returncode != 0 else [])
    run = shell('"$hcbr" train - --format csv -o out/n <&-')
    problems = [] if run.returncode == 5 else [f"status {run.returncode}"]
    suite.report("closed stdin train", problems + suite.compare(
        "standard error", ["hcbr train: <stdin>: cannot open: Bad file descriptor"],
        run.stderr.splitlines()))
    run = shell('"$hcbr" predict good.csv.hcbr good.csv >&-')
    problems = [] if run.returncode == 5 else [f"status {run.returncode}"]
    suite.report("closed stdout predict", problems + suite.compare(
        "standard error", ["hcbr predict: standard output: cannot be written: Bad file descriptor"],
        run.stderr.splitlines()))
    for name in os.listdir("out"):
        os.unlink(os.path.join("out", name))


def check(suite):
    check_bad(suite)
    check_good(suite)
    check_fifos(suite)
    check_zeros(suite)
    check_rights(suite)
    check_closed(suite)
