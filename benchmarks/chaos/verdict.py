"""What is there in the end, held against what was acknowledged."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from benchmarks.chaos.house import House
from memweaver.domain.memory import Memory, Tier
from memweaver.domain.scope import Scope
from memweaver.ports.store import Page

Item = TypeVar("Item")

PAGE = 500


@dataclass(frozen=True, slots=True)
class Verdict:
    """`lost`: acknowledged, but not kept, or kept and never remembered.

    `duplicates`: kept or remembered more than once. `inversions`: remembered before a turn of
    the same user that was recorded earlier. `unfinished`: jobs that are not done, `damage`: what
    the database itself says is broken.
    """

    lost: int
    duplicates: int
    inversions: int
    unfinished: int = 0
    damage: int = 0

    @property
    def clean(self) -> bool:
        return not any((self.lost, self.duplicates, self.inversions, self.unfinished, self.damage))


async def judged(house: House, acked: Mapping[str, Sequence[str]]) -> Verdict:
    found = [await judged_user(house, user, ids) for user, ids in acked.items()]
    depth = await house.backend.queue.depth()
    return Verdict(
        lost=sum(one.lost for one in found),
        duplicates=sum(one.duplicates for one in found),
        inversions=sum(one.inversions for one in found),
        unfinished=depth.waiting + depth.running + depth.dead,
    )


async def judged_user(house: House, user: str, acked: Sequence[str]) -> Verdict:
    scope, store = Scope(user), house.backend.store
    turns = await everything(
        lambda before: store.turns(scope, session=None, before=before, limit=PAGE)
    )
    memories = await everything(
        lambda before: store.memories(scope, tiers=set(Tier), before=before, limit=PAGE)
    )
    order = {turn.id: place for place, turn in enumerate(turns)}
    said = Counter(turn.messages[0].text for turn in turns)
    return compared(order, sources_of(memories), acked, said)


def compared(
    order: Mapping[str, int], remembered: Sequence[str], acked: Sequence[str], said: Counter[str]
) -> Verdict:
    """Of one user: `order` has the turns that are kept, `remembered` whose effects there are."""
    effects = Counter(remembered)
    places = [order.get(turn_id, -1) for turn_id in remembered]
    return Verdict(
        lost=sum(turn_id not in order or turn_id not in effects for turn_id in acked),
        duplicates=effects.total() - len(effects) + said.total() - len(said),
        inversions=sum(earlier > later for earlier, later in pairwise(places)),
    )


def sources_of(memories: Sequence[Memory]) -> Sequence[str]:
    return [source for memory in memories for source in memory.sources]


async def everything(page_before: Callable[[int | None], Awaitable[Page[Item]]]) -> Sequence[Item]:
    """All pages of a list, oldest first."""
    page = await page_before(None)
    found = list(page.items)
    while page.next is not None:
        page = await page_before(page.next)
        found += page.items
    return found[::-1]
