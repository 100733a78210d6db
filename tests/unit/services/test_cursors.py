"""Cursors: good for who got them, and for the same question only."""

from datetime import UTC, datetime

import pytest
from tests.unit.services.house import ANN, BOB, a_house

from memweaver.domain.event import Cursor
from memweaver.domain.scope import Scope
from memweaver.errors import InvalidInput

HERE = Cursor(7, datetime(2026, 5, 1, 9, 30, tzinfo=UTC))


async def test_a_cursor_leads_back_to_its_place() -> None:
    async with a_house() as house:
        cursors = house.services.cursors
        assert (
            await cursors.opened("mine, by age", await cursors.signed("mine, by age", "3")) == "3"
        )
        assert await cursors.heard(ANN, await cursors.told(ANN, HERE)) == HERE


async def test_a_cursor_of_somebody_else_or_another_question_is_refused() -> None:
    async with a_house() as house:
        cursors = house.services.cursors
        place, told = await cursors.signed("mine", "3"), await cursors.told(ANN, HERE)
        for question, cursor in (("yours", place), ("mine", told), ("mine", "3"), ("mine", "")):
            with pytest.raises(InvalidInput, match="not one that was given out for this question"):
                await cursors.opened(question, cursor)
        for scope in (BOB, Scope(ANN.user, "tutor")):
            with pytest.raises(InvalidInput, match="`cursor`"):
                await cursors.heard(scope, told)
        with pytest.raises(InvalidInput, match="`cursor`"):
            await cursors.heard(ANN, str(HERE))
