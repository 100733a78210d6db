"""The contract of the `WebhookStore` port, as tests."""

import asyncio
from dataclasses import replace

import pytest

from memweaver.domain.event import EventKind
from memweaver.domain.scope import Scope
from memweaver.domain.webhook import MOST, SHOWN, GivenUp, Webhook
from memweaver.errors import Conflict, NotFound, TooLarge
from memweaver.ports.backend import Backend
from memweaver.ports.webhooks import Due
from memweaver.testing.conformance.accounts import an_account
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


async def give_up(backend: Backend, *, before: int) -> None:
    await backend.webhooks.give_up(before=later(before), at=later(9), failure="too late")


async def lost(backend: Backend, name: str) -> list[str]:
    return [one.told.event.id for one in await backend.webhooks.given_up("ann", name)]


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

    async def test_nobody_has_more_than_the_limit_by_adding_many_at_once(
        self, backend: Backend
    ) -> None:
        many = [a_webhook(f"w{number}") for number in range(2 * MOST)]
        added = await asyncio.gather(*map(backend.webhooks.add, many), return_exceptions=True)
        assert [type(one) for one in added if one is not None] == [TooLarge] * MOST
        assert len(await backend.webhooks.webhooks("ann")) == MOST
        await backend.webhooks.add(a_webhook(scope=BOB))

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

    async def test_what_comes_behind_a_forgotten_one_is_tried_anew(self, backend: Backend) -> None:
        await backend.webhooks.add(a_webhook())
        await backend.store.record([a_turn("t1"), a_turn("t2", after=9)])
        found = await leased(backend)
        before = found.events[0].number - 1
        await backend.webhooks.settle(found, after=before, due_at=later(1), attempts=11)
        await backend.events.trim(later(5))
        again = await leased(backend)
        assert (again.attempts, ids(again)) == (0, ["t2"])

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

    async def test_what_is_old_is_given_up_at_once(self, backend: Backend) -> None:
        await backend.webhooks.add(a_webhook("all", after=1))
        await backend.webhooks.add(a_webhook("work", ANN_AT_WORK))
        await backend.webhooks.add(
            replace(a_webhook("dead"), kinds=frozenset({EventKind.JOB_DEAD}))
        )
        await backend.store.record([a_turn("t1"), a_turn("t2", after=1, scope=ANN_AT_WORK)])
        await backend.store.record([a_turn("t3", after=9)])
        await give_up(backend, before=5)
        assert await lost(backend, "all") == ["t2", "t1"]
        assert await lost(backend, "work") == ["t2"]
        assert await lost(backend, "dead") == []
        assert [ids(await leased(backend)) for _ in range(2)] == [["t3"], ["t3"]]
        assert await due(backend) is None

    async def test_what_is_given_up_between_younger_ones_takes_them_along(
        self, backend: Backend
    ) -> None:
        await backend.webhooks.add(a_webhook())
        await backend.store.record([a_turn("t1", after=6), a_turn("t2"), a_turn("t3", after=7)])
        await give_up(backend, before=5)
        assert await lost(backend, "w1") == ["t2", "t1"]
        assert ids(await leased(backend)) == ["t3"]

    async def test_what_was_given_up_says_how_often_it_was_tried(self, backend: Backend) -> None:
        await backend.webhooks.add(a_webhook())
        await backend.store.record([a_turn("t1"), a_turn("t2"), a_turn("t3", after=9)])
        found = await leased(backend)
        before = found.events[0].number - 1
        await backend.webhooks.settle(found, after=before, due_at=later(1), attempts=3)
        await give_up(backend, before=-5)
        await give_up(backend, before=5)
        losses = [GivenUp(found.events[1], 0, later(9), "too late")]
        losses.append(GivenUp(found.events[0], 3, later(9), "too late"))
        assert await backend.webhooks.given_up("ann", "w1") == losses
        again = await leased(backend)
        assert (again.attempts, ids(again)) == (0, ["t3"])

    async def test_what_is_given_up_twice_is_shown_once(self, backend: Backend) -> None:
        await backend.webhooks.add(a_webhook())
        await backend.store.record([a_turn("t1"), a_turn("t2", after=9)])
        found = await leased(backend)
        await give_up(backend, before=5)
        number, loss = found.events[0].number, GivenUp(found.events[0], 12, later(9), "late")
        await backend.webhooks.settle(found, after=number, due_at=later(9), given_up=loss)
        assert await lost(backend, "w1") == ["t1"]
        assert ids(await leased(backend, 9)) == ["t2"]

    async def test_the_latest_that_were_given_up_are_kept(self, backend: Backend) -> None:
        await backend.webhooks.add(a_webhook())
        turns = [a_turn(f"t{number}") for number in range(SHOWN + 2)]
        for some in (turns[:2], turns[2:]):
            await backend.store.record(some)
            await give_up(backend, before=5)
        assert await lost(backend, "w1") == [turn.id for turn in turns[:1:-1]]

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

    async def test_one_of_a_disabled_account_is_told_nothing(self, backend: Backend) -> None:
        await backend.accounts.add(replace(an_account("ann"), disabled_at=later(1)))
        await backend.accounts.add(an_account("bob"))
        for name, scope in (("hers", ANN), ("his", BOB)):
            await backend.webhooks.add(a_webhook(name, scope))
        await backend.store.record([a_turn(), a_turn(scope=BOB)])
        assert (await leased(backend)).webhook.id == "his"
        assert await due(backend) is None

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
