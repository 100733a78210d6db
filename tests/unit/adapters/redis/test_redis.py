"""Windows in Redis: unreadable to whoever reads along, and no loss when they are gone."""

import asyncio
import logging
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from redis.asyncio import Redis
from tests.security.test_at_rest import Unsealed
from tests.servers.private import Private
from tests.servers.programs import free_port
from tests.servers.redis import redis_url

from memweaver.adapters.crypto import open_cipher
from memweaver.adapters.memory import open_memory
from memweaver.adapters.redis import open_redis
from memweaver.domain.scope import Scope
from memweaver.domain.working import Window
from memweaver.errors import BackendError, BackendUnavailable, ConfigurationError, StorageFull
from memweaver.ports.backend import Backend
from memweaver.ports.cipher import Cipher
from memweaver.ports.windows import Windows
from memweaver.testing.conformance.backend import a_turn

WEEK = timedelta(days=7)
SOMEBODY = Scope("canary-user", "canary-ai")
TURN = a_turn("canary-turn", "canary-text", scope=SOMEBODY, session="canary-session")
WINDOW = Window((TURN,), "canary-summary", "canary-upto", "canary-seen")


@pytest.fixture
async def client(redis: Private) -> AsyncGenerator["Redis"]:
    """Somebody else at the same Redis, which begins empty."""
    async with Redis.from_url(redis_url(redis)) as client:
        await client.flushall()
        await client.config_set("rdbcompression", "no")  # so that a dump can be searched
        yield client


@pytest.fixture
async def backend() -> AsyncGenerator[Backend]:
    async with open_memory() as backend:
        await backend.store.record([TURN])
        yield backend


@pytest.fixture
async def windows(redis: Private, backend: Backend) -> AsyncGenerator[Windows]:
    cipher = open_cipher("aes-gcm")
    async with open_redis(redis_url(redis), cipher, backend.changes, WEEK) as windows:
        yield windows


async def kept(windows: Windows) -> None:
    await windows.keep(SOMEBODY, "canary-session", WINDOW)


async def found(windows: Windows) -> Window | None:
    return await windows.window(SOMEBODY, "canary-session")


async def names(client: "Redis") -> list[bytes]:
    return cast("list[bytes]", await client.keys())


async def read_along(client: "Redis", stack: AsyncExitStack) -> asyncio.Queue[str]:
    """All that anybody asks of Redis from now on."""
    asked: asyncio.Queue[str] = asyncio.Queue()
    monitor = await stack.enter_async_context(cast("Any", client.monitor()))

    async def listen() -> None:
        while True:
            asked.put_nowait((await monitor.next_command())["command"])

    task = asyncio.get_running_loop().create_task(listen())
    stack.push_async_callback(asyncio.wait, [task])
    stack.callback(task.cancel)
    return asked


async def everything_asked(
    cipher: Cipher, backend: Backend, redis: Private, client: "Redis"
) -> str:
    async with (
        AsyncExitStack() as stack,
        open_redis(redis_url(redis), cipher, backend.changes, WEEK) as windows,
    ):
        asked = await read_along(client, stack)
        await kept(windows)
        assert await found(windows) == WINDOW
        await client.save()
        await windows.forget("canary-user")
        await windows.keep(Scope("canary-user"), "canary-session", WINDOW)
        await client.set("the end", 1)
        lines: list[str] = []
        while not lines or "the end" not in lines[-1]:
            lines.append(await asyncio.wait_for(asked.get(), 30))
        return "\n".join(lines)


@pytest.mark.redis
@pytest.mark.requirement("C1")
async def test_whoever_reads_along_reads_nothing(
    redis: Private, client: "Redis", backend: Backend
) -> None:
    asked = await everything_asked(open_cipher("aes-gcm"), backend, redis, client)
    assert "memweaver:" in asked
    assert "canary" not in asked
    assert b"canary" not in dump(redis)


@pytest.mark.redis
async def test_an_unsealed_window_would_be_read(
    redis: Private, client: "Redis", backend: Backend
) -> None:
    assert "canary-text" in await everything_asked(Unsealed(), backend, redis, client)
    assert b"canary-text" in dump(redis)


def dump(redis: Private) -> bytes:
    return (Path(redis.folder) / "dump.rdb").read_bytes()


@pytest.mark.redis
async def test_what_is_flushed_is_not_at_hand_and_can_be_kept_again(
    windows: Windows, client: "Redis"
) -> None:
    await kept(windows)
    await client.flushall()
    assert await found(windows) is None
    await kept(windows)
    assert await found(windows) == WINDOW


@pytest.mark.redis
async def test_a_window_is_let_go_in_its_time(windows: Windows, client: "Redis") -> None:
    await kept(windows)
    left = [await client.ttl(name) for name in await names(client)]
    assert len(left) == 2
    assert all(WEEK.total_seconds() - 60 < one <= WEEK.total_seconds() for one in left)


@pytest.mark.redis
async def test_windows_that_were_let_go_are_not_listed_for_ever(
    redis: Private, client: "Redis", backend: Backend
) -> None:
    cipher, second = open_cipher("aes-gcm"), timedelta(seconds=1)
    async with open_redis(redis_url(redis), cipher, backend.changes, second) as windows:
        for number in range(3):
            await windows.keep(SOMEBODY, f"s{number}", WINDOW)
            await asyncio.sleep(0.8)
        (listed,) = [name for name in await names(client) if name.endswith(b":windows")]
        assert await client.zcard(listed) < 3


@pytest.mark.redis
async def test_forgetting_leaves_nothing_of_that_user_and_all_of_others(
    windows: Windows, backend: Backend, client: "Redis"
) -> None:
    other = a_turn("t1", scope=Scope("bob"))
    await backend.store.record([other])
    for session in ("a", "b", "c"):
        await windows.keep(SOMEBODY, session, WINDOW)
    before = await names(client)
    await windows.keep(Scope("bob"), "default", Window((other,)))
    await windows.forget("canary-user")
    left = await names(client)
    assert not set(before) & set(left)
    assert await windows.window(Scope("bob"), "default") == Window((other,))


@pytest.mark.redis
async def test_of_a_destroyed_user_nothing_can_be_read(
    windows: Windows, backend: Backend, client: "Redis"
) -> None:
    await kept(windows)
    before = await names(client)
    await backend.vault.destroy("canary-user")
    assert await found(windows) is None
    await kept(windows)
    await windows.forget("canary-user")
    assert sorted(await names(client)) == sorted(before)
    await backend.store.record([TURN])
    assert await found(windows) is None


@pytest.mark.redis
async def test_a_user_who_begins_anew_has_another_secret(
    windows: Windows, backend: Backend, client: "Redis"
) -> None:
    await kept(windows)
    before = await names(client)
    await backend.vault.destroy("canary-user")
    await backend.store.record([TURN])
    assert await found(windows) is None
    await kept(windows)
    assert len(await names(client)) == 2 * len(before)


@pytest.mark.redis
async def test_a_window_made_before_its_user_was_forgotten_is_not_kept_after(
    windows: Windows, client: "Redis"
) -> None:
    """Somebody erased a turn, which that window may still have."""
    await kept(windows)
    await windows.forget("canary-user")
    await kept(windows)
    assert await found(windows) is None
    (mark,) = await names(client)
    assert 0 < await client.ttl(mark) <= 10
    await client.delete(mark)
    await kept(windows)
    assert await found(windows) == WINDOW


@pytest.mark.redis
@pytest.mark.parametrize("forged", [b"", b"{}", b'{"turns": []}', b"\x01" * 60, b"\x80\x04."])
async def test_what_somebody_put_there_is_not_believed(
    windows: Windows, client: "Redis", forged: bytes
) -> None:
    await kept(windows)
    (name,) = [name for name in await names(client) if b":window:" in name]
    await client.set(name, forged)
    assert await found(windows) is None


@pytest.mark.redis
async def test_a_window_moved_to_another_session_does_not_open(
    windows: Windows, client: "Redis"
) -> None:
    await kept(windows)
    (here,) = [name for name in await names(client) if b":window:" in name]
    await windows.keep(SOMEBODY, "other", Window((), "other"))
    (there,) = [name for name in await names(client) if b":window:" in name and name != here]
    await client.set(there, cast("bytes", await client.get(here)))
    assert await windows.window(SOMEBODY, "other") is None


@pytest.mark.redis
async def test_a_dead_redis_is_said_quickly_and_found_again(
    redis: Private, windows: Windows
) -> None:
    await kept(windows)
    redis.kill()
    try:
        async with asyncio.timeout(10):
            for call in (kept(windows), found(windows), windows.forget("canary-user")):
                with pytest.raises(BackendUnavailable):
                    await call
    finally:
        redis.start()
    assert await found(windows) is None
    await kept(windows)
    assert await found(windows) == WINDOW


@pytest.mark.redis
async def test_a_redis_that_was_restarted_meanwhile_is_not_missed(
    redis: Private, windows: Windows
) -> None:
    await kept(windows)
    redis.kill()
    redis.start()
    assert await found(windows) is None


async def test_a_redis_that_does_not_answer_is_said_quickly(backend: Backend) -> None:
    async def silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await forever.wait()
        writer.close()

    forever = asyncio.Event()
    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        url = f"redis://127.0.0.1:{port}/0"
        async with open_redis(url, open_cipher("aes-gcm"), backend.changes, WEEK) as windows:
            async with asyncio.timeout(10):
                with pytest.raises(BackendUnavailable):
                    await found(windows)
        forever.set()


@pytest.mark.redis
async def test_a_full_redis_says_so(windows: Windows, client: "Redis") -> None:
    await client.config_set("maxmemory", "1")
    try:
        with pytest.raises(StorageFull, match="maxmemory"):
            await kept(windows)
    finally:
        await client.config_set("maxmemory", "0")


@pytest.mark.redis
async def test_a_wrong_password_is_said_without_it(
    redis: Private, backend: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    url = redis_url(redis).replace("redis://", "redis://ann:canary-password@")
    async with open_redis(url, open_cipher("aes-gcm"), backend.changes, WEEK) as windows:
        with pytest.raises(BackendError, match="REDIS_URL") as caught:
            await found(windows)
    assert "canary" not in str(caught.value)
    assert "canary" not in caplog.text


@pytest.mark.parametrize("url", ["", "nonsense", "http://127.0.0.1/", "redis://[half/0"])
async def test_a_url_that_cannot_be_is_refused(backend: Backend, url: str) -> None:
    with pytest.raises(ConfigurationError, match="REDIS_URL"):
        await opened(url, backend)


async def test_another_machine_without_a_password_is_refused(backend: Backend) -> None:
    with pytest.raises(ConfigurationError, match="without a password"):
        await opened("redis://redis.example.com:6379/0", backend)
    await opened("redis://:secret@redis.example.com:6379/0", backend)
    await opened(f"redis://127.0.0.1:{free_port()}/0", backend)


async def test_without_its_driver_the_extra_is_named(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "memweaver.adapters.redis.opening", None)
    with pytest.raises(ConfigurationError, match=r"memweaver\[redis\]"):
        await opened("redis://127.0.0.1/0", backend)


async def opened(url: str, backend: Backend) -> None:
    async with open_redis(url, open_cipher("aes-gcm"), backend.changes, WEEK):
        pass
