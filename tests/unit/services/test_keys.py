"""Keys: rotated while everything stays readable; destroyed for good."""

from base64 import b64encode
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from tests.unit.services.house import ANN, BOB, House, a_house

from memweaver.adapters.crypto import EnvironmentMasterKeys
from memweaver.adapters.memory import MemoryMasterKeys
from memweaver.domain.memory import Draft
from memweaver.errors import NotFound, Unreadable
from memweaver.ports.keys import MasterKeys, Rotation
from memweaver.services.keys import Keys


def keys_of(house: House, master: MasterKeys) -> Keys:
    return replace(house.services.keys, master=master)


async def seen(steps: AsyncIterator[Rotation]) -> list[Rotation]:
    return [step async for step in steps]


async def test_rotating_the_master_key_retires_the_old_one() -> None:
    async with a_house() as house:
        await house.services.curate.add(ANN, Draft("Lives in Oslo"))
        master = MemoryMasterKeys()
        old = master.current()
        steps = await seen(keys_of(house, master).rotate_master())
        assert steps[-1].done == steps[-1].total
        assert master.current().version > old.version
        with pytest.raises(Unreadable):
            master.version(old.version)


async def test_a_rotation_begun_by_another_process_meanwhile_loses_no_key() -> None:
    async with a_house() as house:
        await house.services.curate.add(ANN, Draft("Lives in Oslo"))
        master = MemoryMasterKeys()
        async for step in keys_of(house, master).rotate_master():
            if step.done == step.total:
                in_use = master.current()
                master.add()
        assert master.version(in_use.version) == in_use


async def test_master_keys_from_outside_are_the_operators_to_retire() -> None:
    async with a_house() as house:
        await house.services.curate.add(ANN, Draft("Lives in Oslo"))
        master = EnvironmentMasterKeys(b64encode(bytes(range(32))).decode())
        await seen(keys_of(house, master).rotate_master())
        await keys_of(house, master).destroy("ann")
        assert master.current().version == 1


async def test_a_user_key_is_rotated_and_nothing_is_lost() -> None:
    async with a_house() as house:
        memory = await house.services.curate.add(ANN, Draft("Lives in Oslo"))
        steps = await seen(house.services.keys.rotate_user("ann"))
        assert steps[-1].done == steps[-1].total
        assert await house.services.curate.memory(ANN, memory.id) == memory
        with pytest.raises(NotFound):
            await seen(house.services.keys.rotate_user("nobody"))


async def test_a_destroyed_user_is_gone_and_the_others_are_not() -> None:
    async with a_house() as house:
        curate, keys = house.services.curate, house.services.keys
        hers = await curate.add(ANN, Draft("Lives in Oslo"))
        his = await curate.add(BOB, Draft("Lives in Rome"))
        assert await keys.users() == ["ann", "bob"]
        await keys.destroy("ann")
        with pytest.raises(NotFound):
            await curate.memory(ANN, hers.id)
        assert (await house.services.recall(ANN, "Oslo")).hits == []
        assert await curate.memory(BOB, his.id) == his
        assert await keys.users() == ["bob"]


async def test_the_houses_own_key_is_renewed_if_there_is_one() -> None:
    async with a_house() as house:
        keys = house.services.keys
        assert [one async for one in keys.rotate_house()] == [Rotation(0, 0)]
        signed = await house.services.signing.sign("cursor", "page 2")
        assert [one async for one in keys.rotate_house()][-1:] == [Rotation(0, 0)]
        assert await house.services.signing.opened("cursor", signed) == "page 2"
