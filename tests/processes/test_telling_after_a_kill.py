"""A process that is killed or stopped between keeping and telling: another one tells it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import URL
from tests.processes.starting import other_process
from tests.sockets.receiver import HANG, Receiver, a_receiver

from memweaver.adapters.crypto import FileMasterKeys, open_cipher
from memweaver.adapters.http import open_courier
from memweaver.adapters.memory.events import LocalEvents
from memweaver.adapters.sql import open_sql
from memweaver.adapters.system import SystemClock
from memweaver.background import beside
from memweaver.domain.scope import Scope
from memweaver.ports.backend import Backend
from memweaver.ports.clock import Clock
from memweaver.services.cursors import Cursors
from memweaver.services.signing import Signing
from memweaver.services.webhooks import Webhooks
from memweaver.testing.conformance.backend import a_turn
from memweaver.testing.doubles import StoppedClock

ANN = Scope("ann")


@asynccontextmanager
async def telling(backend: Backend, clock: Clock) -> AsyncGenerator[Webhooks]:
    async with open_courier(20, ["127.0.0.1"]) as courier:
        cursors = Cursors(Signing(backend.secrets, clock))
        yield Webhooks(
            backend.webhooks, courier, LocalEvents(), clock, cursors, attempts=3, timeout=20
        )


async def told_all(backend: Backend, receiver: Receiver) -> list[str]:
    """Tell from here whatever was not told; what the receiver has heard of.

    It is long after whoever had the webhook must have given it up.
    """
    tomorrow = SystemClock().now() + timedelta(days=1)
    async with telling(backend, StoppedClock(tomorrow, timedelta(0))) as webhooks:
        while await webhooks.carry_next():
            pass
    return [one["subject"] for one in await receiver.events(receiver.got.qsize())]


@pytest.fixture
async def here(url: URL, tmp_path: Path) -> AsyncGenerator[Backend]:
    keys = FileMasterKeys(tmp_path / "master.key")
    async with open_sql(url, open_cipher("aes-gcm"), keys) as backend:
        yield backend


async def test_what_was_kept_is_told_by_others(here: Backend, url: URL, tmp_path: Path) -> None:
    async with a_receiver() as receiver, other_process(url, tmp_path) as other:
        await here.store.record([a_turn("first")])
        async with telling(here, SystemClock()) as webhooks:
            await webhooks.add(ANN, receiver.url, ["turn.recorded"])
        await other.tell("record_aloud")
        kept = [await other.line() for _ in range(25)]
        await other.kill()
        told = await told_all(here, receiver)
    assert told[:25] == kept
    assert told == [one.event.id for one in (await here.events.since(ANN, 0, 500))[1:]]


async def test_what_was_being_told_is_told_again(here: Backend, url: URL, tmp_path: Path) -> None:
    async with a_receiver(200, HANG) as receiver, other_process(url, tmp_path) as other:
        async with telling(here, SystemClock()) as webhooks:
            await here.store.record([a_turn("first")])
            await webhooks.add(ANN, receiver.url, ["turn.recorded"])
        for name in ("one", "two", "three"):
            await here.store.record([a_turn(name)])
        await other.tell("carry")
        async with asyncio.timeout(30):
            await receiver.hung.wait()
        await other.kill()
        assert await told_all(here, receiver) == ["one", "one", "two", "three"]


async def test_what_a_stop_left_is_told_at_once_and_the_rest_not_again(here: Backend) -> None:
    async with a_receiver(200, HANG) as receiver:
        async with telling(here, SystemClock()) as webhooks:
            await here.store.record([a_turn("first")])
            await webhooks.add(ANN, receiver.url, ["turn.recorded"])
            for name in ("one", "two", "three"):
                await here.store.record([a_turn(name)])
            async with asyncio.timeout(30), beside(webhooks.run()):
                await receiver.hung.wait()
            assert await webhooks.carry_next()
        told = [one["subject"] for one in await receiver.events(receiver.got.qsize())]
    assert told == ["one", "two", "three"]
