"""The plain ways to search that everybody has: by meaning, by word, and both by rank."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import Stemmer
from numpy.typing import NDArray

Array = NDArray[np.float32]

K1, B = 1.2, 0.75
"""BM25 as it is usually set."""
RRF = 60
"""The constant of reciprocal rank fusion as it is usually set."""
STOP_WORDS = frozenset(
    (Path(__file__).parent / "stop_words.txt").read_text(encoding="utf-8").split()
)
"""Common English words, question words among them."""

stem = Stemmer.Stemmer("english").stemWords


def terms(text: str) -> list[str]:
    words = re.findall(r"[^\W_]+", text.lower())
    return list(stem([word for word in words if word not in STOP_WORDS]))


class Bm25:
    """Scores texts by the words they share with a question, rare words more."""

    def __init__(self, texts: Sequence[str]) -> None:
        bags = [Counter(terms(text)) for text in texts]
        self._size = len(bags)
        lengths = [bag.total() for bag in bags]
        average = sum(lengths) / max(1, len(lengths))
        self._weights: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for text, (bag, length) in enumerate(zip(bags, lengths, strict=True)):
            for term, count in bag.items():
                damped = count + K1 * (1 - B + B * length / average)
                self._weights[term].append((text, count * (K1 + 1) / damped))

    def scores(self, question: str) -> Array:
        scores = np.zeros(self._size, np.float32)
        for term in terms(question):
            holders = self._weights.get(term, [])
            rarity = math.log(1 + (self._size - len(holders) + 0.5) / (len(holders) + 0.5))
            for text, weight in holders:
                scores[text] += rarity * weight
        return scores


def ranked(scores: Array) -> list[int]:
    """Places by score, best first; equal scores keep their order."""
    return [int(place) for place in np.argsort(-scores, kind="stable")]


def ranked_found(scores: Array) -> list[int]:
    """Places by score, without those that share no word."""
    return [place for place in ranked(scores) if scores[place] > 0]


def fused(rankings: Iterable[Sequence[int]]) -> list[int]:
    """Places by the sum of their reciprocal ranks (RRF)."""
    sums: dict[int, float] = defaultdict(float)
    for ranking in rankings:
        for rank, place in enumerate(ranking, start=1):
            sums[place] += 1 / (RRF + rank)
    return sorted(sums, key=lambda place: (-sums[place], place))
