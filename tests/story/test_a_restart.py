"""A process ends and another goes on with the same memory."""

from pathlib import Path

import memweaver
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.memory import Draft
from memweaver.domain.scope import Scope

ANN = Scope("ann")


async def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        turn = await memory.record(ANN, Said((Message(Role.USER, "The boat is called Otter."),)))
        fact = await memory.curate.add(ANN, Draft("The boat lies in Kiel."))
        key = await memory.access.create("ann", "laptop")
        await memory.maintain.settled()
        before = await memory.recall(ANN, "What is the boat called?")

    async with memweaver.open(tmp_path) as memory:
        assert await memory.curate.turn(ANN, turn.id) == turn
        assert await memory.curate.memory(ANN, fact.id) == fact
        assert (await memory.access.principal(key.secret)).user == "ann"
        after = await memory.recall(ANN, "What is the boat called?")
        assert [hit.ref for hit in after.hits] == [hit.ref for hit in before.hits]


async def test_what_was_not_embedded_when_the_process_ended_is_embedded_later(
    tmp_path: Path,
) -> None:
    async with memweaver.open(tmp_path) as memory:
        await memory.record(ANN, Said((Message(Role.USER, "The boat is called Otter."),)))

    async with memweaver.open(tmp_path) as memory:
        await memory.maintain.settled()
        progress = await memory.embed.progress()
        assert progress.embedded == progress.total == 1


async def test_two_processes_share_one_memory(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as one, memweaver.open(tmp_path) as other:
        assert (await other.recall(ANN, "What is the boat called?")).hits == []
        await one.record(ANN, Said((Message(Role.USER, "The boat is called Otter."),)))
        assert (await other.recall(ANN, "What is the boat called?")).hits
