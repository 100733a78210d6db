"""The `Shard` port: one scope of a snapshot, ready to be searched."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from typing import Any

import numpy as np
from anyio import to_thread

from memweaver.adapters.shard import part as parts
from memweaver.adapters.shard.arrays import Counts, Flags, Floats, Numbers
from memweaver.adapters.shard.filters import allowed, in_scope, written_in
from memweaver.adapters.shard.lexical import Sought
from memweaver.adapters.shard.recipe import Search, Term, cosines, spread, terms
from memweaver.adapters.shard.snapshot import Snapshot
from memweaver.adapters.shard.times import from_number
from memweaver.adapters.shard.words import Words
from memweaver.domain.memory import Vector
from memweaver.domain.question import Question
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter, Hit, Kind, Ref
from memweaver.ports.index import Shard

WORTH_A_THREAD = 20_000
"""Rows from which on a search would hold up the event loop longer than a thread costs."""
LONG = 2_000
"""Characters of a question from which on it would, too: each of its words is looked for."""
NOTHING = np.float32(-np.inf)
LEAST = np.finfo(np.float32).min
"""Whoever is searched has more than nothing."""


@dataclass(frozen=True)
class OpenShard(Shard):
    snapshot: Snapshot
    scope: Scope
    words: Words

    @cached_property
    def people(self) -> Sequence[str]:
        return self.snapshot.people(self._rows)

    async def search(
        self,
        question: Question,
        vector: Vector | None,
        *,
        now: datetime,
        where: Filter,
        limit: int,
    ) -> Sequence[Hit]:
        work = partial(self.hits, question, vector, now=now, where=where, limit=limit)
        return await self._run(work, long=len(question.text) >= LONG)

    async def nearest(
        self, vector: Vector, *, where: Filter, limit: int, own: bool = False
    ) -> Sequence[Hit]:
        return await self._run(partial(self.near, vector, where=where, limit=limit, own=own))

    async def _run(self, work: Callable[[], Sequence[Hit]], *, long: bool = False) -> Sequence[Hit]:
        if len(self.snapshot) < WORTH_A_THREAD and not long:
            return work()
        return await to_thread.run_sync(work)

    def hits(
        self,
        question: Question,
        vector: Vector | None,
        *,
        now: datetime,
        where: Filter,
        limit: int,
    ) -> Sequence[Hit]:
        """The search itself, in the thread it is called in."""
        searched = self._searched(where, now)
        if limit < 1 or not (len(self.snapshot) if searched is None else len(searched)):
            return []
        asked = None if vector is None else np.frombuffer(vector, "<f4")
        likeness = cosines(self.snapshot, asked)
        search = Search(
            self.snapshot,
            question,
            Sought.of(question, self.words),
            asked,
            searched,
            self._asked_about(question),
            now,
        )
        return self._best(search, likeness, limit)

    def near(self, vector: Vector, *, where: Filter, limit: int, own: bool) -> Sequence[Hit]:
        """The nearest by meaning alone, in the thread it is called in."""
        likeness = cosines(self.snapshot, np.frombuffer(vector, "<f4"))
        if limit < 1 or likeness is None:
            return []
        searched, embedded = self._searched(where, None), np.ones(len(likeness), np.bool_)
        embedded[self.snapshot.without_vector] = False
        if own:
            embedded = embedded & written_in(self.snapshot, self.scope)
        [rows] = embedded.nonzero()
        rows = rows if searched is None else searched[embedded[searched]]
        best = self._leading(_only(rows, likeness), limit)
        cosine = likeness[best].tolist()
        return self._hits(best, cosine, ({"meaning": max(0.0, one)} for one in cosine))

    @cached_property
    def _rows(self) -> Flags | None:
        return in_scope(self.snapshot, self.scope)

    @cached_property
    def _one_user(self) -> bool:
        return self.snapshot.users(self._rows) <= 1

    def _searched(self, where: Filter, now: datetime | None) -> Numbers | None:
        """The rows to be searched, `None` for all."""
        admitted = allowed(self.snapshot, where, now)
        if admitted is None or self._rows is None:
            within = self._rows if admitted is None else admitted
        else:
            within = admitted & self._rows
        return None if within is None else within.nonzero()[0]

    def _asked_about(self, question: Question) -> Flags | None:
        """The rows spoken by the one person the question is about; memories speak for the user."""
        snapshot = self.snapshot
        if len(question.about) == 1:
            [person] = question.about
            spoken: Flags = snapshot.speaker == snapshot.number_of(person)
            return spoken
        if question.about or not question.first_person or not self._one_user:
            return None
        return snapshot.flagged(parts.BY_USER)

    def _best(self, search: Search, likeness: Floats | None, limit: int) -> Sequence[Hit]:
        given = list(terms(search, likeness))
        total = given[0].shares
        for term in given[1:]:
            total += term.shares
        if search.within is not None:
            total = _only(search.within, total)
        if search.question.course:
            given.append(spread(search, total, limit))
            total += given[-1].shares
        rows = self._leading(total, limit)
        cosine = [None] * len(rows) if likeness is None else likeness[rows].tolist()
        hits = self._hits(rows, cosine, _explanations(given, rows))
        return sorted(hits, key=lambda hit: -hit.score)

    def _leading(self, total: Floats, limit: int) -> Numbers:
        """The rows that have most; of those that have as much, the latest. Not what has nothing."""
        least = np.partition(total, -limit)[-limit] if limit < len(total) else NOTHING
        [rows] = (total >= max(least, LEAST)).nonzero()
        found = self.snapshot.rows[rows]
        order = np.lexsort((found["record"], -found["at"], -total[rows]))
        return rows[order[:limit]]

    def _hits(
        self,
        rows: Counts | Numbers,
        cosines: Iterable[float | None],
        explanations: Iterable[dict[str, float]],
    ) -> list[Hit]:
        found = zip(rows.tolist(), self.snapshot.rows[rows].tolist(), strict=True)
        return [
            self._hit(row, dict(zip(parts.COLUMNS, columns, strict=True)), cosine, explanation)
            for (row, columns), cosine, explanation in zip(
                found, cosines, explanations, strict=True
            )
        ]

    def _hit(
        self,
        row: int,
        found: Mapping[str, Any],
        cosine: float | None,
        explanation: dict[str, float],
    ) -> Hit:
        kind = parts.KINDS[found["kind"]]
        return Hit(
            ref=Ref(kind, self.snapshot.ids[row], found["revision"]),
            text=self.snapshot.texts[row],
            at=from_number(found["at"]),
            score=min(sum(explanation.values()), 1.0),
            ordinal=found["ordinal"],
            speaker=self._name(found["speaker"]),
            session=self._name(found["session"]),
            tier=parts.TIERS[found["tier"]] if kind is Kind.MEMORY else None,
            origin=parts.ORIGINS[found["origin"]],
            cosine=cosine if found["flags"] & parts.EMBEDDED else None,
            explanation=explanation,
        )

    def _name(self, number: int) -> str | None:
        return None if number == parts.NOBODY else self.snapshot.names[number]


def _explanations(given: Sequence[Term], rows: Numbers) -> Iterator[dict[str, float]]:
    """For each row the share of each term of all that could be had."""
    names = [term.name for term in given]
    scales = np.array([(term.weight, term.factor, term.least) for term in given])
    weights, factors, least = scales.T[:, :, None]
    values = np.array([term.values[rows] for term in given])
    shares = np.minimum((values - least) * factors, weights) / weights.sum()
    for column in shares.T.tolist():
        yield dict(zip(names, column, strict=True))


def _only(rows: Counts | Numbers, total: Floats) -> Floats:
    """What these rows have; the others have nothing."""
    kept = np.full(len(total), NOTHING)
    kept[rows] = total[rows]
    return kept
