"""The `WebhookStore` port in the process."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from memweaver.adapters.memory.state import Hook, State
from memweaver.domain.event import Told
from memweaver.domain.scope import checked_name
from memweaver.domain.webhook import SHOWN, GivenUp, Webhook, refuse_another
from memweaver.errors import Conflict, NotFound
from memweaver.ports.webhooks import Due, WebhookStore


class InMemoryWebhooks(WebhookStore):
    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, webhook: Webhook) -> None:
        user = self._state.begun(webhook.scope.user)
        refuse_another(len(user.webhooks))
        if checked_name("id", webhook.id) in user.webhooks:
            raise Conflict(f"there is a webhook {webhook.id!r} already")
        told = user.told[-1].number if user.told else 0
        user.webhooks[webhook.id] = Hook(webhook, told, webhook.created_at)

    async def webhooks(self, user: str) -> Sequence[Webhook]:
        found = self._state.users.get(user)
        every = [hook.webhook for hook in found.webhooks.values()] if found else []
        return sorted(every, key=lambda one: (one.created_at, one.id))

    async def remove(self, user: str, webhook_id: str) -> None:
        self._hook(user, webhook_id)
        del self._state.users[user].webhooks[webhook_id]

    async def given_up(self, user: str, webhook_id: str) -> Sequence[GivenUp]:
        return self._hook(user, webhook_id).given_up[::-1]

    async def next(self, *, now: datetime, until: datetime, limit: int) -> Due | None:
        ready = [
            (hook.due_at, name, hook)
            for name, hook in self._of_enabled()
            if hook.due_at <= now
            and (hook.leased_until is None or hook.leased_until <= now)
            and self._waiting(hook)
        ]
        if not ready:
            return None
        _, _, hook = min(ready, key=lambda one: one[:2])
        hook.leased_until = until
        some = self._waiting(hook)[:limit]
        return Due(hook.webhook, some, hook.tried(some[0]), until)

    async def settle(
        self,
        due: Due,
        *,
        after: int,
        due_at: datetime,
        attempts: int = 0,
        given_up: GivenUp | None = None,
    ) -> None:
        user = self._state.users.get(due.webhook.scope.user)
        hook = user and user.webhooks.get(due.webhook.id)
        if not hook or hook.leased_until != due.until:
            return
        hook.told, hook.attempts, hook.due_at = after, attempts, due_at
        hook.leased_until = None
        lose(hook, [given_up] if given_up else [])

    async def give_up(self, *, before: datetime, at: datetime, failure: str) -> None:
        for user in self._state.users.values():
            for hook in user.webhooks.values():
                self._pass_over(hook, before, at, failure)

    def _pass_over(self, hook: Hook, before: datetime, at: datetime, failure: str) -> None:
        old = [one.number for one in self._waiting(hook) if one.event.at < before]
        if not old:
            return
        passed = [one for one in self._waiting(hook) if one.number <= old[-1]]
        wanted = [one for one in passed if hook.webhook.wants(one.event)]
        lose(hook, [GivenUp(one, hook.tried(one), at, failure) for one in wanted])
        hook.told, hook.attempts = old[-1], 0

    def _hook(self, user: str, webhook_id: str) -> Hook:
        found = self._state.users.get(user)
        hook = found and found.webhooks.get(webhook_id)
        if not hook:
            raise NotFound(f"there is no webhook {webhook_id!r}")
        return hook

    def _of_enabled(self) -> Iterator[tuple[str, Hook]]:
        for name, user in self._state.users.items():
            account = self._state.accounts.get(name)
            if account is None or account.disabled_at is None:
                yield from user.webhooks.items()

    def _waiting(self, hook: Hook) -> list[Told]:
        every = self._state.users[hook.webhook.scope.user].told
        scope = hook.webhook.scope
        return [one for one in every if one.number > hook.told and one.event.concerns(scope)]


def lose(hook: Hook, losses: Sequence[GivenUp]) -> None:
    """Keep each once, though two may have given it up, and the latest only."""
    kept = {one.told.number: one for one in (*losses, *hook.given_up)}
    hook.given_up = [kept[number] for number in sorted(kept)][-SHOWN:]
