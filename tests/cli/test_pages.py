"""Pages of hcbr explain: they open with the answer, show the values of the case and of past cases
side by side, say where they come from, add up, equal the JSON, and hide what is to be hidden."""
import html
import json
import os
import random
import re
from html.parser import HTMLParser

from program import ENVIRONMENT, run, run_tests, write

MINUS = "\u2212"


def number(text):
    return float(text.replace(MINUS, "-"))


def table(rows, seed):
    r = random.Random(seed)
    lines = ["label,age,job,town,secret"]
    for _ in range(rows):
        age, job = 20 + r.random() * 40, r.choice(["clerk", "cook", "nurse"])
        label = ("no", "yes", "maybe")[(age > 40) + (job == "cook" and r.random() < .6)]
        lines.append(f"{label},{age:.4f},{job},{r.choice('abc')},{r.choice(['p', 'q'])}")
    return lines


def model(rows=150, seed=1, *options):
    data = write("data.csv", table(rows, seed))
    run("train", data, "-q", "-o", "m", *options)
    return data


def page(*options, name="page.html"):
    run("explain", "m", "data.csv", "--html", name, *options)
    with open(name, encoding="utf-8") as file:
        return file.read()


def explained(*options):
    return [json.loads(line) for line in
            run("explain", "m", "data.csv", "--json", *options).stdout.splitlines()]


def waterfall(text):
    """Lines of the table of columns: name and what it adds; the last is the lead."""
    part = text[text.index("Columns for and against"):]
    part = part[:part.index("</table>")]
    rows = re.findall(r"<tr>(.*?)</tr>", part, re.S)[1:]
    return [(re.sub(r"<.*?>", " ", row.split("</t", 1)[0]).strip(),
             number(re.search(r'class="n[^"]*">([^<]*)<', row)[1])) for row in rows]


def columns__end_at_the_lead():
    for seed in range(3):
        model(150, seed)
        for row, got in zip(range(1, 6), explained("--rows", "1-5", "--all")):
            lines = waterfall(page("--rows", str(row)))
            *parts, (name, lead) = lines
            assert name.startswith("Lead of"), lines
            assert abs(sum(v for _, v in parts) - lead) <= 0.006 * len(parts), lines
            assert abs(lead - got["lead"]) <= 0.006
            by_name = {c["name"]: c["lead"] for c in got["columns"]}
            shown = {html.unescape(n): v for n, v in parts[1:] if n in by_name}
            assert shown and all(abs(by_name[n] - v) <= 0.006 for n, v in shown.items())


def page__opens_with_the_answer():
    model()
    text = page("--rows", "3")
    got = explained("--rows", "3")[0]
    start = text[text.index("<article"):][:2500]
    percent = re.search(r"with a probability of ([0-9.]+) %", start)[1]
    assert abs(float(percent) / 100 - got["probability"][got["label"]]) <= 0.0005
    often = got["how_often"]
    said = re.sub(r"<.*?>", "", start)
    assert f"{often['cases']:g} held-out past cases were answered {got['label']} with" in said, said
    assert text.index("<article") < text.index("Columns for") < text.index("Combinations") < \
        text.index("Side by side")


def held_out__is_what_it_was():
    """Right answers are counted over what past cases got; each is held out exactly once."""
    model(200)
    got = explained("--rows", "1", "--all")[0]
    record = got["origin"]["held_out"]
    assert record["cases"] == 200 == sum(b["cases"] for b in record["bins"])
    assert record["right"] == sum(b["right"] for b in record["bins"])
    seen = {}
    for row in explained("--rows", "1-40", "--cases", "100"):
        for past, case in zip(row["beside"], [c for c in row["cases"]]):
            assert past["row"] == case["row"] and past["lead"] == case["lead"]
            seen[past["row"]] = (past["held_out"]["label"], case["label"])
    assert len(seen) == 200
    assert sum(a == b for a, b in seen.values()) == record["right"]


def beside__adds_up():
    """Columns move the lead from one case to the other; numbers that few cuts part are near."""
    model()
    kinds = set()
    for row in explained("--rows", "1-12", "--versus", "7"):
        v = row["versus"]
        moves = sum(c["moves"] for c in v["columns"]) + v["rest"]
        assert abs(moves - (v["lead_here"] - v["lead_there"])) <= 1e-9
        for past in [*row["beside"], v]:
            for c in past["columns"]:
                same = c["values_here"] == c["values_there"]
                assert (c["alike"] == "same") == same, c
                if c["alike"] == "near":
                    here, there = (float(c[k][0].split("=")[1]) for k in ("values_here",
                                                                         "values_there"))
                    assert c["name"] == "age" and abs(here - there) < 12, c
                kinds.add(c["alike"])
    assert {"same", "near", "different"} <= kinds, kinds
    text = page("--rows", "2")
    for word in ("= same", "\u2248 near", "\u2260 different", "What tells it apart: "):
        assert word in text, word


def past_cases__add_up_on_the_page():
    model()
    text = page("--rows", "4")
    said = re.search(r"Those shown add ([^ ]+) to the lead, the other \d+ together ([^,]+), the "
                     r"start ([^:]+): in all ([^<]+)\.<", text)
    a, b, c, total = (number(re.sub(r"<.*?>", "", s)) for s in said.groups())
    assert abs(a + b + c - total) <= 0.002 * (abs(a) + abs(b) + abs(c))


def pages__say_where_they_come_from():
    model()
    for text, got in ((page("--rows", "1"), explained("--rows", "1")[0]["origin"]),):
        assert got["model"] == "m" and got["data"] == "data.csv" and got["date"] is None
        for said in ("<bdi>m</bdi>", "<bdi>data.csv</bdi>", got["fingerprint"], got["version"]):
            assert said in text, said
        assert "<dt>Date" not in text
    assert page("--rows", "1") == page("--rows", "1")
    ENVIRONMENT["SOURCE_DATE_EPOCH"] = "86400"
    assert "<dt>Date</dt><dd><bdi>1970-01-02</bdi>" in page("--rows", "1")
    del ENVIRONMENT["SOURCE_DATE_EPOCH"]
    assert re.search(r"<dt>Date</dt><dd><bdi>20\d\d-\d\d-\d\d</bdi>", page("--rows", "1", "--date"))


def hide__keeps_a_column_off():
    model()
    asked = ("--rows", "1-4", "--hide", "job", "--versus", "5", "--flip", "--ask")
    plain = ("explain", "m", "data.csv")
    write("new.csv", ["age,town,job,secret", "33,a,,p", "44,b,waiter,q"])  # to ask, never seen
    for text in (page(*asked), run(*plain, *asked, "-v").stdout,
                 run(*plain, *asked, "--json").stdout,
                 run("explain", "m", "new.csv", *asked, "--json").stdout,
                 run("explain", "m", "new.csv", *asked, "--top", "10").stdout,
                 run(*plain, "--summary", "--hide", "job").stdout,
                 run(*plain, "--summary", "--hide", "job", "--json").stdout):
        for value in ("clerk", "cook", "nurse", "waiter"):
            assert value not in text, value
        assert not re.search(r"\bjob\b", text), re.search(r".{60}\bjob\b.{60}", text)
        assert "hidden" in text
    text = page("--rows", "1", "--hide", "job")
    assert "Columns kept off this page</dt><dd>1</dd>" in text
    assert page("--rows", "1", "--past", "data.csv").count('<div class="text">') == 0
    *parts, (_, lead) = waterfall(text)
    assert abs(sum(v for _, v in parts) - lead) <= 0.006 * len(parts)
    wrong = run("explain", "m", "data.csv", "--hide", "jbo", code=2)
    assert "did you mean" in wrong.stderr or "no such column" in wrong.stderr
    for got, shown in zip(explained("--rows", "1-9", "--all", "--hide", "job"),
                          explained("--rows", "1-9", "--all")):
        assert got["support"] == shown["support"]
        assert [c["lead"] for c in got["columns"]] == [c["lead"] for c in shown["columns"]]
        assert {c["name"] for c in got["columns"]} == {"age", "town", "secret", "(hidden)"}
    ids = write("ids.csv", ["name,a,label", *(f"n{i}x,{i % 7},{i % 2}" for i in range(40))])
    run("train", ids, "--id", "name", "-q", "-o", "ids")
    for more in ([], ["--json"], ["--summary"], ["--summary", "--json"]):
        text = run("explain", "ids", ids, "--hide", "name", *more).stdout
        assert not re.search(r"\bn\d+x\b", text), more
    run("explain", "ids", ids, "--hide", "name", "--html", "ids.html")
    with open("ids.html", encoding="utf-8") as file:
        assert not re.search(r"\bn\d+x\b", file.read())


def folder__has_a_page_for_each_case():
    model()
    run("explain", "m", "data.csv", "--rows", "2-9", "--html", "pages/")
    names = sorted(os.listdir("pages"))
    assert names == sorted(["index.html", *(f"case-{n}.html" for n in range(1, 9))]), names
    with open("pages/index.html", encoding="utf-8") as file:
        index = file.read()
    links = re.findall(r'<a href="([^"]+)">Case (\d+)</a>', index)
    assert links == [(f"case-{n}.html", str(n + 1)) for n in range(1, 9)], links
    for n in range(1, 9):
        with open(f"pages/case-{n}.html", encoding="utf-8") as file:
            text = file.read()
        assert text.count("<article") == 1 and 'href="index.html"' in text
        assert text.endswith("</html>\n") and f"<h2>Case {n + 1}</h2>" in text
    many = page("--rows", "1-20")
    assert re.findall(r'href="#case-(\d+)"', many) == [str(n) for n in range(1, 21)]
    assert all(f'id="case-{n}"' in many for n in range(1, 21))


def texts__have_their_words_marked():
    r = random.Random(2)
    lines = ["text,label"]
    for _ in range(160):
        spam = r.random() < .5
        words = [r.choice(["see", "you", "at", "home", "today", "ok", "fine", "<b>"])
                 for _ in range(5)] + (["WIN"] if spam and r.random() < .9 else ["lunch"])
        r.shuffle(words)
        lines.append(f"{' '.join(words)} & {r.randrange(10 ** 6)},{'spam' if spam else 'ham'}")
    write("data.csv", lines)
    run("train", "data.csv", "--text", "text", "-q", "-o", "m")
    marked = 0
    for got in explained("--rows", "1-10"):
        text = page("--rows", str(got["row"]), "--past", "data.csv")
        shown = re.search(r'<div class="text">(.*?)</div>', text, re.S)[1]
        plain = html.unescape(re.sub(r"<sup>.*?</sup>|</?mark[^>]*>", "", shown))
        assert plain == lines[got["row"]].rsplit(",", 1)[0], plain
        leads = {w["word"]: w["lead"] for w in got["text_words"] if w["present"]}
        for side, word in re.findall(r'<mark class="(\w+)">([^<]*)<', shown):
            assert (leads[word.lower()] > 0) == (side == "for"), (side, word, leads)
            marked += word == "WIN"
        assert text.count('<div class="text">') == 11, "the case and ten past cases"
        assert ", <bdi>data.csv</bdi>" in text
        by_column = sum(w["lead"] for w in got["text_words"])
        assert abs(by_column - got["columns"][0]["lead"]) <= 1e-9
    assert marked > 0
    for more in (["--json", "--all"], ["--json", "--summary"], ["-v"]):
        said = run("explain", "m", "data.csv", "--rows", "1-9", "--hide", "text", *more).stdout
        assert not re.search(r"\b(win|lunch|today)\b", said, re.I) and "(hidden)" in said, more


class Page(HTMLParser):
    """A page as a tree of what is in it: tables as rows of cells, under the headings before them.
    Nothing but the tags and attributes that pages have, all of them closed."""
    TAGS = set("""html head meta title style body main nav h1 h2 h3 h4 p a article section div span
        strong bdi dl dt dd ul li table caption thead tbody tfoot tr th td svg rect path details
        summary mark sup wbr br""".split())
    ATTRIBUTES = set("""lang charset name content http-equiv id class scope colspan rowspan href
        data-is aria-hidden aria-labelledby viewbox preserveaspectratio x y width height fill d
        stroke stroke-width open tabindex""".split())
    EMPTY = ("meta", "wbr", "br", "rect", "path")

    def __init__(self, text):
        super().__init__()
        self.open, self.heading, self.title, self.tables, self.row = [], "", "", [], None
        self.said, self.read = [], ""
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        assert tag in self.TAGS, tag
        assert {name for name, _ in attrs} <= self.ATTRIBUTES, attrs
        if tag in ("h1", "h2", "h3", "h4", "th", "td"):
            self.read = ""
        if tag == "h3":
            self.title = ""
        if tag == "table":
            self.tables.append((self.title, self.heading, []))
        elif tag == "tr":
            self.tables[-1][2].append([])
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag in self.EMPTY, tag

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, (tag, self.open)
        if tag in ("h1", "h2", "h3", "h4"):
            self.heading = self.read
            self.title = self.read if tag != "h4" else self.title
        if tag in ("th", "td"):
            self.tables[-1][2][-1].append(self.read)

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.read += data
            self.said.append(data)

    def find(self, title, heading=None):
        return [rows for t, h, rows in self.tables
                if t.startswith(title) and (heading is None or h.startswith(heading))]


def close(shown, exact, width=0.006):
    """As a page rounds: to three significant digits of the largest in a table, or better."""
    return abs(number(shown) - exact) <= width * max(1, abs(exact))


def page__equals_the_json():
    """All tables of a page: columns, combinations, single values, past cases, each beside the case
    at hand, supports."""
    for kind in ([], [], ["--effort", "lite"], ["--model", "plain"]):
        seed = random.randrange(1 << 30)
        model(120, seed, *kind)
        for got in explained("--rows", "3-6", "--all", "--cases", "3"):
            row, few = str(got["row"]), explained("--rows", str(got["row"]), "--cases", "3")[0]
            tree = Page(page("--rows", row, "--cases", "3", "--top", "4"))
            label = got["explained"]
            width = 0.006 * max(map(abs, got["support"].values()), default=1)
            waterfall_rows = tree.find(f"Columns for and against {label}")[0]
            leads = {c["name"]: c["lead"] for c in got["columns"]}
            assert [r[0] for r in waterfall_rows if r[0] in leads] == \
                [c["name"] for c in got["columns"]][:4]
            by_lead = sorted(c["lead"] for c in got["atoms"])
            *groups, supports = tree.find("Combinations")
            assert groups and len(supports) == 1 + len(got["support"])
            for name, support, chance in (r + [""] * (3 - len(r)) for r in supports[1:]):
                assert close(support, got["support"][name]), (name, support)
                assert not chance or abs(float(re.sub("[^0-9.]", "", chance)) / 100 -
                                         got["probability"][name]) <= 0.0006, chance
            for shown in groups:
                for cells in shown[1:5]:
                    assert any(abs(number(cells[1]) - x) <= 0.0051 for x in by_lead), cells
                assert close(shown[-1][1], got["lead"], width), (shown[-1], got["lead"])
                parts = sum(number(r[1]) for r in shown[1:-1])
                assert abs(parts - number(shown[-1][1])) <= 0.0051 * len(shown), shown
            for name, head in (("for", "Past cases for"), ("against", "Past cases against")):
                cells = tree.find("Past cases", head)[0][1:]
                wanted = [c for c in few["cases"] if (c["lead"] > 0) == (name == "for")][:3]
                named = [f"Row {c['row']}" for c in wanted]
                assert [r[0] for r in cells if r[0] != "none"] == named
                for shown, c in zip(cells, wanted):
                    assert shown[1] == c["label"] and close(shown[3], c["lead"])
            beside = tree.find("Side by side")
            by_past = {}
            for title, heading, rows in tree.tables:
                if title == "Side by side":
                    by_past.setdefault(heading, []).extend(rows[1:])
            assert len(by_past) == len(few["beside"]) <= len(beside)
            for (heading, rows), past in zip(by_past.items(), few["beside"]):
                assert heading.startswith(f"Row {past['row']}: "), heading
                assert len(rows) == len(past["columns"])
                for cells, c in zip(rows, past["columns"]):
                    assert cells[0] == c["name"] and close(cells[4], c["moves"]), (cells, c)
                    assert cells[3].split(" ", 1)[-1] == c["alike"].split(" ", 1)[-1], (cells, c)


def hostile__names_are_never_markup():
    """Names of columns, values, labels, ids and texts that want to be markup, in any mixture."""
    pieces = ["<script>alert(1)</script>", "</td>", "<b>", "'", "&lt;", "&", "\u202e", "]]>", "-->",
              "onload=", "</style>", "<!--", "=", ": ", "x", "<img src=x onerror=alert(1)>", "|",
              "%s", "{0}", "\u0007", "é", " ", "</bdi></strong>", "javascript:", "_", "#"]
    r = random.Random(7)

    def name():
        return "".join(r.choice(pieces) for _ in range(r.randrange(1, 6))) + str(r.randrange(99))

    for round_ in range(8):
        columns, labels = [name() for _ in range(3)], [name() for _ in range(2)]
        values = [name() for _ in range(6)]
        rows = [{"who": name(), "label": r.choice(labels),
                 "features": {c: r.choice(values) for c in columns if r.random() < .9}}
                for _ in range(40)]
        for n, row in enumerate(rows):
            row["features"][columns[0]] = values[labels.index(row["label"])]
            row["features"]["n"] = n % 11
            row["who"] += f"-{n}"
        write("hostile.jsonl", [json.dumps(row) for row in rows])
        run("train", "hostile.jsonl", "--id", "who", "--model", ("plain", "rich")[round_ % 2], "-q",
            "-o", "h<m>")
        run("explain", "h<m>", "hostile.jsonl", "--past", "hostile.jsonl", "--rows", "1-3",
            "--html", "h.html", "--versus", "5", "--flip", "--ask", "--cases", "2")
        with open("h.html", encoding="utf-8") as file:
            text = file.read()
        tree = Page(text)
        said = "".join(tree.said)
        assert "\u202e" not in text and "\u0007" not in text and "h<m>" in said
        for label in {row["label"] for row in rows}:
            assert label.replace("\u202e", "\\xe2\\x80\\xae").replace("\u0007", "\\x07") in said


def cases_that_are_not_kept__are_missed():
    for keep, says in (("none", True), ("anonymous", True), ("full", False)):
        model(80, 1, "--keep-cases", keep)
        assert ("option keep_cases full" in page("--rows", "1")) == says, keep


def values__are_numbers_as_people_write_them():
    """Zeros behind a point say nothing, words are counted in whole numbers, and a share that is
    kept in one byte is neither exact nor ever all."""
    r = random.Random(5)
    lines = ["label,size,name,say"]
    for n in range(300):
        size, free = r.randrange(40), r.random() < .5
        words = ["free"] * (r.randrange(1, 5) if free else 0) + ["now"] * r.randrange(4)
        label = "yes" if free and size > 9 else "no"
        lines.append(f"{label},{size}.0,{'ab'[n % 2]}.0,{' '.join(words) or 'none'}")
    write("data.csv", lines)
    run("train", "data.csv", "-q", "--text", "say", "-o", "m")
    text = run("explain", "m", "data.csv", "--rows", "1-30", "--top", "400").stdout
    shown = page("--rows", "1-30")
    for out in (text, re.sub(r"<.*?>", "", shown)):
        rest = re.sub(r"[+\u2212-]\d+\.\d+|hcbr [\d.]+", "", out)
        assert not re.search(r"\b\d+\.0\b", rest), rest
        assert re.search(r"\b[ab]\.0\b", out), out
    counted = re.findall(r'"(?:free|now)" ([^&\n]*?(?:at (?:most|least)|to)[^&\n]*?)(?: &|  |\n)',
                         text)
    assert counted and not any("." in c.split("...")[0] or "missing" in c for c in counted), counted
    assert any("at least" in c for c in counted) and any("or none" in c for c in counted), counted
    # a word that a text has occurs at least once, so a cut lies above 1
    assert all(int(n) > 1 for c in counted for n in re.findall(r"at least (\d+)", c)), counted
    held = re.findall(r"held out: (?:right|wrong: \w+), ([^.]*)\.", text)
    assert held and all(re.fullmatch(r"more than 99 %|\d?\d %", h) for h in held), held
    assert "more than 99 %" in held, held


run_tests([columns__end_at_the_lead, page__opens_with_the_answer, held_out__is_what_it_was,
           beside__adds_up, past_cases__add_up_on_the_page, pages__say_where_they_come_from,
           hide__keeps_a_column_off, folder__has_a_page_for_each_case,
           texts__have_their_words_marked, page__equals_the_json, hostile__names_are_never_markup,
           cases_that_are_not_kept__are_missed, values__are_numbers_as_people_write_them])
