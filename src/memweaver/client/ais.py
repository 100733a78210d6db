"""`client.ais`: the assistants a user has, and what each may do."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from memweaver.client.connection import Connection
from memweaver.client.results import Ai, Handshake
from memweaver.domain.permissions import ORDINARY, AiPermissions


@dataclass(frozen=True, slots=True)
class Ais:
    server: Connection

    async def create(self, name: str, permissions: AiPermissions = ORDINARY) -> Ai:
        """Make an AI known; it begins with no memories of its own."""
        body = {"name": name, "permissions": permissions}
        return await self.server.ask(Ai, "POST /v1/ais", body=body)

    async def handshake(self, name: str) -> Handshake:
        """The same with a session to begin with, and the names of its collections."""
        return await self.server.ask(Handshake, "POST /v1/handshake", body={"ai_name": name})

    def all(self) -> AsyncGenerator[Ai]:
        """The AIs that the credential may speak for, oldest first."""
        return self.server.each(Ai, "GET /v1/ais")

    async def read(self, ai_id: str) -> Ai:
        return await self.server.ask(Ai, "GET /v1/ais/{}", ai_id)

    async def update(
        self, ai_id: str, *, name: str | None = None, permissions: AiPermissions | None = None
    ) -> Ai:
        """Change its name, or what it may do and with whom it shares, all of which is sent.

        To change one permission, send those that were read with it replaced.
        """
        body = {"name": name, "permissions": permissions}
        return await self.server.ask(Ai, "PATCH /v1/ais/{}", ai_id, body=body)

    async def erase(self, ai_id: str) -> None:
        """Remove an AI with its turns, memories, sessions, webhooks and keys."""
        await self.server.tell("DELETE /v1/ais/{}", ai_id)
