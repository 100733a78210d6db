"""Access: a key opens one user's door until it is revoked."""

import pytest
from tests.unit.services.house import a_house

from memweaver.errors import InvalidInput, NotFound, Unauthenticated


async def test_a_key_stands_for_its_user_until_revoked() -> None:
    async with a_house() as house:
        access = house.services.access
        issued = await access.create("ann", "laptop")
        principal = await access.principal(issued.secret)
        assert (principal.user, principal.key_id) == ("ann", issued.key.id)
        await access.revoke(issued.key.id)
        with pytest.raises(Unauthenticated):
            await access.principal(issued.secret)


async def test_the_secret_is_kept_nowhere() -> None:
    async with a_house() as house:
        issued = await house.services.access.create("ann", "laptop")
        [kept] = await house.services.access.keys("ann")
        assert issued.secret not in repr(kept)
        assert issued.secret.startswith("mw_")


async def test_wrong_and_revoked_keys_are_refused_in_the_same_words() -> None:
    async with a_house() as house:
        access = house.services.access
        issued = await access.create("ann", "laptop")
        await access.revoke(issued.key.id)
        with pytest.raises(Unauthenticated) as revoked:
            await access.principal(issued.secret)
        with pytest.raises(Unauthenticated) as wrong:
            await access.principal("mw_wrong")
        assert str(revoked.value) == str(wrong.value)


async def test_nobody_has_no_key() -> None:
    async with a_house() as house:
        with pytest.raises(InvalidInput, match="`user`"):
            await house.services.access.create(" ", "laptop")
        with pytest.raises(NotFound):
            await house.services.access.revoke("no such key")
