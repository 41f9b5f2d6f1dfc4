"""Words of texts: the program against Python's unicodedata, over all letters and over random texts.

usage: test_words.py [PROGRAM]    (else the program is $HCBR)

The rules are those of docs/INPUT.md, written down here once more without tables or fast ways. Code
points that this Python's Unicode does not know are left out.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import unicodedata

from seeds import take_seed

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.environ["HCBR"])
problems = []


def is_part(c):
    category = unicodedata.category(c)
    return category[0] in "LMN" or category == "Pc"


def runs(text, inside):
    """Maximal runs of parts; a single character of `inside` may stand between two of them."""
    at = 0
    while at < len(text):
        if not is_part(text[at]):
            at += 1
            continue
        end = at
        while end < len(text):
            if is_part(text[end]):
                end += 1
            elif inside(text[end]) and end + 1 < len(text) and is_part(text[end + 1]):
                end += 2
            else:
                break
        yield text[at:end]
        at = end


def ignorable(c):
    """Default_Ignorable_Code_Point, as far as these tests meet it."""
    n = ord(c)
    return (n in (0xAD, 0x34F, 0x61C, 0x3164, 0xFFA0, 0x115F, 0x1160, 0x17B4, 0x17B5, 0xFEFF)
            or 0x180B <= n <= 0x180F or 0x200B <= n <= 0x200F or 0x202A <= n <= 0x202E
            or 0x2060 <= n <= 0x206F or 0xFE00 <= n <= 0xFE0F or 0xFFF0 <= n <= 0xFFF8
            or 0x1BCA0 <= n <= 0x1BCA3 or 0x1D173 <= n <= 0x1D17A or 0xE0000 <= n <= 0xE0FFF)


def fold(run):
    """NFKC_Casefold: repeated until nothing changes, ignorable characters taken out."""
    before = None
    while run != before:
        before = run
        run = unicodedata.normalize("NFKC", "".join(c for c in unicodedata.normalize("NFD", run)
                                                    if not ignorable(c)).casefold())
    return run.replace("\u2019", "'")


def words(text):
    def inside(c):
        return c in "'\u2019" or unicodedata.category(c) == "Cf"

    for run in runs(text, inside):
        for word in runs(fold(run), lambda c: c == "'"):
            if any(unicodedata.category(c)[0] in "LN" for c in word):
                yield word


def counted(text):
    counts = {}
    for word in words(text):
        counts[word] = counts.get(word, 0) + 1
    return counts


def found(texts):
    """What the program makes of texts: a dictionary of counts for each."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            for i, text in enumerate(texts):
                file.write(json.dumps({"label": str(i % 2), "id": str(i), "t": text},
                                      ensure_ascii=False) + "\n")
        model = os.path.join(folder, "m")
        # A model of one text knows no word of the others: predict lists them all.
        other = os.path.join(folder, "o.txt")
        with open(other, "w", encoding="utf-8") as file:
            file.write("a\tnothing like it\nb\tnor like this\n")
        subprocess.run([PROGRAM, "train", "-q", other, "-o", model], check=True)
        out = subprocess.run([PROGRAM, "predict", "-q", model, path, "--json", "--text", "t",
                              "--id", "id"], check=True, capture_output=True).stdout
    result = []
    for line in out.decode().splitlines():
        features = {}
        for name in json.loads(line)["unseen"]:
            word, _, count = name.rpartition("=")
            features[word[2:]] = int(count)
        result.append(features)
    return result


def check(what, texts):
    wrong = 0
    for text, got in zip(texts, found(texts), strict=True):
        wanted = counted(text)
        if got != wanted:
            wrong += 1
            if wrong <= 5:
                problems.append(f"{what}: {text!r} gives {got}, expected {wanted}")
    print(f"{what}: {len(texts)} texts, {wrong} wrong")


def all_letters():
    """Every letter, mark and number by itself and between two others."""
    for n in range(0x20, 0x110000):
        c = chr(n)
        if 0xD800 <= n <= 0xDFFF or n == 0xFEFF or unicodedata.category(c)[0] == "C":
            continue
        if unicodedata.category(c)[0] in "LMN" or n < 0x3000:
            yield f"A{c}b {c}"


def random_texts(seed, count):
    draw = random.Random(seed)
    pools = ["aAbBzZ019_", " \t.,;-!", "'\u2019", "éÉßſñÑçİıĳﬁ", "αΑςΣσΩ", "жЖё", "漢字かなカナ한글",
             "\u0301\u0327\u200d\u00ad\u200c", "①½²Ⅷ٣", "ﷺ…“”«»", "नमस्ते", "مرحبا\u0640"]
    for _ in range(count):
        yield "".join(draw.choice(draw.choice(pools)) for _ in range(draw.randrange(1, 30)))


def main():
    examples = ["Don’t don't DON'T", "rock'n'roll 'tis o''clock '", "x_y __ _a a_",
                "co\u00adoperate", "3½ ² Ⅷ", "ﷺ", "straße STRASSE", "", "'", "…"]
    check("examples", examples)
    for text, wanted in ("a" * 5000, {"a" * 4096: 1, "a" * 904: 1}), \
                        ("é" * 3000, {"é" * 2048: 1, "é" * 952: 1}):
        if found([text]) != [wanted]:
            problems.append(f"a run of {len(text)} characters is not cut after 4096 bytes")
    check("letters", list(all_letters()))
    check("random", list(random_texts(take_seed(), 5000)))
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
