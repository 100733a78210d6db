"""Keys renewed under fire: killed at any point and called again, all is there and done."""

import random
from pathlib import Path

from sqlalchemy import URL, Connection, select
from tests.conformance.backends import database_behind, keys_service
from tests.processes.starting import other_process

from memweaver.adapters.crypto import FileMasterKeys, open_cipher
from memweaver.adapters.memory.counter import InMemoryCounter
from memweaver.adapters.sql import open_sql
from memweaver.adapters.sql.resealing import BOUND
from memweaver.adapters.sql.schema import meta, user_keys, users
from memweaver.adapters.system import SystemClock
from memweaver.app.entrance import build_entrance
from memweaver.app.house_sections import AccessSettings
from memweaver.domain.job import Priority
from memweaver.domain.working import Window
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Segment
from memweaver.ports.registry import Ai
from memweaver.testing.conformance.backend import (
    ANN,
    NOON,
    a_memory,
    a_turn,
    ended,
    everything,
    stamp_of,
    turn_ref,
    vectors_for,
)
from memweaver.testing.conformance.queue import claimed
from memweaver.testing.doubles import Tally

KILLS = 4


async def fill(backend: Backend) -> object:
    turns = [a_turn(f"t{number}") for number in range(12)]
    await backend.store.record(turns)
    await backend.store.add([a_memory(f"m{number}") for number in range(4)])
    await backend.vectors.keep_vectors("ann", [vectors_for(turn_ref(one.id), 1) for one in turns])
    await backend.registry.register(Ai("ann", "work", "Athena", NOON))
    await backend.store.record([a_turn("t12")], priority=Priority.NORMAL)
    for session in ("default", "other"):
        await backend.windows.keep(ANN, session, Window(tuple(turns)))
    claim = await claimed(backend)
    for name in ("episodic", "semantic"):
        await backend.queue.stage(claim, name, b"costly")
    stamp = await stamp_of(backend)
    assert await backend.changes.keep_segment("ann", stamp, Segment(0, 9, b"prepared"))
    return await read(backend)


async def read(backend: Backend) -> object:
    ais = await backend.registry.ais("ann")
    claim = await claimed(backend, 30)
    await backend.queue.release(claim)
    beside = claim.staged, await backend.windows.window(ANN, "other")
    return await everything(backend), await backend.changes.segments("ann"), ais, beside


def keys_in_use(connection: Connection) -> tuple[set[int], set[int], set[int]]:
    """The keys there are, those that anything is sealed under, and the master versions."""
    kept = set(connection.execute(select(user_keys.c.key_id)).scalars())
    used = set(connection.execute(select(users.c.key_id)).scalars())
    for table in BOUND:
        used |= set(connection.execute(select(table.c.key_id)).scalars())
    versions = set(connection.execute(select(user_keys.c.master_version)).scalars())
    return kept, used, versions | set(connection.execute(select(meta.c.master_version)).scalars())


async def test_a_rotation_killed_at_any_point_is_finished_by_the_next(
    url: URL, tmp_path: Path
) -> None:
    chance = random.Random(7)  # noqa: S311 - for choosing moments, not secrets
    keys = FileMasterKeys(tmp_path / "master.key")
    async with open_sql(url, open_cipher("aes-gcm"), keys) as backend:
        before = await fill(backend)
        for _ in range(KILLS):
            async with other_process(url, tmp_path) as other:
                keys.add()
                await other.tell("rotate_slowly")
                for _ in range(chance.randint(1, 30)):
                    await other.line()
                await other.kill()
            assert await read(backend) == before
            await backend.store.record([a_turn("t0")])
        await ended(backend.vault.reseal("ann"))
        await ended(keys_service(keys, backend).rotate_master())
        assert await read(backend) == before
        kept, used, versions = await database_behind(backend).read(keys_in_use)
        assert len(kept) == 1
        assert kept == used
        assert versions == {keys.current().version}


async def test_a_renewed_key_is_another_key(url: URL, tmp_path: Path) -> None:
    keys = FileMasterKeys(tmp_path / "master.key")
    async with open_sql(url, open_cipher("aes-gcm"), keys) as backend:
        await fill(backend)
        database = database_behind(backend)
        old, *_ = await database.read(keys_in_use)
        await ended(backend.vault.reseal("ann"))
        new, used, _ = await database.read(keys_in_use)
        assert len(new) == 1
        assert new == used
        assert new.isdisjoint(old)


async def test_logins_go_on_while_the_houses_keys_are_renewed(url: URL, tmp_path: Path) -> None:
    """The address is found by a blind column, the password and what signs are sealed."""
    keys = FileMasterKeys(tmp_path / "master.key")
    clock, words = SystemClock(), "a long sentence nobody guesses"
    async with open_sql(url, open_cipher("aes-gcm"), keys) as backend:
        entrance = build_entrance(AccessSettings(), backend, clock, InMemoryCounter(), Tally())
        accounts, access = entrance["accounts"], entrance["access"]
        ann = await accounts.add("ann@example.org", "Ann", words)
        before = (await accounts.log_in(ann.email, words)).token
        service = keys_service(keys, backend)
        await ended(service.rotate_house())
        await ended(service.rotate_master())
        await ended(service.rotate_house())

        async with open_sql(url, open_cipher("aes-gcm"), keys) as other:
            elsewhere = build_entrance(AccessSettings(), other, clock, InMemoryCounter(), Tally())
            for door in (access, elsewhere["access"]):
                assert (await door.principal(before)).user == ann.user
            after = (await elsewhere["accounts"].log_in(ann.email, words)).token
        assert (await access.principal(after)).user == ann.user
        kept, used, versions = await database_behind(backend).read(keys_in_use)
        assert kept == used
        assert versions == {keys.current().version}
