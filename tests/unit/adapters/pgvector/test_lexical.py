"""Words looked up in the index weigh as much as words counted by hand."""

from collections import Counter
from collections.abc import Mapping
from math import log

import pytest

from memweaver.adapters.pgvector.following import State
from memweaver.adapters.pgvector.lexical import COMMON, Lexicon, Match, Sought
from memweaver.domain.ranking import RECIPE

TEXTS = {0: "tea tea cake", 1: "rain", 2: "tea rain sun wind", 3: "wind", 90: "cake"}
"""By their seats; the last one sits by itself."""
WORDS = ("tea", "cake", "rain", "sun", "wind", "snow")
NUMBERS = {word: number for number, word in enumerate(WORDS)}


def lexicon(*sought: str, naming: frozenset[int] = frozenset()) -> Lexicon:
    content = frozenset(NUMBERS[word] for word in sought)
    words = sum(len(one.split()) for one in TEXTS.values())
    state = State(rows=len(TEXTS), words=words)
    matches = [
        Match(seat, len(one.split()), 0, NUMBERS[word], often, admitted=True)
        for seat, one in TEXTS.items()
        for word, often in Counter(one.split()).items()
        if NUMBERS[word] in content
    ]
    return Lexicon(state, Sought(content, frozenset(), naming), matches)


def rarity(word: str) -> float:
    holding = sum(word in one.split() for one in TEXTS.values())
    return log(1 + (len(TEXTS) - holding + 0.5) / (holding + 0.5))


def bm25(counts: Mapping[str, int], length: int) -> float:
    mean = sum(len(one.split()) for one in TEXTS.values()) / len(TEXTS)
    norm = RECIPE.words_k1 * (1 - RECIPE.words_b + RECIPE.words_b * length / mean)
    return sum(
        rarity(word) * (RECIPE.words_k1 + 1) * often / (often + norm)
        for word, often in counts.items()
    )


def test_the_words_of_a_row_score_by_bm25() -> None:
    found = lexicon("tea", "cake")
    assert found.words(0, 3) == pytest.approx(bm25({"tea": 2, "cake": 1}, 3))
    assert found.words(2, 4) == pytest.approx(bm25({"tea": 1}, 4))
    assert found.words(3, 1) == 0


def test_a_passage_has_the_words_of_the_rows_around() -> None:
    found = lexicon("tea", "wind")
    assert found.passage(1) == found.passage(2) > found.passage(90) == 0


def test_coverage_is_the_share_of_the_telling_words_by_rarity() -> None:
    found = lexicon("tea", "sun")
    assert found.coverage(2, 4) == pytest.approx(1.0)
    assert found.coverage(0, 3) == pytest.approx(1.0)
    assert found.coverage(90, 1) == 0
    far = lexicon("cake", "wind").coverage(90, 1)
    assert far == pytest.approx(rarity("cake") / (rarity("cake") + rarity("wind")))
    unheard = lexicon("tea", "snow").coverage(2, 4)
    assert 0 < unheard < 0.5


def test_names_of_people_do_not_count_as_covered() -> None:
    assert lexicon("tea", naming=frozenset({NUMBERS["tea"]})).coverage(0, 3) == 0


def test_a_word_that_is_everywhere_tells_nothing() -> None:
    sought = Sought(frozenset({1, 2}), frozenset(), frozenset())
    everywhere = [Match(seat, 5, 4, 1, 1, admitted=True) for seat in range(0, 100 * COMMON, 100)]
    rare = Match(50, 5, 4, 2, 1, admitted=True)
    found = Lexicon(State(rows=5000, words=25_000), sought, [*everywhere, rare])
    assert found.words(100, 5) == 0
    assert found.words(50, 5) > 0
    assert found.coverage(50, 5) == pytest.approx(1.0)
