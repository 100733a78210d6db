"""The local embedder: two threads, so that a question never waits for a backlog."""

from asyncio import get_running_loop, to_thread
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from threading import Lock

from memweaver.adapters.local.files import model_in, packaged_model
from memweaver.adapters.local.model import LONGEST, Model, Tokens, batches
from memweaver.adapters.local.together import Together
from memweaver.background import behind_others
from memweaver.domain.memory import Vector
from memweaver.ports.models import Embedder

ROOM = LONGEST
"""Tokens computed in one go: more are no faster for each, and keep others waiting longer."""

SHARING = 4
"""Questions computed in one go: more are hardly quicker for each, and all wait for the last."""

KEPT = 1024
"""Vectors of questions kept: people ask again."""


class LocalEmbedder(Embedder):
    """A single text is a question: it is answered from memory, or together with others that wait.

    Several texts are a backlog: batches of like length, one after another in a thread of its own.
    The model is loaded when the first text comes.
    """

    def __init__(self, name: str, dimensions: int, load: Callable[[], Model]) -> None:
        self._name = name
        self._dimensions = dimensions
        self._load = load
        self._loading = Lock()
        self._loaded: Model | None = None
        self._working = ThreadPoolExecutor(1, "embed-backlog", behind_others)
        self._together = Together(self._at_once, SHARING, "embed-question")
        self._kept: OrderedDict[str, Vector] = OrderedDict()

    @property
    def model(self) -> str:
        return self._name

    @property
    def dimensions(self) -> int:
        return self._dimensions

    @property
    def here(self) -> bool:
        return True

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        match texts:
            case []:
                return []
            case [text]:
                return [await self._question(text)]
            case _:
                return await self._backlog(texts)

    def close(self) -> None:
        """End the threads, once they have done what they are at."""
        self._together.close()
        self._working.shutdown(cancel_futures=True)

    async def _question(self, text: str) -> Vector:
        vector = self._kept.pop(text, None) or await self._together(text)
        self._kept[text] = vector
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return vector

    async def _backlog(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Each batch is a step of its own, so that giving up takes effect soon."""
        in_thread = partial(get_running_loop().run_in_executor, self._working)
        tokens = await in_thread(self._tokens, texts)
        made = [await in_thread(self._vectors, tokens, batch) for batch in batched(tokens)]
        return in_order(made)

    def _at_once(self, texts: Sequence[str]) -> Sequence[Vector]:
        tokens = self._tokens(texts)
        return in_order([self._vectors(tokens, batch) for batch in batched(tokens)])

    def _tokens(self, texts: Sequence[str]) -> Sequence[Tokens]:
        model = self._ready()
        return [model.tokens(text) for text in texts]

    def _vectors(self, tokens: Sequence[Tokens], batch: Sequence[int]) -> Mapping[int, Vector]:
        """Of the texts whose places are in `batch`."""
        vectors = self._ready().vectors([tokens[place] for place in batch])
        return dict(zip(batch, vectors, strict=True))

    def _ready(self) -> Model:
        with self._loading:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded


def batched(tokens: Sequence[Tokens]) -> Iterator[Sequence[int]]:
    return batches([len(one) for one in tokens], ROOM)


def in_order(made: Sequence[Mapping[int, Vector]]) -> Sequence[Vector]:
    """The vectors of all batches, by the places of their texts."""
    return [vector for _, vector in sorted(one for batch in made for one in batch.items())]


@asynccontextmanager
async def open_local(folder: Path | None = None) -> AsyncGenerator[LocalEmbedder]:
    """The model in `folder`, or the one that comes with the program.

    Raises:
        ConfigurationError: the files are not there, or are no model.
    """
    embedder = await to_thread(embedder_of, folder)
    try:
        yield embedder
    finally:
        await to_thread(embedder.close)


def embedder_of(folder: Path | None) -> LocalEmbedder:
    """A folder's model is loaded at once: only so it is known to be one, and of what size."""
    if folder is None:
        files = packaged_model()
        return LocalEmbedder(files.name, 384, lambda: Model(files))
    files = model_in(folder)
    model = Model(files)
    return LocalEmbedder(files.name, model.dimensions, lambda: model)
