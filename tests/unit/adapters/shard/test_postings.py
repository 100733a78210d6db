"""Postings beside the plainest way to do the same."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from memweaver.adapters.shard.arrays import Counts
from memweaver.adapters.shard.postings import NOTHING, Lexicon, Postings

Texts = list[list[int]]
TEXTS = some.lists(some.lists(some.integers(0, 8), max_size=6), max_size=12)


def postings(texts: Texts) -> Postings:
    words = np.array([word for text in texts for word in text], np.uint64)
    records = np.repeat(np.arange(len(texts), dtype=np.int32), [len(text) for text in texts])
    return Postings.of(words, records.astype(np.int32))


def told(lexicon: Lexicon) -> dict[int, dict[int, int]]:
    """Word by word, which records hold it how often."""
    found = lexicon.find(np.arange(10, dtype=np.uint64))
    holders = dict[int, dict[int, int]]({word: {} for word in range(10)})
    columns = (found.word.tolist(), found.records.tolist(), found.often.tolist())
    for word, record, often in zip(*columns, strict=True):
        assert record not in holders[word]
        holders[word][record] = often
    assert all(list(records) == sorted(records) for records in holders.values())
    return holders


def plainly(texts: Texts) -> dict[int, dict[int, int]]:
    counts = [Counter(text) for text in texts]
    return {
        word: {number: count[word] for number, count in enumerate(counts) if count[word]}
        for word in range(10)
    }


@given(TEXTS)
def test_postings_say_who_holds_a_word_and_how_often(texts: Texts) -> None:
    assert told(Lexicon((postings(texts),))) == plainly(texts)


@given(some.lists(TEXTS, max_size=8))
def test_postings_extended_piece_by_piece_are_those_of_the_whole(pieces: list[Texts]) -> None:
    lexicon, texts = Lexicon(), Texts()
    for piece in pieces:
        lexicon = lexicon.extended(postings(piece).moved(len(texts)))
        texts += piece
    assert told(lexicon) == plainly(texts)
    assert told(Lexicon((lexicon.renumbered(np.arange(len(texts), dtype=np.int32)),))) == told(
        lexicon
    )


@given(TEXTS, some.data())
def test_postings_of_fewer_records_are_those_of_these_records(
    texts: Texts, data: some.DataObject
) -> None:
    kept = [place for place in range(len(texts)) if data.draw(some.booleans())]
    numbers: Counts = np.full(len(texts), -1, np.int32)
    numbers[kept] = np.arange(len(kept), dtype=np.int32)
    fewer = Lexicon((postings(texts),)).renumbered(numbers)
    assert told(Lexicon((fewer,))) == plainly([texts[place] for place in kept])


def test_few_pieces_remain_however_often_one_is_added() -> None:
    lexicon = Lexicon()
    for number in range(500):
        lexicon = lexicon.extended(postings([[number % 7, 3]]).moved(number))
    assert len(lexicon.pieces) <= 4


def test_a_word_said_very_often_is_counted_as_often_as_can_be() -> None:
    assert told(Lexicon((postings([[3] * 70_000]),)))[3] == {0: 65_535}


def test_nothing_holds_nothing() -> None:
    assert told(Lexicon()) == told(Lexicon((NOTHING,))) == plainly([])
