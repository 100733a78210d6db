"""The contract of the `Store` port, as tests: what holds for memories."""

from asyncio import gather
from dataclasses import replace

import pytest

from memweaver.domain.candidate import Relation
from memweaver.domain.memory import Memory, Tier, Validity
from memweaver.domain.origin import Authority, Origin
from memweaver.domain.relation import sentence, told
from memweaver.domain.scope import Scope
from memweaver.errors import Conflict, InvalidInput, NotFound
from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import (
    ANN,
    ANN_AT_HOME,
    ANN_AT_WORK,
    BOB,
    BackendSuite,
    a_memory,
    later,
    stamp_of,
)
from memweaver.testing.conformance.store import ANY_TEXT, STRANGE_NAMES

ALL = frozenset(Tier)


def an_attributed(
    name: str, attribute: object, *, scope: Scope = ANN, tier: Tier = Tier.SEMANTIC
) -> Memory:
    return replace(a_memory(name, scope=scope, tier=tier), metadata={"attribute": attribute})


def a_core(name: str, text: str, *, scope: Scope = ANN, after: int = 0) -> Memory:
    return a_memory(name, text, scope=scope, tier=Tier.CORE, key="city", after=after)


def a_relation(name: str, relation: Relation, *, scope: Scope = ANN) -> Memory:
    worded = a_memory(name, sentence(relation), scope=scope, tier=Tier.RELATIONAL)
    return replace(worded, metadata=told(relation))


MARCO = Relation("Marco", "person", "works_at", "Acme", "company")
SUPERSEDING = replace(a_memory("m2", "Ann lives in Rome", after=5), supersedes="m1")


def closed(memory: Memory, after: int) -> Memory:
    return replace(memory, validity=replace(memory.validity, known_to=later(after)))


class MemoryStoreSuite(BackendSuite):
    async def test_a_memory_comes_back_as_it_was(self, backend: Backend) -> None:
        memory = Memory(
            id="m1",
            scope=ANN_AT_WORK,
            tier=Tier.CORE,
            text=ANY_TEXT,
            validity=Validity(later(0), None, later(-9), later(9)),
            key=ANY_TEXT,
            origin=Origin.TOOL,
            authority=Authority.PREFERENCE,
            importance=0.1,
            confidence=1 / 3,
            supersedes="m0",
            sources=("t1", "t2"),
            metadata={"nested": {"list": [ANY_TEXT, None]}},
        )
        assert await backend.store.add([memory]) == [memory]
        assert await backend.store.memory(ANN_AT_WORK, "m1") == memory

    async def test_adding_nothing_is_nothing(self, backend: Backend) -> None:
        assert await backend.store.add([]) == []

    async def test_adding_the_same_memory_again_answers_the_one_kept_first(
        self, backend: Backend
    ) -> None:
        await backend.store.add([a_memory()])
        before = await stamp_of(backend)
        again = a_memory(after=9)
        assert await backend.store.add([again, again]) == [a_memory(), a_memory()]
        assert await stamp_of(backend) == before

    async def test_adding_a_memory_again_after_its_correction_answers_the_first_revision(
        self, backend: Backend
    ) -> None:
        await backend.store.add([a_memory()])
        await backend.store.revise(a_memory(text="Ann lives in Bergen", revision=2, after=5))
        assert await backend.store.add([a_memory()]) == [closed(a_memory(), 5)]
        assert (await backend.store.memory(ANN, "m1")).text == "Ann lives in Bergen"

    @pytest.mark.parametrize(
        "other",
        [
            a_memory(text="Ann lives in Bergen"),
            a_memory(tier=Tier.EPISODIC),
            a_memory(key="city"),
            a_memory(scope=ANN_AT_HOME),
            replace(a_memory(), metadata={}),
        ],
    )
    async def test_another_memory_under_a_taken_id_is_a_conflict_and_leaves_no_trace(
        self, backend: Backend, other: Memory
    ) -> None:
        await backend.store.add([a_core("city", "Oslo"), a_memory()])
        before = await stamp_of(backend)
        with pytest.raises(Conflict):
            await backend.store.add([a_core("m2", "Bergen"), other])
        assert await stamp_of(backend) == before
        assert (await backend.store.memory(ANN, "city")).validity.known_to is None
        with pytest.raises(NotFound):
            await backend.store.memory(ANN, "m2")

    async def test_two_users_may_use_the_same_id(self, backend: Backend) -> None:
        await backend.store.add([a_memory(text="hers"), a_memory(text="his", scope=BOB)])
        assert (await backend.store.memory(ANN, "m1")).text == "hers"
        assert (await backend.store.memory(BOB, "m1")).text == "his"

    @pytest.mark.parametrize("name", STRANGE_NAMES)
    async def test_what_is_not_there_is_not_found(self, backend: Backend, name: str) -> None:
        await backend.store.add([a_memory()])
        with pytest.raises(NotFound):
            await backend.store.memory(ANN, name)
        with pytest.raises(NotFound):
            await backend.store.erase_memory(ANN, name, at=later(9))
        with pytest.raises(NotFound):
            await backend.store.revise(a_memory(name, revision=2))

    async def test_a_memory_that_cannot_be_named_or_written_is_refused_whole(
        self, backend: Backend
    ) -> None:
        for bad in (a_memory("\0"), replace(a_memory("m2"), metadata={"at": later(0)})):
            with pytest.raises(InvalidInput):
                await backend.store.add([a_memory(), bad])
        with pytest.raises(NotFound):
            await backend.store.memory(ANN, "m1")

    async def test_no_memory_crosses_to_another_user(self, backend: Backend) -> None:
        await backend.store.add([a_memory(), a_memory("m2", scope=BOB)])
        for scope in (BOB, Scope("nobody"), Scope("bob", "work")):
            await self._sees_no_memory_of_ann(backend, scope)
        assert await backend.store.memory(ANN, "m1") == a_memory()

    async def test_no_memory_crosses_to_another_ai(self, backend: Backend) -> None:
        kept = a_memory(scope=ANN_AT_WORK)
        await backend.store.add([kept])
        await self._sees_no_memory_of_ann(backend, ANN_AT_HOME)
        assert await backend.store.memory(ANN, "m1") == kept

    async def test_open_memories_are_listed_by_tier_latest_added_first(
        self, backend: Backend
    ) -> None:
        await backend.store.add(
            [
                a_memory("m1", after=9),
                a_memory("m2", tier=Tier.EPISODIC),
                a_core("m3", "Oslo"),
                a_memory("m4", scope=ANN_AT_WORK),
                a_memory("m5", scope=BOB),
            ]
        )
        assert await self._listed(backend) == ["m4", "m3", "m2", "m1"]
        assert await self._listed(backend, tiers=frozenset({Tier.SEMANTIC})) == ["m4", "m1"]
        assert await self._listed(backend, tiers=frozenset()) == []
        assert await self._listed(backend, scope=ANN_AT_WORK) == ["m4"]

    async def test_a_page_goes_on_where_the_last_one_ended(self, backend: Backend) -> None:
        await backend.store.add([a_memory(f"m{number}") for number in range(4)])
        first = await backend.store.memories(ANN, tiers=ALL, before=None, limit=2)
        await backend.store.revise(a_memory("m0", "corrected meanwhile", revision=2))
        await backend.store.add([a_memory("m9")])
        second = await backend.store.memories(ANN, tiers=ALL, before=first.next, limit=2)
        assert [memory.id for memory in first.items] == ["m3", "m2"]
        assert [memory.id for memory in second.items] == ["m1", "m0"]
        assert second.items[1].text == "corrected meanwhile"
        assert second.next is None

    async def test_a_core_memory_takes_the_place_of_the_one_with_its_key(
        self, backend: Backend
    ) -> None:
        at_work = a_core("m0", "Oslo", scope=ANN_AT_WORK)
        his = a_core("m0", "Rome", scope=BOB)
        await backend.store.add([at_work, his, a_core("m1", "Oslo")])
        await backend.store.add([a_core("m2", "Bergen", after=5)])
        assert await backend.store.memory(ANN, "m1") == closed(a_core("m1", "Oslo"), 5)
        assert await self._listed(backend) == ["m2", "m0"]
        assert await backend.store.memory(BOB, "m0") == his

    async def test_a_memory_takes_the_place_of_the_one_it_supersedes(
        self, backend: Backend
    ) -> None:
        await backend.store.add([a_memory("m1"), a_memory("m1", scope=BOB), a_memory("m2")])
        newer = replace(a_memory("m3", "Ann lives in Bergen", after=5), supersedes="m1")
        await backend.store.add([newer])
        assert await backend.store.memory(ANN, "m1") == closed(a_memory("m1"), 5)
        assert await self._listed(backend) == ["m3", "m2"]
        assert await backend.store.memory(BOB, "m1") == a_memory("m1", scope=BOB)

    @pytest.mark.parametrize("suspect", [a_core("m2", "Rome", after=5), SUPERSEDING])
    async def test_in_quarantine_a_memory_takes_no_place_until_it_leaves_it(
        self, backend: Backend, suspect: Memory
    ) -> None:
        known = a_core("m1", "Oslo")
        await backend.store.add([known])
        await backend.store.add([replace(suspect, quarantined=True)])
        assert await backend.store.memory(ANN, "m1") == known
        again = replace(suspect, quarantined=True, revision=2, text="Rome, Italy")
        await backend.store.revise(again)
        assert await backend.store.memory(ANN, "m1") == known
        assert await self._listed(backend) == ["m2", "m1"]
        validity = Validity(later(9))
        await backend.store.revise(replace(suspect, revision=3, validity=validity))
        assert await backend.store.memory(ANN, "m1") == closed(known, 9)
        assert await self._listed(backend) == ["m2"]

    async def test_a_memory_takes_the_place_of_one_in_quarantine(self, backend: Backend) -> None:
        suspect = replace(a_core("m1", "Rome"), quarantined=True)
        await backend.store.add([suspect, a_core("m2", "Oslo", after=5)])
        assert await backend.store.memory(ANN, "m1") == closed(suspect, 5)

    async def test_of_two_core_memories_added_at_once_the_second_stays(
        self, backend: Backend
    ) -> None:
        await backend.store.add([a_core("m1", "Oslo"), a_core("m2", "Bergen", after=5)])
        assert await self._listed(backend) == ["m2"]

    async def test_only_the_core_tier_has_one_memory_for_a_key(self, backend: Backend) -> None:
        await backend.store.add([a_memory("m1", key="city"), a_memory("m2", key="city")])
        await backend.store.add([a_core("m3", "Oslo")])
        assert await self._listed(backend) == ["m3", "m2", "m1"]

    async def test_a_memory_moved_to_core_takes_the_place_there_too(self, backend: Backend) -> None:
        await backend.store.add([a_memory("m1", "Bergen", key="city"), a_core("m2", "Oslo")])
        await backend.store.revise(replace(a_core("m1", "Bergen", after=5), revision=2))
        assert await self._listed(backend) == ["m1"]
        assert await backend.store.memory(ANN, "m2") == closed(a_core("m2", "Oslo"), 5)

    async def test_a_correction_becomes_the_latest_revision(self, backend: Backend) -> None:
        await backend.store.add([a_memory()])
        corrected = a_memory(text="Ann lives in Bergen", revision=2, after=5)
        await backend.store.revise(corrected)
        assert await backend.store.memory(ANN, "m1") == corrected
        assert await self._listed(backend) == ["m1"]

    async def test_only_the_revision_after_the_latest_is_kept(self, backend: Backend) -> None:
        await backend.store.add([a_memory()])
        await backend.store.revise(a_memory(text="second", revision=2))
        before = await stamp_of(backend)
        for revision in (1, 2, 4):
            with pytest.raises(Conflict):
                await backend.store.revise(a_memory(text="late", revision=revision))
        assert await stamp_of(backend) == before
        assert (await backend.store.memory(ANN, "m1")).text == "second"

    async def test_a_closed_memory_cannot_be_corrected(self, backend: Backend) -> None:
        await backend.store.add([a_core("m1", "Oslo")])
        await backend.store.add([a_core("m2", "Bergen")])
        with pytest.raises(Conflict):
            await backend.store.revise(replace(a_core("m1", "Rome"), revision=2))

    async def test_a_correction_stays_in_the_scope_of_its_memory(self, backend: Backend) -> None:
        await backend.store.add([a_memory(scope=ANN_AT_WORK)])
        for scope in (ANN, ANN_AT_HOME, BOB):
            with pytest.raises(NotFound):
                await backend.store.revise(a_memory(scope=scope, revision=2))
        assert (await backend.store.memory(ANN, "m1")).revision == 1

    async def test_an_erased_memory_is_gone_with_all_its_revisions(self, backend: Backend) -> None:
        await backend.store.add([a_memory(), a_memory("m2")])
        await backend.store.revise(a_memory(revision=2))
        await backend.store.erase_memory(ANN, "m1", at=later(9))
        with pytest.raises(NotFound):
            await backend.store.memory(ANN, "m1")
        with pytest.raises(NotFound):
            await backend.store.erase_memory(ANN, "m1", at=later(9))
        assert await self._listed(backend) == ["m2"]
        await backend.store.add([a_memory(text="Another thing")])
        assert (await backend.store.memory(ANN, "m1")).text == "Another thing"

    async def test_what_has_an_attribute_is_found_latest_added_first(
        self, backend: Backend
    ) -> None:
        homes = [an_attributed("m1", "home"), an_attributed("m2", "home", tier=Tier.CORE)]
        other = [an_attributed("m3", "employer"), a_memory("m4"), an_attributed("m5", 5)]
        await backend.store.add([*homes, *other])
        assert await backend.store.attributed(ANN, "home") == homes[::-1]
        assert await backend.store.attributed(ANN, "5") == []
        assert await backend.store.attributed(ANN, "name") == []
        assert await backend.store.attributed(ANN, ANY_TEXT) == []
        assert await backend.store.attributed(Scope("nobody"), "home") == []

    async def test_an_attribute_is_looked_up_in_exactly_one_scope(self, backend: Backend) -> None:
        scopes = {ANN: "m1", ANN_AT_WORK: "m2", ANN_AT_HOME: "m3", BOB: "m4"}
        await backend.store.add(
            [an_attributed(name, "home", scope=scope) for scope, name in scopes.items()]
        )
        for scope, name in scopes.items():
            assert [one.id for one in await backend.store.attributed(scope, "home")] == [name]

    async def test_an_attribute_is_that_of_the_open_revision_out_of_quarantine(
        self, backend: Backend
    ) -> None:
        moved = replace(an_attributed("m1", "employer"), revision=2)
        suspect = replace(an_attributed("m2", "home"), quarantined=True)
        closing = replace(a_memory("m4"), supersedes="m3")
        await backend.store.add([an_attributed("m1", "home"), an_attributed("m3", "home")])
        await backend.store.revise(moved)
        await backend.store.add([suspect, closing, an_attributed("m5", "home")])
        await backend.store.erase_memory(ANN, "m5", at=later(9))
        assert await backend.store.attributed(ANN, "home") == []
        assert await backend.store.attributed(ANN, "employer") == [moved]

    async def test_a_relation_told_several_times_at_once_is_kept_once(
        self, backend: Backend
    ) -> None:
        given = [a_relation(f"m{number}", MARCO) for number in range(4)]
        kept = await gather(*(backend.store.relate(one) for one in given))
        assert kept[0] in given
        assert {one.id for one in kept} == {kept[0].id}
        assert await self._listed(backend) == [kept[0].id]

    async def test_a_relation_is_another_one_in_another_scope_or_with_other_ends(
        self, backend: Backend
    ) -> None:
        first, shouted = a_relation("m1", MARCO), replace(MARCO, subject="MARCO")
        others = [
            a_relation("m2", MARCO, scope=ANN_AT_WORK),
            replace(a_relation("m3", MARCO), metadata={}),
            a_relation("m4", replace(MARCO, subject="Marco works", predicate="at")),
        ]
        doubted = replace(a_relation("m5", replace(MARCO, object="Zenith")), quarantined=True)
        trusted = replace(doubted, id="m6", quarantined=False)
        for one in (first, *others, doubted, trusted):
            assert await backend.store.relate(one) == one
        assert await backend.store.relate(a_relation("m7", shouted)) == first
        await backend.store.revise(replace(first, revision=2, text="Marco left"))
        again = a_relation("m8", MARCO)
        assert await backend.store.relate(again) == again

    async def _sees_no_memory_of_ann(self, backend: Backend, scope: Scope) -> None:
        with pytest.raises(NotFound):
            await backend.store.memory(scope, "m1")
        with pytest.raises(NotFound):
            await backend.store.erase_memory(scope, "m1", at=later(9))
        with pytest.raises(NotFound):
            await backend.store.revise(a_memory(scope=scope, revision=2))
        assert "m1" not in await self._listed(backend, scope=scope)

    async def _listed(
        self, backend: Backend, *, scope: Scope = ANN, tiers: frozenset[Tier] = ALL
    ) -> list[str]:
        page = await backend.store.memories(scope, tiers=tiers, before=None, limit=100)
        return [memory.id for memory in page.items]
