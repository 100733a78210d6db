"""A part of a shard as bytes, so that opening it again is little more than reading it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memweaver.adapters.shard.arrays import Floats, Table
from memweaver.adapters.shard.part import MENTION, ROW, Part
from memweaver.adapters.shard.postings import Postings
from memweaver.adapters.shard.strings import Strings

FORMAT = 2
"""Raised whenever rows, words or flags are made otherwise: older segments are then made anew."""
ALIGNMENT = 64
LENGTH = 8

AMENDMENT = np.dtype(
    [
        ("record", np.uint64),
        ("revision", np.int32),
        ("ordinal", np.int32),
        ("flags", np.uint8),
    ]
)


@dataclass(frozen=True, slots=True)
class Amendments:
    """Vectors that rows of earlier segments got, or lost, later."""

    which: Table
    vectors: Floats

    def __len__(self) -> int:
        return len(self.which)


@dataclass(frozen=True, slots=True)
class Maker:
    """Who made a segment. Segments made otherwise are of no use, and never misread."""

    model: str
    language: str

    def to_bytes(self, part: Part, amendments: Amendments) -> bytes:
        arrays = dict(_arrays(part, amendments))
        places, position = {}, 0
        for name, array in arrays.items():
            places[name] = [array.dtype.str, array.shape, position]
            position += _padded(array.nbytes)
        head = json.dumps(self._head() | {"names": part.names, "arrays": places}).encode()
        head = head.ljust(_padded(LENGTH + len(head)) - LENGTH)
        pieces: list[bytes | memoryview] = [len(head).to_bytes(LENGTH, "little"), head]
        for array in arrays.values():
            pieces += [array.data.cast("B") if array.size else b"", _padding(array.nbytes)]
        return b"".join(pieces)

    def from_bytes(self, body: bytes) -> tuple[Part, Amendments] | None:
        """What `to_bytes` was given; `None` if another maker made it."""
        start = LENGTH + int.from_bytes(body[:LENGTH], "little")
        head = json.loads(body[LENGTH:start])
        if any(head.get(name) != value for name, value in self._head().items()):
            return None
        arrays = {
            name: _array(body, start + position, dtype, shape)
            for name, (dtype, shape, position) in head["arrays"].items()
        }
        return _part(arrays, tuple(head["names"])), Amendments(
            arrays["amended"].view(AMENDMENT).reshape(-1), arrays["amended_vectors"]
        )

    def _head(self) -> dict[str, object]:
        return {"format": FORMAT, "model": self.model, "language": self.language}


def _arrays(part: Part, amendments: Amendments) -> Iterator[tuple[str, NDArray[Any]]]:
    yield "vectors", part.vectors
    yield "rows", _as_bytes(part.rows)
    yield "mentions", _as_bytes(part.mentions)
    for name, strings in (("ids", part.ids), ("texts", part.texts)):
        yield name, np.frombuffer(strings.blob, np.uint8)
        yield f"{name}_ends", strings.ends
    yield "words", part.words.words
    yield "words_starts", part.words.starts
    yield "words_records", part.words.records
    yield "words_often", part.words.often
    yield "amended", _as_bytes(amendments.which)
    yield "amended_vectors", amendments.vectors


def _part(arrays: Mapping[str, NDArray[Any]], names: tuple[str, ...]) -> Part:
    return Part(
        arrays["rows"].view(ROW).reshape(-1),
        names,
        _strings(arrays, "ids"),
        _strings(arrays, "texts"),
        arrays["vectors"],
        _postings(arrays),
        arrays["mentions"].view(MENTION).reshape(-1),
    )


def _strings(arrays: Mapping[str, NDArray[Any]], name: str) -> Strings:
    return Strings(arrays[name].tobytes(), arrays[f"{name}_ends"])


def _postings(arrays: Mapping[str, NDArray[Any]]) -> Postings:
    """Copied, lest they keep all of the bytes alive."""
    columns = ("words", "words_starts", "words_records", "words_often")
    return Postings(*(arrays[column].copy() for column in columns))


def _array(body: bytes, position: int, dtype: str, shape: list[int]) -> NDArray[Any]:
    count = int(np.prod(shape))
    return np.frombuffer(body, dtype, count, position).reshape(shape)


def _as_bytes(table: Table) -> NDArray[np.uint8]:
    return np.ascontiguousarray(table).view(np.uint8)


def _padded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _padding(size: int) -> bytes:
    return bytes(_padded(size) - size)
