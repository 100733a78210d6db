"""Looks at everything the settings name, changes nothing, and says what to do about it."""

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from stat import S_IRWXG, S_IRWXO
from time import perf_counter

import anyio.to_thread
import httpx

from memweaver.adapters.redis import ping
from memweaver.app.metrics import PrometheusMeter
from memweaver.app.opening import (
    DATABASE,
    open_backend,
    open_doorbell,
    open_embedder,
    open_master_keys,
    open_minds,
)
from memweaver.app.schema import schema
from memweaver.app.sections import FileKeys, InMemoryStore, SqliteStore
from memweaver.app.settings import Settings
from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.scope import Scope
from memweaver.errors import BackendError, MemweaverError, ModelError, SchemaMismatch

PATIENCE = 20.0
"""Seconds after which a check is given up: longer than every timeout of a part by default."""
MEGABYTE = 1 << 20
SCARCE, TOO_SCARCE = 1024 * MEGABYTE, 100 * MEGABYTE
"""Bytes of free disk below which it is said, and below which it fails."""


HELLO = Turn(
    id="doctor",
    scope=Scope("doctor"),
    session="doctor",
    at=datetime(2000, 1, 1, tzinfo=UTC),
    recorded_at=datetime(2000, 1, 1, tzinfo=UTC),
    messages=(Message(Role.USER, "Hello, I am the doctor."),),
)
"""What a model is asked about; nobody said it."""


class State(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    check: str
    state: State
    says: str


class Warned(MemweaverError):
    """It works, but somebody should know."""

    code = "check_warned"


class Failed(MemweaverError):
    """It does not work."""

    code = "check_failed"


Check = Callable[[Settings], Awaitable[str]]
"""Answers what is well, or raises what is not."""


async def examine(settings: Settings, patience: float = PATIENCE) -> AsyncGenerator[Finding]:
    """One finding for each check, as soon as there is one."""
    for name, check in CHECKS.items():
        yield await found(name, check(settings), patience)


async def found(name: str, answer: Awaitable[str], patience: float) -> Finding:
    try:
        async with asyncio.timeout(patience):
            return Finding(name, State.OK, await answer)
    except Warned as warning:
        return Finding(name, State.WARN, str(warning))
    except TimeoutError:
        return Finding(name, State.FAIL, advised(name, f"no answer within {patience:g} s"))
    except (BackendError, ModelError) as error:
        return Finding(name, State.FAIL, advised(name, str(error)))
    except MemweaverError as error:
        return Finding(name, State.FAIL, str(error))
    except Exception as error:  # noqa: BLE001 - whatever it is, the other checks go on
        return Finding(name, State.FAIL, advised(name, f"failed with {type(error).__name__}"))


def advised(name: str, said: str) -> str:
    """What a driver or a model said, which knows of no settings, with what to do about it."""
    return f"{said}; {ADVICE[name]}" if name in ADVICE else said


async def check_folder(settings: Settings) -> str:
    folder = settings.data
    if not folder.exists():
        return f"{folder} is made at first start"
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Failed(f"{folder} cannot be written: give it to the user that runs the server")
    if folder.stat().st_mode & (S_IRWXG | S_IRWXO):
        raise Warned(f"{folder} is open to others: close it with `chmod 700 {folder}`")
    return f"{folder}, its owner's only"


async def check_disk(settings: Settings) -> str:
    folder = settings.data if settings.data.exists() else settings.data.absolute().parent
    free = shutil.disk_usage(folder).free
    said = f"{free // MEGABYTE:,} MB free"
    if free < TOO_SCARCE:
        raise Failed(f"only {said}: make room, or nothing can be recorded soon")
    if free < SCARCE:
        raise Warned(f"only {said}: make room")
    return said


async def check_keys(settings: Settings) -> str:
    if isinstance(settings.keys, FileKeys):
        file = settings.keys.path or settings.data / "master.key"
        if not file.exists():
            if isinstance(settings.store, SqliteStore) and has_database(settings):
                raise Failed(f"{file} is missing: put back the copy, nothing opens without it")
            return f"{file} is made at first start; keep a copy of it elsewhere"
    return f"master key version {open_master_keys(settings).current().version}"


async def check_schema(settings: Settings) -> str:
    if isinstance(settings.store, InMemoryStore):
        return "none: the store is in memory, and gone with the process"
    if not has_database(settings):
        return "made at first start"
    now = await anyio.to_thread.run_sync(schema, settings, abandon_on_cancel=True)
    if now.at != now.newest:
        if settings.store.migrate:
            raise Warned(f"at {now.at}: the next start brings it to {now.newest}")
        raise SchemaMismatch(f"at {now.at}: run `memweaver migrate` for {now.newest}")
    return f"at {now.at}, the newest"


async def check_store(settings: Settings) -> str:
    """Opened, it proves its durability and that the master key fits."""
    if not has_database(settings):
        return f"{settings.store.kind}, made at first start"
    async with open_backend(untouched(settings), open_master_keys(settings)) as backend:
        begun = perf_counter()
        depth = await backend.queue.depth()
        took = perf_counter() - begun
    said = f"{settings.store.kind}, answers in {took * 1000:.0f} ms, {depth.waiting} jobs wait"
    if depth.dead:
        raise Warned(f"{said}, {depth.dead} are dead: see `memweaver jobs dead`")
    return said


async def check_doorbell(settings: Settings) -> str:
    async with open_doorbell(settings) as bell:
        if bell.trouble:
            raise Failed(advised("doorbell", bell.trouble))
    if settings.rabbitmq.url.get_secret_value():
        return "rabbitmq answers"
    return "postgres" if settings.store.kind == "postgres" else "within the process"


async def check_redis(settings: Settings) -> str:
    if not (url := settings.redis.url.get_secret_value()):
        return "not used: working memory is within the process"
    await ping(url)
    return "answers"


async def check_embedder(settings: Settings) -> str:
    async with open_embedder(settings.embedder) as embedder:
        begun = perf_counter()
        await embedder.embed(["hello"])
        took = perf_counter() - begun
        return f"{embedder.model}, {embedder.dimensions} dimensions, a word in {took * 1000:.0f} ms"


async def check_extractor(settings: Settings) -> str:
    async with open_minds(settings, PrometheusMeter()) as minds:
        begun = perf_counter()
        await minds.summariser.summary("", [HELLO], tokens=20)
        took = perf_counter() - begun
    return f"{settings.extractor.kind}, answers in {took * 1000:.0f} ms"


async def check_upstream(settings: Settings) -> str:
    upstream = settings.upstream
    if not upstream.url:
        raise Warned(
            "none: the proxy answers 503; name a model by MEMWEAVER_UPSTREAM__URL to chat with"
        )
    path = "/api/tags" if upstream.protocol == "ollama" else "/models"
    key = upstream.api_key.get_secret_value()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return await asked("upstream", upstream.url.rstrip("/") + path, headers)


async def check_traces(settings: Settings) -> str:
    if not settings.trace.url:
        return "not sent"
    await asked("traces", settings.trace.url, {}, strictly=False)
    return "the receiver answers"


async def asked(name: str, url: str, headers: Mapping[str, str], *, strictly: bool = True) -> str:
    """Raises `Failed`."""
    try:
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE / 2) as client:
            answer = await client.get(url, headers=dict(headers))
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        unreached = f"cannot be reached ({type(error).__name__})"
        raise Failed(advised(name, unreached)) from error
    if strictly and answer.is_error:
        raise Failed(advised(name, f"answers {answer.status_code}"))
    return f"answers {answer.status_code}"


async def check_port(settings: Settings) -> str:
    server = settings.server
    family = socket.AF_INET6 if ":" in server.host else socket.AF_INET
    try:
        with socket.create_server((server.host, server.port), family=family):
            return f"{server.host}:{server.port} is free"
    except OSError as error:
        raise Warned(
            f"{server.host}:{server.port} cannot be taken ({error.strerror}): "
            "perhaps the server runs there already"
        ) from error


def has_database(settings: Settings) -> bool:
    if isinstance(settings.store, SqliteStore):
        return (settings.store.path or settings.data / DATABASE).exists()
    return True


def untouched(settings: Settings) -> Settings:
    """`settings` by which opening the store changes nothing in it."""
    if isinstance(settings.store, InMemoryStore):
        return settings
    return settings.model_copy(
        update={"store": settings.store.model_copy(update={"migrate": False})}
    )


DATABASE_ADVICE = (
    "see whether it runs and lets this user in, and its address in MEMWEAVER_STORE__URL "
    "(or POSTGRES_URL); of SQLite, the file in MEMWEAVER_STORE__PATH"
)
ADVICE: Mapping[str, str] = {
    "schema": DATABASE_ADVICE,
    "store": DATABASE_ADVICE,
    "doorbell": "see whether the broker runs and lets this user in, and its address in "
    "MEMWEAVER_RABBITMQ__URL (or RABBITMQ_URL)",
    "redis": "see whether it runs, and its address in MEMWEAVER_REDIS__URL (or REDIS_URL)",
    "embedder": "see whether it runs and has the model, and MEMWEAVER_EMBEDDER__KIND, its URL, "
    "API_KEY and MODEL",
    "extractor": "see whether it runs and has the model, and MEMWEAVER_EXTRACTOR__KIND, its URL, "
    "API_KEY and MODEL",
    "upstream": "see whether it runs, its address in MEMWEAVER_UPSTREAM__URL and its key in "
    "MEMWEAVER_UPSTREAM__API_KEY",
    "traces": "see whether the receiver runs, and its address in MEMWEAVER_TRACE__URL",
}
"""Which setting to look at, and what to do, where a check does not get an answer."""


CHECKS: Mapping[str, Check] = {
    "data folder": check_folder,
    "disk": check_disk,
    "master key": check_keys,
    "schema": check_schema,
    "store": check_store,
    "doorbell": check_doorbell,
    "redis": check_redis,
    "embedder": check_embedder,
    "extractor": check_extractor,
    "upstream": check_upstream,
    "traces": check_traces,
    "port": check_port,
}
