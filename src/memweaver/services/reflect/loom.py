"""The loom: what one reflection changes, before any of it is kept."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import mul

from memweaver.domain.decide import Near
from memweaver.domain.memory import Memory, Vector
from memweaver.domain.origin import weakest
from memweaver.domain.search import Kind, Ref
from memweaver.ports.changes import Vectors
from memweaver.ports.queue import Closing, Effects
from memweaver.services.reflect.memo import Memo

Woven = dict[str, tuple[Memory, Vector]]


@dataclass(frozen=True, slots=True)
class Removal:
    """Memories that were removed together, as they were on the loom before."""

    ids: Sequence[str]
    added: Woven
    revised: Woven


@dataclass(slots=True)
class Loom:
    """Memories that are new or changed, with their vectors, and those to be closed, by id."""

    now: datetime
    memo: Memo
    added: Woven = field(default_factory=dict)
    revised: Woven = field(default_factory=dict)
    closed: dict[str, Closing] = field(default_factory=dict)
    removed: dict[str, Removal] = field(default_factory=dict)

    def near(self, vector: Vector, kept: Iterable[Near]) -> list[Near]:
        """The memories near to `vector`, nearest first, as they will be: new ones included.

        What is in quarantine has no say about anything else.
        """
        changed = {**self.revised, **self.added}
        untouched = [
            one for one in kept if one.memory.id not in changed and one.memory.id not in self.closed
        ]
        ours = [
            Near(memory, cosine(vector, known))
            for memory, known in changed.values()
            if not memory.quarantined
        ]
        return sorted([*untouched, *ours], key=lambda one: -one.cosine)

    def add(self, memory: Memory, vector: Vector) -> None:
        self.added[memory.id] = memory, vector

    def update(self, memory: Memory, by: Memory, text: str, vector: Vector) -> None:
        """Let `memory` say `text` from now on, which it owes in part to `by`."""
        merged = replace(
            memory,
            text=text,
            origin=weakest([memory.origin, by.origin]),
            importance=max(memory.importance, by.importance),
            confidence=max(memory.confidence, by.confidence),
            sources=tuple(dict.fromkeys([*memory.sources, *by.sources])),
            metadata={**memory.metadata, **by.metadata},
        )
        self._change(memory, merged, vector)

    def confirm(self, memory: Memory, by: Memory, vector: Vector) -> None:
        """Let `memory` stand on the word of `by`, which is worth more and says the same."""
        confirmed = replace(memory, origin=by.origin, authority=by.authority)
        self._change(memory, confirmed, vector)

    def _change(self, memory: Memory, changed: Memory, vector: Vector) -> None:
        if memory.id in self.added:
            self.added[memory.id] = changed, vector
            return
        if memory.id not in self.revised:
            validity = replace(changed.validity, known_from=self.now, known_to=None)
            changed = replace(changed, revision=memory.revision + 1, validity=validity)
        self.revised[memory.id] = changed, vector

    def replace(self, memory: Memory, by: Memory, vector: Vector) -> None:
        """Let `by` take the place of `memory`, which held until then."""
        if memory.id in self.added:
            self.close(memory)
            self.add(replace(by, supersedes=memory.supersedes), vector)
            return
        self.close(memory, valid_to=by.validity.valid_from or by.validity.known_from)
        self.add(replace(by, supersedes=memory.id), vector)

    def close(self, memory: Memory, *, valid_to: datetime | None = None) -> None:
        if self.added.pop(memory.id, None):
            return
        if self.revised.pop(memory.id, None):
            memory = replace(memory, revision=memory.revision - 1)
        self.closed[memory.id] = Closing(memory.id, memory.revision, valid_to)

    def remove(self, target: str, memories: Sequence[Memory], *, valid_to: datetime) -> None:
        """Close `target` and all that say it in the same words, and know how it was before."""
        ids = [memory.id for memory in memories]
        self.removed[target] = Removal(ids, picked(self.added, ids), picked(self.revised, ids))
        for memory in memories:
            self.close(memory, valid_to=valid_to)

    def restore(self, target: str) -> None:
        """Undo its removal."""
        removal = self.removed.pop(target)
        for one in removal.ids:
            self.closed.pop(one, None)
        self.added |= removal.added
        self.revised |= removal.revised

    def effects(self, model: str) -> Effects:
        return Effects(
            added=[memory for memory, _ in self.added.values()],
            revised=[memory for memory, _ in self.revised.values()],
            closed=list(self.closed.values()),
            vectors=list(self._vectors(model)),
        )

    def _vectors(self, model: str) -> Iterator[Vectors]:
        for memory, vector in [*self.added.values(), *self.revised.values()]:
            yield Vectors(Ref(Kind.MEMORY, memory.id, memory.revision), model, (vector,))


def picked(woven: Woven, ids: Sequence[str]) -> Woven:
    return {one: woven[one] for one in ids if one in woven}


def cosine(one: Vector, other: Vector) -> float:
    """Of two unit vectors."""
    product: float = sum(map(mul, memoryview(one).cast("f"), memoryview(other).cast("f")))
    return product
