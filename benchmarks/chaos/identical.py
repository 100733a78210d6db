"""Fifty turns that say the same, recorded and reflected upon by several processes at once."""

import asyncio
import multiprocessing
from collections.abc import Sequence
from pathlib import Path

from benchmarks.chaos.crew import Job, crew
from benchmarks.chaos.house import Mind, open_house
from benchmarks.chaos.storm import Outcome, finished, settings_for
from benchmarks.chaos.verdict import PAGE, Verdict, everything
from memweaver.app.settings import Settings
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.memory import Tier
from memweaver.domain.scope import Scope

SCOPE = Scope("ada")
SAID = Said((Message(Role.USER, "My sister Ada moved to Lisbon."),))
MIND = Mind(0.01, marked=False)
PROCESSES = 4


async def told(folder: Path, turns: int = 50, mutant: str | None = None) -> Outcome:
    settings = settings_for(folder)
    async with open_house(settings, MIND) as house:
        with crew(Job(settings, MIND, mutant), PROCESSES) as workers:
            acked = await asyncio.to_thread(recorded, settings, turns)
            await finished(house, 60)
        store = house.backend.store
        memories = await everything(
            lambda before: store.memories(SCOPE, tiers=set(Tier), before=before, limit=PAGE)
        )
        kept = await everything(
            lambda before: store.turns(SCOPE, session=None, before=before, limit=PAGE)
        )
        depth = await house.backend.queue.depth()
    verdict = Verdict(
        lost=len(set(acked) - {turn.id for turn in kept}) + int(not memories),
        duplicates=max(0, len(memories) - 1),
        inversions=0,
        unfinished=depth.waiting + depth.running + depth.dead,
    )
    return Outcome(turns, len(acked), verdict, {}, {"workers_failed": workers.failed})


def recorded(settings: Settings, turns: int) -> Sequence[str]:
    """From several processes, each side by side; the ids that were acknowledged."""
    shares = [turns // PROCESSES + (number < turns % PROCESSES) for number in range(PROCESSES)]
    with multiprocessing.get_context("forkserver").Pool(PROCESSES) as pool:
        found = pool.starmap(record, [(settings, share) for share in shares], chunksize=1)
    return [turn_id for ids in found for turn_id in ids]


def record(settings: Settings, turns: int) -> Sequence[str]:
    return asyncio.run(record_at_once(settings, turns))


async def record_at_once(settings: Settings, turns: int) -> Sequence[str]:
    async with open_house(settings, MIND) as house:
        kept = await asyncio.gather(*(house.services.record(SCOPE, SAID) for _ in range(turns)))
    return [turn.id for turn in kept]
