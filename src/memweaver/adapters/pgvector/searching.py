"""The `Shard` port: one scope of this index, ready to be searched."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlalchemy import Connection

from memweaver.adapters.pgvector import candidates
from memweaver.adapters.pgvector.candidates import Search
from memweaver.adapters.pgvector.database import Database
from memweaver.adapters.pgvector.dated import days_asked_for
from memweaver.adapters.pgvector.following import State
from memweaver.adapters.pgvector.lexical import Lexicon, Sought
from memweaver.adapters.pgvector.method import Method
from memweaver.adapters.pgvector.opened import opened
from memweaver.adapters.pgvector.recipe import Found, Recipe, Scored, by_user
from memweaver.adapters.pgvector.rows import Words, array_of
from memweaver.adapters.pgvector.speakers import Speakers
from memweaver.domain.dates import Span
from memweaver.domain.memory import Vector
from memweaver.domain.question import Question
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
class PgvectorShard(Shard):
    means: Means
    scope: Scope
    state: State
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
        if limit < 1 or not self.state.rows:
            return []
        search = Search(
            self.state,
            self.scope,
            where,
            now,
            question,
            Sought.of(self.scope.user, question, self.means.words),
            self._fitting(vector),
            self.means.model,
            limit,
        )
        best = await self.means.database.read(partial(self._best, search))
        return await opened(self.means.changes, self.scope.user, best)

    def _fitting(self, vector: Vector | None) -> candidates.Floats | None:
        """The vector, unless it is of another length than those of the index."""
        asked = None if vector is None else array_of(vector)
        return asked if asked is not None and len(asked) == self.means.dimensions else None

    def _best(self, search: Search, connection: Connection) -> list[Scored]:
        held = candidates.matches(connection, search)
        lexicon = Lexicon(self.state, search.sought, held)
        spans = self._days(connection, search)
        numbers = {
            *candidates.nearest(
                connection, search, self.means.method, exact_below=self.means.exact_below
            ),
            *candidates.worded(search, lexicon, held),
            *candidates.dated(connection, search, spans),
            *candidates.latest(connection, search),
        }
        rows = candidates.with_neighbours(connection, search, numbers)
        found = [Found.of(row) for row in rows]
        return Recipe(search, found, lexicon, spans, self._asked_about(search.question)).best()

    def _days(self, connection: Connection, search: Search) -> list[Span]:
        years = candidates.years_told(connection, search) if search.question.dates else range(0)
        return days_asked_for(search.question, years, search.now)

    def _asked_about(self, question: Question) -> Callable[[Found], bool] | None:
        """Tells the rows spoken by the one person asked about; memories speak for the user."""
        if len(question.about) == 1:
            [person] = question.about
            number = self.speakers.named.get(person)
            return lambda row: number is not None and row.speaker == number
        if question.about or not question.first_person or self.speakers.users > 1:
            return None
        return by_user
