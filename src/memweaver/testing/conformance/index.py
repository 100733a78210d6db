"""The contract of the `Index` port, as tests."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from time import perf_counter

import pytest

from memweaver.domain.memory import Tier, Validity
from memweaver.domain.origin import Origin
from memweaver.domain.scope import Scope
from memweaver.domain.search import EVERYTHING, Filter, Kind, Ref
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
    memory_ref,
)
from memweaver.testing.conformance.indexed import (
    TOLERANCE,
    comparable,
    embed,
    hits,
    ids,
    said,
)
from memweaver.testing.conformance.nearest import NearestSuite
from memweaver.testing.conformance.sharing import SharedSearchSuite


class IndexSuite(NearestSuite, SharedSearchSuite):
    async def test_of_somebody_unknown_nothing_is_found(self, index: Index) -> None:
        assert list((await index.open(ANN)).people) == []
        assert await hits(index, "What is there?") == []

    async def test_what_was_recorded_is_found_at_once(self, backend: Backend, index: Index) -> None:
        await hits(index, "Where do I live?")
        await backend.store.record([said("t1", "I moved to Oslo", "Noted.")])
        best = [(hit.ref, hit.ordinal) for hit in await hits(index, "Who moved to Oslo?", limit=1)]
        assert best == [(Ref(Kind.TURN, "t1"), 0)]

    async def test_whoever_asks_after_it_was_recorded_finds_it(
        self, backend: Backend, index: Index
    ) -> None:
        for number in range(3):
            await backend.store.record([said(f"t{number}", "I moved to Oslo")])
            found = await hits(index, "Oslo", since=perf_counter())
            assert len(found) == number + 1

    async def test_what_another_index_saw_recorded_is_found_by_this_one(
        self, backend: Backend, index: Index
    ) -> None:
        await hits(index, "Oslo")
        async with self.open_index(backend) as other:
            await backend.store.record([said("t1", "I moved to Oslo")])
            assert ids(await hits(other, "Oslo")) == ["t1"]
        assert ids(await hits(index, "Oslo")) == ["t1"]

    async def test_a_hit_says_what_it_is(self, backend: Backend, index: Index) -> None:
        turn = said("t1", "I moved to Oslo", "How nice.", person="Ann", session="monday")
        await backend.store.record([turn])
        heard, answered = sorted(await hits(index, "Oslo"), key=lambda hit: hit.ordinal)
        assert (heard.speaker, heard.session, heard.tier) == ("Ann", "monday", None)
        assert (heard.at, heard.origin) == (turn.at, Origin.USER)
        assert (answered.ordinal, answered.text, answered.speaker, answered.origin) == (
            1,
            "How nice.",
            "Assistant",
            Origin.ASSISTANT,
        )

    async def test_a_found_memory_says_what_it_is(self, backend: Backend, index: Index) -> None:
        memory = replace(a_memory(tier=Tier.EPISODIC), origin=Origin.IMPORT)
        await backend.store.add([memory])
        [hit] = await hits(index, "Oslo")
        assert (hit.ref, hit.text, hit.at) == (memory_ref(), memory.text, NOON)
        assert (hit.tier, hit.origin) == (Tier.EPISODIC, Origin.IMPORT)
        assert (hit.speaker, hit.session, hit.ordinal) == (None, None, 0)

    async def test_the_best_come_first_and_no_more_than_asked_for(
        self, backend: Backend, index: Index
    ) -> None:
        texts = ["I like tea", "My cat is called Tom", "I moved to Oslo in spring", "Rain again"]
        await backend.store.record([said(f"t{n}", text) for n, text in enumerate(texts)])
        await embed(backend)
        answer = await hits(index, "Which city in Norway, Oslo, did I say that I moved to?")
        assert ids(answer)[0] == "t2"
        assert [hit.score for hit in answer] == sorted((h.score for h in answer), reverse=True)
        assert len(answer) == len(texts)
        assert ids(await hits(index, "Where in Oslo did I say that I moved to?", limit=1)) == ["t2"]

    async def test_scores_are_shares_and_the_explanation_adds_up(
        self, backend: Backend, index: Index
    ) -> None:
        await backend.store.record([said("t1", "I moved to Oslo"), said("t2", "Tea on 3 May 2025")])
        await backend.store.add([a_memory()])
        await embed(backend)
        answer = await hits(index, "When on May 3 did I move to Oslo?")
        assert len(answer) == 3
        for hit in answer:
            assert 0 <= hit.score <= 1
            assert abs(sum(hit.explanation.values()) - hit.score) < TOLERANCE

    @pytest.mark.requirement("C7")
    async def test_likeness_is_a_cosine_and_unknown_without_a_vector(
        self, backend: Backend, index: Index
    ) -> None:
        await backend.store.record([said("t1", "I moved to Oslo")])
        [hit] = await hits(index, "Oslo")
        assert hit.cosine is None
        await embed(backend)
        await backend.store.record([said("t2", "Oslo is cold")])
        answer = {hit.ref.id: hit.cosine for hit in await hits(index, "User: I moved to Oslo")}
        assert answer["t1"] == pytest.approx(1.0, abs=1e-5)
        assert answer["t2"] is None

    async def test_a_vector_by_another_model_does_not_count(
        self, backend: Backend, index: Index
    ) -> None:
        await backend.store.record([said("t1", "I moved to Oslo")])
        await embed(backend, model="another-model")
        [hit] = await hits(index, "Who moved to Oslo?")
        assert (hit.ref.id, hit.cosine) == ("t1", None)

    async def test_changing_the_model_back_and_forth_loses_nothing(
        self, backend: Backend, index: Index
    ) -> None:
        await backend.store.record([said("t1", "I moved to Oslo")])
        for model, embedded in ((MODEL, True), ("another-model", False), (MODEL, True)):
            await embed(backend, model=model)
            [hit] = await hits(index, "Oslo")
            assert (hit.cosine is not None) == embedded

    @pytest.mark.requirement("X12")
    async def test_without_a_vector_words_decide(self, backend: Backend, index: Index) -> None:
        texts = ["I like tea", "I moved to Oslo in spring", "Rain again"]
        await backend.store.record([said(f"t{n}", text) for n, text in enumerate(texts)])
        await embed(backend)
        [best, *_] = await hits(index, "Who moved to Oslo in spring?", by_meaning=False)
        assert (best.ref.id, best.cosine) == ("t1", None)

    async def test_nothing_crosses_users(self, backend: Backend, index: Index) -> None:
        await backend.store.record([said("t1", "I moved to Oslo", person="Ann")])
        await backend.store.record([said("t2", "Tea, please", scope=BOB, person="Bob")])
        await backend.store.add([a_memory(scope=BOB)])
        assert ids(await hits(index, "Oslo")) == ["t1"]
        assert sorted(ids(await hits(index, "Oslo", scope=BOB))) == ["m1", "t2"]
        assert list((await index.open(ANN)).people) == ["Ann"]

    async def test_an_ai_sees_its_own_and_the_user_sees_all(
        self, backend: Backend, index: Index
    ) -> None:
        places = ((ANN, "Ann"), (ANN_AT_WORK, "Wes"), (ANN_AT_HOME, "Hal"))
        for scope, person in places:
            await backend.store.record([said(f"of-{person}", "Oslo", scope=scope, person=person)])
        await backend.store.add([a_memory(scope=ANN_AT_WORK)])
        assert sorted(ids(await hits(index, "Oslo"))) == ["m1", "of-Ann", "of-Hal", "of-Wes"]
        assert sorted(ids(await hits(index, "Oslo", scope=ANN_AT_WORK))) == ["m1", "of-Wes"]
        assert ids(await hits(index, "Oslo", scope=Scope("ann", "nowhere"))) == []
        assert list((await index.open(ANN_AT_HOME)).people) == ["Hal"]

    async def test_people_are_those_who_have_a_name(self, backend: Backend, index: Index) -> None:
        await backend.store.record([said("t1", "Hello", "Hello.")])
        assert list((await index.open(ANN)).people) == []
        await backend.store.record([said("t2", "Hello", "Hello.", person="Zoë")])
        await backend.store.record([said("t3", "Hello", person="Ann")])
        assert sorted((await index.open(ANN)).people) == ["Ann", "Zoë"]

    async def test_people_at_hand_are_of_the_last_opening_or_none(
        self, backend: Backend, index: Index
    ) -> None:
        await backend.store.record([said("t1", "Hello", person="Zoë")])
        await backend.store.record([said("t2", "Hello", scope=ANN_AT_WORK, person="Wes")])
        assert list(index.people(ANN_AT_WORK)) == []
        await index.open(ANN)
        await index.open(ANN_AT_WORK)
        assert set(index.people(ANN_AT_WORK)) <= {"Wes"}
        assert set(index.people(BOB)) == set()
        await backend.store.record([said("t3", "Hello", scope=ANN_AT_WORK, person="Una")])
        assert set(index.people(ANN_AT_WORK)) <= {"Wes"}

    async def test_every_tier_but_the_archive_is_found(
        self, backend: Backend, index: Index
    ) -> None:
        tiers = [tier for tier in Tier if tier is not Tier.CORE]
        await backend.store.add([a_memory(tier, tier=tier) for tier in tiers])
        assert set(ids(await hits(index, "Oslo", limit=20))) == set(tiers) - {Tier.ARCHIVE}

    async def test_a_search_keeps_to_the_tiers_it_names(
        self, backend: Backend, index: Index
    ) -> None:
        await backend.store.record([said("t1", "I moved to Oslo")])
        tiers = (Tier.SEMANTIC, Tier.EPISODIC, Tier.ARCHIVE)
        await backend.store.add([a_memory(tier, tier=tier) for tier in tiers])
        where = Filter(tiers=frozenset({Tier.ARCHIVE, Tier.EPISODIC}))
        assert sorted(ids(await hits(index, "Oslo", where=where))) == ["archive", "episodic", "t1"]
        where = replace(where, turns=False)
        assert sorted(ids(await hits(index, "Oslo", where=where))) == ["archive", "episodic"]

    async def test_a_search_keeps_to_its_session(self, backend: Backend, index: Index) -> None:
        await backend.store.record([said("t1", "Oslo", session="a")])
        await backend.store.record([said("t2", "Oslo", session="b")])
        await backend.store.add([a_memory()])
        assert ids(await hits(index, "Oslo", where=Filter(session="b"))) == ["t2"]
        assert ids(await hits(index, "Oslo", where=Filter(session="c"))) == []

    async def test_what_was_not_known_then_is_not_found_then(
        self, backend: Backend, index: Index
    ) -> None:
        await backend.store.record([said("t1", "Oslo", after=1), said("t2", "Oslo", after=3)])
        await backend.store.add([a_memory("m1", after=1), a_memory("m2", after=3)])
        then = Filter(as_of=later(2))
        assert sorted(ids(await hits(index, "Oslo", where=then))) == ["m1", "t1"]
        assert await hits(index, "Oslo", where=Filter(as_of=later(0))) == []

    async def test_a_corrected_memory_is_found_as_it_is_and_as_it_was_then(
        self, backend: Backend, index: Index
    ) -> None:
        await backend.store.add([a_memory()])
        await hits(index, "Ann")
        await backend.store.revise(a_memory(text="Ann lives in Rome", revision=2, after=5))
        [now] = await hits(index, "Where does Ann live?")
        [then] = await hits(index, "Where does Ann live?", where=Filter(as_of=later(4)))
        assert (now.ref, now.text) == (memory_ref(revision=2), "Ann lives in Rome")
        assert (then.ref, then.text) == (memory_ref(), "Ann lives in Oslo")

    async def test_a_memory_whose_place_was_taken_is_not_found(
        self, backend: Backend, index: Index
    ) -> None:
        await backend.store.add([a_memory("m1", "Oslo", tier=Tier.CORE, key="home")])
        await hits(index, "home")
        taking = a_memory("m2", "Rome", tier=Tier.CORE, key="home", after=5)
        await backend.store.add([taking])
        assert ids(await hits(index, "home")) == ["m2"]
        assert ids(await hits(index, "home", where=Filter(as_of=later(1)))) == ["m1"]

    async def test_what_does_not_hold_is_not_found(self, backend: Backend, index: Index) -> None:
        held = Validity(NOON, valid_from=later(10), valid_to=later(20))
        await backend.store.add([replace(a_memory(), validity=held), a_memory("m2")])
        assert ids(await hits(index, "Oslo")) == ["m2"]
        for minutes, expected in ((9, ["m2"]), (10, ["m1", "m2"]), (20, ["m2"])):
            where = Filter(valid_at=later(minutes))
            assert sorted(ids(await hits(index, "Oslo", where=where))) == expected

    async def test_what_was_erased_is_gone_at_once(self, backend: Backend, index: Index) -> None:
        await backend.store.record([said("t1", "Oslo", "Noted."), said("t2", "Oslo too")])
        await backend.store.add([a_memory("m1"), a_memory("m2")])
        await backend.store.revise(a_memory("m1", "Oslo after all", revision=2, after=1))
        await embed(backend)
        await index.maintain()
        assert len(await hits(index, "Oslo")) == 5
        await backend.store.erase_turn(ANN, "t1")
        await backend.store.erase_memory(ANN, "m1", at=later(9))
        for where in (EVERYTHING, Filter(as_of=later(0)), Filter(as_of=later(2))):
            assert sorted(ids(await hits(index, "Oslo", where=where))) == ["m2", "t2"]

    async def test_after_the_last_record_is_erased_nothing_is_found(
        self, backend: Backend, index: Index
    ) -> None:
        await backend.store.record([said("t1", "I moved to Oslo", person="Ann")])
        await embed(backend)
        assert len(await hits(index, "Oslo")) == 1
        await backend.store.erase_turn(ANN, "t1")
        assert await hits(index, "Oslo") == []
        assert list((await index.open(ANN)).people) == []
        await index.maintain()
        await backend.store.record([said("t2", "I moved to Rome")])
        assert ids(await hits(index, "Oslo")) == ["t2"]

    async def test_a_destroyed_user_is_gone_at_once(self, backend: Backend, index: Index) -> None:
        await backend.store.record([said("t1", "I moved to Oslo", person="Ann")])
        await embed(backend)
        await hits(index, "Oslo")
        await backend.vault.destroy("ann")
        assert await hits(index, "Oslo") == []
        await backend.store.record([said("t2", "I moved to Rome")])
        assert ids(await hits(index, "Oslo")) == ["t2"]
        assert list((await index.open(ANN)).people) == []

    async def test_who_is_told_of_an_erasing_finds_the_rest(
        self, backend: Backend, index: Index
    ) -> None:
        await index.erased("ann")
        await backend.store.record([said("t1", "I moved to Oslo"), said("t2", "Tea")])
        await hits(index, "Oslo")
        await backend.store.erase_turn(ANN, "t1")
        await index.erased("ann")
        assert ids(await hits(index, "Oslo")) == ["t2"]
        await backend.vault.destroy("ann")
        await index.erased("ann")
        assert await hits(index, "Oslo") == []

    async def test_what_was_erased_may_be_recorded_anew(
        self, backend: Backend, index: Index
    ) -> None:
        await backend.store.record([said("t1", "I moved to Oslo", "Noted."), said("t2", "Tea")])
        await hits(index, "Oslo")
        await backend.store.erase_turn(ANN, "t1")
        await backend.store.record([said("t1", "I moved to Rome")])
        assert sorted(hit.text for hit in await hits(index, "Rome")) == ["I moved to Rome", "Tea"]

    async def test_following_the_store_gives_what_opening_afresh_gives(
        self, backend: Backend, index: Index
    ) -> None:
        store = backend.store
        texts = ["I moved to Oslo?", "Yes, on 3 May 2025", "Tea", "Oslo"]
        turns = [said(f"t{n}", one, "I see.", session=f"s{n % 2}") for n, one in enumerate(texts)]
        corrected = a_memory(text="Ann lives in Rome", revision=2, after=5)
        steps: list[Callable[[], Awaitable[object]]] = [
            *(partial(store.record, [turn]) for turn in turns[:2]),
            partial(embed, backend),
            *(partial(store.record, [turn]) for turn in turns[2:]),
            partial(store.add, [a_memory("m1"), a_memory("m2", "Ann drinks tea")]),
            partial(store.revise, corrected),
            partial(embed, backend),
            partial(store.erase_turn, ANN, "t1"),
            index.maintain,
            partial(store.erase_memory, ANN, "m2", at=later(9)),
        ]
        for step in steps:
            await step()
            for text in ("When in May 2025 did I move to Oslo?", "Does Ann drink tea?"):
                followed = await hits(index, text, limit=100)
                async with self.open_index(backend) as afresh:
                    opened = await hits(afresh, text, limit=100)
                assert comparable(followed) == comparable(opened)

    async def test_maintaining_changes_no_answer(self, backend: Backend, index: Index) -> None:
        texts = ["I moved to Oslo", "Tea, please", "The cat sleeps", "Rain in Oslo"] * 40
        await backend.store.record([said(f"t{n}", text) for n, text in enumerate(texts)])
        await embed(backend)
        before = await hits(index, "Who moved to Oslo?", limit=200)
        await index.maintain()
        after = await hits(index, "Who moved to Oslo?", limit=200)
        async with self.open_index(backend) as afresh:
            opened = await hits(afresh, "Who moved to Oslo?", limit=200)
        assert comparable(before) == comparable(after) == comparable(opened)
