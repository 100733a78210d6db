"""The contract of the `Sessions` port, as tests."""

from dataclasses import replace

import pytest

from memweaver.domain.scope import Scope
from memweaver.errors import Conflict, NotFound
from memweaver.ports.backend import Backend
from memweaver.ports.sessions import Session
from memweaver.testing.conformance.backend import (
    ANN,
    ANN_AT_HOME,
    ANN_AT_WORK,
    BOB,
    BackendSuite,
    a_turn,
    ended,
    later,
)
from memweaver.testing.conformance.store import ANY_TEXT, STRANGE_NAMES


def a_session(name: str = "s1", *, scope: Scope = ANN, after: int = 0) -> Session:
    return Session(scope, name, f"{name} of {scope.user}", later(after))


class SessionsSuite(BackendSuite):
    async def test_a_session_comes_back_as_it_was(self, backend: Backend) -> None:
        session = replace(a_session(scope=ANN_AT_WORK), name=ANY_TEXT)
        await backend.sessions.add(session)
        assert await backend.sessions.session(ANN_AT_WORK, "s1") == session
        assert await backend.sessions.session(ANN, "s1") == session

    async def test_an_id_is_a_users_once(self, backend: Backend) -> None:
        await backend.sessions.add(a_session())
        for scope in (ANN, ANN_AT_WORK):
            with pytest.raises(Conflict):
                await backend.sessions.add(a_session(scope=scope))
        await backend.sessions.add(a_session(scope=BOB))
        assert await backend.sessions.session(ANN, "s1") == a_session()
        assert await backend.sessions.session(BOB, "s1") == a_session(scope=BOB)

    async def test_sessions_are_listed_latest_added_first_a_page_at_a_time(
        self, backend: Backend
    ) -> None:
        for number in (3, 1, 2):
            await backend.sessions.add(a_session(f"s{number}"))
            await backend.store.record([a_turn(f"t{number}")])
        first = await backend.sessions.sessions(ANN, before=None, limit=2)
        assert [one.id for one in first.items] == ["s2", "s1"]
        rest = await backend.sessions.sessions(ANN, before=first.next, limit=2)
        assert ([one.id for one in rest.items], rest.next) == (["s3"], None)

    async def test_a_scope_sees_its_own_sessions_only(self, backend: Backend) -> None:
        scopes = (ANN, ANN_AT_WORK, ANN_AT_HOME, BOB)
        for number, scope in enumerate(scopes):
            await backend.sessions.add(a_session(f"s{number}", scope=scope))
        for scope in (*scopes, replace(ANN_AT_WORK, shared=frozenset({"home"}))):
            page = await backend.sessions.sessions(scope, before=None, limit=10)
            seen = {n for n, other in enumerate(scopes) if scope.holds(other)}
            assert {one.id for one in page.items} == {f"s{n}" for n in seen}
            for number in set(range(len(scopes))) - seen:
                await self._has_none(backend, scope, f"s{number}")

    @pytest.mark.parametrize("name", STRANGE_NAMES)
    async def test_what_is_not_there_is_not_found(self, backend: Backend, name: str) -> None:
        await self._has_none(backend, ANN, name)
        await backend.sessions.add(a_session())
        await self._has_none(backend, ANN, name)

    async def test_a_session_is_renamed_and_keeps_its_place(self, backend: Backend) -> None:
        await backend.sessions.add(a_session("s1"))
        await backend.sessions.add(a_session("s2"))
        renamed = replace(a_session("s1"), name=ANY_TEXT)
        assert await backend.sessions.rename(ANN, "s1", ANY_TEXT) == renamed
        page = await backend.sessions.sessions(ANN, before=None, limit=10)
        assert page.items == [a_session("s2"), renamed]

    async def test_an_erased_session_is_gone_and_its_turns_stay(self, backend: Backend) -> None:
        await backend.sessions.add(a_session())
        await backend.sessions.add(a_session(scope=BOB))
        await backend.store.record([a_turn(session="s1")])
        await backend.sessions.erase(ANN, "s1")
        await self._has_none(backend, ANN, "s1")
        assert await backend.sessions.session(BOB, "s1") == a_session(scope=BOB)
        assert await backend.store.turn(ANN, "t1") == a_turn(session="s1")

    async def test_a_session_outlives_a_new_key_but_not_its_user(self, backend: Backend) -> None:
        await backend.sessions.add(a_session())
        await ended(backend.vault.reseal("ann"))
        assert await backend.sessions.session(ANN, "s1") == a_session()
        await backend.vault.destroy("ann")
        await self._has_none(backend, ANN, "s1")

    async def _has_none(self, backend: Backend, scope: Scope, name: str) -> None:
        with pytest.raises(NotFound):
            await backend.sessions.session(scope, name)
        with pytest.raises(NotFound):
            await backend.sessions.rename(scope, name, "another")
        with pytest.raises(NotFound):
            await backend.sessions.erase(scope, name)
