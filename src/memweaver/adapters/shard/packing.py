"""What of a shard is kept in segments, and what the next one must hold."""

from dataclasses import dataclass, field

WORTH_PACKING = 64
"""Changes after which a segment is worth its write."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A segment: up to which version and row it reaches, and what else it holds.

    `renewed` are earlier rows that were told again, `embedded` earlier rows whose vectors changed.
    """

    upto: int = 0
    rows: int = 0
    renewed: set[int] = field(default_factory=set[int])
    embedded: set[int] = field(default_factory=set[int])

    @property
    def amended(self) -> int:
        return len(self.renewed) + len(self.embedded)


class Ledger:
    """The segments in the store from the first version on without a gap, and what came since.

    A row told again must be in a segment as a whole: should the earlier segment with it be lost,
    the store would not tell it among the changes of that range.
    """

    def __init__(self) -> None:
        self._kept: list[Kept] = []
        self._latest = Kept()
        self._refused = False

    @property
    def after(self) -> int:
        """The version from which on there is no segment."""
        return self._kept[-1].upto if self._kept else 0

    @property
    def start(self) -> int:
        """The first row that is in no segment."""
        return self._kept[-1].rows if self._kept else 0

    @property
    def renewed(self) -> list[int]:
        return sorted(row for row in self._latest.renewed if row < self.start)

    @property
    def embedded(self) -> list[int]:
        rows = self._latest.embedded - self._latest.renewed
        return sorted(row for row in rows if row < self.start)

    def renew(self, row: int) -> None:
        self._latest.renewed.add(row)

    def embed(self, row: int) -> None:
        self._latest.embedded.add(row)

    def changes(self, rows: int) -> int:
        """How many changes of a shard of so many rows are in no segment."""
        return rows - self.start + self._latest.amended

    def worth_packing(self, rows: int) -> bool:
        """Whether to pack now. After a refusal all would be packed: that must be worth more."""
        return self.changes(rows) >= WORTH_PACKING + (rows // 4 if self._refused else 0)

    def merge(self, rows: int) -> None:
        """Take back the last segments, unless they are large: so there are few, and few writes."""
        changes = self.changes(rows)
        while self._kept and self._last_size < 2 * changes:
            changes += self._last_size
            self._take_back()

    def keep(self, upto: int, rows: int) -> None:
        """The store has a segment of all that came since the last one."""
        self._kept.append(Kept(upto, rows, self._latest.renewed, self._latest.embedded))
        self._latest, self._refused = Kept(), False

    def refuse(self) -> None:
        """The store has other segments than is thought here: next time replace them all."""
        self._kept, self._refused = [], True

    def lose(self, row: int) -> None:
        """Rows from `row` on have other numbers, or are gone, and their segments with them."""
        while self._kept and self._kept[-1].rows > row:
            self._take_back()
        self._latest = Kept(
            renewed={one for one in self._latest.renewed if one < row},
            embedded={one for one in self._latest.embedded if one < row},
        )

    @property
    def _last_size(self) -> int:
        before = self._kept[-2].rows if len(self._kept) > 1 else 0
        return self._kept[-1].rows - before + self._kept[-1].amended

    def _take_back(self) -> None:
        last = self._kept.pop()
        self._latest.renewed.update(last.renewed)
        self._latest.embedded.update(last.embedded)
