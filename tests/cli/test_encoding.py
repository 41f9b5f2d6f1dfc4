"""A table gives the same model in any encoding, and how it was read is said.

usage: test_encoding.py    (the program is $HCBR)
"""
import os
import random
import subprocess
import sys

from program import Checks, PROGRAM, run_bytes as run

NAMES = {"cp1252": "windows-1252", "iso8859-15": "iso-8859-15", "cp1250": "windows-1250",
         "cp1251": "windows-1251", "mac_roman": "macintosh", "iso8859-2": "iso-8859-2",
         "cp850": "ibm850", "koi8-r": "koi8-r", "cp866": "ibm866"}
UNICODE = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32")
WORDS = {
    "fr": "école été déjà où ça élève forêt français garçon même âge événement août cœur noël",
    "de": "über Straße schön Größe Mädchen Käse für höher weiß Übung Äpfel natürlich möglich",
    "es": "niño año corazón mañana también según él aquí rápido música número día última",
    "pt": "não coração maçã avô você três então também português irmã país água único",
    "sv": "år över första skönhet människa själv både också nästa åtta möjlig pålägg",
    "da": "ægte høst på være første råd søndag får også længe størst måske gå kærlighed",
    "cs": "příliš žluťoučký kůň úpěl ďábelské ódy město člověk život už který věc říká",
    "pl": "zażółć gęślą jaźń dzień miłość mężczyzna książka życie jeść być więc później",
    "hu": "árvíztűrő tükörfúrógép őszi gyűjtő idő nő először művész később kő szülő erdő",
    "ru": "город человек жизнь работа слово ещё день хорошо вопрос страна мир ребёнок",
}
CODES = {"fr": ("cp1252", "iso8859-15", "mac_roman"), "de": ("cp1252", "mac_roman", "cp850"),
         "es": ("cp1252", "mac_roman"), "pt": ("cp1252", "mac_roman"),
         "sv": ("cp1252", "mac_roman"), "da": ("cp1252", "mac_roman"),
         "cs": ("cp1250", "iso8859-2"), "pl": ("cp1250", "iso8859-2"), "hu": ("cp1250",),
         "ru": ("cp1251", "koi8-r", "cp866")}
check = Checks()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def model(path, *options):
    """The bytes of a model of the file, and what was said."""
    code, _, said = run("train", path, "--model", "plain", "-o", "m", *options)
    check(f"train {path} {options}", code == 0, said)
    with open("m", "rb") as file:
        return file.read(), said


def table(language, rows, first=0):
    """Rows of random words; only ASCII before row `first`."""
    draw = random.Random(f"{language} {rows}")
    words = WORDS[language].split()
    lines = ["label,a,b,c"]
    for row in range(rows):
        cells = [draw.choice(words) if row >= first else "plain" for _ in range(3)]
        if row % 3 == 0:
            cells[1] = f'"{cells[1]}, {cells[2]}\nx"'
        lines.append(f"{draw.choice(['yes', 'no'])},{','.join(cells)}")
    return "\n".join(lines) + "\n"


def every_encoding_gives_the_same_model():
    for language, codes in CODES.items():
        text = table(language, 60)
        for form in ("csv", "tsv", "jsonl"):
            if form != "csv" and language not in ("fr", "ru"):
                continue
            write("u.csv", text.encode())
            if form != "csv":
                run("convert", "-q", "u.csv", "--to", form, "-o", f"u.{form}")
            with open(f"u.{form}", encoding="utf-8", newline="") as file:
                again = file.read()
            wanted, said = model(f"u.{form}")
            check(f"{language} {form}: nothing is said of UTF-8", "read as" not in said, said)
            for code in UNICODE + codes:
                write(f"x.{form}", again.encode(code))
                found, said = model(f"x.{form}")
                check(f"{language} {form} {code}: same model", found == wanted, said)
                if code in NAMES:
                    check(f"{language} {code}: said", f"read as {NAMES[code]} (byte" in said, said)
                elif code not in ("utf-8", "utf-8-sig"):
                    check(f"{language} {code}: said", "read as UTF-" in said, said)
                found, said = model(f"x.{form}", "--encoding",
                                    NAMES.get(code, code.replace("-sig", "")))
                check(f"{language} {form} {code}: same model by name",
                      found == wanted and "read as" not in said, said)


def a_late_byte_decides_as_an_early_one():
    text = table("cs", 100000, first=99000)
    write("u.csv", text.encode())
    wanted, _ = model("u.csv", "-j", "2")
    write("x.csv", text.encode("cp1250"))
    line = text[:next(i for i, c in enumerate(text) if ord(c) > 127)].count("\n") + 1
    for threads in "1", "2":
        found, said = model("x.csv", "-j", threads)
        check(f"late byte, {threads} threads", found == wanted, said)
        check(f"late byte, {threads} threads: line", f"at line {line};" in said, said)
    code, _, said = run("train", "-", "--format", "csv", "--model", "plain", "-o", "m",
                        data=text.encode("cp1250"))
    check("late byte, pipe", code == 0 and f"at line {line};" in said, said)
    with open("m", "rb") as file:
        check("late byte, pipe: same model", file.read() == wanted)
    subprocess.run(["gzip", "-kf", "x.csv"], check=True)
    found, said = model("x.csv.gz", "-j", "2")
    check("late byte, compressed", found == wanted and f"at line {line};" in said, said)


def places_stay_right():
    # the fourth line: seven characters of which two are not ASCII, then a quote
    text = 'label,a,b\nyes,é,1\nno,"ü\nö",2\nyes,éüa"b,3\n'
    for code in ("utf-16", "utf-16-be", "cp1252", "mac_roman"):
        write("x.csv", text.encode(code))
        _, _, said = run("train", "-q", "x.csv", "-o", "m", "--encoding", NAMES.get(code, code),
                         "--bad-rows", "stop")
        check(f"place, {code}", said.startswith("hcbr train: x.csv:5:8: found a quote"), said)
    write("x.csv", b"label,a,b\nyes,\xe9\xe9\x81\xe9,1\n")
    code, _, said = run("train", "x.csv", "-o", "m", "--encoding", "cp1252")
    check("place of a byte without a character", code == 3 and
          "x.csv:2:7: found byte 0x81, which is no character of windows-1252" in said, said)
    write("x.csv", "label,a,b\nyes,é,1\nno,x,2\n".encode("utf-16")[:-1])
    code, _, said = run("train", "x.csv", "-o", "m")
    check("cut character", code == 3 and "x.csv:3:7: the file ends within" in said, said)


def strict_guesses_nothing():
    for code in ("utf-16", "utf-16-le", "cp1252", "cp1251"):
        write("x.csv", table("fr" if code != "cp1251" else "ru", 9).encode(code))
        status, _, said = run("train", "-q", "x.csv", "-o", "strict", "--strict")
        check(f"strict {code}", status == 3 and said and not os.path.exists("strict"), said)
    write("x.csv", table("fr", 9).encode("cp1252"))
    status, _, said = run("train", "x.csv", "-o", "m", "--strict", "--encoding", "windows-1252")
    check("strict, with a name", status == 0, said)
    status, _, said = run("train", "x.csv", "-o", "m", "--encoding", "latin")
    check("unknown name", status == 2 and "expected auto, utf-8" in said, said)


def a_line_is_answered_before_the_next():
    write("t.csv", "label,a\nyes,é\nno,ü\n".encode())
    run("train", "-q", "t.csv", "-o", "m")
    for code in ("utf-8", "cp1252"):
        with subprocess.Popen([PROGRAM, "predict", "m", "-", "--format", "csv"],
                              stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0) as p:
            p.stdin.write("a\n".encode(code))
            for row, cell in enumerate(("é", "ü", "é"), 1):
                p.stdin.write(f"{cell}\n".encode(code))
                answer = p.stdout.readline().split(b"\t")
                check(f"live {code} {row}", answer[:2] == [b"%d" % row, b"no" if cell == "ü" else
                                                           b"yes"], answer)
            p.stdin.close()


if __name__ == "__main__":
    sys.exit(check.run(
        every_encoding_gives_the_same_model, a_late_byte_decides_as_an_early_one,
        places_stay_right, strict_guesses_nothing, a_line_is_answered_before_the_next))
