"""The contract of the `AiRegistry` port, as tests."""

from dataclasses import replace

import pytest

from memweaver.errors import InvalidInput, NotFound
from memweaver.ports.backend import Backend
from memweaver.ports.registry import Ai
from memweaver.testing.conformance.backend import BackendSuite, later
from memweaver.testing.conformance.store import ANY_TEXT, STRANGE_NAMES


def an_ai(name: str = "work", *, user: str = "ann", after: int = 0) -> Ai:
    return Ai(user, name, f"{name} of {user}", later(after), {"read": ["work"], "write": True})


class AiRegistrySuite(BackendSuite):
    async def test_a_registered_ai_comes_back_as_it_was(self, backend: Backend) -> None:
        ai = replace(an_ai(), name=ANY_TEXT, permissions={"": [None, ANY_TEXT]})
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

    async def test_what_cannot_be_written_is_refused(self, backend: Backend) -> None:
        with pytest.raises(InvalidInput):
            await backend.registry.register(replace(an_ai(), permissions={"at": later(0)}))
        with pytest.raises(NotFound):
            await backend.registry.ai("ann", "work")
