"""The contract of the `Index` port, as tests: the nearest by meaning alone, and quarantine."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memweaver.domain.memory import Tier, Validity
from memweaver.domain.scope import Scope
from memweaver.domain.search import EVERYTHING, Filter, Hit, Kind
from memweaver.ports.backend import Backend
from memweaver.ports.index import Index
from memweaver.testing.conformance.backend import (
    ANN,
    ANN_AT_HOME,
    ANN_AT_WORK,
    BOB,
    MODEL,
    NOON,
    a_memory,
    later,
)
from memweaver.testing.conformance.indexed import (
    DIMENSIONS,
    IndexedSuite,
    embed,
    hits,
    ids,
    said,
)
from memweaver.testing.doubles import HashEmbedder

SCOPES = (ANN, ANN_AT_WORK, ANN_AT_HOME, BOB)
ONLY_MEMORIES = Filter(turns=False)


async def near(
    index: Index,
    text: str,
    *,
    scope: Scope = ANN,
    where: Filter = EVERYTHING,
    limit: int = 10,
    own: bool = False,
) -> Sequence[Hit]:
    """What is nearest to a text."""
    [vector] = await HashEmbedder(DIMENSIONS, MODEL).embed([text])
    return await (await index.open(scope)).nearest(vector, where=where, limit=limit, own=own)


class NearestSuite(IndexedSuite):
    async def test_the_nearest_come_first_by_their_cosine(
        self, backend: Backend, index: Index
    ) -> None:
        await backend.store.record([said("t1", "I moved to Oslo")])
        await backend.store.add([a_memory("m1"), a_memory("m2", "Tea is fine")])
        await embed(backend)
        found = await near(index, "Ann lives in Oslo")
        assert found[0].ref.id == "m1"
        assert found[0].score == pytest.approx(1.0, abs=1e-5)
        assert {hit.ref.kind for hit in found} == {Kind.TURN, Kind.MEMORY}
        cosines = [hit.cosine for hit in found]
        assert None not in cosines
        assert cosines == sorted(cosines, key=lambda cosine: -(cosine or 0))
        assert [hit.score for hit in found] == [max(0.0, hit.cosine or 0) for hit in found]
        assert ids(await near(index, "Ann lives in Oslo", limit=1)) == ["m1"]
        assert await near(index, "Ann lives in Oslo", limit=0) == []

    async def test_what_says_it_is_near_however_much_there_is(
        self, backend: Backend, index: Index
    ) -> None:
        """The whole scope is looked through, not the best ten by words."""
        others = [a_memory(f"m{number}", f"Ann lives in {number}") for number in range(60)]
        await backend.store.add([a_memory("old", "Ann lives in Oslo", after=-900), *others])
        await embed(backend)
        assert ids(await near(index, "Ann lives in Oslo", limit=1)) == ["old"]

    async def test_what_the_current_model_has_not_read_is_not_near(
        self, backend: Backend, index: Index
    ) -> None:
        assert await near(index, "Ann lives in Oslo") == []
        await backend.store.add([a_memory()])
        assert await near(index, "Ann lives in Oslo") == []
        await embed(backend, model="another-model")
        assert await near(index, "Ann lives in Oslo") == []
        await embed(backend)
        await backend.store.add([a_memory("m2")])
        assert ids(await near(index, "Ann lives in Oslo")) == ["m1"]

    async def test_nothing_near_is_of_somebody_else(self, backend: Backend, index: Index) -> None:
        await backend.store.add([a_memory(scope=ANN_AT_WORK), a_memory("m2", scope=BOB)])
        for user in ("ann", "bob"):
            await embed(backend, user)
        asked = {scope: ids(await near(index, "Oslo", scope=scope)) for scope in SCOPES}
        assert asked == {ANN: ["m1"], ANN_AT_WORK: ["m1"], ANN_AT_HOME: [], BOB: ["m2"]}

    async def test_a_scopes_own_is_what_was_written_in_exactly_that(
        self, backend: Backend, index: Index
    ) -> None:
        """However much nearer the others are, they take no place among those asked for."""
        scopes = {ANN: "m1", ANN_AT_WORK: "m2", ANN_AT_HOME: "m3"}
        far = [a_memory(name, "Tea is fine", scope=scope) for scope, name in scopes.items()]
        other = Scope("ann", "garden")
        crowd = [a_memory(f"c{number}", scope=other) for number in range(12)]
        await backend.store.add([*far, *crowd])
        await backend.store.record([said("t1", "Ann lives in Oslo")])
        await embed(backend)
        for scope, name in scopes.items():
            found = await near(
                index, "Ann lives in Oslo", scope=scope, where=ONLY_MEMORIES, limit=2, own=True
            )
            assert ids(found) == [name]
        assert ids(await near(index, "Ann lives in Oslo", own=True)) == ["t1", "m1"]
        assert await near(index, "Oslo", scope=Scope("ann", "unheard of"), own=True) == []
        assert await near(index, "Oslo", scope=BOB, own=True) == []

    async def test_what_is_near_is_what_the_filter_admits(
        self, backend: Backend, index: Index
    ) -> None:
        await backend.store.record([said("t1", "I moved to Oslo", session="monday")])
        await backend.store.add([a_memory(), a_memory("m2", tier=Tier.ARCHIVE)])
        await embed(backend)
        await backend.store.revise(a_memory(text="Ann lives in Rome", revision=2, after=5))
        admitted = {
            EVERYTHING: ["t1"],
            ONLY_MEMORIES: [],
            Filter(turns=False, as_of=later(1)): ["m1"],
            Filter(turns=False, tiers=frozenset({Tier.ARCHIVE})): ["m2"],
            Filter(session="monday"): ["t1"],
            Filter(session="tuesday"): [],
        }
        for where, expected in admitted.items():
            assert ids(await near(index, "Oslo", where=where)) == expected

    async def test_what_does_not_hold_yet_is_near_unless_a_time_is_asked_for(
        self, backend: Backend, index: Index
    ) -> None:
        """Who compares with what is known must find plans too."""
        held = Validity(NOON, valid_from=later(10), valid_to=later(20))
        await backend.store.add([replace(a_memory(), validity=held)])
        await embed(backend)
        assert ids(await near(index, "Oslo", where=ONLY_MEMORIES)) == ["m1"]
        for minutes, expected in ((9, []), (10, ["m1"]), (20, [])):
            where = Filter(valid_at=later(minutes))
            assert ids(await near(index, "Oslo", where=where)) == expected

    async def test_what_is_quarantined_is_never_found(self, backend: Backend, index: Index) -> None:
        suspect = replace(a_memory(), quarantined=True)
        await backend.store.add([suspect])
        await embed(backend)
        for where in (EVERYTHING, Filter(as_of=later(1)), Filter(tiers=frozenset(Tier))):
            assert await hits(index, "Where does Ann live?", where=where) == []
            assert await near(index, suspect.text, where=where) == []
        await index.maintain()
        async with self.open_index(backend) as afresh:
            assert await hits(afresh, "Where does Ann live?") == []
        page = await backend.store.memories(ANN, tiers=frozenset(Tier), before=None, limit=9)
        assert page.items == [suspect]

    async def test_what_left_quarantine_is_found_from_then_on(
        self, backend: Backend, index: Index
    ) -> None:
        await backend.store.add([replace(a_memory(), quarantined=True)])
        await hits(index, "Oslo")
        await backend.store.revise(a_memory(revision=2, after=5))
        await embed(backend)
        assert [hit.ref.revision for hit in await hits(index, "Oslo")] == [2]
        assert [hit.ref.revision for hit in await near(index, "Oslo")] == [2]
        assert await hits(index, "Oslo", where=Filter(as_of=later(1))) == []
