"""Two people, and two AIs of one of them, each with a memory of their own."""

from pathlib import Path

import pytest

import memweaver
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.scope import Scope
from memweaver.errors import NotFound

ANN, BEN = Scope("ann"), Scope("ben")
SAID = Said((Message(Role.USER, "The garden gate is painted green."),))


async def test_what_one_person_said_another_never_sees(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        turn = await memory.record(ANN, SAID)

        assert (await memory.recall(BEN, "What colour is the gate?")).hits == []
        assert (await memory.curate.turns(BEN)).items == []
        with pytest.raises(NotFound):
            await memory.curate.turn(BEN, turn.id)
        with pytest.raises(NotFound):
            await memory.curate.erase_turn(BEN, turn.id)
        assert await memory.curate.turn(ANN, turn.id) == turn


@pytest.mark.requirement("B1", "B18")
async def test_an_ai_sees_only_its_own_and_its_user_sees_all(tmp_path: Path) -> None:
    cook, gardener = Scope("ann", "cook"), Scope("ann", "gardener")
    async with memweaver.open(tmp_path) as memory:
        await memory.record(gardener, SAID)

        assert (await memory.recall(gardener, "What colour is the gate?")).hits
        assert (await memory.recall(cook, "What colour is the gate?")).hits == []
        assert (await memory.recall(ANN, "What colour is the gate?")).hits
