"""Turns that can leave no job: kept all the same, and reflected upon while the caller waits."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest
from tests.unit.services.house import ANN, BOB, House, a_house, heard
from tests.unit.services.queued import NotedBell, NotedEvents

from memweaver.app.found import Around
from memweaver.app.sections import ReflectorSettings, WorkingSettings
from memweaver.app.settings import Settings
from memweaver.domain.candidate import Aspect, Candidate, Scene
from memweaver.domain.conversation import Turn
from memweaver.domain.event import EventKind
from memweaver.domain.job import Priority, Reflection
from memweaver.domain.scope import Scope
from memweaver.errors import (
    BackendUnavailable,
    MemweaverError,
    ModelUnavailable,
    NotFound,
    QueueUnavailable,
    StorageFull,
)
from memweaver.ports.extract import Summariser
from memweaver.ports.store import Store
from memweaver.reflector import Reflector
from memweaver.services.record import Record
from memweaver.testing.doubles import Tally
from memweaver.testing.minds import LastWords, ScriptedExtractor

TEA = heard("FACT: User likes tea.")
SWIMS = heard("FACT: User swims.")


@dataclass
class Jobless:
    """A store that keeps turns, but no job of a new one while `error` is what it says."""

    inner: Store
    error: MemweaverError | None
    alone: MemweaverError | None = None
    """What it says even of turns without jobs."""
    hasty: bool = False
    """Takes what somebody has just kept for new."""

    async def record(
        self,
        turns: Sequence[Turn],
        *,
        priority: Priority | None = None,
        trace: str | None = None,
    ) -> Sequence[Turn]:
        error = self.alone if priority is None else self.error
        if error is not None and (self.hasty or not await self._known(turns[0])):
            raise error
        return await self.inner.record(turns, priority=priority, trace=trace)

    async def _known(self, turn: Turn) -> bool:
        try:
            return bool(await self.inner.turn(turn.scope, turn.id))
        except NotFound:
            return False


@dataclass
class Broken:
    """A house whose queue cannot be written."""

    house: House
    store: Jobless
    record: Record
    events: NotedEvents
    bell: NotedBell
    figures: Tally

    async def texts(self, scope: Scope = ANN) -> list[str]:
        page = await self.house.services.curate.memories(scope)
        return sorted(memory.text for memory in page.items)

    async def kinds(self, scope: Scope = ANN) -> list[EventKind]:
        told = await self.house.backend.events.since(scope, 0, 100)
        return [one.event.kind for one in told]


@asynccontextmanager
async def broken(
    extractor: ScriptedExtractor | None = None,
    settings: Settings | None = None,
    summariser: Summariser | None = None,
) -> AsyncGenerator[Broken]:
    events, bell, figures = NotedEvents(), NotedBell(), Tally()
    around = Around(bell, events=events, figures=figures)
    async with a_house(
        extractor=extractor, settings=settings, summariser=summariser, around=around
    ) as house:
        store = Jobless(house.backend.store, QueueUnavailable("the queue is gone"))
        record = replace(house.services.record, store=store)  # type: ignore[arg-type] # all it asks
        yield Broken(house, store, record, events, bell, figures)


@pytest.mark.requirement("D12", "C11")
async def test_a_turn_without_a_job_is_reflected_upon_before_the_answer(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with broken() as there:
        with caplog.at_level(logging.WARNING):
            kept = await there.record.telling(ANN, TEA)
        assert (kept.reflection, kept.job) == (Reflection.PROCESSED, False)
        assert await there.house.services.curate.turn(ANN, kept.turn.id) == kept.turn
        assert await there.texts() == ["User likes tea."]
        assert (await there.house.services.jobs.jobs()).items == []
        assert there.bell.rung == []
        assert await there.kinds() == [
            EventKind.TURN_RECORDED,
            EventKind.MEMORY_ADDED,
            EventKind.JOB_DONE,
        ]
        assert there.figures.told("turns_unqueued") == 1
        [line] = caplog.records
        assert "queue_unavailable" in line.message
        assert line.__dict__["turns"] == [kept.turn.id]
        assert "tea" not in caplog.text


@pytest.mark.requirement("D12", "X18")
async def test_a_model_that_fails_costs_the_memory_but_not_the_turn(
    caplog: pytest.LogCaptureFixture,
) -> None:
    failing = ScriptedExtractor({aspect: [ModelUnavailable("away")] for aspect in Aspect})
    async with broken(failing) as there:
        kept = await there.record.telling(ANN, TEA)
        assert (kept.reflection, kept.job) == (Reflection.STORED, False)
        assert await there.house.services.curate.turn(ANN, kept.turn.id) == kept.turn
        assert await there.texts() == []
        assert await there.kinds() == [EventKind.TURN_RECORDED, EventKind.JOB_DEAD]
        told = there.figures.told("jobs_settled", outcome="dead", code="model_unavailable")
        assert told == 1
        assert there.bell.tolled == [kept.turn.id]
        assert "dead: 1 jobs failed: model_unavailable" in caplog.messages
        assert len(failing.asked) == len(Aspect), "nobody who waits is kept for another attempt"


async def test_an_end_that_cannot_be_told_changes_nothing_else(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise BackendUnavailable("the log is away")

    async with broken() as there:
        monkeypatch.setattr(type(there.house.backend.events), "append", away)
        kept = await there.record.telling(ANN, TEA)
        assert kept.reflection is Reflection.PROCESSED
        assert await there.texts() == ["User likes tea."]
        assert EventKind.JOB_DONE not in await there.kinds()
    assert "the end of 1 jobs could not be told: backend_unavailable" in caplog.messages


async def test_what_one_aspect_found_is_kept_though_another_fails() -> None:
    failing = ScriptedExtractor({Aspect.EPISODIC: [ModelUnavailable("away")]})
    async with broken(failing) as there:
        kept = await there.record.telling(ANN, TEA)
        assert kept.reflection is Reflection.STORED
        assert await there.texts() == ["User likes tea."]


@pytest.mark.requirement("D12")
async def test_the_trouble_lasts_until_a_new_turn_leaves_a_job() -> None:
    async with broken() as there:
        health = there.house.services.health
        assert (await health()).status == "ok"
        await there.record(ANN, TEA, idempotency="k1")
        assert (await health()).parts["queue"]["code"] == "queue_unavailable"
        await there.record(ANN, TEA, idempotency="k1")
        assert (await health()).status == "degraded", "what was kept before needs no job"
        there.store.error = None
        kept = await there.record.telling(ANN, SWIMS)
        assert (kept.reflection, kept.job) == (Reflection.QUEUED, True)
        assert there.bell.rung == [kept.turn.id]
        assert (await health()).status == "ok"


async def test_many_are_looked_at_in_batches_and_one_that_fails_stops_no_other() -> None:
    failing = ScriptedExtractor({Aspect.SEMANTIC: [None, ModelUnavailable("away")]})
    async with broken(failing, Settings(reflector=ReflectorSettings(batch_size=2))) as there:
        said = [heard(f"FACT: Number {n}{n} holds.") for n in range(5)]
        assert len(await there.record.many(ANN, said)) == 5
        assert await there.texts() == [f"Number {n}{n} holds." for n in (0, 1, 4)]
        assert there.figures.told("turns_unqueued") == 5
        told = there.figures.told("jobs_settled", outcome="dead", code="model_unavailable")
        assert told == 2


async def test_a_turn_that_somebody_else_has_just_kept_is_left_to_them() -> None:
    async with broken() as there:
        first = await there.record.telling(ANN, TEA, idempotency="k1")
        there.store.hasty = True
        again = await there.record.telling(ANN, TEA, idempotency="k1")
        assert (again.turn, again.reflection) == (first.turn, Reflection.STORED)
        assert there.figures.told("turns_unqueued") == 1


class Erasing(ScriptedExtractor):
    """Somebody erases the turn while it is looked at."""

    house: House

    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        found = await ScriptedExtractor.extract(self, scene, aspect)
        if aspect is Aspect.SEMANTIC:
            await self.house.services.curate.erase_turn(ANN, scene.turns[0].id)
        return found


async def test_nothing_comes_of_a_turn_that_is_erased_meanwhile() -> None:
    extractor = Erasing()
    async with broken(extractor) as there:
        extractor.house = there.house
        kept = await there.record.telling(ANN, TEA)
        assert kept.reflection is Reflection.STORED
        assert await there.texts() == []
        assert there.figures.told("jobs_settled", outcome="lost", code="") == 1


class Crowded(ScriptedExtractor):
    """Notes how many turns of how many users are looked at at once."""

    def __init__(self) -> None:
        super().__init__(seconds=0.05)
        self.now: list[str] = []
        self.seen: list[list[str]] = []

    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        if aspect is not Aspect.SEMANTIC:
            return []
        user = scene.turns[0].scope.user
        self.now.append(user)
        self.seen.append(sorted(self.now))
        found = await ScriptedExtractor.extract(self, scene, aspect)
        self.now.remove(user)
        return found


@pytest.mark.requirement("D13")
async def test_turns_of_one_user_come_one_after_the_other_and_users_side_by_side() -> None:
    extractor = Crowded()
    async with broken(extractor) as there:
        async with asyncio.TaskGroup() as tasks:
            for scope in (ANN, ANN, ANN, BOB):
                tasks.create_task(there.record(scope, TEA))
        assert ["ann", "bob"] in extractor.seen
        assert not any(seen.count("ann") > 1 for seen in extractor.seen)
        assert await there.texts() == await there.texts(BOB) == ["User likes tea."]


HURRIED = Settings(
    reflector=ReflectorSettings(timeout=1, batch_size=1), working=WorkingSettings(budget=1)
)


class Stuck(ScriptedExtractor):
    """Hangs over what says a word."""

    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        if "hang" in scene.turns[0].messages[0].text:
            await asyncio.Event().wait()
        return await ScriptedExtractor.extract(self, scene, aspect)


@pytest.mark.requirement("D12", "X18")
async def test_nobody_waits_longer_than_for_a_reflection_in_the_request(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with asyncio.timeout(20), broken(Stuck(), HURRIED) as there:
        await there.record.many(ANN, [TEA, heard("hang"), SWIMS])
        assert await there.texts() == ["User likes tea."]
        assert there.figures.told("jobs_settled", outcome="done", code="") == 1
        assert there.figures.told("jobs_settled", outcome="dead", code="too_late") == 2
        assert (await there.kinds())[-2:] == [EventKind.JOB_DEAD] * 2
        assert "dead: 2 jobs failed: too_late" in caplog.messages


class Endless(LastWords):
    async def summary(self, before: str, turns: Sequence[Turn], tokens: int) -> str:
        await asyncio.Event().wait()
        return await LastWords.summary(self, before, turns, tokens)


async def test_a_turn_is_processed_though_its_summary_comes_too_late() -> None:
    async with asyncio.timeout(20), broken(None, HURRIED, Endless()) as there:
        for said in (TEA, SWIMS):  # of the first there is nothing to sum up yet
            kept = await there.record.telling(ANN, said)
            assert kept.reflection is Reflection.PROCESSED
        assert there.figures.told("jobs_settled", outcome="dead", code="too_late") == 0


@pytest.mark.parametrize("error", [BackendUnavailable("away"), StorageFull("no room")])
async def test_what_ails_turns_too_is_told_and_nothing_is_kept(error: MemweaverError) -> None:
    async with broken() as there:
        there.store.alone = error
        for jobs in (there.store.error, error):
            there.store.error = jobs
            with pytest.raises(type(error)):
                await there.record(ANN, TEA)
        assert (await there.house.services.curate.turns(ANN)).items == []
        assert there.figures.told("turns_unqueued") == 0


@pytest.mark.requirement("D4", "D12")
@pytest.mark.parametrize("away", [False, True])
async def test_the_reflector_says_how_it_went(*, away: bool) -> None:
    failing = ScriptedExtractor({aspect: [ModelUnavailable("away")] for aspect in Aspect if away})
    async with broken(failing) as there:
        reflector = Reflector(replace(there.house.services, record=there.record))
        stored = await reflector.store_interaction_fast("ann", {"user_message": "FACT: A is B."})
        assert stored["status"] == ("stored" if away else "processed")
        assert stored["short_term_id"] == stored["job_id"]
