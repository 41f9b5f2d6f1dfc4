"""Pages of hcbr explain: they open with the answer, show the values of the case and of past cases
side by side, say where they come from, add up, equal the JSON, and hide what is to be hidden."""
import html
import json
import os
import random
import re

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
    often = re.search(r"Of (\d+) held-out past cases whose answer had a probability of ([0-9.]+) % "
                      r"to ([0-9.]+) %, (\d+) were right", start)
    bins = got["origin"]["held_out"]["bins"]
    low, high = float(often[2]) / 100, float(often[3]) / 100
    inside = [b for b in bins if b["from"] >= low - 1e-9 and b["to"] <= high + 1e-9]
    assert sum(b["cases"] for b in inside) == int(often[1])
    assert sum(b["right"] for b in inside) == int(often[4])
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
    for text in (page("--rows", "1-4", "--hide", "job"),
                 run("explain", "m", "data.csv", "--rows", "1-4", "--hide", "job", "-v",
                     "--versus", "5").stdout):
        for value in ("clerk", "cook", "nurse"):
            assert value not in text, value
    text = page("--rows", "1", "--hide", "job")
    *parts, (_, lead) = waterfall(text)
    assert abs(sum(v for _, v in parts) - lead) <= 0.006 * len(parts)
    wrong = run("explain", "m", "data.csv", "--hide", "jbo", code=2)
    assert "did you mean" in wrong.stderr or "no such column" in wrong.stderr
    run("explain", "m", "data.csv", "--hide", "job", "--json", code=2)


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


def cases_that_are_not_kept__are_missed():
    for keep, says in (("none", True), ("anonymous", True), ("full", False)):
        model(80, 1, "--keep-cases", keep)
        assert ("option keep_cases full" in page("--rows", "1")) == says, keep


run_tests([columns__end_at_the_lead, page__opens_with_the_answer, held_out__is_what_it_was,
           beside__adds_up, past_cases__add_up_on_the_page, pages__say_where_they_come_from,
           hide__keeps_a_column_off, folder__has_a_page_for_each_case,
           texts__have_their_words_marked, cases_that_are_not_kept__are_missed])
