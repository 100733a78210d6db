"""What words say about records, beside the plainest way to work out the same."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from itertools import pairwise
from math import log, log1p

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.unit.adapters.shard.house import MODEL, READER, WORDS, delta, message, turn

from memweaver.adapters.shard import lexical
from memweaver.adapters.shard.following import Following
from memweaver.adapters.shard.lexical import Sought
from memweaver.adapters.shard.segment import Maker
from memweaver.adapters.shard.snapshot import Snapshot
from memweaver.adapters.shard.traits import Traits
from memweaver.domain.question import ask
from memweaver.domain.ranking import RECIPE

BIRDS = ("heron", "robin", "finch", "raven", "swift")
TEXTS = some.lists(
    some.lists(some.sampled_from((*BIRDS, "wren?")), min_size=1, max_size=7).map(" ".join),
    min_size=1,
    max_size=14,
)


def following(texts: Sequence[str], *, at_once: int) -> Snapshot:
    """Of turns of two sessions in turn, so many of which are read in one go."""
    shard = Following("epoch", READER, Maker(MODEL, "english"), MODEL)
    turns = [turn(f"t{n}", message(text), session=f"s{n % 2}") for n, text in enumerate(texts)]
    for start in range(0, len(turns), at_once):
        shard.apply(delta(turns[start : start + at_once]), start + 1)
    return shard.snapshot


def bm25(
    words: Sequence[Counter[str]],
    lengths: Sequence[int],
    k1: float,
    b: float,
    sought: Sequence[str] = BIRDS,
) -> list[float]:
    mean = sum(lengths) / len(lengths)
    scores = []
    for count, length in zip(words, lengths, strict=True):
        norm = k1 * (1 - b + b * length / mean)
        held = {one: sum(one in some for some in words) for one in sought}
        rare = {one: log(1 + (len(words) - n + 0.5) / (n + 0.5)) for one, n in held.items()}
        scores.append(
            sum(rare[one] * (k1 + 1) * count[one] / (count[one] + norm) for one in sought)
        )
    return scores


@given(TEXTS, some.integers(1, 5), some.sampled_from([1, 20, 1_000_000]))
def test_words_and_passages_are_scored_by_bm25(texts: list[str], at_once: int, cells: int) -> None:
    snapshot = following(texts, at_once=at_once)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexical, "MOST_CELLS", cells)
        found = lexical.lexical(snapshot, Sought.of(ask(" ".join(BIRDS), ()), WORDS))
    words = [Counter(f"user {text}".replace("?", "").split()) for text in texts]
    lengths = [count.total() for count in words]
    assert found.words.tolist() == pytest.approx(
        bm25(words, lengths, RECIPE.words_k1, RECIPE.words_b), rel=1e-4
    )
    passages = [Counter[str]() for _ in range(int(snapshot.passage.max()) + 1)]
    for place, count in zip(snapshot.passage.tolist(), words, strict=True):
        passages[place] += count
    scores = bm25(passages, [one.total() for one in passages], RECIPE.passage_k1, RECIPE.passage_b)
    assert found.passage.tolist() == pytest.approx(
        [scores[place] for place in snapshot.passage.tolist()], rel=1e-4
    )


@given(TEXTS, some.integers(1, 5))
def test_words_side_by_side_are_scored_by_bm25(texts: list[str], at_once: int) -> None:
    snapshot = following(texts, at_once=at_once)
    found = lexical.lexical(snapshot, Sought.of(ask(" ".join(BIRDS), ()), WORDS))
    spoken = [f"user {text}".replace("?", "").split() for text in texts]
    phrases = [Counter(map(" ".join, pairwise(words))) for words in spoken]
    sought = list(map(" ".join, pairwise(BIRDS)))
    lengths = [len(words) - 1 for words in spoken]
    assert found.phrase.tolist() == pytest.approx(
        bm25(phrases, lengths, RECIPE.phrase_k1, RECIPE.phrase_b, sought), rel=1e-4
    )


@given(TEXTS, some.sampled_from([1, 20, 1_000_000]))
def test_coverage_is_the_share_of_words_here_and_around(texts: list[str], cells: int) -> None:
    snapshot = following(texts, at_once=3)
    sought = Sought.of(ask(" ".join((*BIRDS, "dodo")), ()), WORDS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexical, "MOST_CELLS", cells)
        found = lexical.lexical(snapshot, sought).coverage
    size, words = len(texts), [set(text.replace("?", "").split()) for text in texts]
    holding = {bird: sum(bird in one for one in words) for bird in BIRDS}
    rare = {bird: log(1 + (size - n + 0.5) / (n + 0.5)) for bird, n in holding.items() if n}
    whole = sum(rare.values()) + log1p(2 * size) * (len(BIRDS) + 1 - len(rare))
    for row, text in enumerate(texts):
        near = [n for n in range(row - 4, row + 5, 2) if 0 <= n < size]
        around = {bird for n in near for bird in words[n]} - words[row]
        fade = min(1.0, RECIPE.coverage_fades / (len(f"user {text}".split()) + 1))
        share = sum(rare[bird] for bird in words[row] & set(rare))
        share += fade * sum(rare[bird] for bird in around & set(rare))
        assert found[row] == pytest.approx(share / whole, rel=1e-4)


@given(TEXTS, some.integers(1, 5))
def test_rows_have_the_same_traits_however_they_came(texts: list[str], at_once: int) -> None:
    once, piecemeal = (following(texts, at_once=size) for size in (len(texts), at_once))
    for trait in fields(Traits):
        ours, theirs = (getattr(one.traits, trait.name) for one in (once, piecemeal))
        assert np.array_equal(ours, theirs), trait.name
    traits = once.traits
    for row, text in enumerate(texts):
        length = len(text.split()) + 1  # and who says it
        before = texts[row - 2] if row > 1 else None
        lendable = RECIPE.neighbour * min(1.0, RECIPE.meaning_fades / (length + 1))
        lent = lendable * (1 + RECIPE.reply * before.endswith("?")) if before else 0.0
        assert traits.length[row] == length
        assert traits.stating[row] == (not text.endswith("?") or length > RECIPE.short_question)
        assert traits.fullness[row] == pytest.approx(min(1.0, length / RECIPE.length_full))
        assert traits.lendable[row] == pytest.approx(lendable)
        assert traits.lent_before[row] == pytest.approx(lent)
    assert once.people(None) == piecemeal.people(None)
    assert (once.speaker.tolist(), once.memories.tolist()) == (piecemeal.speaker.tolist(), [])
    assert once.flags.tolist() == piecemeal.flags.tolist() == once.rows["flags"].tolist()
