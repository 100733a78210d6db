"""Recalling for a turn and recording it, as a chat waits for both, beside the bare embedder."""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.measures.reads import SCOPE
from benchmarks.memory import Opened, load, open_memory
from benchmarks.synthetic import talk
from benchmarks.timing import Spread, spread, undisturbed, warm
from memweaver.app.opening import open_embedder
from memweaver.app.settings import Settings
from memweaver.domain.conversation import Message, Role, Said


@dataclass(frozen=True, slots=True)
class Both:
    memories: int
    recall_and_record: Spread
    bare_embedder: Spread
    over_bare_embedder: float


async def measure(folder: Path, memories: int, turns: int) -> Both:
    given = talk(memories, 2 * turns, seed=memories)
    ours, alone = [], []
    async with (
        open_embedder(Settings(data=folder).embedder) as embedder,
        open_memory(folder, embedder) as memory,
    ):
        await load(memory.services, [(SCOPE, given)], f"record and embed {memories:,}")
        with undisturbed():
            # No question is asked twice, for an embedder may remember what it embedded before.
            for asked, other in zip(given.questions[::2], given.questions[1::2], strict=True):
                ours.append(await turn(memory, asked))
                began = perf_counter()
                await embedder.embed([other])
                alone.append(perf_counter() - began)
                await embedded(memory)
    both, bare = spread(warm(ours)), spread(warm(alone))
    return Both(memories, both, bare, both / bare)


async def turn(memory: Opened, asked: str) -> float:
    """The seconds a caller waits: for what is recalled, and for the turn to be on disk."""
    began = perf_counter()
    await memory.services.recall(SCOPE, asked)
    await memory.services.record(SCOPE, Said((Message(Role.USER, asked),)))
    return perf_counter() - began


async def embedded(memory: Opened) -> None:
    """As the background does between two turns of a chat."""
    while await memory.services.embed():
        pass
