"""hcbr explain through the program: every influence is listed, reasons are for the answer that was
given, an empty past case is named so, and a search for changes says how far it went."""
import json
import os
import pty
import random
import re
import select
import signal
import subprocess
import time

from program import ENVIRONMENT, PLAIN, PROGRAM, run, run_tests, write


def explain(model, data, *options):
    return [json.loads(line) for line in
            run("explain", model, data, "--json", *options).stdout.splitlines()]


def table(labels, rows, empty=0.05):
    """A random table; a case with the word `near` in `town` leans to a label."""
    lines = ["label,age,job,town,w"]
    for i in range(rows):
        label = i % labels if i < labels else random.randrange(labels)
        cells = [str(20 + 9 * label + random.randrange(20)), random.choice(["clerk", "cook", ""]),
                 random.choice("abcd"[:1 + label] + "e")]
        if random.random() < empty:
            cells = ["", "", ""]
        lines.append(f"L{label},{','.join(cells)},{random.choice(['1', '0.5', '2'])}")
    return lines


def sums():
    """bias + listed influences = support, for every label; with the groups likewise."""
    without_lead = {"plain": 0, "rich": 0}
    for labels in (2, 3, 5):
        data = write("data.csv", table(labels, 70))
        for kind, options in (("plain", ["--scope", "class", "--ignore", "w"]),
                              ("plain", ["--scope", "all", "--ignore", "w", "--passes", "0"]),
                              ("rich", ["--weight", "w"]), ("rich", ["--ignore", "w"])):
            run("train", data, "--model", kind, *options, "-q", "-o", "model")
            for row in explain("model", data, "--all", "--rows", "1-25"):
                cases = row["cases"] + row["itself"]
                without_lead[kind] += row["other_count"]
                assert len(cases) - len(row["itself"]) == \
                    row["for_count"] + row["against_count"] + row["other_count"]
                assert len({c["row"] for c in cases}) == len(cases)
                for label, support in row["support"].items():
                    for parts in ([c["influence"][label] for c in cases],
                                  [c["contribution"][label] for c in row["columns"]]
                                  + [row["rest"][label]],
                                  [a["contribution"][label] for a in row["atoms"]]):
                        parts.append(row["bias"][label])
                        size = sum(map(abs, parts))
                        assert abs(sum(parts) - support) <= 1e-9 * size, (kind, options, row)
                assert len(row["columns"]) == row["column_count"]
                assert {c["name"] for c in row["columns"]} <= {"age", "job", "town", "w"}
                lead = sum(c["lead"] for c in cases)
                if row["explained"] is not None:
                    other = row["bias"].get(row["against"], 0)
                    lead += row["bias"][row["explained"]] - other
                    assert abs(lead - row["lead"]) <= 1e-9 * (1 + abs(lead))
    assert without_lead["plain"] > 100, without_lead
    text = run("explain", "model", data, "--rows", "2").stdout
    assert "past cases for " in text
    columns(data)


def columns(data):
    """The table of columns: with --top as many, then what is left; the page has it too."""
    row = explain("model", data, "--rows", "2", "--all")[0]
    assert row["column_count"] < row["atom_count"]
    text = run("explain", "model", data, "--rows", "2", "--top", "1").stdout
    first = row["columns"][0]
    assert re.search(rf"\ncolumns, for {row['explained']} +adds\n[+-] {first['name']}(=\S+)? +[+-]",
                     text)
    assert f"\n  {row['column_count'] - 1} more (--top, --all) " in text, text
    run("explain", "model", data, "--rows", "2", "--html", "page.html")
    with open("page.html", encoding="utf-8") as file:
        assert f'<tr><th scope="row"><bdi>{first["name"]}</bdi></th>' in file.read()


def threads():
    """The same output for any number of threads and any memory, whatever is asked."""
    data = write("data.csv", table(3, 70))
    for kind in ("plain", "rich"):
        run("train", data, "--model", kind, "-q", "-o", "model")
        for asked in ([], ["--json"], ["--all", "--rows", "3-9,40"],
                      ["--cases", "0", "--json"], ["--rows", "1-6", "--flip", "--flip-limit",
                                                   "10000", "--ask", "--versus", "2", "--json"]):
            first = run("explain", "model", data, *asked).stdout
            assert first.count("row") >= 6
            for more in (["-j", "3"], ["-j", "7", "--max-memory", "0"], ["--max-memory", "1G"],
                         ["-j", "2", "--max-memory", "10K"]):
                assert run("explain", "model", data, *asked, *more).stdout == first, (asked, more)
    # rows before a bad one are explained, and after the last wanted one nothing is read
    with open(data, "a", encoding="utf-8") as file:
        file.write('L0,"a\n')
    for more in ([], ["-j", "4"]):
        asked = ["explain", "model", data, "--cases", "0", "--top", "0", *more]
        bad = run(*asked, "--bad-rows", "stop", code=3)
        assert bad.stdout.count("\nsupport") == 70, bad
        left = run(*asked)
        assert left.stdout == bad.stdout and "1 row that cannot be read" in left.stderr, left
        run("explain", "model", data, "--rows", "70", *more)


def others():
    """Past cases of a third label are counted, and with --all listed, in text and page too."""
    write("three.csv", ["label,a,b", "x,1,1", "x,1,1", "y,1,2", "z,1,3", "z,2,3"])
    run("train", *PLAIN, "three.csv", "--passes", "0", "-q", "-o", "three")
    write("new.csv", ["a,b", "1,1"])
    row = explain("three", "new.csv", "--all")[0]
    third = ({"x", "y", "z"} - {row["explained"], row["against"]}).pop()
    assert row["other_count"] == sum(c["label"] == third for c in row["cases"]) > 0
    assert all(c["lead"] == 0 for c in row["cases"] if c["label"] == third)
    few, full = (run("explain", "three", "new.csv", *more).stdout
                 for more in (("--cases", "0", "--top", "1"), ("--all",)))
    assert "without a part in the lead" not in few
    assert re.search(rf"past cases without a part in the lead: {row['other_count']}\n  row \d +"
                     rf"{third} +[+-][0-9.]+  to {third}\n", full), full
    run("explain", "three", "new.csv", "--all", "--html", "page.html")
    with open("page.html", encoding="utf-8") as file:
        assert "Past cases without a part in the lead: " in file.read()


def weighs():
    """Every group that is listed adds something to a label, or past cases weigh through it, which
    may cancel out; families that nothing is trusted to have none."""
    for number in range(4):
        lines = ["label,a,b,c"]
        for _ in range(80):
            a, b = random.choice("1234"), random.choice(["0", "0.5", "2"])
            label = (a > "2") ^ (random.random() < 0.2)
            lines.append(f"{int(label)},{a},{b},{random.choice('pqr')}")
        data = write("few.csv", lines)
        for keep in ("full", "none"):
            run("train", data, "--keep-cases", keep, "--seed", str(number), "-q", "-o", "model")
            for row in explain("model", data, "--all", "--rows", "1-20"):
                for group in row["atoms"]:
                    assert any(group["contribution"].values()) or group["case_count"] or (
                        keep == "none" and group["kind"] == "tests"), group
                if keep == "full":
                    assert len(row["atoms"]) == row["atom_count"]


def turned():
    """A threshold turns the answer: reasons are for the answer, and one sentence says how."""
    met = {"given": 0, "none": 0}
    for labels, kind in ((2, "plain"), (3, "plain"), (2, "rich"), (4, "rich")):
        data = write("data.csv", table(labels, 60, 0))
        run("train", data, "--ignore", "w", "--model", kind, "-q", "-o", "model")
        for name, rule in (("given", ["--fallback", "L0"]), ("none", [])):
            for label in range(1, labels):
                rule += ["--eta", f"L{label}=0.999", "--eta-share", f"L{label}=0.95"]
            options = [*rule, "--rows", "1-30", "--ask", "--versus", "5", "--flip",
                       "--flip-limit", "200000"]
            rows = explain("model", data, *options)
            text = run("explain", "model", data, *options).stdout.split("\nrow ")
            run("explain", "model", data, *options, "--html", "page.html")
            with open("page.html", encoding="utf-8") as file:
                page = file.read().split("<article ")[1:]
            assert len(rows) == len(text) == len(page) == 30
            for row, words, part in zip(rows, text, page):
                check_row(row, words, part)
                met[name] += row["turned"] is not None
    assert met["given"] > 20 and met["none"] > 20, met


def check_row(row, words, part):
    label, winner, explained = row["label"], row["winner"], row["explained"]
    assert winner == max(row["support"], key=row["support"].get)
    assert explained == (label or winner)
    assert row["against"] != explained
    assert abs(row["lead"] - row["support"][explained] + row["support"][row["against"]]) < 1e-9
    assert f"columns, for {explained} " in words, words
    plain_page = re.sub(r"</?(bdi|strong)>", "", part)
    assert f"<h3>Columns for and against {explained}</h3>" in plain_page
    assert f"Lead of {explained} over {row['against']}<" in plain_page
    assert f"past cases for {explained}: " in words
    assert f"<h4>Past cases for {explained}</h4>" in plain_page
    assert row["versus"]["lead_here"] == row["lead"]
    assert row["ask"]["of"] == explained and row["ask"]["lead"] == row["lead"]
    if label == winner:
        assert row["turned"] is None and "largest support" not in words.split("\n\n")[0]
        assert "The largest support is for" not in plain_page
        return
    assert row["against"] == winner if label else row["lead"] >= 0
    end = f"the answer is {label}" if label else "there is no answer"
    assert row["turned"].startswith(f"the largest support is for {winner}, but ")
    assert row["turned"].endswith(f": {end}")
    assert f"T{row['turned'][1:]}. " in " ".join(words.split()) + " ", words
    assert f"<p>T{row['turned'][1:]}.</p>" in plain_page, plain_page[:600]
    for flip in row["flip"]["flips"]:
        assert flip["label"] != label


def empty_case():
    """A past case without features shares nothing, and no lead is made up for it."""
    for labels, kind in ((2, "plain"), (3, "plain"), (2, "rich"), (3, "rich")):
        lines = table(labels, 40, 0)
        lines[4] = f"{lines[4].split(',')[0]},,,,1"
        data = write("data.csv", lines)
        run("train", data, "--ignore", "w", "--model", kind, "-q", "-o", "model")
        row = explain("model", data, "--rows", "2", "--versus", "4")[0]
        versus = row["versus"]
        assert versus["empty"] is True and versus["lead_there"] == 0
        assert versus["shared"] == versus["only_there"] == []
        moves = sum(f["moves"] for f in versus["only_here"]) + versus["rest"]
        assert abs(moves - versus["lead_here"]) < 1e-9
        if kind == "plain":
            assert versus["case"][0]["lead"] == 0
        text = run("explain", "model", data, "--rows", "2", "--versus", "4").stdout
        assert ("it is empty: it shares nothing and has no lead of its own "
                in " ".join(text.split())), text
        run("explain", "model", data, "--rows", "2", "--versus", "4", "--html", "page.html")
        with open("page.html", encoding="utf-8") as file:
            assert "That case is empty: it shares nothing" in file.read()
        other = explain("model", data, "--rows", "2", "--versus", "5")[0]["versus"]
        assert other["empty"] is False


def given_up():
    """A search that ends at its limit does not say that there is nothing to find."""
    for labels, kind in ((2, "plain"), (3, "plain"), (2, "rich"), (3, "rich")):
        data = write("data.csv", table(labels, 60, 0))
        run("train", data, "--ignore", "w", "--model", kind, "-q", "-o", "model")
        flip = explain("model", data, "--rows", "2", "--flip", "--flip-limit", "0")[0]["flip"]
        assert flip == {"exact": False, "exhaustive": False, "searched": 0, "tried": 0, "steps": 0,
                        "limit": 0, "limited": True, "bounded": False, "flips": []}, flip
        text = run("explain", "model", data, "--rows", "2", "--flip", "--flip-limit", "0").stdout
        said = "o other answer was found; not every change was tried (0 sets of changes, " \
            "--flip-limit)"
        assert " ".join(text.split()).endswith(" n" + said), text
        run("explain", "model", data, "--rows", "2", "--flip", "--flip-limit", "0", "--html", "p")
        with open("p", encoding="utf-8") as file:
            page = "<p>N" + said.replace("--flip-limit", "option flip_limit") + ".</p>"
            assert page in file.read()
        full = explain("model", data, "--rows", "2", "--flip")[0]["flip"]
        assert full["flips"] and full["exact"] and not full["limited"], full
        assert full["limit"] == 500000000 >= full["steps"] > 0 < full["tried"]
        # no threshold can be passed: all that may change was tried, and the search says that
        rule = [word for label in range(labels) for word in ("--eta", f"L{label}=0.9999")]
        flip = explain("model", data, "--rows", "2", "--flip", "--fixed", "age", *rule)[0]["flip"]
        assert flip["exhaustive"] and flip["searched"] >= 2 and flip["steps"] > 0, flip
    # nothing can be found where nothing may change
    fixed = ("--flip", "--fixed", "age,job,town")
    flip = explain("model", data, "--rows", "2", *fixed)[0]["flip"]
    assert flip["exhaustive"] and flip["exact"] and not flip["limited"] and not flip["flips"]
    text = run("explain", "model", data, "--rows", "2", *fixed).stdout
    assert text.endswith("\nno change of what may change leads to another answer\n"), text
    run("train", data, "--ignore", "w", "-q", "-o", "model")
    write("nothing.csv", ["age,job,town,w", ",,,"])
    text = run("explain", "model", "nothing.csv", "--flip").stdout
    assert text.endswith("\nnothing of the case is known: no changes were tried\n"), text
    run("explain", "model", data, "--flip-limit", "5", code=2)
    run("explain", "model", data, "--flip", "--flip-limit", "many", code=2)


def wide():
    """10,000 columns: the same answer from models of any threads, within the limit."""
    rows = ["label," + ",".join(f"c{n}" for n in range(10000))]
    for i in range(24):
        rows.append("xyz"[i % 3] + "," + ",".join(random.choice("012") for n in range(10000)))
    write("wide.csv", rows)
    seen = []
    for threads in ("1", "3"):
        run("train", "wide.csv", "--model", "rich", "--effort", "lite", "-j", threads, "-q",
            "-o", "wide")
        seen.append(explain("wide", "wide.csv", "--rows", "2", "--top", "1", "--cases", "1",
                            "--flip", "--ask", "--flip-limit", "5000000"))
    assert seen[0] == seen[1]
    flip = seen[0][0]["flip"]
    assert 0 < flip["steps"] <= 5000000 and (flip["limited"] or flip["exact"])
    watched()


def watched():
    """Within one row a terminal shows progress, and Ctrl-C stops it; nothing is half-written."""
    inner, outer = pty.openpty()
    with subprocess.Popen([PROGRAM, "explain", "wide", "wide.csv", "--rows", "2", "--flip",
                           "--flip-limit", str(10**15), "--html", "page.html"], stderr=outer,
                          stdout=subprocess.DEVNULL,
                          env=dict(ENVIRONMENT, TERM="xterm")) as program:
        os.close(outer)
        shown, end = b"", time.monotonic() + 60
        while b"\rflip " not in shown and time.monotonic() < end and program.poll() is None:
            if select.select([inner], [], [], 0.5)[0]:
                shown += os.read(inner, 4096)
        assert b"\rflip " in shown, shown
        program.send_signal(signal.SIGINT)
        try:
            code = program.wait(timeout=20)
        finally:
            program.kill()
        try:
            while select.select([inner], [], [], 0.5)[0]:
                shown += os.read(inner, 4096)
        except OSError:  # the other end is closed, and all was read
            pass
    os.close(inner)
    assert code == 130 and b"stopped by SIGINT" in shown, (code, shown)
    assert not os.path.exists("page.html")


run_tests([sums, threads, others, weighs, turned, empty_case, given_up, wide])
