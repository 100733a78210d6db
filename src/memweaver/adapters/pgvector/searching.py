"""The `Shard` port: one scope of this index, ready to be searched."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlalchemy import Connection, and_

from memweaver.adapters.pgvector import candidates
from memweaver.adapters.pgvector.blind import Blind
from memweaver.adapters.pgvector.candidates import Floats, Looking
from memweaver.adapters.pgvector.database import Database
from memweaver.adapters.pgvector.filters import admitted, written_in
from memweaver.adapters.pgvector.following import State
from memweaver.adapters.pgvector.found import Found, with_neighbours
from memweaver.adapters.pgvector.lexical import Lexicon, Sought
from memweaver.adapters.pgvector.method import Method
from memweaver.adapters.pgvector.opened import opened
from memweaver.adapters.pgvector.recipe import Recipe, Scored, by_user
from memweaver.adapters.pgvector.rows import array_of
from memweaver.adapters.pgvector.speakers import Speakers
from memweaver.adapters.pgvector.words import Words
from memweaver.domain.dates import Span
from memweaver.domain.memory import Vector
from memweaver.domain.question import Question, days_asked_for
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter, Hit
from memweaver.ports.changes import Changes
from memweaver.ports.index import Shard


@dataclass(frozen=True, slots=True)
class Means:
    """What all shards of an index search with."""

    database: Database
    changes: Changes
    words: Words
    model: str
    dimensions: int
    method: Method
    exact_below: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its words, where to look for answers, and when it was put."""

    question: Question
    sought: Sought
    looking: Looking
    now: datetime


@dataclass(frozen=True, slots=True)
class PgvectorShard(Shard):
    """`blind` is `None`, as there are no rows, of who is not there."""

    means: Means
    scope: Scope
    state: State
    blind: Blind | None
    speakers: Speakers

    @property
    def people(self) -> Sequence[str]:
        return sorted(self.speakers.named)

    async def search(
        self,
        question: Question,
        vector: Vector | None,
        *,
        now: datetime,
        where: Filter,
        limit: int,
    ) -> Sequence[Hit]:
        if limit < 1 or not self.state.rows or self.blind is None:
            return []
        asked = Asked(
            question,
            Sought.of(self.blind, question, self.means.words),
            Looking(
                self.scope,
                admitted(self.scope, self.blind, where, now),
                self.state.rows,
                self._fitting(vector),
                self.means.model,
                limit,
            ),
            now,
        )
        best = await self.means.database.read(partial(self._best, asked))
        return await opened(self.means.changes, self.scope.user, best)

    async def nearest(
        self, vector: Vector, *, where: Filter, limit: int, own: bool = False
    ) -> Sequence[Hit]:
        asked = self._fitting(vector)
        if limit < 1 or not self.state.rows or self.blind is None or asked is None:
            return []
        within = admitted(self.scope, self.blind, where, None)
        if own:
            within = and_(within, written_in(self.scope))
        looking = Looking(self.scope, within, self.state.rows, asked, self.means.model, limit)
        best = await self.means.database.read(partial(self._nearest, looking))
        return await opened(self.means.changes, self.scope.user, best)

    def _fitting(self, vector: Vector | None) -> Floats | None:
        """The vector, unless it is of another length than those of the index."""
        asked = None if vector is None else array_of(vector)
        return asked if asked is not None and len(asked) == self.means.dimensions else None

    def _nearest(self, looking: Looking, connection: Connection) -> list[Scored]:
        connection.execute(candidates.BY_INDEX)
        seats = candidates.nearest(
            connection, looking, self.means.method, exact_below=self.means.exact_below
        )
        found = [one for one in with_neighbours(connection, looking, seats) if one.admitted]
        alike = [(one, one.cosine) for one in found if one.cosine is not None]
        best = sorted(alike, key=lambda pair: -pair[1])[: looking.limit]
        return [Scored(one, {"meaning": min(max(0.0, cosine), 1.0)}) for one, cosine in best]

    def _best(self, asked: Asked, connection: Connection) -> list[Scored]:
        looking = asked.looking
        held = candidates.matches(connection, looking, asked.sought.terms)
        lexicon = Lexicon(self.state, asked.sought, held)
        spans = self._days(connection, asked)
        nearest = candidates.nearest(
            connection, looking, self.means.method, exact_below=self.means.exact_below
        )
        seats = {
            *nearest,
            *candidates.worded(looking, lexicon, held),
            *candidates.dated(connection, looking, spans),
            *candidates.latest(connection, looking),
        }
        found = with_neighbours(connection, looking, seats)
        recipe = Recipe(asked.question, found, lexicon, spans, self._asked_about(asked.question))
        return recipe.best(looking.limit)

    def _days(self, connection: Connection, asked: Asked) -> Sequence[Span]:
        dated = bool(asked.question.dates)
        years = candidates.years_told(connection, asked.looking) if dated else range(0)
        return days_asked_for(asked.question, years, asked.now)

    def _asked_about(self, question: Question) -> Callable[[Found], bool] | None:
        """Tells the rows spoken by the one person asked about; memories speak for the user."""
        if len(question.about) == 1:
            [person] = question.about
            number = self.speakers.named.get(person)
            return lambda row: number is not None and row.speaker == number
        if question.about or not question.first_person or self.speakers.users > 1:
            return None
        return by_user
