"""What a model decides by, read from the bytes of its file as docs/FORMAT.md describes them.

The library has checked these bytes: they come from `Model.to_bytes`. Numbers of sections in the
comments are those of docs/FORMAT.md.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np

VERSION = 3
UNUSED, NUMBER, CATEGORY, BAG, SPARSE = range(5)
_FACTS, _LABELS, _KEYS, _FEATURES, _ATOMS, _STRENGTHS, _RULE, _READ = range(1, 9)
_COLUMNS, _CALIBRATION, _RICH, _WEIGHTS, _CUT, _COSTS, _SCHEMA = 15, 16, 18, 20, 21, 22, 25
_IMPORTANCE = 27


class _In:
    """The bytes of a section, from the first to the last."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def array(self, dtype: str, count: int) -> Any:
        found = np.frombuffer(self.data, np.dtype(dtype), count, self.at)
        self.at += found.nbytes
        return found

    def u8(self) -> int:
        return int(self.array("u1", 1)[0])

    def u32(self) -> int:
        return int(self.array("<u4", 1)[0])

    def u64(self) -> int:
        return int(self.array("<u8", 1)[0])

    def texts(self, lengths: Any) -> list[str | None]:
        """Texts one after the other; of length 2^32 - 1: there is none."""
        found: list[str | None] = []
        for length in lengths.tolist():
            if length == 0xFFFFFFFF:
                found.append(None)
                continue
            found.append(self.data[self.at : self.at + length].decode("utf-8"))
            self.at += length
        return found

    def packed(self, count: int, width: int) -> Any:
        """Numbers of `width` bits, the lowest first, up to a whole byte."""
        size = (count * width + 7) // 8
        if width == 0 or count == 0:
            return np.zeros(count, np.int64)
        bits = np.unpackbits(self.array("u1", size), bitorder="little")[: count * width]
        return bits.reshape(count, width).astype(np.int64) @ (1 << np.arange(width))

    def bits(self, count: int, most: int) -> Any:
        return self.packed(count, most.bit_length())

    def coded(self, count: int, size: int) -> Any:
        """Coded symbols, `count` of them below `size` (3.18)."""
        out: Any = np.zeros(count, np.int64)
        if count == 0:
            return out
        longest = self.u8()
        lengths = self.packed(size, longest.bit_length())
        order = np.argsort(lengths, kind="stable")  # codes rise by length, then by symbol
        symbols = order[lengths[order] > 0].tolist()
        how_many = np.bincount(lengths, minlength=longest + 1).tolist()
        # Codes of up to `quick` bits are looked up at once, longer ones by their length: those of
        # one length are `first` and what follows it, and begin at `place` among the symbols.
        quick = min(longest, 12)
        table: list[tuple[int, int] | None] = []
        later: list[tuple[int, int, int, int]] = []
        code = place = 0
        for length in range(1, longest + 1):
            number = how_many[length]
            if length <= quick:
                for symbol in symbols[place : place + number]:
                    table += [(symbol, length)] * (1 << (quick - length))
            elif number:
                later.append((length, code, code + number, place))
            code, place = (code + number) * 2, place + number
        table += [None] * ((1 << quick) - len(table))
        word = have = used = 0
        at, data = self.at, self.data
        for i in range(count):
            if have < longest:
                word = (word & ((1 << have) - 1)) << 64 | int.from_bytes(
                    data[at : at + 8].ljust(8, b"\0"), "big"
                )
                at += 8
                have += 64
            known = table[word >> (have - quick) & ((1 << quick) - 1)]
            if known is None:
                for length, first, end, place in later:
                    bits = word >> (have - length) & ((1 << length) - 1)
                    if bits < end:
                        known = (symbols[place + bits - first], length)
                        break
            assert known
            out[i] = known[0]
            have -= known[1]
            used += known[1]
        self.at += (used + 7) // 8
        return out

    def repeated(self, count: int) -> Any:
        """Repeated numbers (3.18)."""
        size = self.u32()
        return self.array("<f8", size)[self.coded(count, size)]

    def lists(self, count: int, labels: int) -> Any:
        """Lists by label as a table: what is not listed is 0."""
        start = self.array("<u8", count + 1).astype(np.int64)
        label = self.array("<u4", int(start[-1]))
        value = self.array("<f8", int(start[-1]))
        out = np.zeros((count, labels))
        out[np.repeat(np.arange(count), np.diff(start)), label] = value
        return out


@dataclass
class Key:
    """A key of the model: a column of the data, or what was made of one."""

    name: str
    kind: int = CATEGORY
    features: list[str | None] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)  # numbers of its features
    cuts: Any = None
    column: int = -1  # of kinds 1 and 2
    member: int = -1  # of kinds 3 and 4: the first


@dataclass
class Forest:
    """Trees. A node is a test or, below 0, -1 - the number of a leaf."""

    tests: list[int]  # by node: place in `Rich.tests`, or -1 - leaf
    no: list[int]  # by node: where to go on if the test does not hold
    roots: list[int]
    leaves: int
    values: Any = None  # leaves x outputs


@dataclass
class Rich:
    outputs: int
    columns: int
    tests: Any = None  # n x 3: column, or columns + member; lo; hi
    entry: Any = None  # columns x 256: entry in `strength` by code
    strength: Any = None  # entries, then members, x outputs
    members_at: int = 0
    juries: list[Forest] = field(default_factory=list)
    starts: Any = None
    votes: Forest | None = None
    prior: Any = None  # of the votes with more than two labels
    rest: Any = None
    trust: Any = None
    bias: Any = None
    scale: float = 1.0  # of supports of several labels, ...
    power: float = 0.0  # ... which count as scale * size^-power of themselves; 0: as they are


@dataclass
class Plain:
    of: Any  # by feature: its atom
    strength: Any  # atoms x labels; of two labels, that of the second minus that of the first
    calibration: int
    maps: list[tuple[Any, Any]]  # slope and offset, or scores and probabilities
    weighed: bool  # features are not equally important


@dataclass
class Parts:
    """All that a probability follows from."""

    labels: list[str]
    keys: list[Key]
    nothing: Any  # probabilities of a case of which nothing is known
    by_probability: bool  # the most probable label is the answer
    splits: dict[str, str]
    texts: set[str]
    presences: set[str]
    joins: set[str]
    missing: list[str] | None  # None: the default list
    uses: dict[str, tuple[int, int]]  # by column: kind and use of section 25
    rich: Rich | None = None
    plain: Plain | None = None


def _sections(data: bytes) -> dict[int, bytes]:
    version, count = struct.unpack_from("<II", data, 8)
    if version != VERSION:
        raise NotImplementedError(f"a model of format {version}; {VERSION} was expected")
    found = {}
    for i in range(count):
        kind, _, offset, length, _ = struct.unpack_from("<IIQQQ", data, 24 + 32 * i)
        found[kind] = data[offset : offset + length]
    return found


def _read_keys(sections: dict[int, bytes], features: int, keys: int, numbers: bool) -> list[Key]:
    source = _In(sections[_FEATURES])
    if numbers:
        names = [str(n) for n in source.array("<u4", features).tolist()]
        return [Key(name, features=["1"], ids=[i]) for i, name in enumerate(names)]
    of, lengths = source.array("<u4", features), source.array("<u4", features)
    values = source.texts(lengths)
    source = _In(sections[_KEYS])
    made = [Key(str(name)) for name in source.texts(source.array("<u4", keys))]
    for number, (key, value) in enumerate(zip(of.tolist(), values)):
        made[key].ids.append(number)
        made[key].features.append(value)
    return made


def _read_forests(source: _In, count: int, width: int) -> tuple[Any, list[Forest]]:
    sizes = [(source.u32(), source.u32()) for _ in range(count)]
    tests = source.u32()
    found = np.stack(
        [
            source.packed(tests, max(width - 1, 0).bit_length()),
            source.packed(tests, 8),
            source.packed(tests, 8),
        ],
        axis=1,
    )
    symbols = source.coded(sum(nodes for _, nodes in sizes), tests + 1).tolist()
    forests, at = [], 0
    for trees, nodes in sizes:
        forests.append(_walk(symbols[at : at + nodes], trees))
        at += nodes
    return found, forests


def _walk(symbols: list[int], trees: int) -> Forest:
    """Trees in the order in which they are walked: a test waits until its first branch ends."""
    forest = Forest([], [0] * len(symbols), [], 0)
    waiting: list[int] = []
    root = True
    for node, symbol in enumerate(symbols):
        if root:
            forest.roots.append(node)
            root = False
        if symbol:
            forest.tests.append(symbol - 1)
            waiting.append(node)
            continue
        forest.tests.append(-1 - forest.leaves)
        forest.leaves += 1
        if waiting:
            forest.no[waiting.pop()] = node + 1
        else:
            root = True
    assert len(forest.roots) == trees
    return forest


def _read_rich(data: bytes, keys: list[Key], labels: int) -> tuple[Rich, Any]:
    source = _In(data)
    families, _ = source.u32(), source.u32()
    shape = source.array("<u4", 3 * len(keys)).reshape(-1, 3).tolist()
    cuts = source.array("<f8", sum(cuts for _, cuts, _ in shape))
    source.array("<f8", sum(values for kind, _, values in shape if kind == NUMBER and values <= 8))
    columns = members = at = 0
    for key, (kind, count, _) in zip(keys, shape):
        key.kind, key.cuts = kind, cuts[at : at + count]
        at += count
        if kind in (NUMBER, CATEGORY):
            key.column = columns
            columns += 1
        elif kind in (BAG, SPARSE):
            key.member = members
            members += len(key.features) if kind == BAG else 1 + count
    source.bits(members, max(members - 1, 0))
    rich = Rich(1 if labels == 2 else labels, columns)
    if families & 1:
        place = source.array("<u4", columns + 1).astype(np.int64)
        entry = source.array("u1", columns * 256).reshape(columns, 256)
        rich.entry = entry + place[:-1, None]
        rich.members_at = int(place[-1])
        size = rich.members_at + members
        rich.strength = (
            source.lists(size, labels)
            if families & 8
            else source.array("<f8", size * rich.outputs).reshape(size, rich.outputs)
        )
    count = (5 if families & 2 else 0) + (1 if families & 4 else 0)
    if count:
        rich.tests, forests = _read_forests(source, count, columns + members)
        if families & 2:
            rich.juries = forests[:5]
            rich.starts = source.array("<f8", 5 * rich.outputs).reshape(5, rich.outputs)
            for jury in rich.juries:
                values = source.array("<f8", jury.leaves * rich.outputs)
                jury.values = values.reshape(jury.leaves, rich.outputs)
        if families & 4:
            rich.votes = forests[-1]
            _read_votes(source, rich, rich.votes, labels)
    rich.trust = np.where([families & 1, families & 2, families & 4], source.array("<f8", 3), 0)
    rich.bias = source.array("<f8", rich.outputs)
    empty = source.array("<f8", labels) if families & 16 else None
    if families & 32:
        rich.scale, rich.power = source.array("<f8", 2).tolist()
    return rich, empty


def _read_votes(source: _In, rich: Rich, votes: Forest, labels: int) -> None:
    if labels == 2:
        votes.values = source.repeated(votes.leaves).reshape(-1, 1)
        return
    rich.prior = source.array("<f8", labels)
    rich.rest = source.repeated(votes.leaves)
    lengths = source.coded(votes.leaves, source.u32() + 1)
    label = source.coded(int(lengths.sum()), labels)
    votes.values = np.zeros((votes.leaves, labels))
    votes.values[np.repeat(np.arange(votes.leaves), lengths), label] = source.repeated(len(label))


def _read_plain(sections: dict[int, bytes], features: int, atoms: int, labels: int) -> Plain:
    of = _In(sections[_ATOMS]).array("<u4", features)
    source = _In(sections[_STRENGTHS])
    if labels == 2:
        strength = source.array("<f8", atoms).reshape(-1, 1)
    else:
        entries = struct.unpack_from("<Q", sections[_FACTS], 32)[0]
        value, label = source.array("<f8", entries), source.array("<u4", entries)
        source.array("<u4", entries)
        strength = np.zeros((atoms, labels))
        strength[np.repeat(np.arange(atoms), source.array("<u4", atoms)), label] = value
    source = _In(sections.get(_CALIBRATION, bytes(8)))
    kind, count = source.u32(), source.u32()
    maps = []
    for _ in range(count):
        knots = source.u64() if kind == 2 else 1
        maps.append((source.array("<f8", knots), source.array("<f8", knots)))
    return Plain(of, strength, kind, maps, _IMPORTANCE in sections)


def _read_schema(data: bytes | None) -> dict[str, tuple[int, int]]:
    if data is None:
        return {}
    source = _In(data)
    _, count = source.u32(), source.u32()
    lengths = source.array("<u4", count)
    kinds = source.array("u1", 72 * count).reshape(count, 72)
    names = source.texts(lengths)
    return {str(name): (int(row[0]), int(row[10])) for name, row in zip(names, kinds)}


def read(data: bytes) -> Parts:
    """The parts of a model from the bytes of its file."""
    sections = _sections(data)
    facts = struct.unpack_from("<6Q5I4B", sections[_FACTS])
    features, atoms, keys, labels = facts[6:10]
    source = _In(sections[_LABELS])
    weight: Any = source.array("<u8", labels).astype(np.float64)
    source.array("<f8", labels)
    names = [str(name) for name in source.texts(source.array("<u4", labels))]
    if _WEIGHTS in sections:
        weight = _In(sections[_WEIGHTS]).array("<f8", labels)
    nothing = weight / weight.sum()

    source = _In(sections[_RULE])
    thresholds = source.array("<f8", 2 * labels)
    source.array("<i4", labels)
    on_nothing, memory = source.array("<i4", 1)[0], source.u32()
    own_rule = bool(thresholds.any() or memory or {_CUT, _COSTS} & set(sections))

    source = _In(sections[_READ])
    flags, _, ignored, missing = (source.u32() for _ in range(4))
    before = 1 + sum(bool(flags & bit) for bit in (2, 8, 64)) + ignored
    said = source.texts(source.array("<u4", before + missing))
    splits: list[Any] = []
    texts: list[Any] = []
    presences: list[Any] = []
    joins: list[Any] = []
    if _COLUMNS in sections:
        source = _In(sections[_COLUMNS])
        counts = [source.u32() for _ in range(5)][1:]
        sizes = [2 * counts[0], counts[1], counts[2], 2 * counts[3]]
        columns = source.texts(source.array("<u4", sum(sizes)))
        ends = np.cumsum([0, *sizes])
        splits, texts, presences, joins = (columns[a:b] for a, b in zip(ends, ends[1:]))
    parts = Parts(
        labels=names,
        keys=_read_keys(sections, features, keys, bool(facts[14])),
        nothing=nothing,
        by_probability=not own_rule and on_nothing == -3,
        splits=dict(zip(splits[::2], splits[1::2])),
        texts=set(texts),
        presences=set(presences),
        joins=set(joins[::2]),
        missing=[str(one) for one in said[before:]] if flags & 4 else None,
        uses=_read_schema(sections.get(_SCHEMA)),
    )
    if _RICH in sections:
        parts.rich, empty = _read_rich(sections[_RICH], parts.keys, labels)
        if empty is not None:
            parts.nothing = (empty + 5 * nothing) / (empty.sum() + 5)
    else:
        parts.plain = _read_plain(sections, features, atoms, labels)
    return parts
