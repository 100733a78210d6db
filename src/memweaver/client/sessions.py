"""`client.sessions`: conversations that have a name."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from memweaver.client.connection import Connection
from memweaver.client.results import Session, Turn


@dataclass(frozen=True, slots=True)
class Sessions:
    server: Connection

    async def create(self, name: str, *, ai: str | None = None) -> Session:
        """Begin a session."""
        body = {"name": name, "ai": ai}
        return await self.server.ask(Session, "POST /v1/sessions", body=body)

    def all(self, *, ai: str | None = None, at_once: int = 50) -> AsyncGenerator[Session]:
        """Latest first, `at_once` a request."""
        query = {"ai": ai, "limit": at_once}
        return self.server.each(Session, "GET /v1/sessions", query=query)

    async def read(self, session_id: str, *, ai: str | None = None) -> Session:
        return await self.server.ask(Session, "GET /v1/sessions/{}", session_id, query={"ai": ai})

    def turns(
        self, session_id: str, *, ai: str | None = None, at_once: int = 50
    ) -> AsyncGenerator[Turn]:
        """What was said in a session, latest first, `at_once` a request."""
        query = {"ai": ai, "limit": at_once}
        return self.server.each(Turn, "GET /v1/sessions/{}/turns", session_id, query=query)

    async def rename(self, session_id: str, name: str, *, ai: str | None = None) -> Session:
        return await self.server.ask(
            Session,
            "PATCH /v1/sessions/{}",
            session_id,
            query={"ai": ai},
            body={"name": name},
        )

    async def erase(self, session_id: str, *, ai: str | None = None) -> None:
        """Remove a session and all its turns. Memories stay."""
        await self.server.tell("DELETE /v1/sessions/{}", session_id, query={"ai": ai})
