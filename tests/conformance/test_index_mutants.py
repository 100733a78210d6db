"""The suite of the index notices what it is there for: each mutant has one fault."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime

import pytest
from tests.conformance.backends import InMemory
from tests.unit.adapters.shard.house import Wrapped

from memweaver.adapters.memory.index import InMemoryIndex
from memweaver.domain.memory import Tier, Vector
from memweaver.domain.question import Question
from memweaver.domain.scope import Scope
from memweaver.domain.search import EVERYTHING, Filter, Hit
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Delta
from memweaver.ports.index import Index, Shard
from memweaver.testing.conformance.backend import MODEL
from memweaver.testing.conformance.index import IndexSuite

Asking = Callable[[Filter], Filter]
Answering = Callable[[Sequence[Hit]], Sequence[Hit]]


class Changed(Shard):
    """A shard whose questions or answers are changed on the way."""

    def __init__(self, shard: Shard, asking: Asking, answering: Answering) -> None:
        self._shard, self._asking, self._answering = shard, asking, answering

    @property
    def people(self) -> Sequence[str]:
        return self._shard.people

    async def search(
        self,
        question: Question,
        vector: Vector | None,
        *,
        now: datetime,
        where: Filter,
        limit: int,
    ) -> Sequence[Hit]:
        where = self._asking(where)
        hits = await self._shard.search(question, vector, now=now, where=where, limit=limit)
        return self._answering(hits)

    async def nearest(
        self, vector: Vector, *, where: Filter, limit: int, own: bool = False
    ) -> Sequence[Hit]:
        where = self._asking(where)
        near = await self._shard.nearest(vector, where=where, limit=limit, own=own)
        return self._answering(near)


class Mutant(InMemoryIndex):
    def __init__(
        self,
        backend: Backend,
        *,
        model: str = MODEL,
        scoping: Callable[[Scope], Scope] = lambda scope: scope,
        asking: Asking = lambda where: where,
        answering: Answering = lambda hits: hits,
    ) -> None:
        super().__init__(backend.changes, model)
        self._scoping, self._asking, self._answering = scoping, asking, answering

    async def open(self, scope: Scope, *, since: float | None = None) -> Shard:
        shard = await super().open(self._scoping(scope), since=since)
        return Changed(shard, self._asking, self._answering)


class Sharing(Changed):
    """Answers with what anybody wrote that the scope sees."""

    async def nearest(
        self, vector: Vector, *, where: Filter, limit: int, own: bool = False
    ) -> Sequence[Hit]:
        return await super().nearest(vector, where=where, limit=limit, own=False)


class Gossip(Mutant):
    """Says of everybody who was heard anywhere."""

    def people(self, scope: Scope) -> Sequence[str]:
        return ("Wes", "Zoë")


class Overseeing(Mutant):
    async def open(self, scope: Scope, *, since: float | None = None) -> Shard:
        return Sharing(await super().open(scope, since=since), self._asking, self._answering)


class Stale(Mutant):
    """Opens a shard once and for all."""

    first: Shard | None = None

    async def open(self, scope: Scope, *, since: float | None = None) -> Shard:
        self.first = self.first or await super().open(scope, since=since)
        return self.first


class HoldingOn(Mutant):
    """Answers what it once found, whatever became of it."""

    def __init__(self, backend: Backend) -> None:
        super().__init__(backend, answering=self._remember)
        self._most: Sequence[Hit] = []

    def _remember(self, hits: Sequence[Hit]) -> Sequence[Hit]:
        self._most = max(self._most, hits, key=len)
        return self._most


class Released(Wrapped):
    """Changes that say of nothing that it is quarantined."""

    async def since(self, user: str, after: int, upto: int) -> Delta:
        delta = await super().since(user, after, upto)
        freed = [replace(memory, quarantined=False) for memory in delta.memories]
        return replace(delta, memories=freed)


class Trusting(Mutant):
    """Finds also what is quarantined."""

    def __init__(self, backend: Backend) -> None:
        super().__init__(replace(backend, changes=Released(backend.changes)))


def boasting(hits: Sequence[Hit]) -> Sequence[Hit]:
    return [replace(hit, score=hit.score * 0.9) for hit in hits]


def nameless(hits: Sequence[Hit]) -> Sequence[Hit]:
    return [replace(hit, speaker=None) for hit in hits]


class Suite(InMemory, IndexSuite):
    @asynccontextmanager
    async def open_index(self, backend: Backend) -> AsyncGenerator[Index]:
        yield Mutant(backend)


MUTANTS: list[tuple[Callable[[Backend], Index], str]] = [
    (Stale, "what_was_recorded_is_found_at_once"),
    (Stale, "what_another_index_saw_recorded_is_found_by_this_one"),
    (Stale, "whoever_asks_after_it_was_recorded_finds_it"),
    (HoldingOn, "what_was_erased_is_gone_at_once"),
    (HoldingOn, "a_destroyed_user_is_gone_at_once"),
    (lambda b: Mutant(b, scoping=lambda _: Scope("bob")), "nothing_crosses_users"),
    (Gossip, "people_at_hand_are_of_the_last_opening_or_none"),
    (
        lambda b: Mutant(b, scoping=lambda scope: Scope(scope.user)),
        "an_ai_sees_its_own_and_the_user_sees_all",
    ),
    (lambda b: Mutant(b, asking=lambda _: EVERYTHING), "a_search_keeps_to_its_session"),
    (lambda b: Mutant(b, asking=lambda _: EVERYTHING), "a_search_keeps_to_the_tiers_it_names"),
    (
        lambda b: Mutant(b, asking=lambda where: replace(where, tiers=frozenset(Tier))),
        "every_tier_but_the_archive_is_found",
    ),
    (
        lambda b: Mutant(b, asking=lambda where: replace(where, as_of=None)),
        "a_corrected_memory_is_found_as_it_is_and_as_it_was_then",
    ),
    (
        lambda b: Mutant(b, asking=lambda where: replace(where, valid_at=None)),
        "what_does_not_hold_is_not_found",
    ),
    (
        lambda b: Mutant(b, answering=lambda hits: hits[::-1]),
        "the_best_come_first_and_no_more_than_asked_for",
    ),
    (lambda b: Mutant(b, answering=boasting), "scores_are_shares_and_the_explanation_adds_up"),
    (lambda b: Mutant(b, answering=nameless), "a_hit_says_what_it_is"),
    (lambda b: Mutant(b, model="another-model"), "a_vector_by_another_model_does_not_count"),
    (Trusting, "what_is_quarantined_is_never_found"),
    (
        lambda b: Mutant(b, answering=lambda hits: hits[::-1]),
        "the_nearest_come_first_by_their_cosine",
    ),
    (
        lambda b: Mutant(b, scoping=lambda scope: Scope(scope.user)),
        "nothing_near_is_of_somebody_else",
    ),
    (lambda b: Mutant(b, asking=lambda _: EVERYTHING), "what_is_near_is_what_the_filter_admits"),
    (
        lambda b: Mutant(b, scoping=lambda scope: replace(scope, shared=frozenset())),
        "memories_are_found_by_whom_they_are_shared_with_and_nobody_else",
    ),
    (
        lambda b: Mutant(b, scoping=lambda scope: Scope(scope.user)),
        "memories_are_found_by_whom_they_are_shared_with_and_nobody_else",
    ),
    (Overseeing, "a_scopes_own_is_what_was_written_in_exactly_that"),
]


@pytest.mark.parametrize(("mutant", "promise"), MUTANTS, ids=[name for _, name in MUTANTS])
async def test_a_mutant_breaks_its_promise(
    mutant: Callable[[Backend], Index], promise: str
) -> None:
    async with InMemory().open_backend() as backend:
        await getattr(Suite(), f"test_{promise}")(backend, Mutant(backend))
    async with InMemory().open_backend() as backend:
        with pytest.raises(AssertionError):
            await getattr(Suite(), f"test_{promise}")(backend, mutant(backend))
