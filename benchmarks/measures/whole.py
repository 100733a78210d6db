"""The whole of a recall as a user feels it, the real embedder included."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.measures.reads import BEST, SCOPE
from benchmarks.memory import load, open_memory
from benchmarks.synthetic import talk
from benchmarks.timing import Spread, spread, undisturbed, warm
from memweaver.app.opening import open_embedder
from memweaver.app.settings import Settings
from memweaver.domain.memory import Vector
from memweaver.ports.models import Embedder
from memweaver.services import Services


@dataclass(frozen=True, slots=True)
class Whole:
    """`rest` is what a recall takes besides its call of the embedder."""

    memories: int
    embedded_per_second: float
    recall: Spread
    rest: Spread
    bare_embedder: Spread
    rest_share: float


class Timed(Embedder):
    """An embedder that notes how long its last call took."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.seconds = 0.0

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        began = perf_counter()
        vectors = await self._embedder.embed(texts)
        self.seconds = perf_counter() - began
        return vectors


async def measure(folder: Path, memories: int, questions: int) -> Whole:
    given = talk(memories, 2 * questions, seed=memories)
    async with open_embedder(Settings(data=folder).embedder) as model:
        embedder = Timed(model)
        async with open_memory(folder, embedder) as memory:
            began = perf_counter()
            await load(memory.services, [(SCOPE, given)], f"record and really embed {memories:,}")
            rate = memories / (perf_counter() - began)
            times = await ask(memory.services, embedder, given.questions)
    recall, rest, bare = (spread(warm(each)) for each in zip(*times, strict=True))
    return Whole(
        memories,
        embedded_per_second=round(rate),
        recall=recall,
        rest=rest,
        bare_embedder=bare,
        rest_share=rest / recall,
    )


async def ask(
    services: Services, embedder: Timed, questions: Sequence[str]
) -> list[tuple[float, float, float]]:
    """Seconds for each pair of questions: to recall, without the embedder, the embedder alone.

    No question is asked twice, for an embedder may remember what it embedded before.
    """
    times = []
    with undisturbed():
        for ours, alone in zip(questions[::2], questions[1::2], strict=True):
            began = perf_counter()
            await services.recall(SCOPE, ours, limit=BEST)
            whole = perf_counter() - began
            inside = embedder.seconds
            await embedder.embed([alone])
            times.append((whole, whole - inside, embedder.seconds))
    return times
