"""Auditing: who did what to whom."""

import pytest
from tests.unit.services.house import a_house

from memweaver.domain.principal import Principal
from memweaver.errors import InvalidInput


async def test_deeds_are_noted_by_name_and_read_latest_first() -> None:
    async with a_house() as house:
        audit = house.services.audit
        await audit.note(Principal("ann", "k1"), "key made", "k2")
        await audit.note("memweaver:command", "key revoked", "k2")
        assert [(one.actor, one.action, one.subject) for one in await audit.latest()] == [
            ("memweaver:command", "key revoked", "k2"),
            ("ann", "key made", "k2"),
        ]
        assert len(await audit.latest(1)) == 1


@pytest.mark.parametrize("limit", [0, 1001])
async def test_how_many_are_asked_for_is_limited(limit: int) -> None:
    async with a_house() as house:
        with pytest.raises(InvalidInput, match="`limit`"):
            await house.services.audit.latest(limit)
