"""The `Replies` port over SQL."""

from base64 import b64decode, b64encode
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.house_schema import replies
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.rows import Values, micros, packed, unpacked
from memweaver.adapters.sql.sealed import SealedDatabase, body_of, with_body
from memweaver.adapters.sql.users import Head, begun, locked
from memweaver.ports.replies import Replies, Reply, another, unfinished

NAMED = replies.c.id == scoped.given("of_id")
ONE = scoped.reading(replies).where(NAMED)
REMOVE = scoped.removing(replies).where(NAMED)
BEGUN = replies.c.at == scoped.given("begun")
"""Tells attempts apart: a later one begins when the one before is stale."""
GIVE_UP = REMOVE.where(BEGUN)
ANSWER = (
    scoped.updating(replies)
    .where(NAMED, BEGUN)
    .values(key_id=scoped.given("new_key"), body=scoped.given("new_body"))
)


@dataclass(frozen=True, slots=True)
class Attempt:
    user: str
    key: str
    at: datetime


class SqlReplies(Replies):
    def __init__(self, database: SealedDatabase) -> None:
        self._database = database

    async def begin(
        self, user: str, key: str, request: bytes, *, now: datetime, stale: datetime
    ) -> Reply | None:
        attempt = Attempt(user, key, now)
        return await self._database.write(lambda c, keys: begin(c, keys, attempt, request, stale))

    async def keep(self, user: str, key: str, reply: Reply, *, begun: datetime) -> None:
        attempt = Attempt(user, key, begun)
        await self._database.write(lambda c, keys: keep(c, keys, attempt, reply))

    async def give_up(self, user: str, key: str, *, begun: datetime) -> None:
        attempt = Attempt(user, key, begun)
        await self._database.write(lambda c, keys: give_up(c, keys, attempt))

    async def sweep(self, *, before: datetime) -> int:
        old = delete(replies).where(replies.c.at < micros(before))
        return await self._database.plain.write(lambda c: c.execute(old).rowcount)


def begin(
    connection: Connection, keyring: Keyring, attempt: Attempt, asked: bytes, stale: datetime
) -> Reply | None:
    head = begun(connection, keyring, attempt.user, reserved=0)
    name = {"user": attempt.user, "of_id": head.key.blind("reply", attempt.key)}
    request = head.key.blind("request", asked.hex())
    row = connection.execute(ONE, name).one_or_none()
    reply = None if row is None else opened(connection, keyring, row)
    if row is not None and (reply is not None or row.at >= micros(stale)):
        if row.request != request:
            raise another()
        if reply is None:
            raise unfinished()
        return reply
    connection.execute(REMOVE, name)
    names = {"owner": attempt.user, "id": name["of_id"]}
    fresh = {**names, "request": request, "at": micros(attempt.at)}
    connection.execute(insert(replies), with_body(keyring, head.key, replies, fresh, packed(None)))
    return None


def keep(connection: Connection, keyring: Keyring, attempt: Attempt, reply: Reply) -> None:
    head = locked(connection, keyring, attempt.user)
    if head is None:
        return
    names = {"owner": attempt.user, "id": head.key.blind("reply", attempt.key)}
    sealed = with_body(keyring, head.key, replies, names, to_body(reply))
    anew = {"new_key": sealed["key_id"], "new_body": sealed["body"]}
    connection.execute(ANSWER, {**named(head, attempt), **anew})


def give_up(connection: Connection, keyring: Keyring, attempt: Attempt) -> None:
    head = locked(connection, keyring, attempt.user)
    if head is not None:
        connection.execute(GIVE_UP, named(head, attempt))


def named(head: Head, attempt: Attempt) -> Values:
    blind = head.key.blind("reply", attempt.key)
    return {"user": attempt.user, "of_id": blind, "begun": micros(attempt.at)}


def to_body(reply: Reply) -> bytes:
    body = None if reply.body is None else b64encode(reply.body).decode()
    return packed({"status": reply.status, "body": body, "headers": dict(reply.headers)})


def opened(connection: Connection, keyring: Keyring, row: Row[Any]) -> Reply | None:
    private = unpacked(body_of(connection, keyring, replies, row))
    if private is None:
        return None
    body = None if private["body"] is None else b64decode(private["body"])
    return Reply(private["status"], body, private["headers"])
