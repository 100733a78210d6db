"""What searches need of a row, and no later row changes: worked out when it is added."""

from dataclasses import dataclass, fields

import numpy as np

from memweaver.adapters.shard import part as parts
from memweaver.adapters.shard.arrays import Flags, Floats, Growing, Table
from memweaver.domain.ranking import RECIPE

REPLIED_TO = np.float32(1 + RECIPE.reply)
"""How many times as much a question lends to its answer as another row does."""


@dataclass(frozen=True, slots=True)
class Traits:
    """One number of each kind for every row.

    `lendable` is how much a row takes of a neighbour's likeness if there is one, `from_before` how
    much of the row before it because there is one, and `lent_before` more if that is a question.
    """

    length: Floats
    pairs: Floats
    coverage_fade: Floats
    fullness: Floats
    stating: Floats
    lendable: Floats
    from_before: Floats
    lent_before: Floats

    @classmethod
    def of(cls, rows: Table, follows: Flags, replies: Flags) -> "Traits":
        """Of `rows`, of which some follow another one in its session, and some of these a question.

        Short questions state nothing.
        """
        length = rows["length"].astype(np.float32)
        asking = (rows["flags"] & np.uint8(parts.QUESTION)) != 0
        lendable = _fading(length, RECIPE.meaning_fades) * np.float32(RECIPE.neighbour)
        from_before = lendable * follows
        return cls(
            length=length,
            pairs=rows["pairs"].astype(np.float32),
            coverage_fade=_fading(length, RECIPE.coverage_fades),
            fullness=np.minimum(length / np.float32(RECIPE.length_full), np.float32(1)),
            stating=(~(asking & (length <= RECIPE.short_question))).astype(np.float32),
            lendable=lendable,
            from_before=from_before,
            lent_before=from_before * np.where(replies, REPLIED_TO, np.float32(1)),
        )


class GrowingTraits:
    def __init__(self) -> None:
        self._columns = {one.name: Growing[np.float32](np.float32) for one in fields(Traits)}

    @property
    def nbytes(self) -> int:
        return sum(column.nbytes for column in self._columns.values())

    @property
    def rows(self) -> Traits:
        return Traits(**{name: column.rows for name, column in self._columns.items()})

    def extend(self, traits: Traits) -> None:
        for name, column in self._columns.items():
            column.extend(getattr(traits, name))


def _fading(length: Floats, full_upto: float) -> Floats:
    fading: Floats = np.minimum(np.float32(full_upto) / (length + np.float32(1)), np.float32(1))
    return fading
