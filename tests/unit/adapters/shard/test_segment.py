"""Parts of a shard as bytes."""

import numpy as np
import pytest
from tests.unit.adapters.shard.house import (
    READER,
    delta,
    memory,
    message,
    turn,
    turn_vectors,
    vector,
)

from memweaver.adapters.shard.part import Part
from memweaver.adapters.shard.segment import AMENDMENT, FORMAT, Amendments, Maker

MAKER = Maker("model", "english")
UNCHANGED = Amendments(np.empty(0, AMENDMENT), np.empty((0, 0), np.float32))


def equal(one: Part, other: Part) -> bool:
    same_arrays = all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("rows", "vectors", "mentions")
    )
    same_postings = all(
        np.array_equal(getattr(one.words, name), getattr(other.words, name))
        for name in ("words", "starts", "records", "often")
    )
    same_strings = all(
        [ours[n] for n in range(len(ours))] == [theirs[n] for n in range(len(theirs))]
        for ours, theirs in ((one.ids, other.ids), (one.texts, other.texts))
    )
    names = tuple(one.names) == tuple(other.names)
    return same_arrays and same_postings and same_strings and names


SOME = READER.read(
    delta(
        [
            turn("t1", message("Half a \ud83d character, on 3 May", "Zoë"), ai="work"),
            turn("t2", message("")),
        ],
        [memory("m1", "Ann drinks tea")],
        [turn_vectors("t1", vector(1, 2, 3))],
    )
)
NONE = READER.read(delta())


@pytest.mark.parametrize("part", [SOME, NONE])
def test_a_part_comes_back_as_it_was(part: Part) -> None:
    read = MAKER.from_bytes(MAKER.to_bytes(part, UNCHANGED))
    assert read is not None
    assert equal(read[0], part)
    assert len(read[1]) == 0


def test_amendments_come_back_as_they_were() -> None:
    which = np.array([(7, 1, 0, 128), (8, 2, 1, 0)], AMENDMENT)
    amendments = Amendments(which, np.array([[1, 2], [0, 0]], np.float32))
    read = MAKER.from_bytes(MAKER.to_bytes(NONE, amendments))
    assert read is not None
    assert np.array_equal(read[1].which, which)
    assert np.array_equal(read[1].vectors, amendments.vectors)


@pytest.mark.parametrize("other", [Maker("another", "english"), Maker("model", "german")])
def test_what_another_made_is_not_read(other: Maker) -> None:
    assert MAKER.from_bytes(other.to_bytes(SOME, UNCHANGED)) is None


def test_a_segment_of_another_format_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    body = MAKER.to_bytes(SOME, UNCHANGED)
    monkeypatch.setattr("memweaver.adapters.shard.segment.FORMAT", FORMAT + 1)
    assert MAKER.from_bytes(body) is None


def test_what_was_read_does_not_keep_the_bytes_alive() -> None:
    read = MAKER.from_bytes(MAKER.to_bytes(SOME, UNCHANGED))
    assert read is not None
    assert read[0].words.records.flags.owndata
    assert isinstance(read[0].texts.blob, bytes)


def test_difference_is_noticed() -> None:
    assert not equal(SOME, NONE)
