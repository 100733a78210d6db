"""To be told to stop, at the worst of times."""

import asyncio
import logging
import signal
from threading import Thread

import pytest

from memweaver.cli.leaving import SIGNALS, EndingWhenTold


@pytest.mark.parametrize("number", SIGNALS)
async def test_what_is_under_way_is_done_before_it_ends(number: signal.Signals) -> None:
    done: list[str] = []

    async with EndingWhenTold() as ending:
        try:
            lock = logging._lock  # type: ignore[attr-defined] # the one that everybody needs
            lock.acquire()
            signal.raise_signal(number)
            lock.release()
            done.append("released")
            await asyncio.sleep(60)
            done.append("waited")
        finally:
            closing = Thread(target=logging.getLogger("memweaver.closing").isEnabledFor, args=(1,))
            closing.start()
            await asyncio.to_thread(closing.join, 10)
            done.append("closed" if not closing.is_alive() else "stuck")

    assert ending.ended
    assert done == ["released", "closed"]


async def test_whoever_has_time_may_use_it() -> None:
    stop = asyncio.Event()

    async with EndingWhenTold(stop.set, grace=60) as ending:
        signal.raise_signal(signal.SIGTERM)
        await stop.wait()

    assert not ending.ended


async def test_what_fails_fails() -> None:
    with pytest.raises(TimeoutError, match="ours"):
        async with EndingWhenTold():
            raise TimeoutError("ours")


async def test_whoever_is_asked_something_leaves_at_once() -> None:
    async with EndingWhenTold() as ending:
        with pytest.raises(SystemExit, match="0"), ending.asking():
            signal.raise_signal(signal.SIGTERM)


async def test_what_must_be_done_whole_is_done_before_it_ends() -> None:
    done: list[str] = []

    async with EndingWhenTold() as ending:
        with ending.undivided():
            signal.raise_signal(signal.SIGTERM)
            await asyncio.sleep(0.01)
            done.append("whole")
        await asyncio.sleep(60)
        done.append("too much")

    assert ending.ended
    assert done == ["whole"]


@pytest.mark.parametrize("steps", range(5))
async def test_told_just_before_it_what_must_be_done_whole_is_not_done_in_part(steps: int) -> None:
    done: list[str] = []

    async with EndingWhenTold() as ending:
        signal.raise_signal(signal.SIGTERM)
        for _ in range(steps):
            await asyncio.sleep(0)
        with ending.undivided():
            done.append("begun")
            await asyncio.sleep(0.01)
            done.append("whole")
        await asyncio.sleep(60)
        done.append("too much")

    assert ending.ended
    assert done in ([], ["begun", "whole"])


async def test_what_must_be_done_whole_has_its_time_although_the_rest_has_none_left() -> None:
    told, done = asyncio.Event(), list[str]()

    async with EndingWhenTold(told.set, grace=0.01) as ending:
        signal.raise_signal(signal.SIGTERM)
        await told.wait()
        with ending.undivided():
            await asyncio.sleep(0.05)
            done.append("whole")
        await asyncio.sleep(60)

    assert ending.ended
    assert done == ["whole"]


async def test_signals_are_afterwards_as_they_were_before() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    async with EndingWhenTold():
        signal.raise_signal(signal.SIGTERM)
        await asyncio.sleep(60)
    assert [signal.getsignal(number) for number in SIGNALS] == before
