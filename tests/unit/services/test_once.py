"""A request under a key is done once."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.unit.services.house import a_house

from memweaver.app.settings import Settings
from memweaver.errors import Conflict, InvalidInput, Unfinished
from memweaver.ports.replies import Reply
from memweaver.services.once import KEPT, UNFINISHED, Attempt, Once

DONE = Reply(201, b"{}")
FAILED = Reply(500, b"{}")
LONGEST = timedelta(seconds=Settings().upstream.timeout)
"""For which a model may be silent."""


async def begun(once: Once, request: bytes = b"one") -> Attempt:
    attempt = await once.begin("ann", "k", request)
    assert isinstance(attempt, Attempt)
    return attempt


async def test_what_was_done_is_answered_and_what_failed_may_be_tried_again() -> None:
    async with a_house() as house:
        once = house.services.once
        await once.give_up(await begun(once))
        await once.keep(await begun(once), DONE)
        assert await once.begin("ann", "k", b"one") == DONE
        with pytest.raises(Conflict, match="another"):
            await once.begin("ann", "k", b"two")


async def test_what_is_being_answered_is_not_done_twice_unless_whoever_began_is_gone() -> None:
    async with a_house() as house:
        once = house.services.once
        await begun(once)
        with pytest.raises(Conflict, match="just now"):
            await once.begin("ann", "k", b"one")
        house.clock.advance(LONGEST)
        with pytest.raises(Conflict, match="just now"):
            await once.begin("ann", "k", b"one")
        house.clock.advance(UNFINISHED)
        await begun(once)


async def test_who_comes_late_ends_nothing_of_a_later_attempt() -> None:
    async with a_house() as house:
        once = house.services.once
        late = await begun(once)
        house.clock.advance(LONGEST + UNFINISHED)
        later = await begun(once)
        await once.give_up(late)
        with pytest.raises(Unfinished):
            await once.begin("ann", "k", b"one")
        await once.keep(later, DONE)
        await once.keep(late, FAILED)
        assert await once.begin("ann", "k", b"one") == DONE


async def test_a_model_that_may_be_silent_for_ever_is_waited_for_a_day() -> None:
    async with a_house() as house:
        once = replace(house.services.once, patience=float("inf"))
        await begun(once)
        house.clock.advance(KEPT)
        with pytest.raises(Unfinished):
            await once.begin("ann", "k", b"one")
        house.clock.advance(UNFINISHED)
        await begun(once)


async def test_a_secret_is_shown_once() -> None:
    async with a_house() as house:
        once = house.services.once
        await once.keep(await begun(once), Reply(201, None))
        with pytest.raises(Conflict, match="secret"):
            await once.begin("ann", "k", b"one")


async def test_a_key_is_a_name() -> None:
    async with a_house() as house:
        with pytest.raises(InvalidInput, match="`idempotency-key`"):
            await house.services.once.begin("ann", " ", b"one")
