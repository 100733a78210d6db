"""`client.events`, `client.webhooks`: what happens, asked for or told. Sockets hear it at once."""

from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass

from memweaver.client.connection import Connection
from memweaver.client.results import EventSchemas, Happened, MadeWebhook, Undelivered, Webhook


@dataclass(frozen=True, slots=True)
class Events:
    server: Connection

    async def since(
        self, cursor: str | None = None, *, ai: str | None = None, limit: int | None = None
    ) -> Happened:
        """What happened after `cursor`, oldest first; without one, from the first that is kept."""
        query = {"cursor": cursor, "ai": ai, "limit": limit}
        return await self.server.ask(Happened, "GET /v1/events", query=query)

    async def schema(self) -> EventSchemas:
        """What a socket may send and what it is told, each event as a JSON schema."""
        return await self.server.ask(EventSchemas, "GET /v1/events/schema")


@dataclass(frozen=True, slots=True)
class Webhooks:
    server: Connection

    async def add(
        self, url: str, kinds: Iterable[str] = (), *, ai: str | None = None
    ) -> MadeWebhook:
        """Have `url` told what happens from now on; of all kinds, if none are named."""
        body = {"url": url, "kinds": list(kinds), "ai": ai}
        return await self.server.ask(MadeWebhook, "POST /v1/webhooks", body=body)

    def all(self) -> AsyncGenerator[Webhook]:
        """All of yours, oldest first."""
        return self.server.each(Webhook, "GET /v1/webhooks")

    def failures(self, webhook_id: str) -> AsyncGenerator[Undelivered]:
        """The last events that it could not be told, latest first."""
        return self.server.each(Undelivered, "GET /v1/webhooks/{}/failures", webhook_id)

    async def test(self, webhook_id: str) -> None:
        """Send it something now; what goes wrong is raised."""
        await self.server.tell("POST /v1/webhooks/{}/test", webhook_id)

    async def remove(self, webhook_id: str) -> None:
        """Tell it nothing more."""
        await self.server.tell("DELETE /v1/webhooks/{}", webhook_id)
