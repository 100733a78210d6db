"""Access: a key opens one user's door until it is revoked."""

from asyncio import get_running_loop
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.unit.services.house import NEW_YEAR, a_house

from memweaver.adapters.memory.access import InMemoryAccess
from memweaver.adapters.memory.state import State
from memweaver.domain.principal import PERSONAL, Permission, Principal
from memweaver.errors import Forbidden, InvalidInput, NotFound, Unauthenticated
from memweaver.ports.access import ApiKey
from memweaver.services.access import unlimited
from memweaver.services.refusing import STEP, unhurried


async def test_a_key_stands_for_its_user_until_revoked() -> None:
    async with a_house() as house:
        access = house.services.access
        issued = await access.create("ann", "laptop")
        principal = await access.principal(issued.secret)
        assert (principal.user, principal.credential) == ("ann", issued.key.id)
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


@pytest.mark.parametrize("kind", ["wrong", "revoked", "no token"])
async def test_a_refusal_is_told_after_a_whole_step_whatever_was_wrong(kind: str) -> None:
    async with a_house() as house:
        access, loop = house.services.access, get_running_loop()
        issued = await access.create("ann", "laptop")
        await access.revoke(issued.key.id)
        secret = {"wrong": "mw_wrong", "revoked": issued.secret, "no token": "e30.e30.e30"}[kind]
        began = loop.time()
        with pytest.raises(Unauthenticated):
            await access.principal(secret)
        assert loop.time() - began >= STEP


async def test_what_takes_more_than_a_step_is_told_after_two() -> None:
    loop = get_running_loop()
    began = loop.time() - 1.5 * STEP
    await unhurried(began)
    assert loop.time() - began >= 2 * STEP


async def test_nobody_has_no_key() -> None:
    async with a_house() as house:
        with pytest.raises(InvalidInput, match="`user`"):
            await house.services.access.create(" ", "laptop")
        with pytest.raises(NotFound):
            await house.services.access.revoke("no such key")


async def test_a_key_ends_when_it_was_to() -> None:
    async with a_house() as house:
        access, until = house.services.access, NEW_YEAR + timedelta(hours=1)
        issued = await access.create("ann", "laptop", expires_at=until)
        assert (await access.principal(issued.secret)).expires_at == until
        house.clock.advance(timedelta(hours=1))
        with pytest.raises(Unauthenticated):
            await access.principal(issued.secret)
        with pytest.raises(InvalidInput, match="`expires_at`"):
            await access.create("ann", "laptop", expires_at=until)


async def test_a_key_makes_none_that_can_do_more_or_holds_longer() -> None:
    async with a_house() as house:
        access, until = house.services.access, NEW_YEAR + timedelta(hours=1)
        some = frozenset({Permission.READ, Permission.KEYS})
        made = await access.create("ann", "a", permissions=some, ai="work", expires_at=until)
        caller = await access.principal(made.secret)

        child = (await access.create_own(caller, "b")).key
        assert (child.user, child.permissions) == ("ann", frozenset({Permission.READ}))
        assert (child.ai, child.expires_at) == ("work", until)
        sooner = until - timedelta(minutes=5)
        child = (await access.create_own(caller, "b", permissions=some, expires_at=sooner)).key
        assert (child.permissions, child.expires_at) == (some, sooner)
        with pytest.raises(Forbidden, match="write"):
            await access.create_own(caller, "b", permissions={Permission.WRITE})
        with pytest.raises(Forbidden, match="longer"):
            await access.create_own(caller, "b", expires_at=until + timedelta(seconds=1))
        with pytest.raises(NotFound):
            await access.create_own(caller, "b", ai="home")


async def test_only_ones_own_key_can_be_revoked() -> None:
    async with a_house() as house:
        access = house.services.access
        issued = await access.create("ann", "laptop")
        ann, ben = Principal("ann", "a"), Principal("ben", "b")
        with pytest.raises(NotFound) as foreign:
            await access.revoke_own(ben, issued.key.id)
        with pytest.raises(NotFound) as missing:
            await access.revoke_own(ben, "missing")
        assert str(foreign.value).replace(issued.key.id, "missing") == str(missing.value)
        await access.revoke_own(ann, issued.key.id)
        with pytest.raises(Unauthenticated):
            await access.principal(issued.secret)


async def test_a_key_for_one_ai_reaches_only_keys_for_the_same() -> None:
    async with a_house() as house:
        access = house.services.access
        whole, work, home = [
            (await access.create("ann", "laptop", ai=ai)).key for ai in (None, "work", "home")
        ]
        caller = Principal("ann", "a", ai="work")
        assert await access.own_keys(caller) == [work]
        assert await access.own_keys(Principal("ann", "a")) == [whole, work, home]
        for key in (whole, home):
            with pytest.raises(NotFound):
                await access.revoke_own(caller, key.id)
        await access.revoke_own(caller, work.id)
        assert [key.revoked_at is None for key in await access.keys("ann")] == [True, False, True]


async def test_a_store_that_answers_with_another_key_lets_nobody_in() -> None:
    async with a_house() as house:
        access = house.services.access
        issued = await access.create("ann", "laptop")

        class Lenient(InMemoryAccess):
            async def key_by_digest(self, digest: bytes) -> ApiKey | None:
                return issued.key

        lenient = replace(access, store=Lenient(State()))
        assert (await lenient.principal(issued.secret)).user == "ann"
        with pytest.raises(Unauthenticated):
            await lenient.principal("mw_guessed")


@pytest.mark.parametrize(
    ("caller", "why"),
    [
        (Principal("ann", "key", PERSONAL), "without `admin` cannot"),
        (Principal("ann", "key", frozenset({Permission.ADMIN})), "`chat`, `keys`, `read`, `write`"),
        (Principal("ann", "key", ai="tutor"), "for one AI"),
        (Principal("ann", "key", expires_at=NEW_YEAR), "that expires"),
    ],
)
def test_a_key_that_is_less_than_a_login_is_told_why(caller: Principal, why: str) -> None:
    with pytest.raises(Forbidden, match=why):
        unlimited(caller)


def test_a_full_key_and_a_login_are_unlimited() -> None:
    caller = Principal("ann", "key")
    assert unlimited(caller) is caller
