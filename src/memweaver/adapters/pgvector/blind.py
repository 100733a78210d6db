"""What stands for words and names in this index: numbers that need the user's secret to be made."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise

from memweaver.adapters.pgvector.words import Words
from memweaver.ports.changes import Changes

NUMBER = 8
"""Bytes of a number, as many as Postgres holds in one."""
MOST_KNOWN = 10_000
"""Users whose secret is remembered, before beginning anew."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a text as this index numbers them, and the pairs of adjoining ones."""

    content: Sequence[int]
    phrases: Sequence[int]


@dataclass(frozen=True, slots=True)
class Blind:
    """One user's way of numbering: equal for equal values, and different for every user.

    So one index over everybody's words finds only those of one user. Without the secret nobody
    can number a list of words to see which of them occur.
    """

    secret: bytes = field(repr=False)

    def name(self, column: str, name: str) -> int:
        """What stands for `name` in a column."""
        return self._number(column, name.encode("utf-8", "replace"))

    def terms(self, text: str, words: Words) -> Terms:
        content, every = words.split(text)
        said = [word.to_bytes(NUMBER, "little") for word in every]
        return Terms(
            [self._number("word", word.to_bytes(NUMBER, "little")) for word in content],
            [self._number("pair", one + other) for one, other in pairwise(said)],
        )

    def _number(self, kind: str, value: bytes) -> int:
        keyed = blake2b(value, key=self.secret, person=kind.encode(), digest_size=NUMBER)
        return int.from_bytes(keyed.digest(), "little", signed=True)


class Blinds:
    """Everybody's way of numbering, held in memory only."""

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._known: dict[str, tuple[str, Blind]] = {}

    async def of(self, user: str, epoch: str) -> Blind | None:
        """That of `user` in this life; `None` if the user is gone."""
        known = self._known.get(user)
        if known is not None and known[0] == epoch:
            return known[1]
        self.forget(user)
        secret = await self._changes.index_key(user)
        if secret is None:
            return None
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[user] = epoch, Blind(secret)
        return self._known[user][1]

    def forget(self, user: str) -> None:
        self._known.pop(user, None)
