"""What is promised of sharing between the AIs of one user, and of erasing in bulk, as tests."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from memweaver.domain.memory import Tier
from memweaver.domain.scope import Scope
from memweaver.domain.search import Kind
from memweaver.errors import Conflict, NotFound
from memweaver.ports.backend import Backend
from memweaver.ports.index import Index
from memweaver.testing.conformance.backend import (
    ANN,
    ANN_AT_HOME,
    ANN_AT_WORK,
    BOB,
    BackendSuite,
    a_memory,
    a_turn,
    everything,
    later,
)
from memweaver.testing.conformance.indexed import IndexedSuite, embed, hits, said

ALL = frozenset(Tier)
NAMES = ("work", "home", "car")
WRITERS = (ANN, BOB, *(Scope(user, ai) for user in ("ann", "bob") for ai in NAMES))


def readers() -> Iterator[Scope]:
    """Every scope, with every choice of AIs that may share with it."""
    for scope in WRITERS:
        for count in range(len(NAMES) + 1):
            for shared in combinations(NAMES, count):
                yield replace(scope, shared=frozenset(shared))


def readable(scope: Scope) -> set[str]:
    """What the one predicate says: the scope's own, and what is shared within the user."""
    if scope.ai is None:
        return {name_of(one) for one in WRITERS if one.user == scope.user}
    ais = {scope.ai, *scope.shared}
    return {name_of(one) for one in WRITERS if one.user == scope.user and one.ai in ais}


def name_of(scope: Scope) -> str:
    return f"{scope.user} {scope.ai}"


class SharingSuite(BackendSuite):
    async def test_memories_are_read_by_whom_they_are_shared_with_and_nobody_else(
        self, backend: Backend
    ) -> None:
        await backend.store.add([a_memory(name_of(one), scope=one) for one in WRITERS])
        for scope in readers():
            page = await backend.store.memories(scope, tiers=ALL, before=None, limit=100)
            assert {memory.id for memory in page.items} == readable(scope)
            for writer in WRITERS:
                if name_of(writer) in readable(scope):
                    found = await backend.store.memory(scope, name_of(writer))
                    assert found == a_memory(name_of(writer), scope=writer)
                else:
                    with pytest.raises(NotFound):
                        await backend.store.memory(scope, name_of(writer))

    async def test_what_is_shared_can_be_read_but_not_changed(self, backend: Backend) -> None:
        await backend.store.add([a_memory(scope=ANN_AT_HOME)])
        reader = replace(ANN_AT_WORK, shared=frozenset({"home"}))
        assert await backend.store.memory(reader, "m1") == a_memory(scope=ANN_AT_HOME)
        with pytest.raises(NotFound):
            await backend.store.erase_memory(reader, "m1", at=later(9))
        with pytest.raises(NotFound):
            await backend.store.revise(a_memory(scope=reader, revision=2))
        assert await backend.store.erase_some(reader, session=None, limit=10, at=later(9)) == 0
        assert await backend.store.memory(ANN, "m1") == a_memory(scope=ANN_AT_HOME)

    async def test_turns_are_never_shared(self, backend: Backend) -> None:
        await backend.store.record([a_turn(scope=ANN_AT_HOME)])
        reader = replace(ANN_AT_WORK, shared=frozenset({"home"}))
        with pytest.raises(NotFound):
            await backend.store.turn(reader, "t1")
        with pytest.raises(NotFound):
            await backend.store.erase_turn(reader, "t1")
        assert (await backend.store.turns(reader, session=None, before=None, limit=9)).items == []

    async def test_only_the_revision_that_was_seen_is_erased(self, backend: Backend) -> None:
        await backend.store.add([a_memory()])
        await backend.store.revise(a_memory(revision=2, after=1))
        with pytest.raises(Conflict):
            await backend.store.erase_memory(ANN, "m1", expected=1, at=later(9))
        await backend.store.erase_memory(ANN, "m1", expected=2, at=later(9))
        with pytest.raises(NotFound):
            await backend.store.memory(ANN, "m1")

    async def test_a_session_is_erased_some_at_a_time_and_no_other_is_touched(
        self, backend: Backend
    ) -> None:
        gone = [a_turn(f"t{number}", session="s1") for number in range(5)]
        kept = [a_turn("other", session="s2"), a_turn("t1", session="s1", scope=BOB)]
        await backend.store.record([*gone, *kept])
        await backend.store.add([a_memory()])
        told = [
            await backend.store.erase_some(ANN, session="s1", limit=2, at=later(9))
            for _ in range(4)
        ]
        assert told == [2, 2, 1, 0]
        left = await everything(backend)
        assert ([turn.id for turn in left.turns], len(left.memories)) == (["other"], 1)
        assert {ref.id for ref in left.erased} == {turn.id for turn in gone}
        assert await backend.store.turn(BOB, "t1") == kept[1]

    async def test_an_ai_is_erased_some_at_a_time_and_no_other_is_touched(
        self, backend: Backend
    ) -> None:
        scopes = (ANN, ANN_AT_WORK, ANN_AT_HOME, BOB)
        for scope in scopes:
            names = [f"{name_of(scope)} {number}" for number in range(2)]
            await backend.store.record([a_turn(name, scope=scope) for name in names])
            await backend.store.add([a_memory(name, scope=scope) for name in names])
        told = [
            await backend.store.erase_some(ANN_AT_WORK, session=None, limit=3, at=later(9))
            for _ in "abc"
        ]
        assert told == [3, 1, 0]
        for user in ("ann", "bob"):
            left = await everything(backend, user)
            assert len(left.turns) == len(left.memories) == (4 if user == "ann" else 2)
            assert ANN_AT_WORK not in {one.scope for one in left.turns}
            assert ANN_AT_WORK not in {one.scope for one in left.memories}

    async def test_of_nobody_there_is_nothing_to_erase(self, backend: Backend) -> None:
        assert await backend.store.erase_some(ANN, session="s1", limit=9, at=later(9)) == 0
        assert await backend.store.erase_some(ANN, session=None, limit=9, at=later(9)) == 0
        assert await backend.vault.users() == []


class SharedSearchSuite(IndexedSuite):
    async def test_memories_are_found_by_whom_they_are_shared_with_and_nobody_else(
        self, backend: Backend, index: Index
    ) -> None:
        for writer in WRITERS:
            name = name_of(writer)
            await backend.store.add([a_memory(name, "Oslo is wet", scope=writer)])
            await backend.store.record([said(name, "Oslo is wet", scope=writer)])
        for user in ("ann", "bob"):
            await embed(backend, user)
        for scope in readers():
            found = {(hit.ref.kind, hit.ref.id) for hit in await hits(index, "Oslo", scope=scope)}
            own = {name_of(one) for one in WRITERS if scope.holds(one)}
            memories = {(Kind.MEMORY, name) for name in readable(scope)}
            assert found == memories | {(Kind.TURN, name) for name in own}
