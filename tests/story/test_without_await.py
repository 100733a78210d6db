"""The same memory for programs that do not await."""

from pathlib import Path

import pytest

from memweaver import sync
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.memory import Correction, Draft, Tier
from memweaver.domain.scope import Scope
from memweaver.errors import NotFound

ANN = Scope("ann")
SAID = Said((Message(Role.USER, "The boat is called Otter."),))


def test_a_program_that_does_not_await_can_do_the_same(tmp_path: Path) -> None:
    with sync.open(tmp_path) as memory:
        turn = memory.record(ANN, SAID)
        memory.settled()
        fact = memory.curate.add(ANN, Draft("The boat lies in Kiel."))
        memory.curate.correct(ANN, fact.id, Correction("The boat lies in Bremen."))
        memory.curate.move(ANN, fact.id, Tier.EPISODIC)

        assert memory.recall(ANN, "What is the boat called?").hits[0].ref.id == turn.id
        assert memory.curate.memory(ANN, fact.id).text == "The boat lies in Bremen."
        assert [it.id for it in memory.curate.turns(ANN).items] == [turn.id]
        assert memory.health().status == "ok"

        memory.curate.erase(ANN, fact.id)
        memory.curate.erase_turn(ANN, turn.id)
        assert memory.recall(ANN, "What is the boat called?").hits == []


def test_an_error_is_the_same_without_await(tmp_path: Path) -> None:
    with pytest.raises(NotFound), sync.open(tmp_path) as memory:
        memory.curate.memory(ANN, "nothing")


async def test_it_works_inside_a_running_loop_too(tmp_path: Path) -> None:
    with sync.open(tmp_path) as memory:
        assert memory.record(ANN, SAID).messages == SAID.messages
