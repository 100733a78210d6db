"""Reflecting while others change, erase and claim the same."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from unittest.mock import AsyncMock

import pytest
from tests.unit.services.house import ANN, a_house, heard
from tests.unit.services.reflecting import TEA, reflected, texts

from memweaver.domain.memory import Correction, Memory
from memweaver.errors import ClaimLost, Conflict, NotFound
from memweaver.ports.queue import Claim, Effects, Queue
from memweaver.services.reflect import Outcome


async def test_a_turn_erased_meanwhile_is_not_reflected_upon() -> None:
    async with a_house() as house:
        turn = await house.services.record(ANN, TEA)
        claim = await house.backend.queue.claim(
            now=house.clock.now(), lease=timedelta(minutes=1), batch=9
        )
        assert claim
        await house.services.curate.erase_turn(ANN, turn.id)
        outcome = await house.services.shift.reflect(claim)
        assert outcome in (Outcome.DONE, Outcome.LOST)
        assert await texts(house) == []


async def test_a_neighbour_erased_at_this_moment_is_no_neighbour() -> None:
    async with a_house() as house:
        await house.services.record(ANN, TEA)
        await reflected(house)
        await house.services.record(ANN, heard("FACT: User likes tea in bed."))
        with pytest.MonkeyPatch.context() as patch:
            gone = AsyncMock(side_effect=NotFound("gone"))
            patch.setattr(type(house.backend.store), "memory", gone)
            assert await reflected(house) == [Outcome.DONE]
        assert len(await texts(house)) == 2


@pytest.mark.requirement("D13")
async def test_who_lost_the_claim_changes_nothing() -> None:
    async with a_house() as house:
        await house.services.record(ANN, TEA)
        slow = await house.backend.queue.claim(
            now=house.clock.now(), lease=timedelta(seconds=1), batch=9
        )
        assert slow
        house.clock.advance(timedelta(minutes=1))
        assert await reflected(house) == [Outcome.DONE]
        assert await house.services.shift.reflect(slow) is Outcome.LOST
        assert await texts(house) == ["User likes tea."]


async def test_a_claim_lost_at_the_last_moment_changes_nothing() -> None:
    async with a_house() as house:
        await house.services.record(ANN, TEA)
        with pytest.MonkeyPatch.context() as patch:
            lost = AsyncMock(side_effect=ClaimLost("gone"))
            patch.setattr(type(house.backend.queue), "settle", lost)
            assert await house.services.shift() is Outcome.LOST
        assert await texts(house) == []


async def test_somebody_else_changing_a_memory_meanwhile_is_decided_anew() -> None:
    async with a_house() as house:
        await house.services.record(ANN, heard("FACT: User does like strong tea."))
        await reflected(house)
        [old] = (await house.services.curate.memories(ANN)).items
        settle, calls = type(house.backend.queue).settle, []

        async def racing(
            self: Queue, claim: Claim, effects: Effects, **more: Any
        ) -> Sequence[Memory]:
            calls.append(effects)
            if len(calls) == 1:
                await house.services.curate.correct(ANN, old.id, Correction(importance=0.9))
            return await settle(self, claim, effects, **more)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(house.backend.queue), "settle", racing)
            await house.services.record(ANN, heard("FACT: User does not like strong tea."))
            assert await reflected(house) == [Outcome.DONE]
        assert len(calls) == 2
        assert await texts(house) == ["User does not like strong tea."]


async def test_a_memory_that_never_stands_still_is_tried_later() -> None:
    async with a_house() as house:
        await house.services.record(ANN, TEA)
        with pytest.MonkeyPatch.context() as patch:
            clashing = AsyncMock(side_effect=Conflict("changed"))
            patch.setattr(type(house.backend.queue), "settle", clashing)
            assert await reflected(house) == [Outcome.RETRIED]
