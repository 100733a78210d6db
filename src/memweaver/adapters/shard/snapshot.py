"""A shard as it was at one version, with what its searches share worked out once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from memweaver.adapters.shard import part as parts
from memweaver.adapters.shard.arrays import Counts, Flags, Floats, Numbers, Table
from memweaver.adapters.shard.postings import Lexicon
from memweaver.adapters.shard.strings import StringChain
from memweaver.adapters.shard.times import days_of
from memweaver.domain.conversation import Role
from memweaver.domain.ranking import RECIPE

NAMELESS = frozenset(role.value.capitalize() for role in Role)
"""What speakers are called who have no name."""
REPLIED_TO = np.float32(1 + RECIPE.reply)
"""How many times as much a question lends to its answer as another row does."""


@dataclass(frozen=True)
class Snapshot:
    """`before` has for each row the row before it in its session, or itself; `passage` its passage.

    What later versions add lies beyond the ends of these arrays.
    """

    rows: Table
    vectors: Floats
    before: Counts
    passage: Counts
    names: tuple[str, ...]
    ids: StringChain
    texts: StringChain
    words: Lexicon
    phrases: Lexicon
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

    @cached_property
    def flags(self) -> Counts:
        return self.rows["flags"].astype(np.int32)

    def flagged(self, flag: int) -> Flags:
        flagged: Flags = (self.flags & flag) != 0
        return flagged

    @cached_property
    def without_vector(self) -> Numbers:
        return np.flatnonzero(~self.flagged(parts.EMBEDDED))

    @cached_property
    def only_turns(self) -> bool:
        return not np.any(self.rows["kind"] == parts.MEMORY)

    @cached_property
    def speaker(self) -> Counts:
        return np.ascontiguousarray(self.rows["speaker"])

    @cached_property
    def days(self) -> Numbers:
        return days_of(self.rows["at"])

    @cached_property
    def years(self) -> list[int]:
        """The years in which something was told."""
        years = np.unique(self.rows["at"].view("datetime64[us]").astype("datetime64[Y]"))
        return [int(year) + 1970 for year in years.astype(np.int64)]

    @cached_property
    def length(self) -> Floats:
        return self.rows["length"].astype(np.float32)

    @cached_property
    def word_norm(self) -> Floats:
        return _norm(self.length, RECIPE.words_k1, RECIPE.words_b)

    @cached_property
    def phrase_norm(self) -> Floats:
        pairs = self.rows["pairs"].astype(np.float32)
        return _norm(pairs, RECIPE.phrase_k1, RECIPE.phrase_b)

    @cached_property
    def passage_norm(self) -> Floats:
        lengths = np.bincount(self.passage, self.length).astype(np.float32)
        return _norm(lengths, RECIPE.passage_k1, RECIPE.passage_b)

    @cached_property
    def lent_before(self) -> Floats:
        """How much of the likeness of the row before is added to each row's own."""
        told = np.where(self.flagged(parts.QUESTION), REPLIED_TO, np.float32(1))
        lent: Floats = self._from_before * told[self.before]
        return lent

    @cached_property
    def lent_after(self) -> Floats:
        return self._lent(self.after)

    @cached_property
    def lone(self) -> Floats:
        """How much of the mean likeness is added to a row that has no neighbour on a side.

        Or else whoever has neighbours, like any turn beside any memory, would always have more.
        """
        lone: Floats = self._lendable + self._lendable
        lone -= self._from_before
        lone -= self.lent_after
        return lone

    @cached_property
    def _from_before(self) -> Floats:
        return self._lent(self.before)

    @cached_property
    def _lendable(self) -> Floats:
        """How much each row takes of a neighbour's likeness, if there is one."""
        lendable = _fading(self.length, RECIPE.meaning_fades)
        lendable *= np.float32(RECIPE.neighbour)
        return lendable

    def _lent(self, neighbour: Counts) -> Floats:
        there: Flags = neighbour != np.arange(len(self), dtype=np.int32)
        return self._lendable * there

    @cached_property
    def coverage_fade(self) -> Floats:
        return _fading(self.length, RECIPE.coverage_fades)

    @cached_property
    def fullness(self) -> Floats:
        fullness: Floats = np.minimum(self.length / np.float32(RECIPE.length_full), np.float32(1))
        return fullness

    @cached_property
    def stating(self) -> Floats:
        short = self.length <= RECIPE.short_question
        return (~(self.flagged(parts.QUESTION) & short)).astype(np.float32)

    def people(self, within: Flags | None) -> tuple[str, ...]:
        """The names of those who speak in the rows `within`."""
        names = (self.names[number] for number in self._speaking(within))
        return tuple(name for name in names if name not in NAMELESS)

    def users(self, within: Flags | None) -> int:
        """How many different speakers the user's own messages have in the rows `within`."""
        own = self.flagged(parts.BY_USER)
        return len(self._speaking(own if within is None else own & within))

    def _speaking(self, within: Flags | None) -> Numbers:
        """The numbers of the names of those who speak in the rows `within`."""
        speakers = self.speaker if within is None else self.speaker[within]
        return np.flatnonzero(np.bincount(speakers - parts.NOBODY)[1:])


def _norm(lengths: Floats, k1: float, b: float) -> Floats:
    """What BM25 adds to the count of a word, growing with the length of the text."""
    mean = max(float(lengths.mean()) if len(lengths) else 0.0, 1e-9)
    norm: Floats = np.float32(k1 * (1 - b)) + np.float32(k1 * b / mean) * lengths
    return norm


def _fading(length: Floats, full_upto: float) -> Floats:
    fading: Floats = np.minimum(np.float32(full_upto) / (length + np.float32(1)), np.float32(1))
    return fading
