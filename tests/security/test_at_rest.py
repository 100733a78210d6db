"""At rest: neither on disk nor in a log is anything that a person said."""

import logging
import struct
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine, make_url
from tests.servers.postgres import Postgres

from memweaver.adapters.crypto import AesGcmCipher, open_cipher
from memweaver.adapters.memory import MemoryMasterKeys
from memweaver.adapters.sql import open_sql, sqlite, sqlite_url
from memweaver.domain.conversation import Message, Role
from memweaver.domain.job import Priority
from memweaver.domain.memory import Tier
from memweaver.domain.permissions import AiPermissions
from memweaver.domain.working import Window
from memweaver.ports.access import ApiKey
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Segment, Vectors
from memweaver.ports.cipher import Cipher, Context
from memweaver.ports.registry import Ai
from memweaver.services.access import digest
from memweaver.testing.conformance.accounts import an_account
from memweaver.testing.conformance.backend import (
    ANN,
    NOON,
    a_memory,
    a_turn,
    ended,
    everything,
    memory_ref,
    stamp_of,
    turn_ref,
)

FIELDS = (
    "text", "speaker", "session", "turn-metadata", "turn-metadata-name", "memory", "correction",
    "core-key", "memory-metadata", "source", "ai-name", "ai-permission", "segment", "erased",
    "staged", "summary", "quarantined", "account-email", "account-name", "account-password",
)  # fmt: skip
CANARIES = {field: f"canary-{field}-7f3a91" for field in FIELDS}
NUMBERS = struct.pack("<8f", *(0.1234567 + step / 7 for step in range(8)))
"""A vector that is not found by chance."""


class Unsealed(AesGcmCipher):
    """A fault to be noticed: the sealed bytes hold the clear ones."""

    def seal(self, key: bytes, clear: bytes, context: Context) -> bytes:
        return super().seal(key, b"", context) + clear

    def open(self, key: bytes, sealed: bytes | bytearray | memoryview, context: Context) -> bytes:
        super().open(key, sealed[:29], context)
        return bytes(sealed[29:])


async def fill(backend: Backend) -> None:
    """Put a canary into every private field."""
    c = CANARIES
    said = (Message(Role.USER, c["text"], name=c["speaker"]), Message(Role.ASSISTANT, "Noted"))
    metadata = {c["turn-metadata-name"]: c["turn-metadata"]}
    turn = replace(a_turn(session=c["session"]), messages=said, metadata=metadata)
    core = replace(
        a_memory(text=c["memory"], tier=Tier.CORE, key=c["core-key"]),
        sources=(c["source"],),
        metadata={"note": c["memory-metadata"]},
    )
    await backend.store.record([turn, a_turn("gone", text=c["erased"])])
    await backend.store.record([turn])
    await backend.store.add([core])
    await backend.store.revise(replace(core, text=c["correction"], revision=2))
    for ref in (turn_ref(), memory_ref()):
        await backend.vectors.keep_vectors("ann", [Vectors(ref, "model", (NUMBERS,))])
    ai = Ai("ann", "work", c["ai-name"], NOON, AiPermissions(notes=c["ai-permission"]))
    await backend.registry.register(ai)
    segment = Segment(0, 1, c["segment"].encode() + NUMBERS)
    assert await backend.changes.keep_segment("ann", await stamp_of(backend), segment)
    await backend.store.add([replace(a_memory("m9", c["quarantined"]), quarantined=True)])
    await backend.store.erase_turn(ANN, "gone")
    await backend.windows.keep(ANN, c["session"], Window((turn,), c["summary"], turn.id))
    await backend.store.record([a_turn("t2")], priority=Priority.NORMAL)
    claim = await backend.queue.claim(now=NOON, lease=timedelta(minutes=1), batch=1)
    assert claim is not None
    await backend.queue.stage(claim, "semantic", c["staged"].encode())
    await backend.accounts.add(
        replace(
            an_account(),
            email=c["account-email"],
            name=c["account-name"],
            password=c["account-password"],
        )
    )
    await backend.accounts.by_email(c["account-email"])
    await backend.store.turns(ANN, session=c["session"], before=None, limit=10)
    await everything(backend)
    await ended(backend.vault.reseal("ann"))


def found_in(folder: Path) -> set[str]:
    """Which canaries stand in any file below `folder`, as they are or written in hexadecimal."""
    secrets = {name: canary.encode() for name, canary in CANARIES.items()} | {"vector": NUMBERS}
    needles = [(name, form) for name, one in secrets.items() for form in (one, one.hex().encode())]
    contents = [file.read_bytes() for file in folder.rglob("*") if file.is_file()]
    assert contents
    return {name for name, needle in needles for content in contents if needle in content}


def all_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


def names_in(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


async def filled(url: URL, cipher: Cipher) -> None:
    async with open_sql(url, cipher, MemoryMasterKeys()) as backend:
        await fill(backend)


async def test_no_file_holds_the_secret_of_a_key(tmp_path: Path) -> None:
    url, secret = sqlite_url(tmp_path / "memweaver.db"), "mw_" + "7f3a91" * 8
    async with open_sql(url, AesGcmCipher(), MemoryMasterKeys()) as backend:
        key = ApiKey("k1", "ann", digest(secret), "laptop", NOON)
        await backend.access.add_key(key)
        assert await backend.access.key_by_digest(digest(secret)) == key
    written = all_in(tmp_path)
    assert digest(secret) in written
    assert secret.encode() not in written


@pytest.mark.requirement("C1", "X12")
async def test_no_file_of_sqlite_holds_a_canary(tmp_path: Path) -> None:
    async with open_sql(
        sqlite_url(tmp_path / "memweaver.db"), open_cipher("aes-gcm"), MemoryMasterKeys()
    ) as backend:
        await fill(backend)
        assert names_in(tmp_path) == {"memweaver.db", "memweaver.db-wal", "memweaver.db-shm"}
        assert found_in(tmp_path) == set()
    assert found_in(tmp_path) == set()


async def test_an_unsealed_canary_in_sqlite_is_found(tmp_path: Path) -> None:
    await filled(sqlite_url(tmp_path / "memweaver.db"), Unsealed())
    assert found_in(tmp_path) == {*CANARIES, "vector"} - {"erased"}


@pytest.mark.postgres
@pytest.mark.requirement("C1")
async def test_no_file_of_postgres_and_no_line_of_its_log_holds_a_canary(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark(monkeypatch, "sealed")
    await filled(make_url(postgres.url(postgres.new_database())), open_cipher("aes-gcm"))
    postgres.checkpoint()
    assert found_in(postgres.folder) == set()
    mark(monkeypatch, "unsealed")
    await filled(make_url(postgres.url(postgres.new_database())), Unsealed())
    postgres.checkpoint()
    assert found_in(postgres.folder) == {*CANARIES, "vector"}


def mark(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    """Other canaries, so that one test's do not count for another's."""
    for field in FIELDS:
        monkeypatch.setitem(CANARIES, field, f"canary-{field}-{word}")


@pytest.mark.requirement("C1")
async def test_no_log_line_holds_a_canary(url: URL, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, logger="sqlalchemy.engine")
    await filled(url, open_cipher("aes-gcm"))
    assert "INSERT INTO" in caplog.text
    assert logged(caplog) == set()


async def test_a_logged_canary_is_found(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG, logger="sqlalchemy.engine")
    monkeypatch.setattr(
        sqlite,
        "create_engine",
        lambda *args, **options: create_engine(*args, **options | {"hide_parameters": False}),
    )
    await filled(sqlite_url(tmp_path / "memweaver.db"), Unsealed())
    assert "memory" in logged(caplog)


def logged(caplog: pytest.LogCaptureFixture) -> set[str]:
    return {name for name, canary in CANARIES.items() if canary in caplog.text}
