"""Recording: what was said is kept once, whole, or refused by name."""

from dataclasses import replace

import pytest
from tests.unit.services.house import ANN, BOB, NEW_YEAR, a_house
from tests.unit.services.queued import NotedBell, NotedEvents

from memweaver.app.found import Around
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.event import EventKind
from memweaver.domain.scope import Scope
from memweaver.errors import Conflict, InvalidInput
from memweaver.testing.doubles import Tally

HELLO = Said((Message(Role.USER, "I moved to Oslo"), Message(Role.ASSISTANT, "Lovely.")))


async def test_a_turn_is_kept_with_the_time_it_was_said() -> None:
    async with a_house() as house:
        turn = await house.services.record(ANN, replace(HELLO, at=NEW_YEAR.replace(year=2020)))
        assert turn.at.year == 2020
        assert turn.recorded_at == NEW_YEAR
        assert await house.services.curate.turn(ANN, turn.id) == turn


async def test_without_a_time_it_was_said_now() -> None:
    async with a_house() as house:
        turn = await house.services.record(ANN, HELLO)
        assert turn.at == turn.recorded_at == NEW_YEAR


async def test_trying_again_with_the_same_key_keeps_one_turn() -> None:
    async with a_house() as house:
        first = await house.services.record(ANN, HELLO, idempotency="k1")
        again = await house.services.record(ANN, HELLO, idempotency="k1")
        assert again == first
        assert len((await house.services.curate.turns(ANN)).items) == 1


async def test_the_same_key_for_something_else_is_a_conflict() -> None:
    async with a_house() as house:
        await house.services.record(ANN, HELLO, idempotency="k1")
        with pytest.raises(Conflict):
            await house.services.record(ANN, replace(HELLO, session="other"), idempotency="k1")


async def test_a_key_means_something_else_for_each_scope() -> None:
    async with a_house() as house:
        turns = [
            await house.services.record(scope, HELLO, idempotency="k1")
            for scope in (ANN, BOB, Scope("ann", "tutor"))
        ]
        assert len({turn.id for turn in turns}) == 3


async def test_several_turns_are_kept_all_or_none() -> None:
    async with a_house() as house:
        with pytest.raises(InvalidInput, match="`messages` is empty"):
            await house.services.record.many(ANN, [HELLO, Said(())])
        assert (await house.services.curate.turns(ANN)).items == []
        assert len(await house.services.record.many(ANN, [HELLO, HELLO])) == 2


@pytest.mark.requirement("D1")
async def test_a_turn_rings_and_is_told_of_once() -> None:
    bell, events = NotedBell(), NotedEvents()
    async with a_house(around=Around(bell, events=events, figures=Tally())) as house:
        for _ in range(2):
            turn = await house.services.record(ANN, HELLO, idempotency="k1")
        assert bell.rung == [turn.id]
        assert events.noted == ["ann"]
        told = await house.backend.events.since(ANN, 0, 10)
        assert [(one.event.kind, one.event.id) for one in told] == [
            (EventKind.TURN_RECORDED, turn.id)
        ]
