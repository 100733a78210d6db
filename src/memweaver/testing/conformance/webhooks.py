"""The contract of the `WebhookStore` port, as tests."""

from dataclasses import replace

import pytest

from memweaver.domain.event import EventKind
from memweaver.domain.scope import Scope
from memweaver.domain.webhook import GivenUp, Webhook
from memweaver.errors import Conflict, NotFound
from memweaver.ports.backend import Backend
from memweaver.ports.webhooks import Due
from memweaver.testing.conformance.backend import (
    ANN,
    ANN_AT_WORK,
    BOB,
    BackendSuite,
    a_turn,
    ended,
    later,
)
from memweaver.testing.conformance.store import STRANGE_NAMES

KINDS = frozenset({EventKind.TURN_RECORDED, EventKind.JOB_DEAD})


def a_webhook(name: str = "w1", scope: Scope = ANN, *, after: int = 0) -> Webhook:
    return Webhook(name, scope, f"https://example.com/{name}", "a secret", later(after), KINDS)


async def due(backend: Backend, now: int = 1, *, limit: int = 10) -> Due | None:
    return await backend.webhooks.next(now=later(now), until=later(now + 60), limit=limit)


async def leased(backend: Backend, now: int = 1, *, limit: int = 10) -> Due:
    found = await due(backend, now, limit=limit)
    assert found is not None
    return found


def ids(found: Due) -> list[str]:
    return [one.event.id for one in found.events]


class WebhookStoreSuite(BackendSuite):
    async def test_a_webhook_comes_back_as_it_was(self, backend: Backend) -> None:
        hooks = [a_webhook("w2"), a_webhook("w1", ANN_AT_WORK, after=1)]
        for hook in reversed(hooks):
            await backend.webhooks.add(hook)
        await backend.webhooks.add(a_webhook(scope=BOB))
        assert await backend.webhooks.webhooks("ann") == hooks
        assert await backend.webhooks.webhooks("nobody") == []
        await ended(backend.vault.reseal("ann"))
        assert await backend.webhooks.webhooks("ann") == hooks

    async def test_an_id_is_taken_once(self, backend: Backend) -> None:
        await backend.webhooks.add(a_webhook())
        with pytest.raises(Conflict):
            await backend.webhooks.add(replace(a_webhook(), url="https://example.org"))

    async def test_it_is_told_what_happens_from_then_on(self, backend: Backend) -> None:
        await backend.store.record([a_turn("before")])
        await backend.webhooks.add(a_webhook())
        assert await due(backend) is None
        await backend.store.record([a_turn("t1"), a_turn("t2"), a_turn(scope=BOB)])
        found = await leased(backend)
        assert (found.webhook, found.attempts, ids(found)) == (a_webhook(), 0, ["t1", "t2"])

    async def test_one_of_an_ai_is_told_of_that_ai_only(self, backend: Backend) -> None:
        await backend.webhooks.add(a_webhook(scope=ANN_AT_WORK))
        await backend.store.record([a_turn("t1")])
        assert await due(backend) is None
        await backend.store.record([a_turn("t2", scope=ANN_AT_WORK)])
        assert ids(await leased(backend)) == ["t2"]

    async def test_nobody_else_has_it_while_it_is_leased(self, backend: Backend) -> None:
        await backend.webhooks.add(a_webhook())
        await backend.store.record([a_turn()])
        first = await leased(backend)
        assert await due(backend, 2) is None
        again = await leased(backend, 61)
        assert again.events == first.events

    async def test_what_was_told_is_not_told_again(self, backend: Backend) -> None:
        await backend.webhooks.add(a_webhook())
        await backend.store.record([a_turn("t1"), a_turn("t2"), a_turn("t3")])
        found = await leased(backend, limit=2)
        last = found.events[-1].number
        await backend.webhooks.settle(found, after=last, due_at=later(1))
        assert ids(await leased(backend)) == ["t3"]

    async def test_what_failed_is_told_again_when_it_is_time(self, backend: Backend) -> None:
        await backend.webhooks.add(a_webhook())
        await backend.store.record([a_turn("t1"), a_turn("t2")])
        found = await leased(backend)
        before = found.events[0].number - 1
        await backend.webhooks.settle(found, after=before, due_at=later(30), attempts=1)
        assert await due(backend, 29) is None
        again = await leased(backend, 30)
        assert (again.attempts, ids(again)) == (1, ["t1", "t2"])

    async def test_what_was_given_up_is_shown_with_its_reason(self, backend: Backend) -> None:
        await backend.webhooks.add(a_webhook())
        await backend.store.record([a_turn("t1"), a_turn("t2")])
        losses = []
        for _ in range(2):
            found = await leased(backend)
            loss = GivenUp(found.events[0], 12, later(1), "it answered 500")
            losses.append(loss)
            number = found.events[0].number
            await backend.webhooks.settle(found, after=number, due_at=later(1), given_up=loss)
        assert await due(backend) is None
        assert await backend.webhooks.given_up("ann", "w1") == losses[::-1]

    async def test_who_lost_the_lease_changes_nothing(self, backend: Backend) -> None:
        await backend.webhooks.add(a_webhook())
        await backend.store.record([a_turn()])
        late = await leased(backend)
        now = await leased(backend, 61)
        number = late.events[-1].number
        loss = GivenUp(late.events[0], 12, later(1), "it answered 500")
        await backend.webhooks.settle(late, after=number, due_at=later(1), given_up=loss)
        assert await backend.webhooks.given_up("ann", "w1") == []
        await backend.webhooks.settle(now, after=number, due_at=later(61))
        assert await due(backend, 61) is None

    async def test_whoever_has_waited_longest_is_next(self, backend: Backend) -> None:
        for name, scope, after in (("w1", ANN, 1), ("w2", BOB, 0)):
            await backend.webhooks.add(a_webhook(name, scope, after=after))
        await backend.store.record([a_turn(), a_turn(scope=BOB)])
        assert [(await leased(backend)).webhook.id for _ in range(2)] == ["w2", "w1"]

    async def test_one_that_is_removed_is_told_nothing_more(self, backend: Backend) -> None:
        await backend.webhooks.add(a_webhook())
        await backend.store.record([a_turn()])
        found = await leased(backend)
        await backend.webhooks.remove("ann", "w1")
        loss = GivenUp(found.events[0], 12, later(1), "it answered 500")
        await backend.webhooks.settle(found, after=0, due_at=later(1), given_up=loss)
        assert await due(backend, 61) is None
        assert await backend.webhooks.webhooks("ann") == []

    @pytest.mark.parametrize("name", STRANGE_NAMES)
    async def test_an_unknown_or_foreign_one_is_not_found(
        self, backend: Backend, name: str
    ) -> None:
        await backend.webhooks.add(a_webhook("his", BOB))
        for unknown in (name, "his"):
            with pytest.raises(NotFound):
                await backend.webhooks.remove("ann", unknown)
            with pytest.raises(NotFound):
                await backend.webhooks.given_up("ann", unknown)

    async def test_it_is_gone_with_the_user(self, backend: Backend) -> None:
        await backend.webhooks.add(a_webhook())
        await backend.store.record([a_turn()])
        found = await leased(backend)
        await backend.vault.destroy("ann")
        await backend.webhooks.settle(found, after=0, due_at=later(1))
        assert await backend.webhooks.webhooks("ann") == []
        assert await due(backend, 61) is None
