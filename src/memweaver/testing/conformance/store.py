"""The contract of the `Store` port, as tests: what holds for turns."""

import asyncio
from dataclasses import replace

import pytest

from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.scope import Scope
from memweaver.errors import Conflict, InvalidInput, NotFound
from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import (
    ANN,
    ANN_AT_HOME,
    ANN_AT_WORK,
    BOB,
    BackendSuite,
    a_turn,
    later,
    stamp_of,
)

STRANGE_NAMES = ("", "nobody", "\0", "t1\0", "\ud800", "t1' OR '1'='1", "%", "x" * 10_000)
ANY_TEXT = "Ærlig talt: 你好 🧵 \0 \ud83d \x1b[0m ' \" \\ {} %s :name\r\n"
"""Whatever may stand in a message, control characters and half a character included."""


class TurnStoreSuite(BackendSuite):
    async def test_a_recorded_turn_comes_back_as_it_was(self, backend: Backend) -> None:
        said = (Message(Role.USER, ANY_TEXT, name="Zoë"), Message(Role.TOOL, ""))
        metadata = {"depth": {"list": [1, 2.5, None, True, ANY_TEXT]}, "": {}}
        turn = replace(a_turn(session=ANY_TEXT), messages=said, metadata=metadata)
        assert await backend.store.record([turn]) == [turn]
        assert await backend.store.turn(ANN, "t1") == turn

    async def test_turns_are_answered_in_the_order_given(self, backend: Backend) -> None:
        given = [a_turn("t2"), a_turn("t1", scope=BOB), a_turn("t1"), a_turn("t3")]
        assert await backend.store.record(given) == given

    async def test_recording_nothing_is_nothing(self, backend: Backend) -> None:
        assert await backend.store.record([]) == []

    async def test_recording_the_same_turn_twice_changes_nothing(self, backend: Backend) -> None:
        await backend.store.record([a_turn()])
        before = await stamp_of(backend)
        await backend.store.record([a_turn()])
        await backend.store.record([a_turn(), a_turn()])
        assert await stamp_of(backend) == before
        page = await backend.store.turns(ANN, session=None, before=None, limit=10)
        assert page.items == [a_turn()]

    async def test_recording_a_turn_again_answers_the_one_kept_first(
        self, backend: Backend
    ) -> None:
        await backend.store.record([a_turn()])
        assert await backend.store.record([a_turn(after=9)]) == [a_turn()]

    async def test_a_turn_given_twice_at_once_is_kept_once(self, backend: Backend) -> None:
        assert await backend.store.record([a_turn(), a_turn(after=9)]) == [a_turn(), a_turn()]
        page = await backend.store.turns(ANN, session=None, before=None, limit=10)
        assert page.items == [a_turn()]

    @pytest.mark.parametrize(
        "other",
        [
            a_turn(text="I moved to Bergen"),
            a_turn(session="another"),
            a_turn(scope=ANN_AT_WORK),
            replace(a_turn(), metadata={}),
        ],
    )
    async def test_another_turn_under_a_taken_id_is_a_conflict_and_leaves_no_trace(
        self, backend: Backend, other: Turn
    ) -> None:
        await backend.store.record([a_turn()])
        before = await stamp_of(backend)
        with pytest.raises(Conflict):
            await backend.store.record([a_turn("t2"), other])
        assert await stamp_of(backend) == before
        assert await backend.store.turn(ANN, "t1") == a_turn()
        with pytest.raises(NotFound):
            await backend.store.turn(ANN, "t2")

    async def test_two_users_may_use_the_same_id(self, backend: Backend) -> None:
        await backend.store.record([a_turn(text="hers")])
        await backend.store.record([a_turn(text="his", scope=BOB)])
        assert (await backend.store.turn(ANN, "t1")).messages[0].text == "hers"
        assert (await backend.store.turn(BOB, "t1")).messages[0].text == "his"

    @pytest.mark.parametrize("name", STRANGE_NAMES)
    async def test_what_is_not_there_is_not_found(self, backend: Backend, name: str) -> None:
        await backend.store.record([a_turn()])
        with pytest.raises(NotFound):
            await backend.store.turn(ANN, name)
        with pytest.raises(NotFound):
            await backend.store.erase_turn(ANN, name)

    async def test_a_turn_that_cannot_be_named_or_written_is_refused_whole(
        self, backend: Backend
    ) -> None:
        for bad in (a_turn("\0"), replace(a_turn("t2"), metadata={"at": later(0)})):
            with pytest.raises(InvalidInput):
                await backend.store.record([a_turn(), bad])
        with pytest.raises(NotFound):
            await backend.store.turn(ANN, "t1")

    async def test_no_turn_crosses_to_another_user(self, backend: Backend) -> None:
        await backend.store.record([a_turn(), a_turn("t2", scope=BOB)])
        for scope in (BOB, Scope("nobody"), Scope("bob", "work")):
            await self._sees_no_turn_of_ann(backend, scope)
        assert await backend.store.turn(ANN, "t1") == a_turn()

    async def test_no_turn_crosses_to_another_ai(self, backend: Backend) -> None:
        kept = a_turn(scope=ANN_AT_WORK)
        await backend.store.record([kept])
        await self._sees_no_turn_of_ann(backend, ANN_AT_HOME)
        assert await backend.store.turn(ANN_AT_WORK, "t1") == kept

    async def test_without_an_ai_a_user_sees_all_of_theirs(self, backend: Backend) -> None:
        turns = [a_turn("t1", scope=ANN_AT_WORK), a_turn("t2", scope=ANN_AT_HOME), a_turn("t3")]
        await backend.store.record(turns)
        page = await backend.store.turns(ANN, session=None, before=None, limit=10)
        assert page.items == turns[::-1]
        at_work = await backend.store.turns(ANN_AT_WORK, session=None, before=None, limit=10)
        assert at_work.items == turns[:1]

    async def test_turns_are_listed_latest_recorded_first_a_page_at_a_time(
        self, backend: Backend
    ) -> None:
        for number in range(5):
            await backend.store.record([a_turn(f"t{number}", after=-number)])
        first = await backend.store.turns(ANN, session=None, before=None, limit=2)
        assert [turn.id for turn in first.items] == ["t4", "t3"]
        await backend.store.record([a_turn("t9")])
        second = await backend.store.turns(ANN, session=None, before=first.next, limit=2)
        assert [turn.id for turn in second.items] == ["t2", "t1"]
        third = await backend.store.turns(ANN, session=None, before=second.next, limit=1)
        assert [turn.id for turn in third.items] == ["t0"]
        assert third.next is None

    async def test_turns_are_listed_by_session(self, backend: Backend) -> None:
        await backend.store.record(
            [
                a_turn("t1", session="monday"),
                a_turn("t2", session="tuesday"),
                a_turn("t3", session="monday"),
                a_turn("t4", session="monday", scope=BOB),
            ]
        )
        monday = await backend.store.turns(ANN, session="monday", before=None, limit=10)
        assert [turn.id for turn in monday.items] == ["t3", "t1"]
        for scope, session in ((ANN, "Monday"), (Scope("nobody"), "monday")):
            page = await backend.store.turns(scope, session=session, before=None, limit=10)
            assert (page.items, page.next) == ([], None)

    async def test_an_erased_turn_is_gone_and_may_be_recorded_anew(self, backend: Backend) -> None:
        await backend.store.record([a_turn(), a_turn("t2")])
        await backend.store.erase_turn(ANN, "t1")
        with pytest.raises(NotFound):
            await backend.store.turn(ANN, "t1")
        with pytest.raises(NotFound):
            await backend.store.erase_turn(ANN, "t1")
        page = await backend.store.turns(ANN, session=None, before=None, limit=10)
        assert [turn.id for turn in page.items] == ["t2"]
        await backend.store.record([a_turn(text="Another thing")])
        assert (await backend.store.turn(ANN, "t1")).messages[0].text == "Another thing"

    async def test_writers_at_once_lose_nothing(self, backend: Backend) -> None:
        names = [f"t{number}" for number in range(24)]
        scopes = (ANN, BOB)
        await asyncio.gather(
            *(backend.store.record([a_turn(name, scope=s)]) for name in names for s in scopes),
            *(backend.store.record([a_turn(name, scope=s)]) for name in names for s in scopes),
        )
        for scope in scopes:
            page = await backend.store.turns(scope, session=None, before=None, limit=100)
            assert sorted(turn.id for turn in page.items) == sorted(names)
            assert (await stamp_of(backend, scope.user)).version == len(names)

    async def _sees_no_turn_of_ann(self, backend: Backend, scope: Scope) -> None:
        with pytest.raises(NotFound):
            await backend.store.turn(scope, "t1")
        with pytest.raises(NotFound):
            await backend.store.erase_turn(scope, "t1")
        for session in (None, "default"):
            page = await backend.store.turns(scope, session=session, before=None, limit=10)
            assert "t1" not in [turn.id for turn in page.items]
