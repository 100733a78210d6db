"""/v1/webhooks: other programs that are told what happens."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, status

from memweaver.domain.principal import Permission
from memweaver.domain.scope import Scope
from memweaver.interfaces.door import KeyHolder, Memweaver
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.once import ONCE, ONCE_SECRETLY, OnceRoute
from memweaver.interfaces.rest.wire.events import (
    FailureAnswer,
    FailuresAnswer,
    MadeWebhook,
    NewWebhook,
    WebhookAnswer,
    WebhooksAnswer,
)

router = APIRouter(prefix="/v1/webhooks", tags=["webhooks"], route_class=OnceRoute)


async def whose(caller: KeyHolder, _: Annotated[NoQuery, Query()]) -> Scope:
    return caller.scope()


Whose = Annotated[Scope, Depends(whose)]


@router.post("", status_code=status.HTTP_201_CREATED, dependencies=[ONCE_SECRETLY])
async def add_webhook(
    services: Memweaver, caller: KeyHolder, asked: NewWebhook, _: Annotated[NoQuery, Query()]
) -> MadeWebhook:
    """Have `url` told what happens from now on, each event once or, after a failure, again.

    `secret` is shown this once: every request to `url` is signed with it.
    """
    caller.must(Permission.READ)
    made = await services.webhooks.add(caller.scope(asked.ai), asked.url, asked.kinds)
    return MadeWebhook(webhook=WebhookAnswer.of(made), secret=made.secret)


@router.get("")
async def list_webhooks(services: Memweaver, scope: Whose) -> WebhooksAnswer:
    """All of yours, oldest first."""
    every = await services.webhooks.all(scope)
    return WebhooksAnswer(items=[WebhookAnswer.of(one) for one in every])


@router.get("/{webhook_id}/failures")
async def list_failures(services: Memweaver, scope: Whose, webhook_id: str) -> FailuresAnswer:
    """The last events that it could not be told, and why, latest first."""
    webhook = await services.webhooks.webhook(scope, webhook_id)
    losses = await services.webhooks.given_up(scope, webhook_id)
    items = [
        FailureAnswer.of(one, await services.cursors.told(webhook.scope, one.told.cursor))
        for one in losses
    ]
    return FailuresAnswer(items=items)


@router.post("/{webhook_id}/test", status_code=status.HTTP_204_NO_CONTENT, dependencies=[ONCE])
async def test_webhook(services: Memweaver, scope: Whose, webhook_id: str) -> None:
    """Send it something of kind `test` now; what goes wrong is the answer."""
    await services.webhooks.test(scope, webhook_id)


@router.delete("/{webhook_id}", status_code=status.HTTP_204_NO_CONTENT)
async def remove_webhook(services: Memweaver, scope: Whose, webhook_id: str) -> None:
    """Tell it nothing more."""
    await services.webhooks.remove(scope, webhook_id)
