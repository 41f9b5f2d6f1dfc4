"""A model as a graph of ONNX: the same probabilities, without the past cases.

Every column is an input, and becomes a code: 0 if nothing is known, else the number of its
interval or of its value. Tables of strengths and tests of trees look at codes alone. Sums are of
doubles, as the library's are.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

import numpy as np

from . import _hcbr
from ._file import BAG, CATEGORY, NUMBER, SPARSE, UNUSED, Forest, Key, Parts, Plain, Rich, read
from ._protobuf import DOUBLE, INT64, ROWS, STRING, Graph

_ABSENT = 1e9  # a code above all others, for tests that begin at the first
_ML = "ai.onnx.ml"
_LEAST_SIZE = 2.0**-200  # of supports that are not all equal
_LARGEST = 1 << 30  # bytes of a table: a message of protobuf ends at 2 GB
_NUMERAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_CODE = re.compile(r"[+-]?0[0-9]")
_EQUAL, _AT_MOST, _AT_LEAST = 4, 0, 2  # modes of a test in TreeEnsemble

_DATE, _WORDS, _MEMBERS = (2, 3), 4, 5  # uses of a column, docs/FORMAT.md 3.25


# ---- what can be said ------------------------------------------------------------------------


def _refuse(column: str, what: str, cure: str) -> Any:
    raise _hcbr.UsageError(f"ONNX cannot say column {column!r}: {what}; {cure}")


def _leave_out(column: str) -> str:
    return f"leave it out (ignore=[{column!r}])"


def _check(parts: Parts) -> None:
    """Refuse what no input of one number or one text can give."""
    if len(parts.labels) < 2:
        raise _hcbr.UsageError("ONNX: a model of one label decides nothing")
    keys = [key for key in parts.keys if key.kind != UNUSED]
    for key in keys:
        for column in _owners(key.name):
            use = parts.uses.get(column, (0, 0))[1]
            if column in parts.texts or use == _WORDS:
                _refuse(column, "it holds texts", _leave_out(column))
            if column in parts.splits or use == _MEMBERS:
                _refuse(column, "it holds sets", _leave_out(column))
            if use in _DATE:
                cure = "give its parts as columns of numbers, or " + _leave_out(column)
                _refuse(column, "it holds dates", cure)
        source = key.name.split(".")[0]
        if source in parts.joins:
            _refuse(key.name, "it comes from another source", "join the data before training")
        if None in key.features:
            _refuse(key.name, "it is present or absent, without a value", "give it a value")


def _owners(name: str) -> list[str]:
    """The columns that a key may have been made of: `when: month` of `when`."""
    places = [i for i, char in enumerate(name) if char == ":"]
    return [name, *(name[:i] for i in places)]


def _is_number(text: str | None) -> bool:
    return bool(
        text and _NUMERAL.match(text) and not _CODE.match(text) and math.isfinite(float(text))
    )


def _numbers_of(key: Key) -> Any:
    """The features of a key as numbers, if all of them are; else None."""
    texts = [str(text) for text in key.features]
    if not all(map(_is_number, texts)):
        return None
    values = [float(text) for text in texts]
    for text, value in zip(texts, values):
        if Decimal(text) != Decimal(repr(value)):
            _refuse(key.name, f"no double is {text}", "put a letter before its values")
    return np.array(values)


# ---- codes -------------------------------------------------------------------------------------


class _Codes:
    """The codes of a case: an int64 for each key."""

    def __init__(self, graph: Graph, keys: list[Key]) -> None:
        self.keys = keys
        self.most = [_code_count(key) for key in keys]
        found = [self._code(graph, key) for key in keys]
        self.all = graph.add("Concat", *(code for code, _ in found), axis=1)
        self.given = graph.add("Concat", *(given for _, given in found), axis=1)

    def _code(self, graph: Graph, key: Key) -> tuple[str, str]:
        """The code of a key, rows x 1, and whether a value is given."""
        if key.kind in (NUMBER, SPARSE):
            value = graph.input(key.name, DOUBLE)
            finite = _finite(graph, value)
            above = graph.add("Greater", value, key.cuts.reshape(1, -1))
            count = graph.add("ReduceSum", _whole(graph, above), np.array([1]), keepdims=1)
            code = graph.add("Add", count, np.array([1]))
            return graph.add("Where", finite, code, np.array([0])), finite
        codes = np.arange(1, len(key.features) + 1)
        numbers = _numbers_of(key)
        if numbers is None:
            value = graph.input(key.name, STRING)
            code = graph.add(
                "LabelEncoder", value, domain=_ML, keys_strings=[str(t) for t in key.features],
                values_int64s=codes.tolist(), default_int64=0,
            )
            return code, graph.add("Not", graph.add("Equal", value, np.array([""], object)))
        value = graph.input(key.name, DOUBLE)
        found = graph.add(
            "LabelEncoder", value, domain=_ML, keys_tensor=numbers,
            values_tensor=codes.astype(np.float64), default_tensor=np.zeros(1),
        )
        return graph.add("Cast", found, to=INT64), _finite(graph, value)


def _code_count(key: Key) -> int:
    """The largest code of a key."""
    return len(key.cuts) + 1 if key.kind in (NUMBER, SPARSE) else len(key.features)


def _finite(graph: Graph, value: str) -> str:
    """Is it a number? What is not finite is missing."""
    return graph.add("Less", graph.add("Abs", value), np.array(np.inf))


def _whole(graph: Graph, what: str) -> str:
    return graph.add("Cast", what, to=INT64)


def _add_up(graph: Graph, codes: _Codes, tables: list[Any]) -> str:
    """The sum over keys of the row of its table that its code names: rows x outputs."""
    starts = np.cumsum([0] + [len(table) for table in tables])
    places = graph.add("Add", codes.all, starts[:-1].reshape(1, -1))
    found = graph.add("Gather", np.concatenate(tables), places, axis=0)
    return graph.add("ReduceSum", found, np.array([1]), keepdims=0)


# ---- rich models -------------------------------------------------------------------------------


def _atom_table(rich: Rich, key: Key) -> Any:
    """Strengths of the tests of a key that hold, by code."""
    if key.kind in (NUMBER, CATEGORY):
        return rich.strength[rich.entry[key.column, : _code_count(key) + 1]]
    first = rich.members_at + key.member
    rows = rich.strength[first : first + _code_count(key)]
    rows = np.cumsum(rows, axis=0) if key.kind == SPARSE else rows
    return np.concatenate([np.zeros((1, rich.outputs)), rows])


class _Tests:
    """The tests of a model, each as one comparison of one column of a matrix of doubles."""

    def __init__(self, graph: Graph, codes: _Codes, rich: Rich) -> None:
        self.feature: list[int] = []
        self.mode: list[int] = []
        self.split: list[float] = []
        size = len(codes.keys)
        ranges: list[tuple[int, int, int]] = []
        places, members = self._places(codes)
        for test, low, high in rich.tests.tolist():
            if test < rich.columns:
                place = places[test]
            else:
                place, low, high = members[test - rich.columns]
            most = codes.most[place]
            if low == high and low <= most:
                self._put(place, _EQUAL, low)
            elif high >= most:
                self._put(place, _AT_LEAST, low)
            elif low <= 1:
                self._put(place + (size if low else 0), _AT_MOST, high)
            else:
                self._put(2 * size + len(ranges), _AT_LEAST, 1)
                ranges.append((place, low, high))
        self.matrix = self._matrix(graph, codes, ranges)

    def _put(self, feature: int, mode: int, split: float) -> None:
        self.feature.append(feature)
        self.mode.append(mode)
        self.split.append(float(split))

    @staticmethod
    def _places(codes: _Codes) -> tuple[dict[int, int], dict[int, tuple[int, int, int]]]:
        """Where a column stands; of a member, the codes that mean that it is there."""
        places: dict[int, int] = {}
        members: dict[int, tuple[int, int, int]] = {}
        for place, key in enumerate(codes.keys):
            most = codes.most[place]
            if key.kind in (NUMBER, CATEGORY):
                places[key.column] = place
            for n in range(most if key.kind in (BAG, SPARSE) else 0):
                last = n + 1 if key.kind == BAG else most
                members[key.member + n] = (place, n + 1, last)
        return places, members

    @staticmethod
    def _matrix(graph: Graph, codes: _Codes, ranges: list[tuple[int, int, int]]) -> str:
        """Codes; codes with absent ones above all others; and whether ranges hold."""
        plain = graph.add("Cast", codes.all, to=DOUBLE)
        absent = graph.add("Equal", codes.all, np.array([0]))
        blocks = [plain, graph.add("Where", absent, np.array([_ABSENT]), plain)]
        if ranges:
            asked = np.array(ranges)
            of = graph.add("Gather", codes.all, asked[:, 0], axis=1)
            above = graph.add("GreaterOrEqual", of, asked[None, :, 1])
            below = graph.add("LessOrEqual", of, asked[None, :, 2])
            blocks.append(graph.add("Cast", graph.add("And", above, below), to=DOUBLE))
        return graph.add("Concat", *blocks, axis=1)


def _trees(tests: _Tests, forest: Forest) -> tuple[dict[str, Any], Any]:
    """The attributes of TreeEnsemble but for leaves: nodes are tests alone. And which leaf of the
    forest each leaf is.

    onnxruntime 1.23 takes a node whose branches have the same number for a leaf of its own number,
    whatever they are. So no node has such branches.
    """
    number = {node: i for i, node in enumerate(n for n, t in enumerate(forest.tests) if t >= 0)}
    asked: list[int] = []
    yes: list[tuple[int, int]] = []
    no: list[tuple[int, int]] = []
    roots: list[int] = []
    leaves = list(range(forest.leaves))

    def end(node: int) -> tuple[int, int]:
        test = forest.tests[node]
        return (number[node], 0) if test >= 0 else (-1 - test, 1)

    for node in number:
        asked.append(forest.tests[node])
        yes.append(end(node + 1))
        no.append(end(forest.no[node]))
    for root in forest.roots:
        if forest.tests[root] >= 0:
            roots.append(number[root])
            continue
        roots.append(len(asked))  # a leaf alone: a test whose branches say the same
        asked.append(0)
        yes.append(end(root))
        no.append((len(leaves), 1))
        leaves.append(end(root)[0])
    before = _free_step(yes, no)
    yes, no = ([(place + leaf * before, leaf) for place, leaf in ends] for ends in (yes, no))
    return {
        "n_targets": 1,
        "nodes_featureids": [tests.feature[test] for test in asked],
        "nodes_modes": np.array([tests.mode[test] for test in asked], np.uint8),
        "nodes_splits": np.array([tests.split[test] for test in asked]),
        "nodes_truenodeids": [place for place, _ in yes],
        "nodes_trueleafs": [leaf for _, leaf in yes],
        "nodes_falsenodeids": [place for place, _ in no],
        "nodes_falseleafs": [leaf for _, leaf in no],
        "tree_roots": roots,
    }, np.array([0] * before + leaves)


def _free_step(yes: list[tuple[int, int]], no: list[tuple[int, int]]) -> int:
    """How far leaves must be moved so that no leaf has the number of the node beside it."""
    taken = {a - b if leaf else b - a for (a, other), (b, leaf) in zip(yes, no) if leaf != other}
    step = 0
    while step in taken:
        step += 1
    return step


def _tree_of_leaf(forest: Forest) -> Any:
    """The tree that each leaf is of."""
    is_leaf = np.array(forest.tests) < 0
    starts: Any = np.zeros(len(forest.tests), np.int64)
    starts[forest.roots] = 1
    return (np.cumsum(starts) - 1)[is_leaf]


def _sum_leaves(graph: Graph, tests: _Tests, forest: Forest, values: Any) -> str:
    """The sum over trees of what the leaf of a case says: rows x outputs.

    A leaf of TreeEnsemble says one number. Where it is to say several, it says which one of its
    tree it is, and what it says is looked up.
    """
    outputs = values.shape[1]
    if not forest.roots:
        return graph.constant(np.zeros((1, outputs)))
    if values.nbytes > _LARGEST:
        raise _hcbr.UsageError(
            f"ONNX: {values.shape[0]} leaves for {outputs} labels are more than a file can hold"
        )
    said, leaves = _trees(tests, forest)
    if outputs == 1:
        return graph.add(
            "TreeEnsemble", tests.matrix, domain=_ML, leaf_targetids=[0] * len(leaves),
            leaf_weights=values[leaves, 0], **said,
        )
    said["n_targets"] = len(forest.roots)
    leaf = graph.add(
        "TreeEnsemble", tests.matrix, domain=_ML,
        leaf_targetids=_tree_of_leaf(forest)[leaves].tolist(),
        leaf_weights=leaves.astype(np.float64), **said,
    )
    found = graph.add("Gather", values, _whole(graph, leaf), axis=0)
    return graph.add("ReduceSum", found, np.array([1]), keepdims=0)


def _boosted(graph: Graph, tests: _Tests, rich: Rich) -> str:
    total = graph.constant(rich.starts.sum(axis=0, keepdims=True))
    for jury in rich.juries:
        total = graph.add("Add", total, _sum_leaves(graph, tests, jury, jury.values))
    return graph.add("Div", total, np.array(float(len(rich.juries))))


def _voted(graph: Graph, tests: _Tests, rich: Rich, votes: Forest) -> str:
    values = votes.values
    if rich.prior is not None:
        values = values + rich.rest[:, None] * rich.prior
    total = _sum_leaves(graph, tests, votes, values)
    share = graph.add("Div", total, np.array(float(len(votes.roots))))
    if rich.outputs == 1:
        return graph.add("Log", graph.add("Div", share, graph.add("Sub", np.array(1.0), share)))
    logs = graph.add("Log", share)
    return graph.add("Sub", logs, graph.add("ReduceMean", logs, np.array([1]), keepdims=1))


def _rich(graph: Graph, codes: _Codes, rich: Rich) -> str:
    """Probabilities of a rich model: rows x labels."""
    support = graph.constant(rich.bias.reshape(1, -1))

    def add(family: int, part: str) -> str:
        return graph.add("Add", support, graph.add("Mul", part, np.array(rich.trust[family])))

    if rich.trust[0]:
        support = add(0, _add_up(graph, codes, [_atom_table(rich, key) for key in codes.keys]))
    if rich.trust[1] or rich.trust[2]:
        tests = _Tests(graph, codes, rich)
        if rich.trust[1]:
            support = add(1, _boosted(graph, tests, rich))
        if rich.trust[2] and rich.votes:
            support = add(2, _voted(graph, tests, rich, rich.votes))
    if rich.outputs > 1:
        return _softmax(graph, support, rich.scale, rich.power)
    both = graph.add("Concat", graph.add("Neg", support), support, axis=1)
    return _logistic(graph, both)


def _softmax(graph: Graph, support: str, scale: float, power: float) -> str:
    most = graph.add("ReduceMax", support, np.array([1]), keepdims=1)
    below = graph.add("Sub", support, most)
    if power:
        below = graph.add("Mul", below, _flatter(graph, support, scale, power))
    return _shares(graph, graph.add("Exp", below))


def _flatter(graph: Graph, support: str, scale: float, power: float) -> str:
    """What supports are multiplied by, rows x 1: scale * size^-power (docs/FORMAT.md 3.18)."""
    mean = graph.add("ReduceMean", support, np.array([1]), keepdims=1)
    apart = graph.add("Sub", support, mean)
    square = graph.add("ReduceMean", graph.add("Mul", apart, apart), np.array([1]), keepdims=1)
    size = graph.add("Sqrt", square)
    alike = graph.add("Less", size, np.array(_LEAST_SIZE))
    size = graph.add("Where", alike, np.array(1.0), size)
    by = graph.add("Exp", graph.add("Mul", graph.add("Log", size), np.array(-power)))
    return graph.add("Where", alike, np.array(1.0), graph.add("Mul", by, np.array(scale)))


def _shares(graph: Graph, parts: str) -> str:
    return graph.add("Div", parts, graph.add("ReduceSum", parts, np.array([1]), keepdims=1))


def _logistic(graph: Graph, score: str) -> str:
    # Spelled out: Sigmoid may be an approximation.
    power = graph.add("Exp", graph.add("Neg", score))
    return graph.add("Div", np.array(1.0), graph.add("Add", np.array(1.0), power))


# ---- plain models ------------------------------------------------------------------------------


def _plain(graph: Graph, codes: _Codes, plain: Plain, labels: int) -> str:
    """Probabilities of a calibrated plain model: rows x labels."""
    if not plain.calibration:
        raise _hcbr.UsageError(
            "ONNX: a plain model without probabilities; train it with calibrate='platt'"
        )
    if plain.weighed:
        raise _hcbr.UsageError(
            "ONNX: a plain model whose features are not equally important (importance)"
        )
    nothing = np.zeros((1, plain.strength.shape[1]))
    tables = []
    for key in codes.keys:
        tables.append(np.concatenate([nothing, plain.strength[plain.of[key.ids]]]))
    total = _add_up(graph, codes, tables)
    given = graph.add("Cast", codes.given, to=DOUBLE)
    size = graph.add("ReduceSum", given, np.array([1]), keepdims=1)
    support = graph.add("Div", total, graph.add("Max", size, np.array(1.0)))
    if labels == 2:
        second = _map(graph, plain.calibration, plain.maps[0], support)
        return graph.add("Concat", graph.add("Sub", np.array(1.0), second), second, axis=1)
    parts = []
    for label, one in enumerate(plain.maps):
        own = graph.add("Gather", support, np.array([label]), axis=1)
        others = np.array([n for n in range(labels) if n != label])
        most = graph.add(
            "ReduceMax", graph.add("Gather", support, others, axis=1), np.array([1]), keepdims=1
        )
        parts.append(_map(graph, plain.calibration, one, graph.add("Sub", own, most)))
    return _shares(graph, graph.add("Concat", *parts, axis=1))


def _map(graph: Graph, kind: int, one: tuple[Any, Any], score: str) -> str:
    """From a score to a probability: rows x 1."""
    x, p = one
    if kind == 1:
        return _logistic(graph, graph.add("Add", graph.add("Mul", score, x), p))
    if len(x) == 0:
        return graph.add("Add", graph.add("Mul", score, np.array(0.0)), np.array(0.5))
    # Knots up to the score; on a line from the last of them to the next.
    passed = _whole(graph, graph.add("GreaterOrEqual", score, x.reshape(1, -1)))
    place = graph.add("ReduceSum", passed, np.array([1]), keepdims=1)
    steps = np.diff(x)
    slopes = np.concatenate([[0.0], np.diff(p) / np.where(steps > 0, steps, 1), [0.0]])
    from_x = graph.add("Gather", np.concatenate([[x[0]], x]), place, axis=0)
    from_p = graph.add("Gather", np.concatenate([[p[0]], p]), place, axis=0)
    way = graph.add("Sub", score, from_x)
    rise = graph.add("Mul", graph.add("Gather", slopes, place, axis=0), way)
    return graph.add("Add", from_p, rise)


# ---- the whole ---------------------------------------------------------------------------------


def make(core: _hcbr.Model, classes: Any, order: Any) -> bytes:
    """The bytes of a file of ONNX.

    classes and order are those of an estimator: the class that each label of the model is.
    """
    parts = read(core.to_bytes())
    _check(parts)
    keys = [key for key in parts.keys if key.kind != UNUSED]
    if not keys:
        raise _hcbr.UsageError("ONNX: a model without columns has no inputs")
    outputs = ("label", "probability")
    names = {key.name for key in keys}
    for name in names & set(outputs):
        _refuse(name, "an output has this name", "give the column another one")
    graph = Graph([*names, *outputs])
    codes = _Codes(graph, keys)
    labels = len(parts.labels)
    if parts.rich:
        found = _rich(graph, codes, parts.rich)
    else:
        assert parts.plain
        found = _plain(graph, codes, parts.plain, labels)
    known = graph.add("ReduceMax", codes.all, np.array([1]), keepdims=1)
    known = graph.add("Greater", known, np.array([0]))
    found = graph.add("Where", known, found, parts.nothing.reshape(1, -1))
    said: Any = np.array(parts.labels, object)
    if classes is not None:
        found = _by_class(graph, found, np.asarray(order), len(classes))
        said = np.asarray(classes)
        whole = said.dtype.kind in "iu"
        said = said.astype(np.int64) if whole else np.array([str(one) for one in said], object)
    graph.output("probability", found, DOUBLE, (ROWS, len(said)))
    if parts.by_probability:
        best = graph.add("ArgMax", found, axis=1, keepdims=0)
        kind = INT64 if said.dtype.kind == "i" else STRING
        graph.output("label", graph.add("Gather", said, best, axis=0), kind, (ROWS,))
    about = {"labels": "\n".join(map(str, said)), "hcbr": _hcbr.version}
    return graph.to_bytes(_hcbr.version, about)


def write(data: bytes, path: Any) -> bytes:
    """The bytes, which are also written to a file if a path is given."""
    if path is not None:
        with open(path, "wb") as file:
            file.write(data)
    return data


def _by_class(graph: Graph, found: str, order: Any, count: int) -> str:
    """Columns by class; those of classes that no case has are 0."""
    if np.array_equal(order, np.arange(count)):
        return found
    place = np.full(count, len(order))
    place[order] = np.arange(len(order))
    none = graph.add("Mul", graph.add("Gather", found, np.array([0]), axis=1), np.array(0.0))
    return graph.add("Gather", graph.add("Concat", found, none, axis=1), place, axis=1)
