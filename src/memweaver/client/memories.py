"""`client.memories`: what is remembered."""

from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass
from datetime import datetime

from memweaver.client.connection import Connection
from memweaver.client.results import Json, Memory


@dataclass(frozen=True, slots=True)
class Memories:
    """With `expected`, the revision you saw, a change is refused if there was one meanwhile."""

    server: Connection

    async def add(
        self,
        text: str,
        *,
        tier: str = "semantic",
        key: str | None = None,
        authority: str = "fact",
        importance: float | None = None,
        confidence: float | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        supersedes: str | None = None,
        sources: Iterable[str] = (),
        ai: str | None = None,
        metadata: Json | None = None,
        idempotency: str | None = None,
    ) -> Memory:
        """Keep a memory written by hand; the core tier needs a `key`, the others have none."""
        return await self.server.ask(
            Memory,
            "POST /v1/memories",
            body={
                "text": text,
                "tier": tier,
                "key": key,
                "authority": authority,
                "importance": importance,
                "confidence": confidence,
                "valid_from": valid_from,
                "valid_to": valid_to,
                "supersedes": supersedes,
                "sources": list(sources),
                "ai": ai,
                "metadata": metadata,
            },
            headers={"Idempotency-Key": idempotency},
        )

    def all(
        self, *, tiers: Iterable[str] = (), ai: str | None = None, at_once: int = 50
    ) -> AsyncGenerator[Memory]:
        """The memories of all tiers or some, latest added first, `at_once` a request."""
        query = {"tier": list(tiers), "ai": ai, "limit": at_once}
        return self.server.each(Memory, "GET /v1/memories", query=query)

    async def read(
        self, memory_id: str, *, ai: str | None = None, known: Memory | None = None
    ) -> Memory:
        """The latest revision; `known` itself, if that is the one."""
        return await self.server.ask(
            Memory,
            "GET /v1/memories/{}",
            memory_id,
            query={"ai": ai},
            headers={"If-None-Match": tag(known.revision) if known else None},
            known=known,
        )

    async def correct(
        self,
        memory_id: str,
        *,
        text: str | None = None,
        key: str | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        metadata: Json | None = None,
        expected: int | None = None,
        ai: str | None = None,
    ) -> Memory:
        """Change what is given; what it said before can still be recalled with `as_of`."""
        return await self.server.ask(
            Memory,
            "PATCH /v1/memories/{}",
            memory_id,
            query={"ai": ai},
            body={
                "text": text,
                "key": key,
                "importance": importance,
                "confidence": confidence,
                "valid_from": valid_from,
                "valid_to": valid_to,
                "metadata": metadata,
            },
            headers=unchanged_since(expected),
        )

    async def move(
        self, memory_id: str, tier: str, *, expected: int | None = None, ai: str | None = None
    ) -> Memory:
        """Put a memory into another tier; it keeps its id."""
        return await self.server.ask(
            Memory,
            "POST /v1/memories/{}/move",
            memory_id,
            query={"ai": ai},
            body={"tier": tier},
            headers=unchanged_since(expected),
        )

    async def confirm(
        self, memory_id: str, *, expected: int | None = None, ai: str | None = None
    ) -> Memory:
        """Take a memory's word for it, as its origin is not you: it leaves quarantine."""
        return await self.server.ask(
            Memory,
            "POST /v1/memories/{}/confirm",
            memory_id,
            query={"ai": ai},
            headers=unchanged_since(expected),
        )

    async def erase(
        self, memory_id: str, *, expected: int | None = None, ai: str | None = None
    ) -> None:
        """Remove a memory and every trace of it."""
        await self.server.tell(
            "DELETE /v1/memories/{}",
            memory_id,
            query={"ai": ai},
            headers=unchanged_since(expected),
        )


def unchanged_since(revision: int | None) -> dict[str, str | None]:
    return {"If-Match": None if revision is None else tag(revision)}


def tag(revision: int) -> str:
    return f'"{revision}"'
