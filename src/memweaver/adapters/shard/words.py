"""From text to the numbers of its words: split, folded, stemmed, hashed."""

import re
from hashlib import blake2b
from threading import Lock

import Stemmer

from memweaver.adapters.shard.stopwords import STOP_WORDS
from memweaver.errors import ConfigurationError

_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
"""A run of letters and digits; in scripts written without spaces, one character."""
MOST_KNOWN = 200_000
"""Words remembered with their numbers, before beginning anew."""


class Words:
    """The words of one language. May be used from several threads."""

    def __init__(self, language: str) -> None:
        if language not in Stemmer.algorithms():
            known = ", ".join(sorted(Stemmer.algorithms()))
            raise ConfigurationError(f"unknown language `{language}` for recall; known are {known}")
        self.language = language
        self._stop = STOP_WORDS.get(language, frozenset())
        self._stemmer = Stemmer.Stemmer(language, 0)
        self._stemming = Lock()
        self._known: dict[str, tuple[int, bool]] = {}

    def split(self, text: str) -> tuple[list[int], list[int]]:
        """The numbers of the content words of `text`, and those of all its words, in order."""
        known = self._known
        every = [known.get(word) or self._learn(word) for word in WORD.findall(text.casefold())]
        return [number for number, stop in every if not stop], [number for number, _ in every]

    def _learn(self, word: str) -> tuple[int, bool]:
        with self._stemming:
            stem = self._stemmer.stemWord(word)
        number = int.from_bytes(blake2b(stem.encode(), digest_size=8).digest(), "little")
        if len(self._known) >= MOST_KNOWN:
            self._known = {}
        self._known[word] = number, word in self._stop
        return self._known[word]
