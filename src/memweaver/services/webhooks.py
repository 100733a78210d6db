"""Webhooks: tell other programs what happened, signed, in order, until they have taken it."""

import asyncio
import json
import logging
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memweaver.domain.event import EventKind, Told
from memweaver.domain.named import named
from memweaver.domain.scope import Scope
from memweaver.domain.webhook import GivenUp, Webhook, pause_after, signature
from memweaver.errors import MemweaverError, NotFound, ReceiverError, Unreadable
from memweaver.ports.clock import Clock
from memweaver.ports.events import Ears, Events
from memweaver.ports.webhooks import Courier, Due, WebhookStore
from memweaver.services.cursors import Cursors

log = logging.getLogger(__name__)

PREFIX = "whsec_"
SOME = 20
"""Events carried to one webhook before others have their turn."""
CARRIERS = 4
"""Webhooks that are told at the same time."""
POLL = 1.0
"""Seconds after which to look for what other processes wrote."""
GATHERING = 0.05
"""Seconds for which what happens gathers before somebody looks: it comes in swarms."""


@dataclass(frozen=True, slots=True)
class Webhooks:
    """`attempts` is how often one event is tried, `timeout` the seconds one try may take."""

    store: WebhookStore
    courier: Courier
    bell: Events
    clock: Clock
    cursors: Cursors
    attempts: int
    timeout: float

    async def add(self, scope: Scope, url: str, kinds: Collection[str] = ()) -> Webhook:
        """A new webhook; its secret is shown now. Raises `InvalidInput`, `TooLarge`."""
        self.courier.check(url)
        wanted = frozenset(named(EventKind, "kinds", kind) for kind in kinds)
        secret = PREFIX + secrets.token_urlsafe(32)
        made = Webhook(self.clock.new_id(), scope, url, secret, self.clock.now(), wanted)
        await self.store.add(made)
        return made

    async def all(self, scope: Scope) -> Sequence[Webhook]:
        """Those whose scope is within `scope`."""
        every = await self.store.webhooks(scope.user)
        return [one for one in every if scope.ai in {None, one.scope.ai}]

    async def remove(self, scope: Scope, webhook_id: str) -> None:
        """Raises `NotFound`."""
        webhook = await self.webhook(scope, webhook_id)
        await self.store.remove(scope.user, webhook.id)

    async def given_up(self, scope: Scope, webhook_id: str) -> Sequence[GivenUp]:
        """The last events that it could not be told. Raises `NotFound`."""
        webhook = await self.webhook(scope, webhook_id)
        return await self.store.given_up(scope.user, webhook.id)

    async def test(self, scope: Scope, webhook_id: str) -> None:
        """Tell it that this is a test. Raises `NotFound`, `Unreadable`, `ReceiverError`."""
        webhook, now = await self.webhook(scope, webhook_id), self.clock.now()
        if webhook.unreadable:
            raise Unreadable("the webhook cannot be opened any more: remove it, and add it anew")
        body = {"id": f"{webhook.id}-test", "kind": "test", "at": now.isoformat()}
        await self._post(webhook, body, now)

    async def run(self) -> None:
        """Carry until cancelled. What fails on our side is said, and tried again."""
        watch = asyncio.Lock()
        with self.bell.listening() as ears:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(CARRIERS):
                    tasks.create_task(self._carry(ears, watch))

    async def _carry(self, ears: Ears, watch: asyncio.Lock) -> None:
        """Only one is on watch, so that what happens wakes one; the others carry, or rest."""
        while True:
            async with watch:
                due = await self._awaited(ears)
            try:
                await self._carried(due)
                while await self.carry_next():  # what came meanwhile woke who is on watch in vain
                    pass
            except MemweaverError as error:
                log.warning("webhooks wait: %s", error.code)

    async def _awaited(self, ears: Ears) -> Due:
        while True:
            try:
                if due := await self._next():
                    return due
            except MemweaverError as error:
                log.warning("webhooks wait: %s", error.code)
            await ears.heard(POLL)
            await asyncio.sleep(GATHERING)

    async def carry_next(self) -> bool:
        """Tell one webhook some of what it was not told yet; whether there was one."""
        due = await self._next()
        if due:
            await self._carried(due)
        return due is not None

    async def _next(self) -> Due | None:
        now = self.clock.now()
        until = now + timedelta(seconds=self.timeout * (SOME + 1))
        leasing = asyncio.ensure_future(self.store.next(now=now, until=until, limit=SOME))
        try:
            return await asyncio.shield(leasing)
        except asyncio.CancelledError:  # it may be leased all the same
            await asyncio.wait([leasing])
            if not leasing.exception() and (due := leasing.result()):
                await self._give_back(due, due.events[0].number - 1, due.attempts)
            raise

    async def _carried(self, due: Due) -> None:
        """Whoever is stopped gives it back: nobody is to wait until the lease runs out."""
        after, attempts = due.events[0].number - 1, due.attempts
        try:
            for told in due.events:
                await self._tell(due.webhook, told)
                after, attempts = told.number, 0
        except asyncio.CancelledError:
            await asyncio.shield(self._give_back(due, after, attempts))
            raise
        except ReceiverError as error:
            await self._failed(due, told, attempts + 1, str(error))
        except MemweaverError:  # of the house, as when its store is away: nobody's failed attempt
            await self._give_back(due, after, attempts, pause=pause_after(1))
            raise
        except Exception:
            await self._failed(due, told, attempts + 1, "something went wrong on our side")
            raise
        else:
            await self.store.settle(due, after=after, due_at=self.clock.now())

    async def _give_back(
        self, due: Due, after: int, attempts: int, *, pause: timedelta = timedelta(0)
    ) -> None:
        due_at = self.clock.now() + pause
        try:
            await self.store.settle(due, after=after, due_at=due_at, attempts=attempts)
        except MemweaverError as error:
            log.warning("a webhook waits for its lease to run out: %s", error.code)

    async def _tell(self, webhook: Webhook, told: Told) -> None:
        if webhook.wants(told.event):
            cursor = await self.cursors.told(webhook.scope, told.cursor)
            await self._post(webhook, body_of(webhook, told, cursor), self.clock.now())

    async def _post(self, webhook: Webhook, body: Mapping[str, object], now: datetime) -> None:
        written = json.dumps(body, separators=(",", ":")).encode("ascii")
        headers = {
            "Content-Type": "application/json",
            "Memweaver-Delivery": str(body["id"]),
            "Memweaver-Signature": signature(webhook.secret, int(now.timestamp()), written),
        }
        await self.courier.post(webhook.url, written, headers)

    async def _failed(self, due: Due, told: Told, attempts: int, failure: str) -> None:
        now, given_up = self.clock.now(), attempts >= self.attempts
        log.warning(
            "a webhook was not told: %s",
            "given up" if given_up else "tried again later",
            extra={"action": "webhook_failed", "webhook": due.webhook.id, "attempt": attempts},
        )
        if given_up:
            loss = GivenUp(told, attempts, now, failure)
            await self.store.settle(due, after=told.number, due_at=now, given_up=loss)
            return
        again = now + pause_after(attempts)
        await self.store.settle(due, after=told.number - 1, due_at=again, attempts=attempts)

    async def webhook(self, scope: Scope, webhook_id: str) -> Webhook:
        """Raises `NotFound`."""
        for webhook in await self.all(scope):
            if webhook.id == webhook_id:
                return webhook
        raise NotFound(f"there is no webhook {webhook_id!r}")


def body_of(webhook: Webhook, told: Told, cursor: str) -> dict[str, object]:
    """Names only. The same event has the same `id`, however often it is told."""
    event = told.event
    return {
        "id": f"{webhook.id}-{told.number}",
        "kind": event.kind.value,
        "subject": event.id,
        "ai": event.scope.ai,
        "tier": event.tier,
        "at": event.at.isoformat(),
        "cursor": cursor,
    }
