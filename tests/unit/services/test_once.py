"""A request under a key is done once."""

import pytest
from tests.unit.services.house import a_house

from memweaver.errors import Conflict, InvalidInput
from memweaver.ports.replies import Reply
from memweaver.services.once import UNFINISHED

DONE = Reply(201, b"{}")


async def test_what_was_done_is_answered_and_what_failed_may_be_tried_again() -> None:
    async with a_house() as house:
        once = house.services.once
        assert await once.begin("ann", "k", b"one") is None
        await once.give_up("ann", "k")
        assert await once.begin("ann", "k", b"one") is None
        await once.keep("ann", "k", DONE)
        assert await once.begin("ann", "k", b"one") == DONE
        with pytest.raises(Conflict, match="another"):
            await once.begin("ann", "k", b"two")


async def test_what_is_being_answered_is_not_done_twice_unless_whoever_began_is_gone() -> None:
    async with a_house() as house:
        once = house.services.once
        assert await once.begin("ann", "k", b"one") is None
        with pytest.raises(Conflict, match="just now"):
            await once.begin("ann", "k", b"one")
        house.clock.advance(UNFINISHED)
        assert await once.begin("ann", "k", b"one") is None


async def test_a_secret_is_shown_once() -> None:
    async with a_house() as house:
        once = house.services.once
        await once.begin("ann", "k", b"one")
        await once.keep("ann", "k", Reply(201, None))
        with pytest.raises(Conflict, match="secret"):
            await once.begin("ann", "k", b"one")


async def test_a_key_is_a_name() -> None:
    async with a_house() as house:
        with pytest.raises(InvalidInput, match="`idempotency-key`"):
            await house.services.once.begin("ann", " ", b"one")
