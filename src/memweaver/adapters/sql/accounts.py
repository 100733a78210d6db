"""The `AccountStore` port over SQL. The rows are the house's: `owner` is `HOUSE`."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, exc, insert

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.house_schema import accounts
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.prepared import Prepared
from memweaver.adapters.sql.rows import (
    Values,
    micros,
    micros_or_none,
    packed,
    time,
    time_or_none,
    unpacked,
)
from memweaver.adapters.sql.sealed import SealedDatabase, body_of, with_body
from memweaver.adapters.sql.users import Head, begun, current_key
from memweaver.domain.account import Account, Role, Standing
from memweaver.domain.scope import HOUSE
from memweaver.errors import Conflict, NotFound
from memweaver.ports.accounts import AccountStore

ALL = scoped.reading(accounts).order_by(accounts.c.created_at, accounts.c.id)
ONE = scoped.reading(accounts).where(accounts.c.id == scoped.given("id"))
BY_EMAIL = scoped.reading(accounts).where(accounts.c.email == scoped.given("email"))
CHANGE = scoped.updating(accounts).where(accounts.c.id == scoped.given("of"))
STANDING = Prepared(
    scoped.reading(
        accounts,
        accounts.c.organisation,
        accounts.c.role,
        accounts.c.disabled_at,
        accounts.c.tokens_from,
    ).where(accounts.c.id == scoped.given("id"))
)


class SqlAccounts(AccountStore):
    def __init__(self, database: SealedDatabase) -> None:
        self._database = database

    async def add(self, account: Account) -> None:
        await self._database.write(lambda c, keys: add(c, keys, account))

    async def by_email(self, email: str) -> Account | None:
        return await self._database.read(lambda c, keys: by_email(c, keys, email))

    async def account(self, user: str) -> Account:
        return await self._database.read(lambda c, keys: one(c, keys, user))

    async def accounts(self, organisation: str | None = None) -> Sequence[Account]:
        return await self._database.read(lambda c, keys: listed(c, keys, organisation))

    async def change(self, user: str, to: Callable[[Account], Account]) -> Account:
        return await self._database.write(lambda c, keys: change(c, keys, user, to))

    async def standing(self, user: str) -> Standing | None:
        for row in await self._database.plain.glance(STANDING, {"user": HOUSE, "id": user}):
            return standing_in(row)
        return None


def add(connection: Connection, keyring: Keyring, account: Account) -> None:
    head = begun(connection, keyring, HOUSE, reserved=0)
    try:
        connection.execute(insert(accounts), sealed(keyring, head, account))
    except exc.IntegrityError as error:
        raise taken() from error


def by_email(connection: Connection, keyring: Keyring, email: str) -> Account | None:
    key = current_key(connection, keyring, HOUSE)
    if key is None:
        return None
    blind = {"user": HOUSE, "email": key.blind("email", email)}
    row = connection.execute(BY_EMAIL, blind).one_or_none()
    return None if row is None else opened(connection, keyring, row)


def one(connection: Connection, keyring: Keyring, user: str) -> Account:
    names = {"user": HOUSE, "id": scoped.known_name(user)}
    row = connection.execute(ONE, names).one_or_none()
    if row is None:
        raise NotFound(f"there is no account {user!r}")
    return opened(connection, keyring, row)


def listed(connection: Connection, keyring: Keyring, organisation: str | None) -> Sequence[Account]:
    statement = ALL
    if organisation is not None:
        statement = statement.where(accounts.c.organisation == organisation)
    rows = connection.execute(statement, {"user": HOUSE}).all()
    return [opened(connection, keyring, row) for row in rows]


def change(
    connection: Connection, keyring: Keyring, user: str, to: Callable[[Account], Account]
) -> Account:
    """The head is held first: so whoever changes an account beside this waits, and then reads."""
    head = begun(connection, keyring, HOUSE, reserved=0)
    changed = to(one(connection, keyring, user))
    statement = CHANGE.values(sealed(keyring, head, changed))
    try:
        connection.execute(statement, {"user": HOUSE, "of": user})
    except exc.IntegrityError as error:
        raise taken() from error
    return changed


def taken() -> Conflict:
    return Conflict("there is an account of that name or e-mail address already")


def sealed(keyring: Keyring, head: Head, account: Account) -> Values:
    row = {
        "owner": HOUSE,
        "id": account.user,
        "organisation": account.organisation,
        "role": account.role,
        "email": head.key.blind("email", account.email),
        "created_at": micros(account.created_at),
        "disabled_at": micros_or_none(account.disabled_at),
        "tokens_from": micros(account.tokens_from),
    }
    private = {"email": account.email, "name": account.name, "password": account.password}
    return with_body(keyring, head.key, accounts, row, packed(private))


def opened(connection: Connection, keyring: Keyring, row: Row[Any]) -> Account:
    private = unpacked(body_of(connection, keyring, accounts, row))
    standing = standing_in(row)
    return Account(
        user=row.id,
        email=private["email"],
        name=private["name"],
        password=private["password"],
        created_at=time(row.created_at),
        organisation=standing.organisation,
        role=standing.role,
        disabled_at=standing.disabled_at,
        tokens_from=standing.tokens_from,
    )


def standing_in(row: Any) -> Standing:
    return Standing(
        row.organisation, Role(row.role), time_or_none(row.disabled_at), time(row.tokens_from)
    )
