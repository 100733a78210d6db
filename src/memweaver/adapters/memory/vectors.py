"""The `VectorStore` port in the process."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from memweaver.adapters.memory.state import Entry, State, User
from memweaver.domain.conversation import Turn
from memweaver.domain.memory import Memory
from memweaver.ports.changes import Vectors
from memweaver.ports.vectors import Progress, Unembedded, VectorStore

AnyEntry = Entry[Turn] | Entry[Memory]


class InMemoryVectors(VectorStore):
    def __init__(self, state: State) -> None:
        self._state = state

    async def unembedded(self, model: str, limit: int) -> Sequence[Unembedded]:
        waiting = [
            (age(entry.value), name, entry.ref.kind, entry.ref.id, entry.ref.revision, entry)
            for name, user in self._state.users.items()
            for entry in entries(user)
            if not embedded_by(model, entry)
        ]
        oldest = sorted(waiting, key=lambda one: one[:-1])[:limit]
        return [Unembedded(name, entry.ref, texts(entry.value)) for _, name, *_, entry in oldest]

    async def keep_vectors(self, user: str, vectors: Sequence[Vectors]) -> None:
        if (found := self._state.users.get(user)) is not None:
            keep(found, vectors)

    async def progress(self, model: str) -> Progress:
        all_entries = [entry for user in self._state.users.values() for entry in entries(user)]
        return Progress(sum(embedded_by(model, entry) for entry in all_entries), len(all_entries))


def keep(user: User, vectors: Sequence[Vectors]) -> None:
    latest = {one.ref: one for one in vectors}
    for ref, one in latest.items():
        if (entry := user.entry(ref)) is not None:
            user.embed(entry, one)


def entries(user: User) -> Iterator[AnyEntry]:
    yield from user.turns.values()
    yield from user.revisions()


def embedded_by(model: str, entry: AnyEntry) -> bool:
    return entry.vectors is not None and entry.vectors.model == model


def age(value: Turn | Memory) -> datetime:
    return value.recorded_at if isinstance(value, Turn) else value.validity.known_from


def texts(value: Turn | Memory) -> tuple[str, ...]:
    if isinstance(value, Turn):
        return tuple(message.spoken for message in value.messages)
    return (value.spoken,)
