"""The `Vault` port over SQL."""

from collections.abc import AsyncIterator

from sqlalchemy import Connection, Table, func

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.resealing import BOUND, Resealing, begin, finish, reseal_some
from memweaver.adapters.sql.schema import OWNED, user_keys, users
from memweaver.adapters.sql.sealed import SealedDatabase
from memweaver.adapters.sql.users import LOCK
from memweaver.domain.scope import HOUSE, checked_user
from memweaver.ports.keys import Rotation, Vault

SOME = 200
"""Keys wrapped anew in one transaction: others write in between."""


class SqlVault(Vault):
    def __init__(self, database: SealedDatabase) -> None:
        self._database = database

    async def rewrap(self) -> AsyncIterator[Rotation]:
        await self._database.write(lambda c, keys: keys.renew_check(c))
        rotation = None
        while rotation is None or rotation.done < rotation.total:
            rotation = await self._database.write(rewrap_some)
            yield rotation
        await self._database.plain.scrub()

    async def reseal(self, user: str) -> AsyncIterator[Rotation]:
        resealing = await self._database.write(lambda c, keys: begin(c, keys, user))
        yield resealing.rotation
        while not await self._database.write(lambda c, keys: finish(c, keys, user)):
            async for rotation in self._pass(user, resealing):
                yield rotation
        self._database.keyring.forget(user)
        await self._database.plain.scrub()

    async def users(self) -> list[str]:
        people = scoped.everybodys(users, users.c.owner).where(users.c.owner != HOUSE)
        statement = people.order_by(users.c.owner)
        return await self._database.plain.read(lambda c: list(c.execute(statement).scalars()))

    async def destroy(self, user: str) -> None:
        checked_user(user)
        await self._database.plain.write(lambda c: destroy(c, user))
        self._database.keyring.forget(user)
        await self._database.plain.scrub()

    async def _pass(self, user: str, resealing: Resealing) -> AsyncIterator[Rotation]:
        """Once through every table, in short transactions."""
        for table in BOUND:
            done, last = await self._some(user, table, None)
            while done:
                yield resealing.advanced(done)
                done, last = await self._some(user, table, last)

    async def _some(self, user: str, table: Table, last: object) -> tuple[int, object]:
        return await self._database.write(lambda c, keys: reseal_some(c, keys, user, table, last))


def rewrap_some(connection: Connection, keyring: Keyring) -> Rotation:
    master = keyring.master(connection)
    older = user_keys.c.master_version < master.version
    waiting = scoped.everybodys(user_keys).where(older).order_by(user_keys.c.key_id).limit(SOME)
    for row in connection.execute(waiting.with_for_update()).all():
        anew = {"master_version": master.version, "wrapped": keyring.rewrapped(row, master)}
        statement = scoped.updating(user_keys).where(user_keys.c.key_id == row.key_id)
        connection.execute(statement.values(anew), {"user": row.owner})
    count = scoped.everybodys(user_keys, func.count()).select_from(user_keys)
    total = connection.execute(count).scalar_one()
    return Rotation(total - connection.execute(count.where(older)).scalar_one(), total)


def destroy(connection: Connection, user: str) -> None:
    if connection.execute(LOCK, {"user": user}).one_or_none() is None:
        return
    for table in OWNED:
        connection.execute(scoped.removing(table), {"user": user})
