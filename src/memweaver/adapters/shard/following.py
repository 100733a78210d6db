"""One user's shard: follows the changes of the store, and remembers what is kept of it there."""

from collections.abc import Collection, Sequence

import numpy as np

from memweaver.adapters.shard import part as parts
from memweaver.adapters.shard.arrays import Floats
from memweaver.adapters.shard.packing import Ledger
from memweaver.adapters.shard.part import Part, selected
from memweaver.adapters.shard.reading import Reader, record_number
from memweaver.adapters.shard.records import Records
from memweaver.adapters.shard.segment import AMENDMENT, Amendments, Maker
from memweaver.adapters.shard.snapshot import Snapshot
from memweaver.domain.memory import Vector
from memweaver.domain.search import Kind, Ref
from memweaver.ports.changes import Delta, Segment, Stamp, Vectors

ADDRESS = ("revision", "ordinal")
"""Which of a record's rows."""


class Following:
    def __init__(self, epoch: str, reader: Reader, maker: Maker, model: str) -> None:
        self.stamp = Stamp(epoch, 0)
        self.looked_at = float("-inf")
        """When it was last as new as the store, by `perf_counter`."""
        self._reader = reader
        self._maker = maker
        self._model = model
        self._records = Records()
        self._ledger = Ledger()
        self.snapshot: Snapshot = self._records.snapshot()

    def __len__(self) -> int:
        return len(self._records)

    @property
    def nbytes(self) -> int:
        return self._records.nbytes

    @property
    def worth_packing(self) -> bool:
        return self._ledger.worth_packing(len(self))

    @property
    def unpacked(self) -> int:
        """How many changes are in no segment."""
        return self._ledger.changes(len(self))

    def apply(self, delta: Delta, upto: int) -> None:
        """Follow the store to version `upto`."""
        self._forget({record_number(ref.kind, ref.id) for ref in delta.erased})
        self._absorb(self._reader.read(delta))
        told = {Ref(Kind.TURN, turn.id) for turn in delta.turns}
        told |= {Ref(Kind.MEMORY, memory.id, memory.revision) for memory in delta.memories}
        self._embed([vectors for vectors in delta.vectors if vectors.ref not in told])
        self._reached(upto)

    def open(self, segment: Segment) -> bool:
        """Follow the store by a segment, if it was made as this shard makes them."""
        made = self._maker.from_bytes(segment.body)
        if made is None:
            return False
        part, amendments = made
        self._absorb(part)
        self._amend(amendments)
        if segment.after == self._ledger.after:
            self._ledger.keep(segment.upto, len(self))
        self._reached(segment.upto)
        return True

    def packed(self) -> Segment:
        """All that is not in segments yet as one; with the last ones, unless they are large."""
        ledger = self._ledger
        ledger.merge(len(self))
        rows = np.array([*ledger.renewed, *range(ledger.start, len(self))], np.int32)
        amendments = self._amendments(ledger.embedded)
        body = self._maker.to_bytes(self._records.cut(rows), amendments)
        return Segment(ledger.after, self.stamp.version, body)

    def kept(self, segment: Segment, *, accepted: bool) -> None:
        """Remember whether the store kept what was packed."""
        if accepted:
            self._ledger.keep(segment.upto, len(self))
        else:
            self._ledger.refuse()

    def _reached(self, version: int) -> None:
        """The stamp last: whoever sees it in another thread finds what it stands for."""
        self.snapshot = self._records.snapshot()
        self.stamp = Stamp(self.stamp.epoch, version)

    def _absorb(self, part: Part) -> None:
        """Add the rows of `part`; what is told again takes the place of what was."""
        known = self._records.known(part.rows["record"]).tolist() if len(self) else []
        again = np.array([place for place in known if self._renew(part, place)], np.int32)
        if len(again):
            part = selected(part, np.setdiff1d(np.arange(len(part), dtype=np.int32), again))
        if len(part):
            self._records.append(part)

    def _renew(self, part: Part, place: int) -> bool:
        """Bring a memory up to date that was told again; whatever else is known is forgotten.

        A revision never changes its text, a turn is never told again: only one that was erased
        and recorded anew under the same name could be.
        """
        told = part.rows[place]
        for row in self._rows([told["record"]])[0]:
            if self._records.row(row)["revision"] != told["revision"]:
                continue
            if told["kind"] == parts.TURN or self._records.text(row) != part.texts[place]:
                self._forget({told["record"]})
                return False
            self._records.replace(row, part, place)
            self._ledger.renew(row)
            return True
        return False

    def _forget(self, records: Collection[int]) -> None:
        """Remove records, and with them what was known about segments from there on."""
        found = [row for rows in self._rows(list(records)) for row in rows]
        if not found:
            return
        self._records = self._records.without(np.array(sorted(found), np.int32))
        self._ledger.lose(min(found))

    def _rows(self, records: Sequence[int]) -> list[list[int]]:
        return [rows.tolist() for rows in self._records.find(records)]

    def _embed(self, vectors: Sequence[Vectors]) -> None:
        """Give earlier rows vectors. One by another model took the place of the one they had."""
        records = [record_number(one.ref.kind, one.ref.id) for one in vectors]
        for one, rows in zip(vectors, self._rows(records), strict=True):
            made = one.vectors if one.model == self._model else ()
            for row in rows:
                found = self._records.row(row)
                if found["revision"] == one.ref.revision:
                    self._records.embed(row, _vector(made, found["ordinal"]))
                    self._ledger.embed(row)

    def _amend(self, amendments: Amendments) -> None:
        which = amendments.which
        rows = self._rows(which["record"].tolist())
        for amendment, vector, candidates in zip(which, amendments.vectors, rows, strict=True):
            for row in candidates:
                if all(self._records.row(row)[name] == amendment[name] for name in ADDRESS):
                    there = amendment["flags"] & parts.EMBEDDED
                    self._records.embed(row, vector if there else None)
                    self._ledger.embed(row)

    def _amendments(self, rows: Sequence[int]) -> Amendments:
        chosen = np.array(rows, np.int32)
        table = np.empty(len(rows), AMENDMENT)
        for column in AMENDMENT.names or ():
            table[column] = self.snapshot.rows[column][chosen]
        return Amendments(table, self.snapshot.vectors[chosen])


def _vector(made: Sequence[Vector], ordinal: int) -> Floats | None:
    return np.frombuffer(made[ordinal], "<f4") if ordinal < len(made) else None
