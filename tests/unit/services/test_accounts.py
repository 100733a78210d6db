"""Accounts: signing up, logging in, and the end of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import cast

import pytest
from pydantic import SecretStr
from tests.unit.services.house import House, a_house

from memweaver.app.house_sections import AccessSettings
from memweaver.app.settings import Settings
from memweaver.domain.account import Role
from memweaver.domain.principal import EVERYTHING, HOME, PERSONAL, Permission
from memweaver.errors import (
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    Unauthenticated,
    Unsupported,
)
from memweaver.ports.accounts import AccountStore
from memweaver.ports.tokens import Passwords

ADMIN = "ada@example.org"
PASSWORD = "a long sentence nobody guesses"
NAMED = Settings(access=AccessSettings(admin_email=ADMIN))


class Plain(Passwords):
    """Costs no time."""

    async def hashed(self, password: str) -> str:
        return f"hash of {password}"

    async def matches(self, password: str, hashed: str | None) -> bool:
        return hashed == f"hash of {password}"


class Unused(Plain):
    async def hashed(self, password: str) -> str:
        pytest.fail("it was hashed")


@dataclass(frozen=True, slots=True)
class Watched:
    """Says what was asked of a store, and with what."""

    store: object
    asked: list[object] = field(default_factory=list[object])

    def __getattr__(self, name: str) -> Callable[..., Awaitable[object]]:
        def ask(*given: object) -> Awaitable[object]:
            self.asked.append((name, given))
            answer: Awaitable[object] = getattr(self.store, name)(*given)
            return answer

        return ask


@dataclass(frozen=True, slots=True)
class Interrupted(Plain):
    """Something else happens while it hashes."""

    meanwhile: Callable[[], Awaitable[object]]

    async def hashed(self, password: str) -> str:
        await self.meanwhile()
        return await Plain().hashed(password)

    async def matches(self, password: str, hashed: str | None) -> bool:
        await self.meanwhile()
        return await Plain().matches(password, hashed)


async def refused(house: House, secret: str) -> None:
    with pytest.raises(Unauthenticated, match="a valid API key or token is needed"):
        await house.services.access.principal(secret)


async def test_the_admin_signs_up_once_and_owns_what_was_kept_before() -> None:
    async with a_house(settings=NAMED) as house:
        accounts = house.services.accounts
        made = await accounts.sign_up(" ADA@example.org", "Ada", PASSWORD)
        assert (made.user, made.role, made.organisation) == ("owner", Role.ADMIN, HOME)
        with pytest.raises(Forbidden) as again:
            await accounts.sign_up(ADMIN, "Ada", PASSWORD)
        with pytest.raises(Forbidden) as other:
            await accounts.sign_up("eve@example.org", "Eve", PASSWORD)
        assert str(again.value) == str(other.value)


@pytest.mark.parametrize("name", ["Ada", " "])
async def test_where_it_is_not_open_whoever_asks_is_refused_after_the_same_work(name: str) -> None:
    async with a_house(settings=NAMED) as house:
        made = await replace(house.services.accounts, passwords=Plain()).sign_up(
            ADMIN, "Ada", PASSWORD
        )
        told, done = set(), []
        for email in (ADMIN, "eve@example.org"):
            watched = Watched(house.backend.accounts)
            accounts = replace(
                house.services.accounts,
                store=cast("AccountStore", watched),
                passwords=Unused(),
            )
            with pytest.raises((Forbidden, InvalidInput)) as refused:
                await accounts.sign_up(email, name, PASSWORD)
            told.add(str(refused.value))
            done.append(watched.asked)
        assert len(told) == 1
        assert done[0] == done[1]
        assert await house.services.accounts.all() == [made]


async def test_whether_somebody_has_signed_up_is_told_to_who_has_the_password() -> None:
    async with a_house(settings=NAMED) as house:
        accounts = replace(house.services.accounts, passwords=Plain())
        made = await accounts.sign_up(ADMIN, "Ada", PASSWORD)
        assert await accounts.has_signed_up(f" {ADMIN.upper()}", "Ada", PASSWORD)
        with pytest.raises(Conflict, match="another name"):
            await accounts.has_signed_up(ADMIN, "Eve", PASSWORD)
        done = []
        for email in (ADMIN, "eve@example.org"):
            watched = Watched(house.backend.accounts)
            strict = replace(accounts, store=cast("AccountStore", watched))
            assert not await strict.has_signed_up(email, "Eve", "another long sentence")
            done.append([name for name, _ in cast("list[tuple[str, object]]", watched.asked)])
        assert done[0] == done[1]
        await accounts.disable(made.user)
        assert not await accounts.has_signed_up(ADMIN, "Ada", PASSWORD)


async def test_whose_address_has_an_account_already_does_not_become_the_admin() -> None:
    async with a_house(settings=NAMED) as house:
        accounts = replace(house.services.accounts, passwords=Plain())
        await accounts.add(ADMIN, "Ada", PASSWORD)
        with pytest.raises(Forbidden):
            await replace(accounts, passwords=Unused()).sign_up(ADMIN, "Ada", PASSWORD)


async def test_of_two_admins_at_once_the_second_is_refused_like_anybody() -> None:
    async with a_house(settings=NAMED) as house:
        accounts = replace(house.services.accounts, passwords=Plain())
        first = Interrupted(lambda: accounts.sign_up(ADMIN, "Ada", PASSWORD))
        with pytest.raises(Forbidden, match="not open"):
            await replace(accounts, passwords=first).sign_up(ADMIN, "Ada", PASSWORD)


async def test_where_it_is_open_the_admins_address_is_taken_like_any_other() -> None:
    settings = Settings(access=AccessSettings(signup="open", admin_email=ADMIN))
    async with a_house(settings=settings) as house:
        accounts = replace(house.services.accounts, passwords=Plain())
        told = set()
        for email, role in ((ADMIN, Role.ADMIN), ("eve@example.org", Role.MEMBER)):
            assert (await accounts.sign_up(email, "Ada", PASSWORD)).role is role
            with pytest.raises(Conflict) as refused:
                await accounts.sign_up(email, "Ada", PASSWORD)
            told.add(str(refused.value))
        assert len(told) == 1


async def test_with_no_admin_named_nobody_signs_up() -> None:
    async with a_house() as house:
        for email in (ADMIN, "eve@example.org"):
            with pytest.raises(Forbidden):
                await house.services.accounts.sign_up(email, "Eve", PASSWORD)


async def test_where_it_is_open_everybody_else_becomes_a_member() -> None:
    settings = Settings(access=AccessSettings(signup="open", admin_email=ADMIN))
    async with a_house(settings=settings) as house:
        accounts = house.services.accounts
        made = await accounts.sign_up("eve@example.org", "Eve", PASSWORD)
        assert (made.role, made.user == "owner") == (Role.MEMBER, False)
        with pytest.raises(Conflict):
            await accounts.sign_up("eve@example.org", "Eve", PASSWORD)


async def test_a_login_stands_for_its_user_with_what_the_role_allows() -> None:
    async with a_house() as house:
        accounts, access = house.services.accounts, house.services.access
        ann = await accounts.add("ann@example.org", "Ann", PASSWORD, organisation="acme")
        await accounts.add_admin(ADMIN, "Ada", PASSWORD)
        member = await access.principal((await accounts.log_in(ann.email, PASSWORD)).token)
        admin = await access.principal((await accounts.log_in(ADMIN, PASSWORD)).token)
        assert (member.user, member.permissions, member.organisation) == (
            ann.user,
            PERSONAL,
            "acme",
        )
        assert (admin.user, admin.permissions) == ("owner", EVERYTHING)


async def test_wrong_address_password_and_disabled_account_are_refused_alike() -> None:
    async with a_house() as house:
        accounts = house.services.accounts
        ann = await accounts.add("ann@example.org", "Ann", PASSWORD)
        await accounts.disable((await accounts.add("ben@example.org", "Ben", PASSWORD)).user)
        said = set()
        for email, password in (
            (ann.email, "another long sentence"),
            ("nobody@example.org", PASSWORD),
            ("ben@example.org", PASSWORD),
            ("\ud800", ""),
        ):
            with pytest.raises(Unauthenticated) as error:
                await accounts.log_in(email, password)
            said.add(str(error.value))
        assert len(said) == 1


async def test_a_token_ends_by_time_by_logging_out_and_with_the_account() -> None:
    async with a_house() as house:
        accounts = house.services.accounts
        ann = await accounts.add("ann@example.org", "Ann", PASSWORD)
        tokens = [(await accounts.log_in(ann.email, PASSWORD)).token for _ in range(3)]
        await accounts.logins.revoke(tokens[0])
        await refused(house, tokens[0])
        assert (await house.services.access.principal(tokens[1])).user == ann.user
        await accounts.disable(ann.user)
        await accounts.disable(ann.user)
        await refused(house, tokens[1])
        await accounts.enable(ann.user)
        await refused(house, tokens[1])
        fresh = (await accounts.log_in(ann.email, PASSWORD)).token
        assert (await house.services.access.principal(fresh)).user == ann.user
        house.clock.advance(timedelta(hours=12, minutes=1))
        await refused(house, fresh)


async def test_what_is_no_token_cannot_be_logged_out() -> None:
    async with a_house() as house:
        with pytest.raises(Unauthenticated):
            await house.services.accounts.logins.revoke("mw_key")


async def test_a_new_password_voids_every_token_but_the_new_one() -> None:
    async with a_house(step=timedelta()) as house:
        accounts = house.services.accounts
        ann = await accounts.add("ann@example.org", "Ann", PASSWORD)
        old = (await accounts.log_in(ann.email, PASSWORD)).token
        with pytest.raises(Unauthenticated):
            await accounts.change_password(ann.user, "not the password", "twelve chars")
        with pytest.raises(InvalidInput, match="`password`"):
            await accounts.change_password(ann.user, PASSWORD, "short")
        new = (await accounts.change_password(ann.user, PASSWORD, "twelve chars")).token
        await refused(house, old)
        assert (await house.services.access.principal(new)).user == ann.user
        with pytest.raises(Unauthenticated):
            await accounts.log_in(ann.email, PASSWORD)
        await accounts.log_in(ann.email, "twelve chars")


async def test_a_forgotten_password_is_set_anew_and_voids_every_token() -> None:
    async with a_house(step=timedelta()) as house:
        accounts = house.services.accounts
        ann = await accounts.add("ann@example.org", "Ann", PASSWORD)
        old = (await accounts.log_in(ann.email, PASSWORD)).token
        with pytest.raises(InvalidInput, match="`password`"):
            await accounts.reset_password(ann.user, "short")
        assert (await accounts.reset_password(ann.user, "twelve chars")).user == ann.user
        await refused(house, old)
        with pytest.raises(Unauthenticated):
            await accounts.log_in(ann.email, PASSWORD)
        await accounts.log_in(ann.email, "twelve chars")
        with pytest.raises(NotFound):
            await accounts.reset_password("nobody", "twelve chars")


async def test_who_is_disabled_meanwhile_changes_no_password_and_stays_so() -> None:
    async with a_house() as house:
        accounts = replace(house.services.accounts, passwords=Plain())
        ann = await accounts.add("ann@example.org", "Ann", PASSWORD)
        disabling = Interrupted(lambda: accounts.disable(ann.user))
        beside = replace(accounts, passwords=disabling)
        with pytest.raises(Unauthenticated, match="changed meanwhile"):
            await beside.change_password(ann.user, PASSWORD, "twelve chars")
        disabled = await accounts.account(ann.user)
        assert (disabled.disabled_at is None, disabled.password) == (False, ann.password)
        reset = await beside.reset_password(ann.user, "twelve chars")
        assert reset.disabled_at == disabled.disabled_at
        assert await accounts.account(ann.user) == reset


async def test_a_password_that_was_reset_meanwhile_is_not_changed_by_who_knew_the_former() -> None:
    async with a_house() as house:
        accounts = replace(house.services.accounts, passwords=Plain())
        ann = await accounts.add("ann@example.org", "Ann", PASSWORD)
        resetting = Interrupted(lambda: accounts.reset_password(ann.user, "set by an admin"))
        beside = replace(accounts, passwords=resetting)
        with pytest.raises(Unauthenticated, match="changed meanwhile"):
            await beside.change_password(ann.user, PASSWORD, "twelve chars")
        await accounts.log_in(ann.email, "set by an admin")


async def test_who_is_disabled_or_given_another_password_meanwhile_does_not_log_in() -> None:
    async with a_house() as house:
        accounts = replace(house.services.accounts, passwords=Plain())
        ann = await accounts.add("ann@example.org", "Ann", PASSWORD)
        resetting = Interrupted(lambda: accounts.reset_password(ann.user, "set by an admin"))
        with pytest.raises(Unauthenticated, match="is wrong"):
            await replace(accounts, passwords=resetting).log_in(ann.email, PASSWORD)
        disabling = Interrupted(lambda: accounts.disable(ann.user))
        with pytest.raises(Unauthenticated, match="is wrong"):
            await replace(accounts, passwords=disabling).log_in(ann.email, "set by an admin")


async def test_an_e_mail_address_names_the_user_of_its_account() -> None:
    async with a_house() as house:
        accounts = house.services.accounts
        ann = await accounts.add("ann@example.org", "Ann", PASSWORD)
        assert await accounts.user_of(" ANN@example.org") == ann.user
        for name in ("ben@example.org", "ann", ann.user):
            assert await accounts.user_of(name) == name


async def test_a_token_of_somebody_without_an_account_is_refused() -> None:
    async with a_house() as house, a_house() as other:
        ann = await other.services.accounts.add("ann@example.org", "Ann", PASSWORD)
        await refused(house, await house.services.accounts.logins.issue(ann))


async def test_accounts_of_other_organisations_are_as_missing() -> None:
    async with a_house() as house:
        accounts = house.services.accounts
        ann = await accounts.add("ann@example.org", "Ann", PASSWORD, organisation="acme")
        assert await accounts.account(ann.user) == await accounts.account(ann.user, "acme") == ann
        assert (await accounts.all("acme"), await accounts.all(HOME)) == ([ann], [])
        for work in (accounts.account, accounts.disable, accounts.enable):
            with pytest.raises(NotFound):
                await work(ann.user, HOME)


async def test_nobody_becomes_the_house() -> None:
    async with a_house() as house:
        for user in ("memweaver:house", "memweaver:other", " "):
            with pytest.raises(InvalidInput, match="`user`"):
                await house.services.accounts.add("a@b.c", "Ann", PASSWORD, user=user)
            with pytest.raises(InvalidInput, match="`user`"):
                await house.services.access.create(user, "laptop")


async def test_tokens_outlive_the_renewal_of_what_signs_them() -> None:
    async with a_house() as house:
        accounts, access = house.services.accounts, house.services.access
        ann = await accounts.add("ann@example.org", "Ann", PASSWORD)
        old = (await accounts.log_in(ann.email, PASSWORD)).token
        assert await accounts.logins.rotate() == 2
        new = (await accounts.log_in(ann.email, PASSWORD)).token
        for token in (old, new):
            assert (await access.principal(token)).user == ann.user


async def test_a_secret_from_the_settings_signs_and_is_renewed_there() -> None:
    secrets = ("Zq8v3kLm0pXw7RtY2nBc5sDf9gHj1aQe", "another-1-of-32-characters-or-more")
    for secret in secrets:
        settings = Settings(access=AccessSettings(token_secret=SecretStr(secret)))
        async with a_house(settings=settings) as house:
            accounts = house.services.accounts
            ann = await accounts.add("ann@example.org", "Ann", PASSWORD)
            token = (await accounts.log_in(ann.email, PASSWORD)).token
            assert (await house.services.access.principal(token)).user == ann.user
            with pytest.raises(Unsupported):
                await accounts.logins.rotate()


async def test_nobodys_key_can_do_more_than_its_user() -> None:
    async with a_house() as house:
        ann = await house.services.accounts.add("ann@example.org", "Ann", PASSWORD)
        access = house.services.access
        issued = await access.create(ann.user, "laptop", permissions=EVERYTHING)
        caller = await access.principal(issued.secret)
        assert (caller.permissions, caller.organisation) == (PERSONAL, HOME)
        assert Permission.ADMIN in issued.key.permissions
        await house.services.accounts.disable(ann.user)
        await refused(house, issued.secret)
