"""What a person wants gone is gone: from the lists, from recall, and from older times too."""

from pathlib import Path

import pytest

import memweaver
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.memory import Correction, Draft
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter
from memweaver.errors import NotFound

ANN, BEN = Scope("ann"), Scope("ben")
SECRET = Said((Message(Role.USER, "The safe opens with 4711."),))


@pytest.mark.requirement("X3")
async def test_an_erased_turn_is_found_no_more(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        turn = await memory.record(ANN, SECRET)
        await memory.maintain.settled()
        assert (await memory.recall(ANN, "What opens the safe?")).hits

        await memory.curate.erase_turn(ANN, turn.id)

        assert (await memory.recall(ANN, "What opens the safe?")).hits == []
        with pytest.raises(NotFound):
            await memory.curate.turn(ANN, turn.id)


@pytest.mark.requirement("X3")
async def test_an_erased_memory_leaves_no_earlier_revision_behind(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        first = await memory.curate.add(ANN, Draft("The safe opens with 4711."))
        await memory.curate.correct(ANN, first.id, Correction("The safe opens with 0815."))

        await memory.curate.erase(ANN, first.id)

        then = Filter(as_of=first.validity.known_from)
        assert (await memory.recall(ANN, "What opens the safe?")).hits == []
        assert (await memory.recall(ANN, "What opens the safe?", where=then)).hits == []


async def test_a_destroyed_user_begins_anew_and_the_others_go_on(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        await memory.record(ANN, SECRET)
        await memory.record(BEN, SECRET)
        await memory.keys.destroy("ann")

        assert (await memory.curate.turns(ANN)).items == []
        assert (await memory.recall(ANN, "What opens the safe?")).hits == []
        assert (await memory.recall(BEN, "What opens the safe?")).hits

        await memory.record(ANN, Said((Message(Role.USER, "Hello again."),)))
        assert len((await memory.curate.turns(ANN)).items) == 1
