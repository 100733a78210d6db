"""Made-up talk of any length that is like real talk where speed depends on it.

Words follow Zipf's law between common English ones, utterances come in sessions on different days
and hold names, numbers, dates and questions. Nobody ever said any of it.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from benchmarks.baselines import STOP_WORDS, Array
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.memory import Vector
from memweaver.ports.models import Embedder

COMMON = sorted(word for word in STOP_WORDS if len(word) > 1)
SYLLABLES = [
    first + last for first in "bdfgklmnprstvz" for last in ("a", "e", "i", "o", "ul", "en")
]
VOCABULARY = 20_000
"""Different words besides the common ones."""
NAMES = ("Ada", "Bela", "Carl", "Dora", "Emil", "Frida", "Gus", "Hanna")
WHEN = ("last Friday", "yesterday", "two weeks ago", "on 3 May 2024", "next month", "in August")
BEGINNINGS = ("When did", "Where did", "What did", "Who told", "How many times did", "Why did")
SESSION = 20
"""Utterances of one session; each session is on another day."""
FIRST_DAY = datetime(2024, 1, 1, 18, tzinfo=UTC)
SHORTEST, LONGEST = 5, 60
"""Words of an utterance; most have about twenty."""
DIMENSIONS = 384
TOPICS, SHADES = 64, 4096
"""A vector is one of so many topics mixed with one of so many shades."""


@dataclass(frozen=True, slots=True)
class Talk:
    """What one user said, and questions about it."""

    said: Sequence[Said]
    questions: Sequence[str]

    @property
    def texts(self) -> list[str]:
        """What each utterance is embedded and searched as."""
        return [message.spoken for one in self.said for message in one.messages]


def talk(size: int, questions: int, seed: int) -> Talk:
    """`size` utterances and some questions; the same for the same seed."""
    rng = np.random.default_rng(seed)
    bodies = utterances(size, rng)
    said = [
        Said(
            (Message(Role.ASSISTANT if place % 2 else Role.USER, body),),
            session=f"session {place // SESSION}",
            at=FIRST_DAY + timedelta(days=place // SESSION, minutes=place % SESSION),
        )
        for place, body in enumerate(bodies)
    ]
    chosen = rng.permutation(size)
    asked = [question_about(bodies[chosen[each % size]], rng) for each in range(questions)]
    return Talk(said, asked)


def utterances(size: int, rng: np.random.Generator) -> list[str]:
    lengths = np.clip(rng.lognormal(3.0, 0.5, size), SHORTEST, LONGEST).astype(int)
    words = iter(words_drawn(int(lengths.sum()), rng))
    return [decorated([next(words) for _ in range(length)], rng) for length in lengths]


def words_drawn(count: int, rng: np.random.Generator) -> list[str]:
    """Words by Zipf's law, a good half of them common ones."""
    vocabulary = np.array([made_up(number) for number in range(VOCABULARY)])
    rare = vocabulary[zipf(VOCABULARY, count, rng)]
    common = np.array(COMMON)[zipf(len(COMMON), count, rng)]
    return [str(word) for word in np.where(rng.random(count) < 0.55, common, rare)]


def zipf(
    kinds: int, count: int, rng: np.random.Generator
) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    weights = 1 / (np.arange(kinds) + 2.7)
    places = np.searchsorted(np.cumsum(weights / weights.sum()), rng.random(count))
    return np.minimum(places, kinds - 1)


def made_up(number: int) -> str:
    """A word of two syllables or more; another one for each number."""
    word, rest = "", number + len(SYLLABLES)
    while rest:
        rest, syllable = divmod(rest, len(SYLLABLES))
        word += SYLLABLES[syllable]
    return word


def decorated(words: list[str], rng: np.random.Generator) -> str:
    """The words as something said: now and then with a name, a time, a number, a question mark."""
    chance = rng.random(4)
    if chance[0] < 0.15:
        words.insert(0, NAMES[int(rng.integers(len(NAMES)))])
    if chance[1] < 0.12:
        words.append(WHEN[int(rng.integers(len(WHEN)))])
    if chance[2] < 0.08:
        words.insert(len(words) // 2, str(rng.integers(2, 500)))
    text = " ".join(words)
    return text[0].upper() + text[1:] + ("?" if chance[3] < 0.12 else ".")


def question_about(body: str, rng: np.random.Generator) -> str:
    """A question that shares some of its words with `body`."""
    words = [word for word in body.rstrip(".?").lower().split() if word not in STOP_WORDS]
    asked = rng.permutation(words or ["nothing"])[:5]
    return f"{BEGINNINGS[int(rng.integers(len(BEGINNINGS)))]} I {' '.join(asked)}?"


def unit(rows: Array) -> Array:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True), np.float32)


class ScriptedEmbedder(Embedder):
    """Vectors without a model, the same for the same text, at no cost worth measuring.

    Their size, type and spread are those of a real model, their meaning is none: with them one
    measures speed, not recall.
    """

    def __init__(self) -> None:
        rng = np.random.default_rng(7)
        self._topics = unit(rng.standard_normal((TOPICS, DIMENSIONS), np.float32))
        self._shades = unit(rng.standard_normal((SHADES, DIMENSIONS), np.float32))

    @property
    def model(self) -> str:
        return "scripted"

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [row.tobytes() for row in self.rows(texts)]

    def rows(self, texts: Sequence[str]) -> Array:
        marks = np.array([zlib.crc32(text.encode()) for text in texts], np.int64)
        topics, shades = marks % TOPICS, marks // TOPICS % SHADES
        return unit(self._topics[topics] + 1.5 * self._shades[shades])
