"""The `Store` port over SQL."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import Connection

from memweaver.adapters.sql import memories, schema, scoped, turns
from memweaver.adapters.sql.jobs import Left
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.rows import turn_from_row
from memweaver.adapters.sql.sealed import SealedDatabase
from memweaver.adapters.sql.users import locked
from memweaver.domain.conversation import Turn
from memweaver.domain.job import Priority
from memweaver.domain.memory import Memory, Tier
from memweaver.domain.scope import Scope
from memweaver.ports.store import Page, Store

FEW, LITTLE = 8, 8_000
"""Turns, and characters of what was said in them, up to which recording them is quick."""


class SqlStore(Store):
    def __init__(self, database: SealedDatabase) -> None:
        self._database = database

    async def record(
        self,
        given: Sequence[Turn],
        *,
        priority: Priority | None = None,
        trace: str | None = None,
    ) -> Sequence[Turn]:
        left = None if priority is None else Left(priority, trace)
        return await self._database.write(
            lambda c, keys: turns.record(c, keys, given, left), quick=self._quick(given)
        )

    def _quick(self, given: Sequence[Turn]) -> bool:
        """Whether it is little, and no master key is asked for it."""
        open_already = self._database.keyring.holds
        return little(given) and all(open_already(turn.scope.user) for turn in given)

    async def turn(self, scope: Scope, turn_id: str) -> Turn:
        named = {"user": scope.user, "id": scoped.known_name(turn_id)}
        for row, body in await self._database.glance(schema.turns, turns.ONE, named):
            if scope.ai in {None, row.ai}:
                return turn_from_row(row, body)
        raise turns.missing(turn_id)

    async def turns(
        self, scope: Scope, *, session: str | None, before: int | None, limit: int
    ) -> Page[Turn]:
        return await self._database.read(
            lambda c, keys: turns.listed(
                c, keys, scope, session=session, before=before, limit=limit
            )
        )

    async def erase_turn(self, scope: Scope, turn_id: str) -> None:
        await self._database.write(lambda c, keys: turns.erase_turn(c, keys, scope, turn_id))
        await self._database.plain.scrub()

    async def add(self, given: Sequence[Memory]) -> Sequence[Memory]:
        return await self._database.write(lambda c, keys: memories.add(c, keys, given))

    async def relate(self, memory: Memory) -> Memory:
        return await self._database.write(lambda c, keys: memories.relate(c, keys, memory))

    async def memory(self, scope: Scope, memory_id: str) -> Memory:
        return await self._database.read(lambda c, keys: memories.memory(c, keys, scope, memory_id))

    async def memories(
        self, scope: Scope, *, tiers: Collection[Tier], before: int | None, limit: int
    ) -> Page[Memory]:
        return await self._database.read(
            lambda c, keys: memories.listed(c, keys, scope, tiers=tiers, before=before, limit=limit)
        )

    async def attributed(self, scope: Scope, attribute: str) -> Sequence[Memory]:
        return await self._database.read(
            lambda c, keys: memories.attributed(c, keys, scope, attribute)
        )

    async def revise(self, memory: Memory) -> None:
        await self._database.write(lambda c, keys: memories.revise(c, keys, memory))

    async def erase_memory(
        self, scope: Scope, memory_id: str, *, at: datetime, expected: int | None = None
    ) -> None:
        await self._database.write(
            lambda c, keys: memories.erase_memory(
                c, keys, scope, memory_id, at=at, expected=expected
            )
        )
        await self._database.plain.scrub()

    async def erase_some(
        self, scope: Scope, *, session: str | None, limit: int, at: datetime
    ) -> int:
        done = await self._database.write(
            lambda c, keys: erase_some(c, keys, scope, session=session, limit=limit, at=at)
        )
        await self._database.plain.scrub()
        return done


def little(given: Sequence[Turn]) -> bool:
    """Whether sealing and keeping it takes less than a thread is worth."""
    said = sum(len(message.text) for turn in given for message in turn.messages)
    return len(given) <= FEW and said <= LITTLE


def erase_some(
    connection: Connection,
    keyring: Keyring,
    scope: Scope,
    *,
    session: str | None,
    limit: int,
    at: datetime,
) -> int:
    head = locked(connection, keyring, scope.user)
    if head is None:
        return 0
    said = turns.erase_some(connection, head, scope, session, limit)
    if session is not None:
        return said
    return said + memories.erase_some(connection, head, scope, limit - said, at)
