"""A reader of rich models that knows docs/FORMAT.md alone: the cases it finds in a file, and the
counts beside them, are those of the data."""
import csv
import json
import random
import struct
from collections import Counter
from decimal import Decimal

from program import run, run_tests

FACTS, LABELS, KEYS, FEATURES, CASES, RICH, COUNTS, SCHEMA = 1, 2, 3, 4, 11, 18, 23, 25
HELD_OUT = 26  # optional
KINDS = "empty constant flag number date text set id category".split()
USES = ["as it is", "number", "date parts", "date parts only", "words", "members", "category",
        "left out", "as it is"]
USE_OF = {1: (3,), 2: (4,), 3: (4,), 4: (5,), 5: (6,), 8: (2, 7)}
NUMBER, CATEGORY, BAG, SPARSE = 1, 2, 3, 4
ALL_NUMBERS = {"x", "y", "n", "far", "rare"}  # keys of numbers alone, features or not


class Bytes:
    """What is left of a section."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, kind, count):
        size = struct.calcsize("<" + kind)
        values = struct.unpack_from(f"<{count}{kind}", self.data, self.at)
        self.at += size * count
        return list(values)

    def texts(self, lengths):
        out = []
        for length in lengths:
            out.append(self.data[self.at:self.at + length].decode())
            self.at += length
        return out

    def list(self, count, width):
        size = (count * width + 7) // 8
        word = int.from_bytes(self.data[self.at:self.at + size], "little")
        self.at += size
        assert word >> count * width == 0
        return [word >> i * width & (1 << width) - 1 for i in range(count)]

    def bits(self, count, most):
        return self.list(count, most.bit_length())

    def numbers(self, count):
        bits, power = self.take("B", 2)
        assert self.take("H", 1) == [0]
        base, = self.take("q", 1)
        stored = self.list(count, bits)
        if bits == 64:
            doubles = [struct.unpack("<d", struct.pack("<Q", x))[0] for x in stored]
            return [x if x == x else None for x in doubles]
        return [(base + x - 1) / 10 ** power if x else None for x in stored]

    def end(self):
        assert self.at == len(self.data), (self.at, len(self.data))


class Model:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        assert data[:8] == bytes.fromhex("89484342520D0A1A")
        version, count = struct.unpack_from("<II", data, 8)
        assert version == 3
        self.sections = {}
        for i in range(count):
            kind, flags, offset, length, _ = struct.unpack_from("<IIQQQ", data, 24 + 32 * i)
            assert flags == (kind != HELD_OUT), (kind, flags)  # bit 0: required
            self.sections[kind] = data[offset:offset + length]
        self.read_names()
        self.read_encoder()

    def read_names(self):
        facts = Bytes(self.sections[FACTS])
        self.cases, self.empty, self.occurrences = facts.take("Q", 6)[:3]
        self.feature_count, atoms, self.key_count, self.label_count, _ = facts.take("I", 5)
        numbers = facts.take("B", 4)[3]
        assert atoms == 0 and not numbers
        labels = Bytes(self.sections[LABELS])
        self.label_cases = labels.take("Q", self.label_count)
        self.totals = labels.take("d", self.label_count)
        self.labels = labels.texts(labels.take("I", self.label_count))
        keys, features = Bytes(self.sections[KEYS]), Bytes(self.sections[FEATURES])
        self.keys = keys.texts(keys.take("I", self.key_count))
        self.feature_key = features.take("I", self.feature_count)
        lengths = features.take("I", self.feature_count)
        values = features.texts([0 if x == 2 ** 32 - 1 else x for x in lengths])
        self.value = [None if x == 2 ** 32 - 1 else v for x, v in zip(lengths, values)]
        for section in (labels, keys, features):
            section.end()
        assert self.keys == sorted(self.keys, key=str.encode)
        order = [(k, v is not None, (v or "").encode()) for k, v in
                 zip(self.feature_key, self.value)]
        assert order == sorted(order)

    def read_encoder(self):
        rich = Bytes(self.sections[RICH])
        _, self.rows = rich.take("I", 2)
        triples = [rich.take("I", 3) for _ in self.keys]
        self.kind, self.values = [t[0] for t in triples], [t[2] for t in triples]
        self.cuts = [rich.take("d", t[1]) for t in triples]
        exact = [rich.take("d", t[2] if t[0] == NUMBER and t[2] <= 8 else 0) for t in triples]
        for cuts, values in zip(self.cuts, exact):
            assert not values or all(a <= c < b for a, c, b in zip(values, cuts, values[1:]))
        self.member_of, self.first_member = [], []  # (key, feature or None), by member; by key
        for k, kind in enumerate(self.kind):
            self.first_member.append(len(self.member_of))
            mine = [f for f in range(self.feature_count) if self.feature_key[f] == k]
            if kind == BAG:
                self.member_of += [(k, f) for f in mine]
            elif kind == SPARSE:
                self.member_of += [(k, None)] * (1 + len(self.cuts[k]))
        count = len(self.member_of)
        self.twin = rich.bits(count, max(count - 1, 0))
        assert all(t <= b and self.twin[t] == t for b, t in enumerate(self.twin))

    def feature(self, f):
        key, value = self.keys[self.feature_key[f]], self.value[f]
        return key, Decimal(value) if key in ALL_NUMBERS else value

    def read_cases(self):
        """The cases: label, values by key (numbers as Decimal)."""
        s = Bytes(self.sections[CASES])
        labels = s.take("I", self.cases)
        words, texts = s.take("I", 2)
        row_of = s.bits(self.cases, self.rows)
        groups, = s.take("I", 1)
        if groups:
            assert set(s.bits(self.rows, groups - 1)) == set(range(groups))
        rows = [set() for _ in range(self.rows)]
        for k, kind in enumerate(self.kind):
            if kind == CATEGORY:
                first = self.feature_key.index(k)
                for row, code in zip(rows, s.bits(self.rows, self.values[k])):
                    row |= {self.feature(first + code - 1)} if code else set()
        longest, = s.take("I", 1)
        lengths = s.bits(self.rows, longest)
        members = iter(s.bits(sum(lengths), max(len(self.member_of) - 1, 0)))
        for row, length in zip(rows, lengths):
            row |= {self.feature(self.member_of[next(members)][1]) for _ in range(length)}
        cases = [set(rows[r]) if r < self.rows else set() for r in row_of]
        numbers = [{} for _ in cases]
        for k, kind in enumerate(self.kind):
            if kind == NUMBER:
                for case, x in zip(numbers, s.numbers(self.cases)):
                    case.update({k: x} if x is not None else {})
        longest, = s.take("I", 1)
        if longest:
            lengths = s.bits(self.cases, longest)
            keys = iter(s.bits(sum(lengths), self.key_count - 1))
            whose = {k: [] for k, kind in enumerate(self.kind) if kind == SPARSE}
            for i, length in enumerate(lengths):
                for _ in range(length):
                    whose[next(keys)].append(i)
            for k, owners in whose.items():
                for i, x in zip(owners, s.numbers(len(owners))):
                    numbers[i][k] = x
        for _ in range(words):
            place, f = s.take("I", 2)
            cases[place].add(self.feature(f))
        exact = [s.take("I", 3) for _ in range(texts)]
        for (k, place, _), text in zip(exact, s.texts([x[2] for x in exact])):
            numbers[place][k] = Decimal(text)
        s.end()
        for case, mine in zip(cases, numbers):
            case |= {(self.keys[k], Decimal(repr(x)) if isinstance(x, float) else x)
                     for k, x in mine.items()}
        return [(self.labels[l], case) for l, case in zip(labels, cases)]

    def read_counts(self):
        """By value, a feature or (key, code): cases by label."""
        s = Bytes(self.sections[COUNTS])
        names = [self.feature(f) for f in range(self.feature_count)]
        for k, kind in enumerate(self.kind):
            if kind in (NUMBER, SPARSE):
                names += [(self.keys[k], code) for code in range(1, len(self.cuts[k]) + 2)]
        longest, most = s.take("I", 2)
        lengths = s.bits(len(names), longest)
        labels = s.bits(sum(lengths), self.label_count - 1)
        counts = s.bits(sum(lengths), most)
        s.end()
        found, at = Counter(), 0
        for name, length in zip(names, lengths):
            for _ in range(length):
                found[name, self.labels[labels[at]]] = counts[at]
                at += 1
        return found


def read_schema(data):
    """Columns by name, in their order, each with its fields; what section 3.25 asks is checked."""
    s = Bytes(data)
    ngrams, count = s.take("I", 2)
    assert 1 <= ngrams <= 16 and count >= 1
    lengths, columns = s.take("I", count), []
    names = "kind look bits separator mark thousands has order clock flags use said unit".split()
    for _ in range(count):
        c = dict(zip(names, s.take("B", 13)))
        text, unused = bytes(s.take("B", 23)), s.take("B", 4)
        c["values"], c["missing"], c["odd"], c["different"] = s.take("Q", 4)
        assert c["kind"] <= 8 and c["look"] <= 8 and (c["look"] == 0 or c["kind"] == 7)
        assert c["bits"] < 64 and c["mark"] in (1, 2) and c["has"] < 16 and c["order"] <= 3
        assert c["clock"] <= 3 and c["flags"] <= 4 and c["use"] <= 8 and c["said"] <= 2
        assert (c["separator"] == 9 or 0x20 <= c["separator"] <= 0x7E if c["kind"] == 6
                else c["separator"] == 0)
        assert c["thousands"] in b"\0,.' _" and c["kind"] in USE_OF.get(c["use"], range(9))
        assert c["unit"] <= 23 and text == text[:c["unit"]].ljust(23, b"\0") and not any(unused)
        assert c["missing"] + c["odd"] <= c["values"] and c["different"] <= c["values"]
        c["unit"] = text[:c["unit"]].decode()
        columns.append(c)
    columns = dict(zip(s.texts(lengths), columns))
    s.end()
    assert len(columns) == count and list(columns) == sorted(columns, key=str.encode)
    assert any(c["use"] for c in columns.values())
    return ngrams, columns


def draw(count, wide):
    """Cases as objects: dense numbers, whole and not, sparse ones, categories, words, a bag."""
    cases = []
    for i in range(count):
        x = {"label": random.choice(["a", "b", "c"]), "x": f"{random.gauss(0, 9):.3f}"}
        if random.random() < .8:
            x["y"] = repr(random.random() * 10 ** random.randrange(-30, 30))
        if random.random() < .9:
            x["n"] = str(random.randrange(5))
        if wide:
            x["far"] = str(10 ** 20 + random.randrange(50))
        if random.random() < .7:
            x["colour"] = random.choice(["red", "green", "", "blue", "007"])
        if random.random() < .05:
            x["rare"] = f"{random.randrange(100)}.5"
        x["mixed"] = random.choice(["1", "2", "2.0", "17", "many"])
        x["tags"] = random.sample(["p", "q", "r", "s", "t"], random.randrange(3))
        cases.append(x)
    return cases


def expected(case):
    """The values of an object; numbers as Decimal."""
    values = set()
    for key, value in case.items():
        for v in value if isinstance(value, list) else [value]:
            if key == "label" or v == "":
                continue
            number = key in ALL_NUMBERS or (key == "mixed" and v != "many")
            values.add((key, Decimal(v) if number else v))
    return values


def format__is_enough_to_read_what_is_kept():
    for count, wide in ((40, False), (300, True), (200, False), (1, False)):
        cases = draw(count, wide)
        with open("data.jsonl", "w", encoding="utf-8") as file:
            file.write("".join(json.dumps(x) + "\n" for x in cases))
        run("train", "data.jsonl", "--effort", "lite", "--numeric", "mixed", "-q", "-o", "m.hcbr")
        model = Model("m.hcbr")
        assert model.cases == count and model.empty == 0
        numbers = {k for k, kind in zip(model.keys, model.kind) if kind in (NUMBER, SPARSE)}
        assert count < 40 or {"x", "y", "n", "mixed"} <= numbers
        assert count < 200 or "rare" in numbers
        read, counted = model.read_cases(), Counter()
        wanted = [(x["label"], expected(x)) for x in cases]
        assert read == wanted, next((a, b) for a, b in zip(read, wanted) if a != b)
        assert model.occurrences == sum(len(values) for _, values in read)
        for label, values in read:
            for key, value in values:
                if key in numbers and isinstance(value, Decimal):  # not a word
                    cuts = model.cuts[model.keys.index(key)]
                    value = 1 + sum(c < float(value) for c in cuts)
                counted[(key, value), label] += 1
        assert model.read_counts() == counted


def format__of_none_holds_no_case():
    cases = draw(300, True)
    with open("data.jsonl", "w", encoding="utf-8") as file:
        file.write("".join(json.dumps(x) + "\n" for x in cases))
    run("train", "data.jsonl", "--effort", "lite", "--keep-cases", "none", "-q", "-o", "m.hcbr")
    model = Model("m.hcbr")
    assert CASES not in model.sections
    with open("m.hcbr", "rb") as file:
        data = file.read()
    assert not [x for x in cases if "y" in x and x["y"].encode() in data]


def messy(i):
    """A row in which each column is of another kind, and what is known of it."""
    words = "red green blue old new small large round flat warm".split()
    said = " ".join(random.choice(words) for _ in range(6)) + f" {words[i % 10]}"
    return {"label": "ab"[i % 2],
            "pay": "refused" if i == 7 else f"{i * 37 % 900 + 100},{i % 9}5 €",
            "born": "n/a" if i in (3, 4) else f"{i % 28 + 1:02d}/{i % 12 + 1:02d}/{1950 + i % 50}",
            "said": said, "tags": "; ".join(sorted(random.sample(words, 1 + i % 3))),
            "size": random.choice(["S", "M", "L"]), "same": "x", "again": str(i % 7 + .5),
            "more": str(i % 7 + .5), "mail": f"n{i}@example.org", "yes": random.choice("yn"),
            "code": str(i % 4), "left": str(random.random())}


def format__is_enough_to_read_what_columns_are():
    rows = [messy(i) for i in range(200)]
    with open("data.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)
    run("train", "data.csv", "--effort", "lite", "--ngrams", "2", "--type", "code=category",
        "--type", "left=ignore", "-q", "-o", "m.hcbr")
    ngrams, columns = read_schema(Model("m.hcbr").sections[SCHEMA])
    assert ngrams == 2 and set(columns) == set(rows[0]) - {"label"}

    def has(name, **fields):
        found = {k: columns[name][k] for k in fields}
        assert found == fields, (name, found, fields)
    has("pay", kind=3, use=1, mark=2, unit="€", values=200, odd=1, missing=0, said=0)
    has("born", kind=4, use=3, order=1, has=3, clock=0, values=200, missing=2, odd=0)
    has("said", kind=5, use=4, values=200)
    has("tags", kind=6, use=5, separator=ord(";"))
    assert columns["tags"]["bits"] & 32 and columns["pay"]["bits"] & 2 == 0
    has("size", kind=8, use=0, different=3)
    has("same", kind=1, use=7, different=1)
    has("again", kind=3, use=0, said=0)
    has("more", kind=3, use=7, said=2)
    has("mail", kind=7, look=3, use=7, said=0, different=200)  # an id
    has("yes", kind=2, use=0, flags=0)
    has("code", kind=8, use=6, said=1)
    has("left", use=7, said=1)
    shown = json.loads(run("inspect", "m.hcbr", "--json").stdout)["kinds"]
    assert [(x["name"], x["kind"], x["becomes"]) for x in shown] == [
        (name, KINDS[c["kind"]], USES[c["use"]]) for name, c in columns.items()]
    # nothing to say: no section
    with open("plain.csv", "w", encoding="utf-8") as file:
        file.write("label,size\n" + "".join(f"{x['label']},{x['size']}\n" for x in rows))
    run("train", "plain.csv", "--effort", "lite", "-q", "-o", "p.hcbr")
    assert SCHEMA not in Model("p.hcbr").sections


run_tests([format__is_enough_to_read_what_is_kept, format__of_none_holds_no_case,
           format__is_enough_to_read_what_columns_are])
