"""How scripts ask the stage kinds/: tables as columns, and the program kinds_of about them."""
import csv
import gzip
import io
import os
import subprocess

MISSING = {"", "?", "NA", "NaN", "null"}


def program():
    return os.environ.get("HCBR_KINDS_OF") or os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "..", "..", "build", "test", "tests",
        "kinds_of")


def read_table(path):
    """The columns of a csv file, plain or compressed: a list of (name, values)."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        data = file.read()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    lines = text.splitlines(keepends=True)
    head = lines[0] if lines else ""
    mark = max(",;\t|", key=head.count)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=mark))
    rows = [row for row in rows if row]
    if not rows:
        return []
    return [(name, [row[i] for row in rows[1:] if i < len(row)])
            for i, name in enumerate(rows[0])]


def column_request(name, values):
    """A column as kinds_of reads it; missing values are counted, not given."""
    out = []
    raw = name.encode()
    out.append(b"C %d\n%s\n" % (len(raw), raw))
    missing = 0
    for value in values:
        if value in MISSING:
            missing += 1
            continue
        raw = value.encode()
        out.append(b"V %d\n%s\n" % (len(raw), raw))
    out.append(b"M %d\nE 0\n" % missing)
    return b"".join(out)


def ask(requests):
    """The answers, one line for each request."""
    done = subprocess.run([program()], input=b"".join(requests), capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace").splitlines()


def judge(columns):
    """What each column, (name, values), is taken for: a list of dictionaries."""
    fields = ["kind", "separator", "order", "mark", "ambiguous", "odd", "distinct", "why"]
    answers = ask([column_request(name, values) for name, values in columns])
    return [dict(zip(fields, line.split("\t"))) for line in answers]
