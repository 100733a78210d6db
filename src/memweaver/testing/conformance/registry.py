"""The contract of the `AiRegistry` port, as tests."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from memweaver.domain.permissions import EVERYBODY, AiPermissions, InternetAccess
from memweaver.errors import InvalidInput, NotFound
from memweaver.ports.backend import Backend
from memweaver.ports.registry import Ai
from memweaver.testing.conformance.backend import BackendSuite, ended, later
from memweaver.testing.conformance.store import ANY_TEXT, STRANGE_NAMES

EVERY_KIND = AiPermissions(InternetAccess.FULL, ("a", "b"), ("vision",), ANY_TEXT, EVERYBODY)


def an_ai(name: str = "work", *, user: str = "ann", after: int = 0) -> Ai:
    permissions = AiPermissions(tools=("calculator",), shares=("home",))
    return Ai(user, name, f"{name} of {user}", later(after), permissions)


def adding(letter: str) -> Callable[[Ai], Ai]:
    """A change of the name that keeps what others added to it."""
    return lambda found: replace(found, name=found.name + letter)


def refused(_: Ai) -> Ai:
    raise InvalidInput("no")


class AiRegistrySuite(BackendSuite):
    async def test_a_registered_ai_comes_back_as_it_was(self, backend: Backend) -> None:
        ai = replace(an_ai(), name=ANY_TEXT, permissions=EVERY_KIND)
        assert await backend.registry.register(ai) == ai
        assert await backend.registry.ai("ann", "work") == ai

    async def test_registering_again_answers_the_one_kept_first(self, backend: Backend) -> None:
        await backend.registry.register(an_ai())
        again = replace(an_ai(after=9), name="another")
        assert await backend.registry.register(again) == an_ai()
        assert await backend.registry.ais("ann") == [an_ai()]

    async def test_ais_are_listed_oldest_first(self, backend: Backend) -> None:
        ais = [an_ai("b"), an_ai("a", after=1), an_ai("c", after=2)]
        for ai in reversed(ais):
            await backend.registry.register(ai)
        assert await backend.registry.ais("ann") == ais

    async def test_no_ai_crosses_to_another_user(self, backend: Backend) -> None:
        await backend.registry.register(an_ai())
        assert await backend.registry.ais("bob") == []
        with pytest.raises(NotFound):
            await backend.registry.ai("bob", "work")
        await backend.registry.register(an_ai(user="bob"))
        assert await backend.registry.ai("ann", "work") == an_ai()

    @pytest.mark.parametrize("name", STRANGE_NAMES)
    async def test_an_unknown_ai_is_not_found(self, backend: Backend, name: str) -> None:
        await backend.registry.register(an_ai())
        with pytest.raises(NotFound):
            await backend.registry.ai("ann", name)

    async def test_a_change_takes_the_place_of_name_and_permissions(self, backend: Backend) -> None:
        await backend.registry.register(an_ai())
        await backend.registry.register(an_ai("home", after=1))
        updated = replace(an_ai(), name=ANY_TEXT, permissions=EVERY_KIND)
        made = replace(updated, created_at=later(9))
        assert await backend.registry.change("ann", "work", lambda _: made) == updated
        assert await backend.registry.ais("ann") == [updated, an_ai("home", after=1)]

    async def test_changes_at_once_are_each_made_of_what_the_others_left(
        self, backend: Backend
    ) -> None:
        await backend.registry.register(replace(an_ai(), name="-"))
        letters = "abcdefgh"
        changes = (backend.registry.change("ann", "work", adding(one)) for one in letters)
        await asyncio.gather(*changes)
        left = (await backend.registry.ai("ann", "work")).name
        assert sorted(left.removeprefix("-")) == sorted(letters)

    async def test_a_change_that_is_refused_changes_nothing(self, backend: Backend) -> None:
        await backend.registry.register(an_ai())
        with pytest.raises(InvalidInput, match=r"^no$"):
            await backend.registry.change("ann", "work", refused)
        assert await backend.registry.ai("ann", "work") == an_ai()

    async def test_a_change_outlives_a_new_key(self, backend: Backend) -> None:
        await backend.registry.register(an_ai())
        await ended(backend.vault.reseal("ann"))
        updated = replace(an_ai(), name="another")
        await backend.registry.change("ann", "work", lambda _: updated)
        await ended(backend.vault.reseal("ann"))
        assert await backend.registry.ai("ann", "work") == updated

    async def test_an_erased_ai_is_no_longer_known(self, backend: Backend) -> None:
        await backend.registry.register(an_ai())
        await backend.registry.register(an_ai(user="bob"))
        await backend.registry.erase("ann", "work")
        assert await backend.registry.ais("ann") == []
        assert await backend.registry.ais("bob") == [an_ai(user="bob")]

    @pytest.mark.parametrize("user", ["ann", "bob"])
    @pytest.mark.parametrize("name", STRANGE_NAMES)
    async def test_what_is_not_there_can_be_neither_changed_nor_erased(
        self, backend: Backend, user: str, name: str
    ) -> None:
        await backend.registry.register(an_ai())
        with pytest.raises(NotFound):
            await backend.registry.change(user, name, refused)
        with pytest.raises(NotFound):
            await backend.registry.erase(user, name)
        assert await backend.registry.ais("ann") == [an_ai()]
