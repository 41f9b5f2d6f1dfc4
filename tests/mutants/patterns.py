"""Mutants made from patterns: each is one small change of one line of code.

A change replaces a part of a line: the operator of a sum, a bound, a condition, a start, a step of
one, two arguments, a whole statement. Comments, texts, includes and assertions stay as they are,
and so do statements that only release memory: no test notices these.
"""
import random
import re

NAME = r"[A-Za-z_][\w.]*(?:->[\w.]+)*"
# (what it breaks, pattern of code, what replaces it; \1 is a group of the pattern)
SHARED = [
    ("sign", re.compile(r"(?<=[\w)\]] )\+(?= [\w(*&-])"), "-"),
    ("sign", re.compile(r"(?<=[\w)\]] )-(?= [\w(*&])"), "+"),
    ("sign", re.compile(r"(?<= )\+="), "-="),
    ("sign", re.compile(r"(?<= )-="), "+="),
    ("bound", re.compile(r"(?<= )<(?= )"), "<="),
    ("bound", re.compile(r"(?<= )<=(?= )"), "<"),
    ("bound", re.compile(r"(?<= )>(?= )"), ">="),
    ("bound", re.compile(r"(?<= )>=(?= )"), ">"),
    ("condition", re.compile(r"(?<= )==(?= )"), "!="),
    ("condition", re.compile(r"(?<= )!=(?= )"), "=="),
    ("one", re.compile(r"(?<=[\w)\]]) [+-] 1(?![\w.])"), ""),
    ("arguments", re.compile(rf"(?<=\w\()({NAME}), ({NAME})(?=[,)])"), r"\2, \1"),
]
OF_C = SHARED + [
    ("condition", re.compile(r"(?<= )&&(?= )"), "||"),
    ("condition", re.compile(r"(?<= )\|\|(?= )"), "&&"),
    ("condition", re.compile(rf"(?<=if \()(!?{NAME})(?=\)$)"), r"!(\1)"),
    ("skipped", re.compile(r"(?<=for \()((?:\w+ )+\w+ = )0(?=[;,])"), r"\g<1>1"),
    ("statement", re.compile(r"(?<=^)(?!return\b|else\b|goto\b|case\b|default\b|typedef\b)"
                             r"(?:\*?[a-z_][\w.\[\]>-]*(?:\(.*\)| [-+*/|&^]?= .*)|"
                             r"[\w.\[\]>-]+(?:\+\+|--)|break|continue);$"), ";"),
]
OF_PYTHON = SHARED + [
    ("condition", re.compile(r"(?<= )and(?= )"), "or"),
    ("condition", re.compile(r"(?<= )or(?= )"), "and"),
    ("condition", re.compile(r"(?<=if )not "), ""),
]
UNSEEN = re.compile(r"\w*(?:free|clear|close|release|progress)\(|\bassert\(|^#|^def |^import ")
DECLARES = re.compile(r"^(?:static|const|struct|enum|extern|void|typedef)\b|^[\w*]+ \*?\w+\(.*;$")


class Change:
    """A line of a file, and the line that replaces it."""

    def __init__(self, number, kind, old, new):
        self.number, self.kind, self.old, self.new = number, kind, old, new

    def __repr__(self):
        return f"{self.number} {self.kind}: {self.old.strip()} -> {self.new.strip()}"


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def code_of_c(text):
    """The text with blanks for comments and for what stands in quotes: places stay the same."""
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text,
                  flags=re.S)


def code_of_python(text):
    return re.sub(r"(?:\"\"\".*?\"\"\"|'''.*?''')|#[^\n]*|\"(?:\\.|[^\"\\\n])*\"|"
                  r"'(?:\\.|[^'\\\n])*'", blank, text, flags=re.S)


def whole(code, before):
    """Whether a line is a statement by itself, not the rest of one that began above."""
    last = before.rstrip()
    return code.count("(") == code.count(")") and (
        last.endswith((";", "{", "}", ":")) or not last)


def changes(path, text, wanted=None):
    """All changes of a file, or of the lines whose numbers are wanted."""
    is_python = path.endswith(".py")
    code = (code_of_python if is_python else code_of_c)(text).split("\n")
    lines, made, before = text.split("\n"), [], ""
    for number, (line, seen) in enumerate(zip(lines, code), 1):
        above, before = before, seen if seen.strip() else before
        indent = len(line) - len(line.lstrip())
        if not seen.strip() or UNSEEN.search(seen.strip()) or (wanted and number not in wanted):
            continue
        if not is_python and (indent == 0 or DECLARES.search(seen.strip())):
            continue
        for kind, pattern, instead in OF_PYTHON if is_python else OF_C:
            if kind == "statement":
                if not whole(seen, above) or not pattern.search(seen.strip()):
                    continue
                made.append(Change(number, kind, line, " " * indent + instead))
                continue
            for found in pattern.finditer(seen.rstrip()):
                # What is in quotes is taken from the line itself: blanks have kept its place.
                part = found.expand(instead) if "\\" in instead else instead
                new = line[:found.start()] + part + line[found.end():]
                if new != line:
                    made.append(Change(number, kind, line, new))
    return made


def choose(made, most, seed):
    """So many of the changes at most: every kind has its turn, drawn by the seed."""
    draw, kinds, chosen = random.Random(seed), {}, []
    for change in made:
        kinds.setdefault(change.kind, []).append(change)
    for group in kinds.values():
        draw.shuffle(group)
    while len(chosen) < most and any(kinds.values()):
        for group in kinds.values():
            if group and len(chosen) < most:
                chosen.append(group.pop())
    return sorted(chosen, key=lambda c: (c.number, c.kind, c.new))
