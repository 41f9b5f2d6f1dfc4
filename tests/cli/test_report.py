"""hcbr report, evaluate --html and tune --html: pages from data, models and results.

Pages are parsed: tags are balanced and of a short list, there is no script, nothing is loaded, and
every chart has its table. Names of the data that look like markup are text. The results in the page
are those that --json prints. Curves are drawn again from the single answers.
"""
import html.parser
import json
import os
import random

from program import PLAIN, VOTES, close, document_keys, json_lines, lines, run, run_tests, write

QUICK = ["--effort", "lite"]
FAST = [*QUICK, "--folds", "3"]
VOID = {"meta", "line", "rect", "circle", "path"}  # of HTML, and those of SVG that close themselves
TAGS = VOID | {"html", "head", "title", "style", "body", "main", "h1", "h2", "h3", "div", "p", "ul",
               "li", "strong", "section", "table", "caption", "thead", "tbody", "tr", "th", "td",
               "figure", "figcaption", "svg", "text", "details", "summary", "pre", "footer", "bdi",
               "span", "a"}
ATTRIBUTES = {"lang", "charset", "name", "content", "http-equiv", "class", "id", "scope", "viewbox",
              "role", "aria-label", "aria-hidden", "text-anchor", "transform", "x", "y", "x1", "y1",
              "x2", "y2", "cx", "cy", "r", "d", "width", "height", "tabindex", "href"}


class Page(html.parser.HTMLParser):
    """What a page consists of."""

    def __init__(self, path):
        super().__init__()
        self.open, self.results, self.text, self.svgs, self.tables = [], [], "", 0, 0
        self.figures = self.whole = 0
        self.has_table = False
        with open(path, encoding="utf-8") as file:
            self.source = file.read()
        self.feed(self.source)
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, tag, attrs):
        if dict(attrs).get("class") == "scroll":  # what scrolls is reached with the keyboard
            assert dict(attrs)["tabindex"] == "0"
        assert tag in TAGS, tag
        for name, value in attrs:
            assert name in ATTRIBUTES, (tag, name)
            assert name != "href" or value.startswith("#"), value
        if tag not in VOID:
            self.open.append(tag)
        if tag == "pre":
            assert dict(attrs)["class"] == "result"
            self.results.append("")
        if tag == "figure":
            self.figures += 1
            self.has_table = False
        self.has_table |= tag == "table"
        self.svgs += tag == "svg" and dict(attrs).get("role") == "img"

    def handle_startendtag(self, tag, attrs):
        assert tag in VOID, tag
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()
        if tag == "figure":
            self.whole += self.has_table

    def handle_data(self, data):
        if self.open and self.open[-1] == "pre":
            self.results[-1] += data
        elif "style" not in self.open:
            self.text += data

    def schemas(self):
        return [json.loads(result)["schema"] for result in self.results]


def page(path):
    made = Page(path)
    assert made.source.startswith("<!DOCTYPE html>") and "default-src 'none'" in made.source
    assert "<script" not in made.source and "http:" not in made.source
    assert "https:" not in made.source and "url(" not in made.source
    assert "prefers-color-scheme:dark" in made.source and "@media print" in made.source
    assert made.figures == made.svgs == made.whole, (made.figures, made.svgs, made.whole)
    assert "nan" not in made.text.lower().split() and "inf" not in made.text.lower().split()
    return made


def three_labels(rows):
    made = ["when,amount,colour,class"]
    for _ in range(rows):
        k = random.randrange(3)
        made.append(f"2021-{random.randrange(1, 13):02}-{random.randrange(1, 29):02},"
                    f"{random.gauss(k, 1):.2f},{random.choice(['red', 'blue', 'green'][k:])},"
                    f"{'abc'[k]}")
    return made


def noise(rows):
    return ["x,y,class"] + [f"{random.random():.3f},{random.choice('uvw')},{random.choice('ab')}"
                            for _ in range(rows)]


# ---- sources -------------------------------------------------------------------------------------

def data_give_all_sections():
    run("report", VOTES, *FAST, "-q", "-o", "page.html")
    got = page("page.html")
    assert got.schemas() == ["hcbr.audit/1", "hcbr.evaluate/1", "hcbr.curves/1", "hcbr.study/1",
                             "hcbr.study/1", "hcbr.inspect/1", "hcbr.report/1"]
    for words in ("It can be relied on", "Judged by right answers", "Confusion matrix",
                  "Do probabilities hold?", "Decision plane", "ROC", "Precision by recall", "Lift",
                  "Learning curve", "Fewer, surer answers", "Importance of columns", "For democrat",
                  "Most typical", "Most contested", "How each column was taken", "audit found",
                  "Time and memory"):
        assert words in got.text, words
    assert got.figures >= 9
    assert "Table eta" not in got.text and "By row: a least probability for every label" in got.text
    run("report", VOTES, *FAST, "--quick", "-q", "-o", "quick.html")
    assert "hcbr.study/1" not in page("quick.html").schemas()


def models_are_shown_with_and_without_data():
    write("three.csv", three_labels(120))
    for data in VOTES, "three.csv":
        for options in QUICK, PLAIN, [*QUICK, "--keep-cases", "none"], \
                [*PLAIN, "--keep-cases", "none"], [*PLAIN, "--eta", "a=.1"] if data != VOTES \
                else [*QUICK, "--eta-share", "democrat=.7,republican=.8"]:
            run("train", data, *options, "-q", "-o", "m.hcbr")
            run("report", "m.hcbr", "-q", "-o", "page.html")
            got = page("page.html")
            assert got.schemas() == ["hcbr.inspect/1", "hcbr.report/1"]
            assert "do not say how well the model decides" in got.text
            run("report", "m.hcbr", data, "-q", "-o", "page.html")
            got = page("page.html")
            assert got.schemas() == ["hcbr.drift/1", "hcbr.evaluate/1", "hcbr.curves/1",
                                     "hcbr.inspect/1", "hcbr.report/1"]
            assert "The new data look like those of training" in got.text
    rows = [row.rsplit(",", 1)[0] for row in three_labels(60)]
    write("bare.csv", rows)
    run("report", "m.hcbr", "bare.csv", "-q", "-o", "page.html")
    assert page("page.html").schemas() == ["hcbr.drift/1", "hcbr.inspect/1", "hcbr.report/1"]


def results_give_the_same_page_again():
    run("report", VOTES, *FAST, "-q", "-o", "page.html")
    first = page("page.html")
    for n, result in enumerate(first.results):
        write(f"{n}.json", [result.rstrip("\n")])
    names = [f"{n}.json" for n in range(len(first.results))]
    run("report", *names, "-q", "-o", "again.html")
    again = page("again.html")
    assert [json.loads(r) for r in again.results] == [json.loads(r) for r in first.results]
    assert again.source.split("</h1>")[1] == first.source.split("</h1>")[1]
    # all in one file, and --json
    write("all.json", [result.rstrip("\n") for result in first.results])
    run("report", "all.json", "-q", "-o", "one.html")
    assert page("one.html").source.split("</h1>")[1] == first.source.split("</h1>")[1]
    assert run("report", "all.json", "--json", "-q").stdout.splitlines() == lines("all.json")
    # of two results of a kind the last one is shown
    times = json.loads(first.results[-1])["seconds"]
    assert list(times) == ["read", "audit", "evaluate", "curve", "pareto", "train", "inspect"] or \
        "importance" in times
    assert first.results[-1].count('"evaluate"') == 2  # seconds and memory
    changed = dict(json.loads(first.results[1]), held_out=12345)
    write("more.json", [json.dumps(changed)])
    run("report", "all.json", "more.json", "-q", "-o", "more.html")
    assert "12345 held-out cases" in page("more.html").text
    assert len(page("more.html").results) == len(first.results)


def every_result_has_a_page():
    run("train", VOTES, *QUICK, "-q", "-o", "m.hcbr")
    commands = [["evaluate", VOTES, *FAST], ["audit", VOTES], ["inspect", "m.hcbr"],
                ["drift", "m.hcbr", VOTES], ["train", VOTES, *QUICK, "-o", "o.hcbr"],
                ["tune", VOTES, *QUICK, "--folds", "3", "-o", "o.hcbr"],
                ["convert", VOTES, "-o", "o.jsonl"], ["explain", "m.hcbr", VOTES, "--rows", "1"],
                ["predict", "m.hcbr", VOTES]]
    commands += [["study", kind, VOTES, "--folds", "3"] for kind in ("pareto", "cover", "reach")]
    commands += [["study", "curve", VOTES, "--repeats", "1"], ["study", "passes", VOTES, "--passes",
                                                                "2"],
                 ["study", "prune", VOTES, "--folds", "2"],
                 ["study", "space", VOTES, "--generations", "2", "--folds", "2"]]
    for command in commands:
        result = run(*command, "--json", "-q", code=None).stdout
        with open("result.json", "w", encoding="utf-8") as file:
            file.write(result)
        run("report", "result.json", "-q", "-o", "page.html")
        got = page("page.html")
        assert json.loads(got.results[0]) == json.loads(result.splitlines()[-1]), command


def evaluate_and_tune_write_pages():
    printed = run("evaluate", VOTES, *FAST, "--html", "page.html", "--json", "-q").stdout
    got = page("page.html")
    assert got.schemas() == ["hcbr.evaluate/1", "hcbr.curves/1"]
    assert got.results[0] == printed.rstrip("\n")
    assert "435 held-out cases in 3 parts" in got.text
    run("tune", VOTES, *QUICK, "--folds", "3", "-q", "-o", "m.hcbr", "--html", "tuned.html")
    got = page("tuned.html")
    assert got.schemas() == ["hcbr.tune/1", "hcbr.inspect/1"]
    assert "How the rule was chosen" in got.text and "right in " in got.text
    run("evaluate", "m.hcbr", VOTES, "--html", "stored.html", "-q")
    text = page("stored.html").text
    assert "435 cases, decided by a model that existed" in text
    assert "only if the model was not built from these cases" in text
    for command in ["evaluate", VOTES], ["tune", VOTES, "-o", "m.hcbr"]:
        run(*command, "--html", "-", code=2)
        run(*command, "--html", "none/page.html", code=5)
        assert not os.path.exists("none")


# ---- what it says --------------------------------------------------------------------------------

def the_verdict_follows_the_figures():
    write("noise.csv", noise(150))
    run("report", "noise.csv", *FAST, "--quick", "-q", "-o", "page.html")
    assert "Do not rely on it" in page("page.html").text
    # a result without a verdict has none
    said = json.loads(run("evaluate", VOTES, *FAST, "--json", "-q").stdout)
    del said["verdict"]
    write("said.json", [json.dumps(said)])
    run("report", "said.json", "-q", "-o", "page.html")
    assert "do not say how well the model decides" in page("page.html").text
    write("leak.csv", ["x,y,class"] + [f"{row},{row.split(',')[1]}" for row in
                                       [f"{n},{random.choice('ab')}" for n in range(200)]])
    run("report", "leak.csv", *FAST, "--quick", "-q", "-o", "page.html")
    text = page("page.html").text
    assert "Nearly all answers are right" in text and "serious problems" in text
    run("report", "noise.csv", *PLAIN, "--folds", "3", "--quick", "-q", "-o", "page.html")
    assert "It gives no probabilities" in page("page.html").text


def hostile_names_are_text():
    evil = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "</pre></main><b>",
            "&lt;i&gt;", "a\u202eb", "'-->", "</style><style>"]
    header = ",".join('"' + name.replace('"', '""') + '"' for name in evil[:4]) + ",id,class"
    rows = [header]
    for n in range(80):
        k = n % 2
        cells = [f"{evil[(n * 3 + i + k) % 7]}{k}" for i in range(4)] + [evil[n % 7] + str(n)]
        cells.append(["<b>yes</b>", "<script>no</script>"][k])
        rows.append(",".join('"' + cell.replace('"', '""') + '"' for cell in cells))
    name = "<img src=x>.csv"
    write(name, rows)
    run("report", name, *FAST, "--id", "id", "-q", "-o", "page.html")
    got = page("page.html")
    assert "<script>no</script>" in got.text and "<img src=x>.csv" in got.text
    assert "\u202e" not in got.source
    run("train", name, *QUICK, "--id", "id", "-q", "-o", "m.hcbr")
    rows = [rows[0]] + [row.replace("script", "iframe") for row in rows[1:]]
    write("new.csv", rows)
    run("report", "m.hcbr", "new.csv", "-q", "-o", "page.html")
    assert "iframe" in page("page.html").text
    write("evil.json", [json.dumps({"schema": "hcbr.<b>/1", "<i>": "</pre><script>", "list": [1]}),
                        json.dumps({"schema": "hcbr.study/1", "kind": "<u>", "says": "</p>",
                                    "tables": {"<t>": [{"<c>": 1, "d": "<e>"}]}})])
    run("report", "evil.json", "-q", "-o", "page.html")
    assert "</pre><script>" in page("page.html").text


def odd_results_break_nothing():
    """Values of other kinds, missing or huge, where figures are expected."""
    odd = [None, True, -1, 0, 1e308, "x", [], {}, [[]], [None], {"mean": "x"}, [{"name": 3}]]
    keys = {"evaluate": ["accuracy", "labels", "confusion", "reliability", "held_out", "verdict"],
            "curves": ["labels", "histogram", "plane", "typical", "probabilities"],
            "inspect": ["labels", "importance", "strongest", "kinds", "columns", "conjunctions"],
            "drift": ["columns", "labels", "new_columns"], "audit": ["findings", "serious"],
            "tune": ["held_out", "why"], "report": ["seconds", "peak_bytes"]}
    for schema, names in keys.items():
        for _ in range(6):
            result = {"schema": f"hcbr.{schema}/1"}
            result.update({name: random.choice(odd) for name in names})
            write("odd.json", [json.dumps(result)])
            run("report", "odd.json", "-q", "-o", "page.html")
            Page("page.html")


# ---- figures -------------------------------------------------------------------------------------

def area(points):
    return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(points, points[1:]))


def curves_are_those_of_the_answers():
    write("three.csv", three_labels(150))
    for data, options in (VOTES, QUICK), (VOTES, PLAIN), ("three.csv", QUICK), ("three.csv", PLAIN):
        run("evaluate", data, *options, "--folds", "3", "--html", "page.html", "--predictions",
            "answers.jsonl", "-q")
        rows, curves = json_lines("answers.jsonl"), json.loads(page("page.html").results[1])
        assert curves["cases"] == len(rows)
        for label in curves["labels"]:
            scores = []
            for row in rows:
                others = [v for k, v in row["support"].items() if k != label["name"]]
                scores.append((row["support"][label["name"]] - max(others),
                               row["truth"] == label["name"]))
            yes = [s for s, has in scores if has]
            no = [s for s, has in scores if not has]
            auc = sum((a > b) + (a == b) / 2 for a in yes for b in no) / len(yes) / len(no)
            if len(label["roc"]) < 200:
                assert abs(area(label["roc"]) - auc) < 1e-12
            else:
                assert abs(area(label["roc"]) - auc) < .01
            assert label["roc"][0][:2] == [0, 0] and label["roc"][-1][:2] == [1, 1]
            assert label["pr"][-1][0] == 1 and close(label["lift"][-1][1], 1)
            for recall, precision, least in label["pr"]:
                taken = [has for s, has in scores if s >= least]
                assert abs(sum(taken) / len(taken) - precision) < 1e-12
                assert abs(sum(taken) / len(yes) - recall) < 1e-12
        right = sum(row["truth"] == row["label"] for row in rows)
        assert sum(b["right"] for b in curves["histogram"]) == right
        assert sum(b["wrong"] for b in curves["histogram"]) == len(rows) - right
        assert sum(p[2] for p in curves["plane"]) <= right
        assert all(x["truth"] == x["label"] for x in curves["typical"])
        assert all(x["truth"] != x["label"] for x in curves["mistaken"])
        shares = [x["share"] for x in curves["contested"]]
        assert max(shares) <= min(x["share"] for x in curves["typical"])
        assert set(curves) == document_keys("hcbr.curves/1")
    run("report", VOTES, *FAST, "--quick", "-q", "-o", "page.html")
    assert set(json.loads(page("page.html").results[-1])) == document_keys("hcbr.report/1")


def mistakes_are_named():
    cases = [('{"schema":"hcbr.x/1",}', "bad.json:1:22"), ('{"schema":"hcbr.x/1"', "bad.json:2:1"),
             ('{"schema":"hcbr.x/1"}\n\n{"a":1}', "bad.json:3:1"),
             ('{"schema":"hcbr.x/1","a":\n tru}', "bad.json:2:5"),
             ('{"schema":"hcbr.x/1","a":"\\q"}', "bad.json:1:"),
             ('{"schema":"hcbr.x/1","a":' + "[" * 100 + "]" * 100 + "}", "bad.json:1:")]
    for text, place in cases:
        write("bad.json", [text])
        said = run("report", "bad.json", "-o", "page.html", code=3).stderr
        assert place in said and "expected" in said, said
        assert not os.path.exists("page.html")
    run("report", "none.csv", "-o", "page.html", code=5)
    run("report", VOTES, "-o", "none/page.html", code=5)
    run("train", VOTES, *QUICK, "-q", "-o", "m.hcbr")
    said = run("report", "m.hcbr", "--folds", "3", code=2).stderr
    assert "--folds: m.hcbr is no data" in said
    assert "standard input" in run("report", "m.hcbr", "-", code=2, stdin="").stderr
    run("report", "m.hcbr", "m.hcbr", code=3)
    run("report", code=2)


run_tests([data_give_all_sections, models_are_shown_with_and_without_data,
           results_give_the_same_page_again, every_result_has_a_page, evaluate_and_tune_write_pages,
           the_verdict_follows_the_figures, hostile_names_are_text, odd_results_break_nothing,
           curves_are_those_of_the_answers, mistakes_are_named])
