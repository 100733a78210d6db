"""The contract of the `Windows` port, as tests; over a backend, whose turns the windows show."""

from abc import abstractmethod
from dataclasses import replace

from memweaver.domain.working import Window
from memweaver.ports.backend import Backend
from memweaver.ports.windows import Windows
from memweaver.testing.conformance.backend import (
    ANN,
    ANN_AT_HOME,
    ANN_AT_WORK,
    BOB,
    BackendSuite,
    a_turn,
    ended,
)
from memweaver.testing.conformance.store import ANY_TEXT


class WindowsSuite(BackendSuite):
    """Subclass, and say which windows to test."""

    async def test_a_window_comes_back_as_it_was(self, backend: Backend) -> None:
        turns = (a_turn("t1", ANY_TEXT, session=ANY_TEXT), a_turn("t2", scope=ANN_AT_WORK))
        await backend.store.record(turns)
        window = Window(turns, summary=ANY_TEXT, upto="t1", seen="an epoch:7")
        await self.windows(backend).keep(ANN, ANY_TEXT, window)
        assert await self.windows(backend).window(ANN, ANY_TEXT) == window

    async def test_what_is_not_at_hand_is_none(self, backend: Backend) -> None:
        assert await self.windows(backend).window(ANN, "default") is None
        await backend.store.record([a_turn()])
        assert await self.windows(backend).window(ANN, "default") is None

    async def test_a_window_takes_the_place_of_the_one_before(self, backend: Backend) -> None:
        await backend.store.record([a_turn()])
        await self.windows(backend).keep(ANN, "default", Window((a_turn(),)))
        await self.windows(backend).keep(ANN, "default", Window((), "Ann moved to Oslo", "t1"))
        found = await self.windows(backend).window(ANN, "default")
        assert found == Window((), "Ann moved to Oslo", "t1")

    async def test_a_window_is_of_one_session_of_one_scope(self, backend: Backend) -> None:
        scopes = (ANN, ANN_AT_WORK, ANN_AT_HOME, BOB)
        await backend.store.record([a_turn(f"t{n}", scope=s) for n, s in enumerate(scopes)])
        for number, scope in enumerate(scopes):
            for session in ("default", "other"):
                window = Window((a_turn(f"t{number}", scope=scope),), session)
                await self.windows(backend).keep(scope, session, window)
        for number, scope in enumerate(scopes):
            for session in ("default", "other"):
                found = await self.windows(backend).window(scope, session)
                assert found == Window((a_turn(f"t{number}", scope=scope),), session)

    async def test_of_a_user_forgotten_no_window_is_kept(self, backend: Backend) -> None:
        await backend.store.record([a_turn(), a_turn(scope=BOB)])
        his = Window((a_turn(scope=BOB),))
        await self.windows(backend).keep(ANN, "default", Window((a_turn(),)))
        await self.windows(backend).keep(BOB, "default", his)
        for nobody in ("ann", "ann", "nobody"):
            await self.windows(backend).forget(nobody)
        assert await self.windows(backend).window(ANN, "default") is None
        assert await self.windows(backend).window(BOB, "default") == his

    async def test_a_window_outlives_a_new_key(self, backend: Backend) -> None:
        await backend.store.record([a_turn()])
        await self.windows(backend).keep(ANN, "default", Window((a_turn(),)))
        await ended(backend.vault.reseal("ann"))
        assert await self.windows(backend).window(ANN, "default") == Window((a_turn(),))

    @abstractmethod
    def windows(self, backend: Backend) -> Windows: ...


class StoredWindowsSuite(WindowsSuite):
    """What more holds for windows that a backend keeps beside its turns."""

    def windows(self, backend: Backend) -> Windows:
        return backend.windows

    async def test_an_erased_turn_is_in_no_window(self, backend: Backend) -> None:
        await backend.store.record([a_turn(), a_turn("t2")])
        both = Window((a_turn(), a_turn("t2")))
        await backend.windows.keep(ANN, "default", both)
        await backend.store.erase_turn(ANN, "t1")
        assert await backend.windows.window(ANN, "default") is None
        for stale in (both, Window(summary="Ann moved to Oslo", upto="t1")):
            await backend.windows.keep(ANN, "default", stale)
            assert await backend.windows.window(ANN, "default") is None

    async def test_a_destroyed_user_has_no_window_and_does_not_come_back_by_one(
        self, backend: Backend
    ) -> None:
        await backend.store.record([a_turn()])
        window = Window((a_turn(),))
        await backend.windows.keep(ANN, "default", window)
        await backend.vault.destroy("ann")
        assert await backend.windows.window(ANN, "default") is None
        await backend.windows.keep(ANN, "default", replace(window, summary="old"))
        assert await backend.vault.users() == []
        await backend.store.record([a_turn("t2")])
        await backend.windows.keep(ANN, "default", window)
        assert await backend.windows.window(ANN, "default") is None
