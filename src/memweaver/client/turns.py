"""`client.turns`: what was heard and said."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import datetime

from memweaver.client.connection import Connection
from memweaver.client.results import Json, RecordedTurn, Reflection, Turn
from memweaver.domain.conversation import Message


@dataclass(frozen=True, slots=True)
class Turns:
    server: Connection

    async def record(
        self,
        *messages: Message,
        session: str = "default",
        at: datetime | None = None,
        ai: str | None = None,
        metadata: Json | None = None,
        idempotency: str | None = None,
    ) -> RecordedTurn:
        """Keep a turn, durably; once, however often it is tried under the same `idempotency`."""
        return await self.server.ask(
            RecordedTurn,
            "POST /v1/turns",
            body={
                "messages": messages,
                "session": session,
                "at": at,
                "ai": ai,
                "metadata": metadata,
            },
            headers={"Idempotency-Key": idempotency},
        )

    def all(
        self, *, session: str | None = None, ai: str | None = None, at_once: int = 50
    ) -> AsyncGenerator[Turn]:
        """The turns of all sessions or one, latest recorded first, `at_once` a request."""
        query = {"session": session, "ai": ai, "limit": at_once}
        return self.server.each(Turn, "GET /v1/turns", query=query)

    async def read(self, turn_id: str, *, ai: str | None = None) -> Turn:
        """A turn, word for word."""
        return await self.server.ask(Turn, "GET /v1/turns/{}", turn_id, query={"ai": ai})

    async def erase(self, turn_id: str, *, ai: str | None = None) -> None:
        """Remove a turn. Memories drawn from it stay."""
        await self.server.tell("DELETE /v1/turns/{}", turn_id, query={"ai": ai})

    async def reflection(self, job_id: str, *, ai: str | None = None) -> Reflection:
        """How far the reflection of a turn is; `job_id` is `reflection` of the recorded turn."""
        return await self.server.ask(Reflection, "GET /v1/reflections/{}", job_id, query={"ai": ai})
