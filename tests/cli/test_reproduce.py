"""bench/reproduce --quick: it writes whole documents, a second run computes nothing, and every
figure of the paper in paper.json is in the documents where its rows are.

Needs the data (HCBR_DATA) and a Python with scikit-learn: this one, or build/venv.
"""
import html.parser
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from program import PROGRAM, SOURCE
from seeds import take_seed

SCRIPT = os.path.abspath(os.path.join(SOURCE, "bench", "reproduce", "run"))
PAPER = os.path.join(os.path.dirname(SCRIPT), "paper.json")
DATA = os.environ.get("HCBR_DATA") or os.path.join(SOURCE, "..", "shared", "data")
QUICK = ("breast", "heart")
sys.path.insert(0, os.path.dirname(SCRIPT))
import measures  # pylint: disable=wrong-import-position


def python():
    """An interpreter that has scikit-learn."""
    for path in sys.executable, os.path.join(SOURCE, "build", "venv", "bin", "python"):
        if os.path.exists(path) and subprocess.run(
                [path, "-c", "import sklearn"], capture_output=True, check=False).returncode == 0:
            return os.path.abspath(path)
    return None


def reproduce(interpreter, folder, *options, data=DATA):
    environment = dict(os.environ, HCBR=PROGRAM, HCBR_DATA=os.path.abspath(data))
    return subprocess.run([interpreter, SCRIPT, "--quick", "--results", folder, *options],
                          capture_output=True, text=True, check=False, env=environment)


def cells(line):
    return [c.strip() for c in line.strip().strip("|").split("|")]


def tables(text):
    """Tables of a document: lists of rows, the head first."""
    found = re.findall(r"^\|.*(?:\n\|.*)+", text, re.M)
    return [[cells(line) for i, line in enumerate(block.split("\n")) if i != 1]
            for block in found]


def check_tables(text):
    found = tables(text)
    assert len(found) > 12, len(found)
    for table in found:
        assert len(table) > 1, table
        for row in table:
            assert len(row) == len(table[0]) and all(row), row
            assert not any(w in cell for cell in row for w in ("nan", "None", "inf")), row
    return found


def table_with(found, *head):
    """The only table whose head begins so."""
    chosen = [t for t in found if t[0][:len(head)] == list(head)]
    assert len(chosen) == 1, (head, [t[0] for t in found])
    return chosen[0]


def value(cell):
    return float(re.sub(r"[,% ×*]", "", cell))


def check_paper(found):
    """What the documents say the paper says is what paper.json has, with its table."""
    with open(PAPER, encoding="utf-8") as file:
        paper = json.load(file)
    for table in paper.values():
        assert re.match(r"Table [1-7]$|Section \d|the author's program", table["source"])
    for row in table_with(found, "data", "figure")[1:]:
        names = ["cases", "total features", "unique", "least size", "most size", "mean size",
                 "real values", "prevalence"]
        expected = paper["description"]["rows"][row[0]][names.index(row[1])]
        assert row[2] == expected or value(row[2]) == expected, row
    titles = {"neg. pred. value": "npv", "F1": "f1", "MCC": "mcc", "sd of accuracy": "sd"}
    seen = 0
    for row in table_with(found, "data", "measure", "paper")[1:]:
        at = paper["performance"]["columns"].index(titles.get(row[1], row[1]))
        sources = paper["performance"]["rows"][row[0]]
        assert value(row[2]) == sources["plain"][at], row
        assert value(row[7]) == sources["tuned"][at], row
        again = {"accuracy": 2, "mcc": 3}.get(titles.get(row[1], row[1]))
        assert row[3] == "–" if again is None else \
            value(row[3]) == paper["again"]["rows"][row[0]][again], row
        seen += 1
    assert seen == 8 * len(QUICK)
    given = [[d, t, f"{a:.2f}"] for d, t, a in paper["literature"]["rows"] if d in QUICK]
    shown = [[r[0], r[1], r[3]] for r in table_with(found, "data", "type")[1:] if r[2] == "paper"]
    assert sorted(given) == sorted(shown)
    methods = [t for t in found if t[0][:3] == ["method", "paper", "rank"]]
    for table, name in zip(methods, ("methods_mcc", "methods_accuracy")):
        shown = {r[0].replace("hcbr, plain", "HCBR"): r for r in table[1:]}
        for method, (figure, rank, percent) in paper[name]["rows"].items():
            row = shown[method]
            assert (value(row[1]), int(row[2])) == (figure, rank), row
            assert row[3] == "–" if percent is None else value(row[3]) == percent, row
    court = {r[0]: r for r in table_with(found, "article", "paper")[1:]}
    for section in "law", "topics":
        for article, at in (("6", 1), ("mean of", 3)):
            row = court[f"{article} {section}"]
            assert value(row[1]) == paper["court"]["rows"][section][at], row
            assert value(row[2]) == paper["court_change"]["rows"][section][at], row
    for row in table_with(found, "data", "paper", "training")[1:]:
        assert [value(c) for c in row[1:4]] == paper["space"]["rows"][row[0]][:3], row


def right_answers(answers, cut):
    return sum((score > cut) == positive for score, positive in answers)


def check_measures():
    """Against counting; and no case takes part in the choice of its own cut."""
    for _ in range(200):
        answers = [(random.randrange(4), random.randrange(12) / 4, random.random() < .5)
                   for _ in range(random.randrange(8, 40))]
        pairs = [a[1:] for a in answers]
        cut = measures.best_cut(pairs)
        tries = [-1.] + [(k + .5) / 4 for k in range(12)]
        assert right_answers(pairs, cut) == max(right_answers(pairs, t) for t in tries)
        tp, fp, fn, tn = measures.counts((positive, score > 1) for _, score, positive in answers)
        assert tp == sum(p and s > 1 for s, p in pairs) and tp + fp + fn + tn == len(pairs)
        found = measures.of_counts(tp, fp, fn, tn)
        assert found["accuracy"] == right_answers(pairs, 1) / len(pairs)
        if tp + fn and tp + fp:
            assert abs(found["f1"] - 2 * tp / (2 * tp + fp + fn)) < 1e-12
            assert found["recall"] == tp / (tp + fn) and found["precision"] == tp / (tp + fp)
        # one label alone in a fold, all else wrong: its own answers would choose another cut
        mine = [(9, 0., True)] * 50
        if any(p for _, p in pairs) and measures.best_cut(pairs) > 0:
            own = measures.cross_tuned(answers + mine)
            parts = [measures.of_counts(*measures.counts(
                (p, s > measures.best_cut([a[1:] for a in answers + mine if a[0] != k]))
                for f, s, p in answers + mine if f == k)) for k in sorted({a[0] for a in answers}
                                                                         | {9})]
            assert own["accuracy"] == measures.means(parts)["accuracy"]
            assert parts[-1]["accuracy"] == 0


class Page(html.parser.HTMLParser):
    """Elements are closed in turn; what a page without script and network may not have is not."""

    def __init__(self):
        super().__init__()
        self.open, self.pictures, self.cells = [], 0, 0

    def handle_starttag(self, tag, attrs):
        assert tag not in ("script", "link", "img", "iframe", "object"), tag
        assert not any(name in ("src", "srcset") or name.startswith("on") for name, _ in attrs)
        if tag != "meta":
            self.open.append(tag)
        self.pictures += tag == "svg"
        self.cells += tag == "td"

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


def main():
    random.seed(take_seed(1))
    check_measures()
    interpreter = python()
    if interpreter is None:
        print("SKIPPED: no Python with scikit-learn (tools/setup python makes build/venv)")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="hcbr-") as folder:
        empty = os.path.join(folder, "empty")
        os.mkdir(empty)
        done = reproduce(interpreter, folder, data=empty)
        assert done.returncode == 1 and "MISSING DATA" in done.stderr, done.stderr
        assert "skin.csv.gz" in done.stderr and "HCBR_DATA" in done.stderr, done.stderr
        if not os.path.isdir(os.path.join(DATA, "paper", "hcbr_repo")):
            print(f"SKIPPED: no data in {DATA} (set HCBR_DATA)")
            sys.exit(77)
        done = reproduce(interpreter, folder, "--only", "plain")
        assert done.returncode == 0 and "4 results computed, 0 kept" in done.stderr, done.stderr
        assert not os.path.exists(os.path.join(folder, "RESULTS.md"))
        done = reproduce(interpreter, folder)  # goes on from there
        assert done.returncode == 0, done.stderr
        assert re.search(r"\n\d\d+ results computed, 4 kept\n$", done.stderr), done.stderr
        with open(os.path.join(folder, "RESULTS.md"), encoding="utf-8") as file:
            first = file.read()
        with open(os.path.join(folder, "results.html"), encoding="utf-8") as file:
            page = file.read()
        done = reproduce(interpreter, folder)
        assert done.returncode == 0 and "\n0 results computed, " in done.stderr, done.stderr
        with open(os.path.join(folder, "RESULTS.md"), encoding="utf-8") as file:
            assert file.read() == first
        found = check_tables(first)
        check_paper(found)
        pictures = re.findall(r"!\[\w+\]\((results/\w+\.svg)\)", first)
        assert len(pictures) == 8 and all(os.path.getsize(os.path.join(folder, p)) > 1000
                                          for p in pictures), pictures
        reader = Page()
        reader.feed(page)
        assert not reader.open and reader.pictures == len(pictures)
        assert reader.cells == sum(len(row) for table in found for row in table[1:])
        assert "prefers-color-scheme:dark" in page and "@media print" in page
    print("passed")


main()
