"""A shard as it was at one version, with what its searches share worked out once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memweaver.adapters.shard import part as parts
from memweaver.adapters.shard.arrays import Counts, Flags, Floats, Numbers, Table
from memweaver.adapters.shard.postings import Lexicon
from memweaver.adapters.shard.strings import StringChain
from memweaver.adapters.shard.times import days_of
from memweaver.adapters.shard.traits import Traits
from memweaver.domain.conversation import Role
from memweaver.domain.ranking import RECIPE

NAMELESS = frozenset(role.value.capitalize() for role in Role)
"""What speakers are called who have no name."""


@dataclass(frozen=True)
class Snapshot:
    """`before` has for each row the row before it in its session, or itself; `passage` its passage.

    `speakers` are the numbers of all who speak in some row, `memories` the rows that are no turns.
    What later versions add lies beyond the ends of these arrays.
    """

    rows: Table
    traits: Traits
    flags: NDArray[np.uint8]
    speaker: Counts
    speakers: tuple[int, ...]
    memories: Counts
    vectors: Floats
    before: Counts
    passage: Counts
    names: tuple[str, ...]
    ids: StringChain
    texts: StringChain
    words: Lexicon
    mentions: Table

    def __len__(self) -> int:
        return len(self.rows)

    def number_of(self, name: str) -> int:
        """The number of a name; one that no row has, if it is not known."""
        return self._numbers.get(name, len(self.names))

    def session_of(self, row: int) -> tuple[int, int]:
        """The numbers of the AI and the session of a row; a memory is a session by itself."""
        found = self.rows[row]
        session = int(found["session"])
        return (-2 - row, session) if session == parts.NOBODY else (int(found["ai"]), session)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def after(self) -> Counts:
        """For each row the row after it in its session, or itself."""
        after = np.arange(len(self), dtype=np.int32)
        [linked] = np.nonzero(self.before != after)
        after[self.before[linked]] = linked
        return after

    def flagged(self, flag: int) -> Flags:
        flagged: Flags = (self.flags & np.uint8(flag)) != 0
        return flagged

    @cached_property
    def without_vector(self) -> Numbers:
        [rows] = (~self.flagged(parts.EMBEDDED)).nonzero()
        return rows

    @cached_property
    def days(self) -> Numbers:
        return days_of(self.rows["at"])

    @cached_property
    def years(self) -> list[int]:
        """The years in which something was told."""
        years = np.unique(self.rows["at"].view("datetime64[us]").astype("datetime64[Y]"))
        return [int(year) + 1970 for year in years.astype(np.int64)]

    @cached_property
    def norms(self) -> Floats:
        """What BM25 adds to the count of a word in each row, and then to that of a phrase."""
        words = norm(self.traits.length, RECIPE.words_k1, RECIPE.words_b)
        phrases = norm(self.traits.pairs, RECIPE.phrase_k1, RECIPE.phrase_b)
        return np.concatenate((words, phrases))

    @cached_property
    def passage_norms(self) -> Floats:
        lengths = np.bincount(self.passage, self.traits.length).astype(np.float32)
        return norm(lengths, RECIPE.passage_k1, RECIPE.passage_b)

    @cached_property
    def lent_after(self) -> Floats:
        """How much of the likeness of the row after is added to each row's own."""
        there: Flags = self.after != np.arange(len(self), dtype=np.int32)
        return self.traits.lendable * there

    @cached_property
    def lone(self) -> Floats:
        """How much of the mean likeness is added to a row that has no neighbour on a side.

        Or else whoever has neighbours, like any turn beside any memory, would always have more.
        """
        lone: Floats = self.traits.lendable + self.traits.lendable
        lone -= self.traits.from_before
        lone -= self.lent_after
        return lone

    def people(self, within: Flags | None) -> tuple[str, ...]:
        """The names of those who speak in the rows `within`."""
        speaking = self.speakers if within is None else self._speaking(within)
        names = (self.names[number] for number in sorted(speaking) if number != parts.NOBODY)
        return tuple(name for name in names if name not in NAMELESS)

    def users(self, within: Flags | None) -> int:
        """How many different speakers the user's own messages have in the rows `within`."""
        own = self.flagged(parts.BY_USER)
        return len(self._speaking(own if within is None else own & within))

    def _speaking(self, within: Flags) -> list[int]:
        """The numbers of the names of those who speak in the rows `within`."""
        [there] = np.bincount(self.speaker[within] - parts.NOBODY)[1:].nonzero()
        return there.tolist()


def norm(lengths: Floats, k1: float, b: float) -> Floats:
    """What BM25 adds to the count of a word in a text, growing with the length of the text."""
    mean = max(float(np.add.reduce(lengths)) / max(len(lengths), 1), 1e-9)
    grown: Floats = lengths * np.float32(k1 * b / mean)
    grown += np.float32(k1 * (1 - b))
    return grown
