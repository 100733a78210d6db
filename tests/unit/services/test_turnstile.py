"""The turnstile: a user who asks for much at once waits behind their own, and others do not."""

import asyncio
from asyncio import Event, Semaphore, TaskGroup, get_running_loop, timeout
from collections import Counter
from math import inf

import pytest

from memweaver.services import turnstile as turnstile_module
from memweaver.services.turnstile import CROWD, REST, Line, Turnstile

WHILE = 0.02
"""Seconds for which somebody is served."""


async def test_those_of_one_user_wait_for_each_other_and_others_pass() -> None:
    turnstile, passed, leave = Turnstile(places=1), list[str](), Event()

    async def one(user: str) -> None:
        async with turnstile.passed(user):
            passed.append(user)
            await leave.wait()

    async with timeout(10), TaskGroup() as tasks:
        for user in ("ann", "ann", "bob"):
            tasks.create_task(one(user))
        while len(passed) < 2:  # noqa: ASYNC110 - it is a list that is looked at
            await asyncio.sleep(0)
        assert passed == ["ann", "bob"]
        leave.set()
    assert passed == ["ann", "bob", "ann"]


async def test_who_leaves_while_waiting_takes_no_place() -> None:
    turnstile = Turnstile(places=1)
    async with timeout(10):
        async with turnstile.passed("ann"), TaskGroup() as tasks:
            waiting = tasks.create_task(turnstile.passed("ann").__aenter__())
            await asyncio.sleep(0)
            waiting.cancel()
        async with turnstile.passed("ann"):
            pass
    assert turnstile._lines["ann"].people == 0


async def seconds_of(turnstile: Turnstile, many: int) -> float:
    """How long so many of one user take, who each need the only place for a while."""

    async def one() -> None:
        async with turnstile.passed("ann"):
            await asyncio.sleep(WHILE)

    began = get_running_loop().time()
    async with timeout(10), TaskGroup() as tasks:
        for _ in range(many):
            tasks.create_task(one())
    return get_running_loop().time() - began


async def test_a_crowd_rests_where_there_are_neighbours() -> None:
    turnstile = Turnstile(places=1, pace=inf)
    async with turnstile.passed("bob"):
        pass
    # The last ones are no crowd any more, and do not rest.
    assert await seconds_of(turnstile, CROWD + 2) >= WHILE * (CROWD + 2 + 3 * REST)


async def most_at_once(turnstile: Turnstile) -> int:
    """How many of a crowd were served side by side, while it was one."""
    here, most = 0, 0

    async def one() -> None:
        nonlocal here, most
        async with turnstile.passed("ann"):
            here += 1
            await asyncio.sleep(0)
            most = max(most, here) if turnstile.crowded("ann") else most
            await asyncio.sleep(0)
            here -= 1

    async with (
        timeout(10),
        TaskGroup() as tasks,
        turnstile.passed("ann"),
        turnstile.passed("ann"),
    ):
        for _ in range(2 * CROWD):
            tasks.create_task(one())
        await asyncio.sleep(0)
    return most


async def test_of_a_crowd_one_is_served_at_a_time_where_there_are_neighbours() -> None:
    alone, beside = Turnstile(places=2), Turnstile(places=2)
    beside.seen("bob")
    assert (await most_at_once(alone), await most_at_once(beside)) == (2, 1)


async def test_a_crowd_does_not_wait_for_ever_for_its_own_slowest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turnstile_module, "LONGEST_REST", WHILE)
    turnstile = Turnstile(places=2)
    async with timeout(10), turnstile.passed("ann"):
        turnstile.seen("bob")
        await seconds_of(turnstile, CROWD + 2)


async def test_who_leaves_the_door_leaves_every_place_free() -> None:
    turnstile = Turnstile(places=2)
    turnstile.seen("bob")
    async with timeout(10), TaskGroup() as tasks, turnstile.passed("ann"):
        crowd = [tasks.create_task(turnstile.passed("ann").__aenter__()) for _ in range(CROWD)]
        await asyncio.sleep(0)
        for task in crowd:
            task.cancel()
        await asyncio.wait(crowd)
        async with turnstile.passed("ann"):
            pass


@pytest.mark.usefixtures("endless_rest")
async def test_neither_a_crowd_that_is_alone_nor_a_few_rest() -> None:
    alone, beside = Turnstile(places=1), Turnstile(places=1, pace=inf)
    async with beside.passed("bob"):
        pass
    await seconds_of(alone, CROWD + 2)
    await seconds_of(beside, CROWD - 1)
    with pytest.raises(TimeoutError):
        async with timeout(20 * WHILE):
            await seconds_of(beside, CROWD)


async def test_no_place_rests_long_after_something_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turnstile_module, "REST", 1e6)
    monkeypatch.setattr(turnstile_module, "LONGEST_REST", WHILE)
    turnstile = Turnstile(places=1)
    async with turnstile.passed("bob"):
        pass
    await seconds_of(turnstile, CROWD + 2)


@pytest.mark.usefixtures("endless_rest")
@pytest.mark.parametrize("beside", ["eve", None])
async def test_a_crowd_rests_for_whoever_was_seen_but_not_for_another_crowd(
    beside: str | None,
) -> None:
    turnstile, served = Turnstile(places=1), Counter[str]()

    async def one(user: str) -> None:
        async with turnstile.passed(user):
            served[user] += 1
            await asyncio.sleep(0)

    if beside:
        turnstile.seen(beside)
    crowds = [asyncio.create_task(one(user)) for _ in range(2 * CROWD) for user in ("ann", "bob")]
    await asyncio.wait(crowds, timeout=10 * WHILE)
    for task in crowds:
        task.cancel()
    assert (served["ann"] > 1) == (served["bob"] > 1) == (beside is None)


async def test_whoever_goes_on_asking_keeps_nobody_else_near(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turnstile_module, "NEAR", WHILE)
    turnstile = Turnstile()
    for user in ("ann", "bob", "ann"):
        turnstile.seen(user)
    await asyncio.sleep(2 * WHILE)
    turnstile.seen("ann")
    assert list(turnstile._lines) == ["ann"]


@pytest.mark.usefixtures("endless_rest")
async def test_who_was_here_long_ago_is_no_neighbour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turnstile_module, "NEAR", WHILE)
    turnstile = Turnstile(places=1)
    async with turnstile.passed("bob"):
        pass
    await asyncio.sleep(2 * WHILE)
    await seconds_of(turnstile, CROWD + 2)
    assert list(turnstile._lines) == ["ann"]


async def one_after_the_other(turnstile: Turnstile, many: int) -> None:
    async with timeout(20 * WHILE):
        for _ in range(many):
            async with turnstile.passed("ann"):
                await asyncio.sleep(0.001)


@pytest.mark.usefixtures("endless_rest")
@pytest.mark.parametrize(("pace", "neighbour"), [(0.1, "bob"), (0.1, "ann"), (inf, "bob")])
async def test_many_one_after_the_other_are_a_crowd_too(pace: float, neighbour: str) -> None:
    turnstile = Turnstile(places=2, pace=pace)
    turnstile.seen(neighbour)
    await one_after_the_other(turnstile, CROWD)
    assert not turnstile.crowded("ann")
    await one_after_the_other(turnstile, 1)
    assert turnstile.crowded("ann") == (pace < inf)
    if turnstile.crowding:
        with pytest.raises(TimeoutError):
            await one_after_the_other(turnstile, 1)
    else:
        await one_after_the_other(turnstile, CROWD)
    assert turnstile.crowding == (pace < inf and neighbour != "ann")


def test_who_was_in_a_hurry_has_soon_made_it_good() -> None:
    line = Line(Semaphore(2), interval=1.0)
    for _ in range(10 * CROWD):
        line.comes(now=0.0)
    line.people = 0
    assert [line.crowd(now) for now in (0.0, CROWD - 1.0, CROWD)] == [True, True, False]


async def test_a_line_is_not_forgotten_while_somebody_is_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turnstile_module, "NEAR", 0.0)
    turnstile = Turnstile()
    async with turnstile.passed("ann"):
        await asyncio.sleep(0.001)
        for user in ("bob", "eve"):
            turnstile.seen(user)
            await asyncio.sleep(0.001)
        assert list(turnstile._lines) == ["ann", "eve"]
    await asyncio.sleep(0.001)
    turnstile.seen("bob")
    assert list(turnstile._lines) == ["bob"]


@pytest.fixture
def endless_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes to wait for a place that rests waits for ever, and neighbours stay near."""
    monkeypatch.setattr(turnstile_module, "REST", 1e6)
    monkeypatch.setattr(turnstile_module, "LONGEST_REST", 1e6)
    monkeypatch.setattr(turnstile_module, "NEAR", 1e6)
