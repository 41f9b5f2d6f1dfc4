"""hcbr explain: METHOD 6's influences through the program, sums that are whole, rows, mistakes."""
import json
import os
import re
import subprocess
import sys
import tempfile
from fractions import Fraction


HCBR = os.environ["HCBR"]
PLAIN = ["--model", "plain"]
SOURCE = os.environ.get("HCBR_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
failed = []


def run(*args, code=0, stdin=None):
    got = subprocess.run([HCBR, *map(str, args)], input=stdin, capture_output=True, text=True)
    if got.returncode != code:
        failed.append(f"{args}: exit status {got.returncode}, expected {code}: {got.stderr}")
    return got


def check(what, holds):
    if not holds:
        failed.append(what)


def near(a, b, most=1e-12):
    return abs(a - float(b)) <= most


def golden():
    """METHOD 6, three labels: influence of cases 1-4 on {a,c,z} after one pass."""
    with open("three.jsonl", "w") as f:
        for name, label, features in (("one", "C", "ab"), ("two", "B", "ad"),
                                      ("three", "A", "bcde"), ("four", "C", "ace")):
            f.write(json.dumps({"id": name, "label": label, "features": list(features)}) + "\n")
    with open("new.jsonl", "w") as f:
        f.write('{"features":["a","c","z"]}\n')
    rows = {"all": {"A": "0 0 2/33 4/33", "B": "73/1488 1/24 0 1/12",
                    "C": "115/1488 2/31 8/93 3/31"},
            "class": {"A": "0 0 2/9 -1/9", "B": "0 1/6 0 0", "C": "4/45 0 0 14/45"}}
    for scope, table in rows.items():
        run("train", *PLAIN, "three.jsonl", "--scope", scope, "--given-order", "--id", "id", "-q",
            "-o", "m")
        got = json.loads(run("explain", "m", "new.jsonl", "--json", "--all").stdout)
        check("decided C", got["label"] == "C" and got["unseen"] == ["z"])
        by_id = {c["id"]: c["influence"] for c in got["cases"]}
        for label, row in table.items():
            for name, value in zip(("one", "two", "three", "four"), row.split()):
                if name in by_id:
                    check(f"{scope} {label} {name}", near(by_id[name][label], Fraction(value)))
                else:
                    check(f"{scope} {label} {name} is absent", Fraction(value) == 0)
            check("sum", near(got["influence_sum"][label],
                              sum(Fraction(v) for v in row.split())))


def sums():
    votes = os.path.join(SOURCE, "examples", "votes.csv")
    run("train", *PLAIN, votes, "--passes", "3", "-q", "-o", "votes")
    lines = run("explain", "votes", votes, "--json", "--all", "--rows", "1-40,200").stdout
    answers = run("predict", "-q", "votes", votes, "--json").stdout.splitlines()
    rows = [json.loads(line) for line in lines.splitlines()]
    check("41 rows", [r["row"] for r in rows] == [*range(1, 41), 200])
    for r in rows:
        answer = json.loads(answers[r["row"] - 1])
        for key in set(answer) - {"schema"}:
            check(f"{key} as predict says", answer[key] == r[key])
        if r["winner"] is None:
            continue
        check("the row itself", [c["row"] for c in r["itself"]] == [r["row"]])
        every = r["cases"] + r["itself"]
        size = sum(abs(c["influence"][r["winner"]]) for c in every)
        for label in r["support"]:
            for total in (sum(c["influence"][label] for c in every),
                          sum(a["contribution"][label] for a in r["atoms"]),
                          r["influence_sum"][label]):
                check(f"row {r['row']} {label}", near(total, r["support"][label], 1e-12 * size))
        for a in r["atoms"]:
            check("all its cases", len(a["cases"]) == a["case_count"])
            check("what they put into it", near(sum(c["lead"] for c in a["cases"]), a["lead"]))
        check("for, then against",
              [c["lead"] > 0 for c in r["cases"]] ==
              [True] * r["for_count"] + [False] * (r["against_count"] + r["other_count"]))


def rich():
    """A rich model: groups and past cases add up, with what is kept and without."""
    votes = os.path.join(SOURCE, "examples", "votes.csv")
    with open("people.csv", "w") as f:
        f.write("age,job,label\n")
        for i in range(90):
            answer = ("no", "yes", "maybe")[(i * 7 % 50 > 20) + (i % 9 == 0)]
            f.write(f"{20 + i * 7 % 50},{'abc'[i % 3]},{answer}\n")
    for data, keep in ((votes, "full"), ("people.csv", "anonymous"), ("people.csv", "none")):
        run("train", data, "--model", "rich", "--keep-cases", keep, "-q", "-o", "rich")
        groups = json.loads(run("inspect", "rich", "--json").stdout)["atom_count"]
        trusted = {kind for kind, count in (("features", groups["features"]),
                                            ("tests", groups["conjunctions"])) if count}
        check(f"votes need {trusted}", data != votes or trusted == {"features", "tests"})
        lines = run("explain", "rich", data, "--json", "--all", "--rows", "1-12").stdout
        kinds = set()
        for r in map(json.loads, lines.splitlines()):
            if r["winner"] is None:
                continue
            for label, support in r["support"].items():
                parts = [a["contribution"][label] for a in r["atoms"]] + [r["bias"][label]]
                check(f"groups of {keep}", near(sum(parts), support, 1e-12 * sum(map(abs, parts))))
                if keep == "none":
                    continue
                size = abs(r["bias"][label]) + sum(abs(c["influence"][label]) for c in r["cases"])
                check(f"cases of {keep}", near(r["influence_sum"][label], support, 1e-12 * size))
            kinds |= {a["kind"] for a in r["atoms"]}
            check("no cases are said", (r["cases"] is None) == (keep == "none"))
        check("kinds", kinds == trusted)
    text = run("explain", "rich", "people.csv", "--rows", "2", "--all").stdout
    check("a test of a number", re.search(r"age (at most|above) [0-9.]+", text))
    check("why not", "past cases cannot be shown: the model was trained with --keep-cases none"
          in text)
    run("train", "people.csv", "--model", "rich", "-q", "-o", "rich")
    flips = json.loads(run("explain", "rich", "people.csv", "--rows", "2", "--flip", "--ask",
                           "--versus", "5", "--json").stdout)
    parts = flips["versus"]
    moves = sum(f["moves"] for k in ("shared", "only_here", "only_there") for f in parts[k])
    check("differences add up", near(moves + parts["rest"],
                                     parts["lead_here"] - parts["lead_there"]))
    for flip in flips["flip"]["flips"]:
        cells = {"age": "27", "job": "b"}
        for c in flip["changes"]:
            key, value = (c["added"] or c["removed"]).split("=")
            cells[key] = value if c["added"] else ""
        with open("changed.csv", "w") as f:
            f.write(f"age,job\n{cells['age']},{cells['job']}\n")
        check("flip", json.loads(run("predict", "rich", "changed.csv", "--json").stdout)["label"] ==
              flip["label"])


def documented():
    with open(os.path.join(SOURCE, "docs", "JSON.md")) as f:
        text = re.search(r"^## hcbr\.explain/1\n(.*?)^## ", f.read(), re.M | re.S).group(1)
    keys = set(re.findall(r"`(\w+)`", " ".join(line.split("|")[1] for line in text.splitlines()
                                              if line.startswith("|"))))
    got = json.loads(run("explain", "m", "new.jsonl", "--json").stdout)
    check(f"keys {keys ^ set(got)}", set(got) == keys - {"no_cases", "versus", "flip", "ask"})
    inner = set(re.findall(r"`(\w+)`", text.split("An atom is an object")[1]))
    for thing in (got["atoms"][0], got["cases"][0]):
        check(f"keys {set(thing) - inner}", set(thing) <= inner)
    run("train", *PLAIN, "three.jsonl", "--keep-cases", "none", "-q", "-o", "none")
    got = json.loads(run("explain", "none", "new.jsonl", "--json").stdout)
    check("none are kept", got["cases"] is None and got["influence_sum"] is None and
          got["atoms"] and got["no_cases"])
    check("none are counted", got["for_count"] is None and got["against_count"] is None)
    check("said to people too", "--keep-cases none" in run("explain", "none", "new.jsonl").stdout)
    run("train", *PLAIN, "three.jsonl", "--id", "id", "--keep-cases", "anonymous", "-q", "-o",
        "anonymous")
    got = run("explain", "anonymous", "new.jsonl").stdout
    check("no names", "row 4" in got and "four" not in got)


def people():
    text = run("explain", "m", "new.jsonl", "--cases", "1").stdout
    for line in ("row 1: C", "known     2 of 3 features; never seen: z",
                 "past cases for C: ", "past cases against C: "):
        check(f"{line!r} in {text}", line in text)
    check("names", "four" in text)
    text = run("explain", "m", "new.jsonl", "--cases", "0").stdout
    check(f"none asked for {text}", "row 1: C" in text and "past cases" not in text)
    got, full = (json.loads(run("explain", "m", "new.jsonl", "--json", *more).stdout)
                 for more in (("--cases", "0"), ()))
    check("none asked for", got["no_cases"] == "none were asked for" and got["cases"] is None and
          got["influence_sum"] is None and got["support"] == full["support"] and
          [a["contribution"] for a in got["atoms"]] == [a["contribution"] for a in full["atoms"]])
    wrong, right = '{"features":["q"]}\n', '{"features":["a"]}\n'
    for rows, lines, warned in (([], wrong * 3, True), ([], wrong + right + wrong, False),
                                (["--rows", "1,9"], wrong * 3, False)):
        for threads in ("1", "2"):
            said = run("explain", "m", "-", "--format", "jsonl", "-j", threads, *rows,
                       stdin=lines).stderr
            check(f"{rows} {lines} {said}", said.count("is this the right data?") == warned)
    nothing = run("explain", "m", "-", "--format", "jsonl", stdin='{"features":["q"]}\n{}\n').stdout
    check(nothing, nothing == "row 1: unknown (nothing known)\nThere is no answer: nothing known.\n"
          "known     0 of 1 feature; never seen: q\n\nrow 2: unknown (empty case)\n"
          "There is no answer: empty case.\nknown     0 of 0 features\n")
    bad = run("explain", "m", "-", "--format", "jsonl", stdin='{"features":["a\\u001b[1m","a"]}\n')
    check("text of the data steers no terminal", "\x1b" not in bad.stdout)


def mistakes():
    for rows in ("0", "3-", "-3", "5-3", "1,,2", "x", "", "1,", "99999999999999999999999"):
        got = run("explain", "m", "new.jsonl", "--rows", rows, code=2)
        check(f"--rows {rows}: {got.stderr}", "rows and ranges of rows" in got.stderr)
    got = run("explain", "m", "new.jsonl", "--rows", "7-9")
    check(got.stderr, "none of the rows 7-9 is in the data, which ends at row 1" in got.stderr)
    run("explain", "m", "--top", "1", code=2)
    run("explain", "m", "nowhere.jsonl", code=5)
    run("explain", "nowhere", "new.jsonl", code=5)
    run("explain", "new.jsonl", "new.jsonl", code=4)
    run("explain", "m", "new.jsonl", "-o", os.path.join("nowhere", "x"), code=5)
    run("explain", "m", "new.jsonl", "-o", "out.txt")
    with open("out.txt") as f:
        check("written to a file", f.read() == run("explain", "m", "new.jsonl").stdout)


def mark_of(here, there):
    """What stands between two values of a category; None: the case has none."""
    if here == there:
        return "= same" if here else None
    return "# only there" if not here else "# only here" if not there else "# differs"


def changes():
    """--versus, --flip and --ask: verified by predict, documented, refused where they cannot be."""
    votes = os.path.join(SOURCE, "examples", "votes.csv")
    with open(votes) as f:
        table = [line.rstrip("\n").split(",") for line in f]
    head = table[0]
    run("train", *PLAIN, votes, "-q", "-o", "votes")
    rows = [json.loads(line) for line in
            run("explain", "votes", votes, "--json", "--rows", "1-60", "--flip", "--ask",
                "--versus", "12", "--fixed", "crime,immigration").stdout.splitlines()]
    changed, expected, kept = [",".join(head)], [], 0
    for r in rows:
        v = r["versus"]
        parts = v["shared"] + v["only_here"] + v["only_there"]
        check("differences add up", near(sum(f["moves"] for f in parts),
                                         v["lead_here"] - v["lead_there"]))
        check("the past case", v["case"][0]["row"] == 12)
        for flip in r["flip"]["flips"]:
            cells = dict(zip(head, table[r["row"]]))
            for c in flip["changes"]:
                key, value = (c["added"] or c["removed"]).split("=")
                check("fixed", key not in ("crime", "immigration"))
                cells[key] = value if c["added"] else "?"
            changed.append(",".join(cells[h] for h in head))
            expected.append(flip["label"])
            check("another answer", flip["label"] != r["label"])
            kept += 1
        for q in r["ask"]["questions"]:
            check("missing", dict(zip(head, table[r["row"]]))[q["key"]] in ("?", ""))
    check(f"flips {kept}", kept > 50)
    with open("changed.csv", "w") as f:
        f.write("\n".join(changed) + "\n")
    got = [json.loads(line)["label"]
           for line in run("predict", "votes", "changed.csv", "--json", "-q").stdout.splitlines()]
    check("decided anew", got == expected)
    with open(os.path.join(SOURCE, "docs", "JSON.md")) as f:
        text = re.search(r"^## hcbr\.explain/1\n(.*?)^## ", f.read(), re.M | re.S).group(1)
    named = set(re.findall(r"`(\w+)`", text))
    for thing in (rows[0]["versus"], rows[0]["flip"], rows[0]["flip"]["flips"][0],
                  rows[0]["versus"]["shared"][0], rows[1]["ask"], rows[1]["ask"]["questions"][0]):
        check(f"keys {set(thing) - named}", set(thing) <= named)
    text = run("explain", "votes", votes, "--rows", "3", "--versus", "12", "--flip", "--ask").stdout
    for line in ("beside row 12 (republican), which adds ",
                 "another answer takes 1 change; fewer do not", "worth asking first (of 2)"):
        check(f"{line!r} in {text}", line in text)
    text = run("explain", "votes", votes, "--rows", "3", "--versus", "12", "--all").stdout
    text = text[text.index("beside row 12"):]
    marks = [mark_of(*(None if v in ("?", "") else v for v in pair))
             for pair in zip(table[3][1:], table[12][1:])]
    for mark in ("= same", "~ near", "# differs", "# only here", "# only there"):
        check(f"{mark} {marks} in {text}", text.count(f" {mark} ") == marks.count(mark))
    check(f"marks {marks}", len(set(marks)) > 3)
    run("explain", "votes", votes, "--versus", "nobody", code=2)
    run("explain", "votes", votes, "--fixed", "crime", code=2)
    run("explain", "votes", votes, "--flip", "--fixed", "crime,", code=2)
    run("train", *PLAIN, votes, "--keep-cases", "none", "-q", "-o", "none")
    got = run("explain", "none", votes, "--versus", "12", code=2)
    check(got.stderr, "--keep-cases none" in got.stderr)


def page():
    """--html: well-formed, self-contained, escaped, complete or absent."""
    evil = '<script>alert(1)</script>&"\'\u202e\x1b'
    with open("evil.jsonl", "w") as f:
        for i in range(6):
            f.write(json.dumps({"id": evil + str(i), "label": evil + "ab"[i % 2],
                                "k": evil + str(i % 3), "m": i // 2, "n": [i % 2, 7]}) + "\n")
    with open("ask.jsonl", "w") as f:
        f.write(json.dumps({"k": evil + "1", "n": [0, evil]}) + "\n{}\n")
    run("train", *PLAIN, "evil.jsonl", "--id", "id", "-q", "-o", "evil")
    run("explain", "evil", "ask.jsonl", "--flip", "--ask", "--versus", "2", "--html", "evil.html")
    with open("evil.html", encoding="utf-8") as f:
        text = f.read()
    check("no script", "<script" not in text and "\x1b" not in text)
    for outside in ("http:", "https:", "src=", "@import", "url("):
        check(f"nothing from elsewhere: {outside}", outside not in text)
    check("links stay on the page", text.count("href=") == text.count('href="#') > 0)
    opened = []
    for close, tag, end in re.findall(r"<(/?)([a-z][a-z0-9]*)[^>]*?(/?)>", text.split("<body>")[1]):
        if close:
            check(f"</{tag}> closes {opened[-1:]}", opened and opened.pop() == tag or tag in
                  ("body", "html"))
        elif not end:
            opened.append(tag)
    check(f"left open: {opened}", not opened)
    check("a language, a title", '<html lang="en">' in text and "<title>" in text)
    # browsers print a tfoot on every page of a table: "12 more groups" in the middle of its groups
    check("sums are printed once",
          "tfoot{display:table-row-group}" in text.partition("@media print")[2].split("\n")[0])
    check("tables have heads", text.count("<table") == text.count("<thead>"))
    # a caption in it; or, right before it, a heading or summary, perhaps with paragraphs between
    before = r"</(h[34]|summary)>\s*(<p[^>]*>((?!</p>).)*</p>\s*)*$"
    parts = re.split(r"<table[^>]*>", text)
    for n in range(1, len(parts)):
        check(f"a table without a name: {parts[n - 1][-300:]}", parts[n].startswith("<caption>") or
              re.search(before, parts[n - 1], re.S))
    bars = re.findall(r'<td class="bar (?:for|against)"><svg [^>]*aria-hidden="true".*?</svg></td>'
                      r'<td class="n(?: for| against)?">([^<]+)</td>', text)
    check("each bar has its number beside it", len(bars) == text.count("<svg") > 0 and
          all(re.fullmatch("[-+\u2212]?[0-9.]+", number) for number in bars))
    for heading in ("Past cases for ", "Past cases against ", "Side by side: ",
                    "What would change the answer",
                    "What is missing"):
        check(heading, heading in text)
    run("explain", "evil", "ask.jsonl", "--html", "x.html", "--json", code=2)
    run("explain", "evil", "nowhere.jsonl", "--html", "x.html", code=5)
    check("nothing half-written", not os.path.exists("x.html"))


def chances():
    """A model that knows probabilities shows them, as predict gives them; others show none."""
    rows = "".join(f"{'yes' if n % 3 else 'no'},{n % 3},{n % 2}\n" for n in range(60))
    with open("chance.csv", "w", encoding="utf-8") as file:
        file.write("label,a,b\n" + rows)
    for options, shown in ((["--model", "plain"], False), (["--model", "rich"], True),
                           (["--model", "plain", "--calibrate", "platt"], True)):
        run("train", *PLAIN, "chance.csv", *options, "-q", "-o", "chance")
        text = run("explain", "chance", "chance.csv", "--rows", "1").stdout
        check(f"{options}: chances {shown}", ("\nchance    no " in text) == shown)
        if shown:
            answer = json.loads(run("predict", "chance", "chance.csv", "--json").stdout
                                .splitlines()[0])
            given = re.search(r"chance .*yes ((?:more|less) than )?([0-9.]+) %", text)
            check("as predicted",
                  abs(float(given[2]) / 100 - answer["probability"]["yes"]) <= 0.0005)
            check("never certain", "chance    no 0 %" not in text and " 100 %" not in
                  re.search(r"chance .*", text)[0])


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    golden()
    sums()
    rich()
    documented()
    people()
    mistakes()
    changes()
    page()
    chances()
    os.chdir("/")
print("\n".join(failed) or "all good")
sys.exit(bool(failed))
