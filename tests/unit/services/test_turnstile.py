"""The turnstile: a user who asks for much at once waits behind their own, and others do not."""

import asyncio
from asyncio import Event, TaskGroup, timeout

from memweaver.services.turnstile import Turnstile


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
    assert turnstile._lines == {}
