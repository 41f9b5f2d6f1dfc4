"""Graphs of ONNX as bytes.

Written here and not with the package onnx: the few messages that a model needs take a page, and
nobody has to install anything to write one. Numbers of fields are those of onnx.proto.
"""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

FLOAT, UINT8, INT64, STRING, BOOL, DOUBLE = 1, 2, 7, 8, 9, 11
_TYPES = {"float32": FLOAT, "uint8": UINT8, "int64": INT64, "bool": BOOL, "float64": DOUBLE}
_IR_VERSION = 10
_OPSETS = (("", 21), ("ai.onnx.ml", 5))
ROWS = "rows"


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _varints(values: list[int]) -> bytes:
    """Whole numbers from 0 on, one after the other."""
    left = np.array(values, np.uint64)[:, None] >> np.arange(0, 63, 7, dtype=np.uint64)
    used = left > 0
    used[:, 0] = True
    more = np.concatenate([used[:, 1:], np.zeros((len(left), 1), bool)], axis=1)
    coded = (left & np.uint64(0x7F)).astype(np.uint8) | (more << 7).astype(np.uint8)
    return bytes(coded[used].tobytes())


def _int(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes | str) -> bytes:
    data = value.encode("utf-8") if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _tensor(values: Any, name: str = "") -> bytes:
    head = b"".join(_int(1, size) for size in values.shape)
    if values.dtype.kind in "OU":
        data = b"".join(_bytes(6, text) for text in values.ravel().tolist())
        return head + _int(2, STRING) + data + _bytes(8, name)
    plain = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
    kind = _TYPES[values.dtype.name]
    return head + _int(2, kind) + _bytes(8, name) + _bytes(9, plain.tobytes())


def _attribute(name: str, value: Any) -> bytes:
    """A whole number, a text, an array of whole numbers or texts, or a tensor."""
    if isinstance(value, int):
        said = _int(3, value) + _int(20, 2)
    elif isinstance(value, str):
        said = _bytes(4, value) + _int(20, 3)
    elif isinstance(value, list) and value and isinstance(value[0], str):
        said = b"".join(_bytes(9, text) for text in value) + _int(20, 8)
    elif isinstance(value, list):
        said = _bytes(8, _varints(value)) + _int(20, 7)
    else:
        said = _bytes(5, _tensor(value)) + _int(20, 4)
    return _bytes(1, name) + said


def _value(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    sizes = b"".join(
        _bytes(1, _bytes(2, size) if isinstance(size, str) else _int(1, size)) for size in shape
    )
    return _bytes(1, name) + _bytes(2, _bytes(1, _int(1, kind) + _bytes(2, sizes)))


class Graph:
    """A graph that grows. What `add` gives are names of results, to be given to `add` again."""

    def __init__(self, taken: Sequence[str]) -> None:
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []
        self._inputs: list[bytes] = []
        self._outputs: list[bytes] = []
        self._taken = set(taken)
        self._count = 0

    def _new_name(self) -> str:
        while True:
            self._count += 1
            name = f"_{self._count}"
            if name not in self._taken:
                return name

    def constant(self, values: Any) -> str:
        name = self._new_name()
        self._constants.append(_tensor(np.asarray(values), name))
        return name

    def input(self, name: str, kind: int) -> str:
        self._inputs.append(_value(name, kind, (ROWS, 1)))
        return name

    def add(self, operator: str, *inputs: Any, domain: str = "", **attributes: Any) -> str:
        """A node with one result; an input that is no name is a constant."""
        names = [one if isinstance(one, str) else self.constant(one) for one in inputs]
        result = self._new_name()
        self._node(operator, names, result, domain, attributes)
        return result

    def _node(
        self, operator: str, names: list[str], result: str, domain: str, attributes: dict[str, Any]
    ) -> None:
        said = b"".join(_bytes(1, name) for name in names) + _bytes(2, result)
        said += _bytes(3, f"{operator}{result}") + _bytes(4, operator)
        said += b"".join(_bytes(5, _attribute(k, v)) for k, v in attributes.items())
        self._nodes.append(said + (_bytes(7, domain) if domain else b""))

    def output(self, name: str, result: str, kind: int, shape: Sequence[int | str]) -> None:
        self._node("Identity", [result], name, "", {})
        self._outputs.append(_value(name, kind, shape))

    def to_bytes(self, version: str, about: dict[str, str]) -> bytes:
        parts = ((1, self._nodes), (5, self._constants), (11, self._inputs), (12, self._outputs))
        graph = b"".join(_bytes(field, one) for field, all in parts for one in all)
        opsets = (_bytes(8, _bytes(1, name) + _int(2, number)) for name, number in _OPSETS)
        props = (_bytes(14, _bytes(1, key) + _bytes(2, text)) for key, text in about.items())
        head = _int(1, _IR_VERSION) + _bytes(2, "hcbr") + _bytes(3, version)
        return head + b"".join(opsets) + _bytes(7, graph + _bytes(2, "hcbr")) + b"".join(props)
