"""The `WebhookStore` port over SQL."""

import json
import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, exc, exists, func, insert, or_, select
from sqlalchemy.dialects import postgresql, sqlite

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.events import told_from_row
from memweaver.adapters.sql.house_schema import accounts, deliveries, events, webhooks
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.prepared import Prepared
from memweaver.adapters.sql.rows import micros, time
from memweaver.adapters.sql.sealed import SealedDatabase, SealedWork, body_of, with_body
from memweaver.adapters.sql.users import begun
from memweaver.domain.event import Event, EventKind, Told
from memweaver.domain.memory import Tier
from memweaver.domain.scope import HOUSE, Scope, checked_name
from memweaver.domain.webhook import SHOWN, GivenUp, Webhook, refuse_another
from memweaver.errors import Conflict, NotFound, Unreadable
from memweaver.ports.webhooks import Due, WebhookStore

log = logging.getLogger(__name__)

Reader = Callable[[Connection, Keyring, Row[Any]], Webhook]

AT_A_TIME = 1_000
"""Events passed over in one transaction: others write in between."""
ITS_EVENTS = (
    events.c.owner == webhooks.c.owner,
    events.c.number > webhooks.c.told,
    or_(webhooks.c.ai.is_(None), events.c.ai == webhooks.c.ai),
)
DISABLED = exists().where(
    accounts.c.owner == HOUSE,
    accounts.c.id == webhooks.c.owner,
    accounts.c.disabled_at.is_not(None),
)
READY = (
    scoped.everybodys(webhooks)
    .where(
        webhooks.c.due_at <= scoped.given("now"),
        or_(webhooks.c.leased_until.is_(None), webhooks.c.leased_until <= scoped.given("now")),
        exists().where(*ITS_EVENTS),
        ~DISABLED,
    )
    .order_by(webhooks.c.due_at, webhooks.c.id)
    .limit(1)
)
ANY_READY = Prepared(READY.with_only_columns(webhooks.c.id).order_by(None).limit(None))
NEXT = READY.with_for_update(skip_locked=True)
NAMED = webhooks.c.id == scoped.given("name")
LEASE = scoped.updating(webhooks).where(NAMED).values(leased_until=scoped.given("until"))
HELD = scoped.updating(webhooks).where(NAMED, webhooks.c.leased_until == scoped.given("until"))
COUNT = scoped.reading(webhooks, func.count())
PASS = scoped.updating(webhooks).where(NAMED).values(told=scoped.given("last"), attempts=0)
OLD = events.c.at < scoped.given("before")
OVERDUE = (
    scoped.everybodys(webhooks).where(exists().where(*ITS_EVENTS, OLD)).limit(1).with_for_update()
)
LOSSES = (
    scoped.reading(deliveries)
    .where(deliveries.c.webhook == scoped.given("name"))
    .order_by(deliveries.c.event.desc())
)
LOSE = Prepared(
    sqlite.insert(deliveries).on_conflict_do_nothing(),
    elsewhere=postgresql.insert(deliveries).on_conflict_do_nothing(),
)
"""Whoever has it leased may have given up the same event."""
FIRST_TOO_MANY = LOSSES.with_only_columns(deliveries.c.event).offset(SHOWN).limit(1)
SHED = scoped.removing(deliveries).where(
    deliveries.c.webhook == scoped.given("name"),
    deliveries.c.event <= FIRST_TOO_MANY.correlate(None).scalar_subquery(),
)
LAST = select(func.coalesce(func.max(events.c.number), 0)).where(scoped.owned(events))


class SqlWebhooks(WebhookStore):
    def __init__(self, database: SealedDatabase) -> None:
        self._database = database

    async def add(self, webhook: Webhook) -> None:
        await self._database.write(lambda c, keys: add(c, keys, webhook))

    async def webhooks(self, user: str) -> Sequence[Webhook]:
        try:
            return await self._database.read(lambda c, keys: listed(c, keys, user, opened))
        except Unreadable:  # with keys read anew, too
            return await self._database.read(lambda c, keys: listed(c, keys, user, shown))

    async def remove(self, user: str, webhook_id: str) -> None:
        await self._database.plain.write(lambda c: remove(c, user, webhook_id))

    async def given_up(self, user: str, webhook_id: str) -> Sequence[GivenUp]:
        return await self._database.plain.read(lambda c: given_up(c, user, webhook_id))

    async def next(self, *, now: datetime, until: datetime, limit: int) -> Due | None:
        if not await self._database.plain.glance(ANY_READY, {"now": micros(now)}):
            return None  # the one who writes is not to be asked for nothing all the time
        return await self._database.write(lambda c, keys: lease(c, keys, now, until, limit))

    async def settle(
        self,
        due: Due,
        *,
        after: int,
        due_at: datetime,
        attempts: int = 0,
        given_up: GivenUp | None = None,
    ) -> None:
        new = {"told": after, "attempts": attempts, "due_at": micros(due_at), "leased_until": None}
        await self._database.plain.write(lambda c: settle(c, due, new, given_up))

    async def give_up(self, *, before: datetime, at: datetime, failure: str) -> None:
        def some(read: Reader) -> SealedWork[bool]:
            return lambda c, keys: pass_over(c, keys, read, before=before, at=at, failure=failure)

        more = True
        while more:
            try:
                more = await self._database.write(some(opened))
            except Unreadable:  # with keys read anew, too
                more = await self._database.write(some(shown))


def add(connection: Connection, keyring: Keyring, webhook: Webhook) -> None:
    owner = webhook.scope.user
    head = begun(connection, keyring, owner, reserved=0)
    refuse_another(connection.execute(COUNT, {"user": owner}).scalar_one())
    row = {
        "owner": owner,
        "id": checked_name("id", webhook.id),
        "ai": webhook.scope.ai,
        "created_at": micros(webhook.created_at),
        "told": connection.execute(LAST, {"user": owner}).scalar_one(),
        "attempts": 0,
        "due_at": micros(webhook.created_at),
        "leased_until": None,
    }
    private = {"url": webhook.url, "secret": webhook.secret, "kinds": sorted(webhook.kinds)}
    sealed = with_body(keyring, head.key, webhooks, row, json.dumps(private).encode("ascii"))
    try:
        connection.execute(insert(webhooks), sealed)
    except exc.IntegrityError as error:
        raise Conflict(f"there is a webhook {webhook.id!r} already") from error


def listed(connection: Connection, keyring: Keyring, user: str, read: Reader) -> Sequence[Webhook]:
    statement = scoped.reading(webhooks).order_by(webhooks.c.created_at, webhooks.c.id)
    rows = connection.execute(statement, {"user": user}).all()
    return [read(connection, keyring, row) for row in rows]


def remove(connection: Connection, user: str, webhook_id: str) -> None:
    mine = {"user": user, "name": scoped.known_name(webhook_id)}
    if not connection.execute(scoped.removing(webhooks).where(NAMED), mine).rowcount:
        raise NotFound(f"there is no webhook {webhook_id!r}")
    of_it = deliveries.c.webhook == scoped.given("name")
    connection.execute(scoped.removing(deliveries).where(of_it), mine)


def given_up(connection: Connection, user: str, webhook_id: str) -> Sequence[GivenUp]:
    mine = {"user": user, "name": scoped.known_name(webhook_id)}
    if connection.execute(scoped.reading(webhooks, webhooks.c.id).where(NAMED), mine).first():
        return [loss_from_row(row) for row in connection.execute(LOSSES.limit(SHOWN), mine)]
    raise NotFound(f"there is no webhook {webhook_id!r}")


def lease(
    connection: Connection, keyring: Keyring, now: datetime, until: datetime, limit: int
) -> Due | None:
    """One that cannot be opened is leased all the same: it would be the next one for ever."""
    while row := connection.execute(NEXT, {"now": micros(now)}).one_or_none():
        mine = {"user": row.owner}
        theirs = scoped.seen(events, Scope(row.owner, row.ai)).where(events.c.number > row.told)
        some = connection.execute(theirs.order_by(events.c.number).limit(limit), mine).all()
        if not some:  # forgotten since it was found, so that it is not found again
            continue
        connection.execute(LEASE, {**mine, "name": row.id, "until": micros(until)})
        try:
            webhook = opened(connection, keyring, row)
        except Unreadable:
            log.warning(
                "a webhook cannot be opened, and is tried again later: restore it from a backup",
                extra={"action": "webhook_unreadable", "webhook": row.id},
            )
            continue
        waiting = [told_from_row(one) for one in some]
        return Due(webhook, waiting, tried(row, waiting[0]), until)
    return None


def settle(connection: Connection, due: Due, new: dict[str, Any], given_up: GivenUp | None) -> None:
    owner, name = due.webhook.scope.user, due.webhook.id
    held = {"user": owner, "name": name, "until": micros(due.until)}
    if connection.execute(HELD.values(new), held).rowcount and given_up:
        lose(connection, owner, name, [given_up])


def pass_over(
    connection: Connection,
    keyring: Keyring,
    read: Reader,
    *,
    before: datetime,
    at: datetime,
    failure: str,
) -> bool:
    """Some of the old events of one webhook; whether there was one."""
    row = connection.execute(OVERDUE, {"before": micros(before)}).one_or_none()
    if row is None:
        return False
    if passed := overdue(connection, row, before):  # others may have forgotten them since
        last = {"user": row.owner, "name": row.id, "last": passed[-1].number}
        connection.execute(PASS, last)
    webhook = read(connection, keyring, row)
    wanted = [one for one in passed if webhook.wants(one.event)]
    losses = [GivenUp(one, tried(row, one), at, failure) for one in wanted]
    lose(connection, row.owner, row.id, losses[-SHOWN:])
    return True


def overdue(connection: Connection, row: Row[Any], before: datetime) -> Sequence[Told]:
    """Also those between them that are younger, as clocks differ: a webhook goes on in order."""
    theirs = scoped.seen(events, Scope(row.owner, row.ai)).where(events.c.number > row.told)
    last = theirs.where(OLD).with_only_columns(func.max(events.c.number)).correlate(None)
    upto = theirs.where(events.c.number <= last.scalar_subquery()).order_by(events.c.number)
    old = {"user": row.owner, "before": micros(before)}
    return [told_from_row(one) for one in connection.execute(upto.limit(AT_A_TIME), old)]


def tried(row: Row[Any], told: Told) -> int:
    """How often: what is counted of a webhook is of the one event right behind what it was told."""
    attempts: int = row.attempts
    return attempts if told.number == row.told + 1 else 0


def lose(connection: Connection, owner: str, webhook: str, losses: Sequence[GivenUp]) -> None:
    for loss in losses:
        LOSE.changed(connection, loss_to_row(owner, webhook, loss))
    connection.execute(SHED, {"user": owner, "name": webhook})


def loss_to_row(owner: str, webhook: str, loss: GivenUp) -> dict[str, Any]:
    event = loss.told.event
    return {
        "owner": owner,
        "webhook": webhook,
        "event": loss.told.number,
        "ai": event.scope.ai,
        "kind": event.kind.value,
        "id": event.id,
        "tier": event.tier,
        "happened_at": micros(event.at),
        "attempts": loss.attempts,
        "at": micros(loss.at),
        "failure": loss.failure,
    }


def loss_from_row(row: Row[Any]) -> GivenUp:
    scope, tier = Scope(row.owner, row.ai), None if row.tier is None else Tier(row.tier)
    event = Event(EventKind(row.kind), scope, row.id, time(row.happened_at), tier)
    return GivenUp(Told(row.event, event), row.attempts, time(row.at), row.failure)


def opened(connection: Connection, keyring: Keyring, row: Row[Any]) -> Webhook:
    private = json.loads(body_of(connection, keyring, webhooks, row))
    return Webhook(
        id=row.id,
        scope=Scope(row.owner, row.ai),
        url=private["url"],
        secret=private["secret"],
        created_at=time(row.created_at),
        kinds=frozenset(EventKind(kind) for kind in private["kinds"]),
    )


def shown(connection: Connection, keyring: Keyring, row: Row[Any]) -> Webhook:
    """Its owner can remove what is listed only, so that one that cannot be opened is, too."""
    try:
        return opened(connection, keyring, row)
    except Unreadable:
        scope, at = Scope(row.owner, row.ai), time(row.created_at)
        return Webhook(row.id, scope, url="", secret="", created_at=at, unreadable=True)
