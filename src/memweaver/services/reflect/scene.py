"""The scene: the turns of a claim, and what is needed to understand them."""

from collections.abc import Sequence
from dataclasses import dataclass

from memweaver.domain.candidate import Scene
from memweaver.domain.conversation import Role, Turn
from memweaver.domain.memory import Memory, Tier
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter
from memweaver.errors import NotFound
from memweaver.ports.index import Index
from memweaver.ports.models import Embedder
from memweaver.ports.queue import Claim, Queue
from memweaver.ports.store import Store

BEFORE = 4
"""Turns of the session shown before those to be reflected."""
PAGE, PAGES = 25, 20
"""How far back they are looked for."""
CORE, EPISODES, KNOWN = 20, 5, 10
"""Memories of each sort that are shown."""
MEMORIES_ONLY = Filter(turns=False)


@dataclass(frozen=True, slots=True)
class Scenes:
    """Shows nothing of earlier turns whose job is dead; without a `queue` none is known to be."""

    store: Store
    queue: Queue | None
    index: Index
    embedder: Embedder
    zone: str

    async def of(self, claim: Claim) -> Scene:
        """Raises `BackendError`, `ModelError`, `Unreadable`."""
        scope, turns = claim.scope, await self.turns(claim)
        before, episodes = await self._earlier(claim, turns)
        return Scene(
            turns=tuple(turns),
            before=tuple(before),
            core=tuple(await self._latest(scope, Tier.CORE, CORE)),
            episodes=tuple(episodes),
            known=tuple(await self._known(scope, turns)),
            zone=self.zone,
        )

    async def turns(self, claim: Claim) -> Sequence[Turn]:
        """Those that are still there: what was erased meanwhile is not reflected upon."""
        found = []
        for job in claim.jobs:
            try:
                found.append(await self.store.turn(claim.scope, job.id))
            except NotFound:
                continue
        return found

    async def _earlier(
        self, claim: Claim, turns: Sequence[Turn]
    ) -> tuple[Sequence[Turn], Sequence[Memory]]:
        """What came before, but of no turn whose job is dead: what it choked on others would too.

        What failed before is shown with nothing of it, as that may be to blame.
        """
        if any(job.failures for job in claim.jobs):
            return (), ()
        before = await self._before(claim.scope, turns)
        episodes = await self._latest(claim.scope, Tier.EPISODIC, EPISODES)
        ids = {turn.id for turn in before}.union(*(memory.sources for memory in episodes))
        dead = await self.queue.dead(claim.scope.user, ids) if self.queue and ids else frozenset()
        return (
            [turn for turn in before if turn.id not in dead],
            [memory for memory in episodes if dead.isdisjoint(memory.sources)],
        )

    async def _before(self, scope: Scope, turns: Sequence[Turn]) -> Sequence[Turn]:
        """The turns of the session just before the first; a long backlog is not waded through."""
        earlier: list[Turn] = []
        position: int | None = None
        for _ in range(PAGES if turns else 0):
            page = await self.store.turns(
                scope, session=turns[0].session, before=position, limit=PAGE
            )
            ids = [turn.id for turn in page.items]
            found = bool(earlier) or turns[0].id in ids
            start = ids.index(turns[0].id) + 1 if turns[0].id in ids else 0
            earlier += page.items[start:] if found else []
            position = page.next
            if position is None or len(earlier) >= BEFORE:
                break
        return earlier[:BEFORE][::-1]

    async def _latest(self, scope: Scope, tier: Tier, limit: int) -> Sequence[Memory]:
        page = await self.store.memories(scope, tiers={tier}, before=None, limit=limit)
        return [memory for memory in page.items if not memory.quarantined]

    async def _known(self, scope: Scope, turns: Sequence[Turn]) -> Sequence[Memory]:
        """The memories nearest to what the user said, and those recalled into the turns."""
        said = [
            message.text
            for turn in turns
            for message in turn.messages
            if message.role is Role.USER and message.text.strip()
        ]
        ids = dict.fromkeys(recalled_into(turns))
        shard = await self.index.open(scope)
        for vector in await self.embedder.embed(said):
            for hit in await shard.nearest(vector, where=MEMORIES_ONLY, limit=KNOWN):
                ids.setdefault(hit.ref.id)
        return [memory for one in list(ids)[:KNOWN] if (memory := await self._open(scope, one))]

    async def _open(self, scope: Scope, memory_id: str) -> Memory | None:
        try:
            memory = await self.store.memory(scope, memory_id)
        except NotFound:
            return None
        known = memory.validity.known_to is None and not memory.quarantined
        return memory if known else None


def recalled_into(turns: Sequence[Turn]) -> Sequence[str]:
    """The ids of memories that the caller says it put before the assistant in these turns."""
    told = [turn.metadata.get("recalled") for turn in turns]
    return [one for ids in told if isinstance(ids, list) for one in ids if isinstance(one, str)]
