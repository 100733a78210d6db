"""The contract of the `AccountStore` port, as tests."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from memweaver.domain.account import Account, Role
from memweaver.domain.scope import HOUSE
from memweaver.errors import Conflict, InvalidInput, NotFound
from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import NOON, BackendSuite, ended, later


def an_account(user: str = "ann", *, organisation: str = "home", after: int = 0) -> Account:
    return Account(
        user=user,
        email=f"{user}@example.org",
        name=user.title(),
        created_at=later(after),
        tokens_from=later(after),
        password="hashed",  # noqa: S106 - not a password
        organisation=organisation,
    )


def adding(letter: str) -> Callable[[Account], Account]:
    """A change of the name that keeps what others added to it."""
    return lambda found: replace(found, name=found.name + letter)


def refused(_: Account) -> Account:
    raise InvalidInput("no")


class AccountStoreSuite(BackendSuite):
    async def test_an_account_is_found_by_user_and_by_address(self, backend: Backend) -> None:
        assert await backend.accounts.by_email("ann@example.org") is None
        await backend.accounts.add(an_account())
        assert await backend.accounts.account("ann") == an_account()
        assert await backend.accounts.by_email("ann@example.org") == an_account()
        assert await backend.accounts.by_email("ben@example.org") is None
        assert await backend.accounts.standing("ann") == an_account().standing
        assert await backend.accounts.standing("ben") is None

    async def test_a_user_and_an_address_have_one_account(self, backend: Backend) -> None:
        await backend.accounts.add(an_account())
        for other in (
            replace(an_account(), email="other@example.org"),
            replace(an_account("ben"), email="ann@example.org"),
        ):
            with pytest.raises(Conflict):
                await backend.accounts.add(other)
        assert await backend.accounts.accounts() == [an_account()]

    async def test_accounts_are_listed_oldest_first_for_one_organisation_or_all(
        self, backend: Backend
    ) -> None:
        given = [an_account("ben"), an_account("eve", organisation="acme", after=1)]
        given.append(an_account("ann", after=2))
        for account in reversed(given):
            await backend.accounts.add(account)
        assert await backend.accounts.accounts() == given
        assert await backend.accounts.accounts("home") == [given[0], given[2]]
        assert await backend.accounts.accounts("nowhere") == []

    async def test_an_account_is_changed_to_what_is_made_of_it(self, backend: Backend) -> None:
        await backend.accounts.add(an_account())
        await backend.accounts.add(an_account("ben", after=1))
        changed = replace(
            an_account(),
            email="anna@example.org",
            role=Role.ADMIN,
            password="other",  # noqa: S106 - not a password
            disabled_at=later(5),
            tokens_from=later(5),
        )
        assert await backend.accounts.change("ann", lambda _: changed) == changed
        assert await backend.accounts.account("ann") == changed
        assert await backend.accounts.by_email("anna@example.org") == changed
        assert await backend.accounts.by_email("ann@example.org") is None
        assert await backend.accounts.standing("ann") == changed.standing
        with pytest.raises(Conflict):
            await backend.accounts.change(
                "ann", lambda found: replace(found, email="ben@example.org")
            )
        assert await backend.accounts.account("ann") == changed
        assert await backend.accounts.account("ben") == an_account("ben", after=1)

    async def test_changes_at_once_are_each_made_of_what_the_others_left(
        self, backend: Backend
    ) -> None:
        await backend.accounts.add(an_account())
        letters = "abcdefgh"
        await asyncio.gather(*(backend.accounts.change("ann", adding(one)) for one in letters))
        left = (await backend.accounts.account("ann")).name.removeprefix("Ann")
        assert sorted(left) == sorted(letters)

    async def test_a_change_that_is_refused_changes_nothing(self, backend: Backend) -> None:
        await backend.accounts.add(an_account())
        with pytest.raises(InvalidInput, match=r"^no$"):
            await backend.accounts.change("ann", refused)
        assert await backend.accounts.account("ann") == an_account()

    @pytest.mark.parametrize("name", ["ben", "", "\0", "\ud800"])
    async def test_nobody_has_no_account(self, backend: Backend, name: str) -> None:
        await backend.accounts.add(an_account())
        with pytest.raises(NotFound):
            await backend.accounts.account(name)
        with pytest.raises(NotFound):
            await backend.accounts.change(name, refused)

    async def test_the_house_is_nobody_and_cannot_be_destroyed(self, backend: Backend) -> None:
        await backend.accounts.add(an_account())
        assert await backend.vault.users() == []
        with pytest.raises(InvalidInput):
            await backend.vault.destroy(HOUSE)
        assert await backend.accounts.account("ann") == an_account()

    async def test_accounts_outlive_the_data_of_their_user(self, backend: Backend) -> None:
        await backend.accounts.add(an_account())
        await backend.vault.destroy("ann")
        assert await backend.accounts.account("ann") == an_account()

    async def test_with_new_keys_accounts_and_secrets_read_as_before(
        self, backend: Backend
    ) -> None:
        await backend.accounts.add(an_account())
        secrets = await backend.secrets.first("tokens", NOON)
        await ended(backend.vault.rewrap())
        await ended(backend.vault.reseal(HOUSE))
        assert await backend.accounts.by_email("ann@example.org") == an_account()
        assert await backend.secrets.versions("tokens") == secrets
