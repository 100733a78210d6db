"""Keys held open: few enough, let go in time, and what no key opens holds up nobody else."""

import pytest
from sqlalchemy import URL, exc, update
from tests.conformance.backends import database_behind

from memweaver.adapters.crypto import open_cipher
from memweaver.adapters.memory import MemoryMasterKeys
from memweaver.adapters.sql import keyring, open_sql
from memweaver.adapters.sql.errors import translated
from memweaver.adapters.sql.schema import turns
from memweaver.domain.scope import Scope
from memweaver.errors import BackendUnavailable, Unreadable
from memweaver.testing.conformance.backend import ANN, a_turn


async def test_what_cannot_be_opened_waits_for_no_vectors_and_holds_up_nobody(url: URL) -> None:
    async with open_sql(url, open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        await backend.store.record([a_turn("altered"), a_turn("sound", after=1)])
        spoilt = update(turns).where(turns.c.id == "altered").values(body=b"\x01altered")
        await database_behind(backend).write(lambda c: c.execute(spoilt).close())
        waiting = await backend.vectors.unembedded("model", 1)
        assert [one.ref.id for one in waiting] == ["sound"]
        with pytest.raises(Unreadable):
            await backend.store.turn(ANN, "altered")
        with pytest.raises(Unreadable):
            await backend.store.record([a_turn("altered")])


async def test_more_users_than_keys_held_open_are_all_served(
    url: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring, "MOST_KEPT", 3)
    scopes = [Scope(f"user {number}") for number in range(8)]
    async with open_sql(url, open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        await backend.store.record([a_turn(scope=scope) for scope in scopes])
        for scope in (*scopes, *scopes[::-1]):
            assert await backend.store.turn(scope, "t1") == a_turn(scope=scope)


def test_a_pool_without_a_free_connection_is_unavailable() -> None:
    with pytest.raises(BackendUnavailable), translated():
        raise exc.TimeoutError
