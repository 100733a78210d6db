"""`client.relations`: who is what to whom."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from memweaver.client.connection import Connection
from memweaver.client.memories import unchanged_since
from memweaver.client.results import Relation


@dataclass(frozen=True, slots=True)
class Relations:
    """With `expected`, the revision you saw, a change is refused if there was one meanwhile."""

    server: Connection

    async def add(
        self,
        subject: str,
        predicate: str,
        object: str,  # noqa: A002 - a relation's own word
        *,
        subject_type: str | None = None,
        object_type: str | None = None,
        confidence: float | None = None,
        ai: str | None = None,
    ) -> Relation:
        """Keep a relation told by hand."""
        return await self.server.ask(
            Relation,
            "POST /v1/relations",
            body={
                "subject": subject,
                "predicate": predicate,
                "object": object,
                "subject_type": subject_type,
                "object_type": object_type,
                "confidence": confidence,
                "ai": ai,
            },
        )

    def all(self, *, ai: str | None = None, at_once: int = 50) -> AsyncGenerator[Relation]:
        """Latest added first, `at_once` a request."""
        query = {"ai": ai, "limit": at_once}
        return self.server.each(Relation, "GET /v1/relations", query=query)

    async def read(self, relation_id: str, *, ai: str | None = None) -> Relation:
        return await self.server.ask(
            Relation, "GET /v1/relations/{}", relation_id, query={"ai": ai}
        )

    async def change(
        self,
        relation_id: str,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,  # noqa: A002 - a relation's own word
        subject_type: str | None = None,
        object_type: str | None = None,
        confidence: float | None = None,
        expected: int | None = None,
        ai: str | None = None,
    ) -> Relation:
        """Change what is given; its revision is that of the memory it is."""
        return await self.server.ask(
            Relation,
            "PATCH /v1/relations/{}",
            relation_id,
            query={"ai": ai},
            body={
                "subject": subject,
                "predicate": predicate,
                "object": object,
                "subject_type": subject_type,
                "object_type": object_type,
                "confidence": confidence,
            },
            headers=unchanged_since(expected),
        )

    async def erase(
        self, relation_id: str, *, expected: int | None = None, ai: str | None = None
    ) -> None:
        """Remove a relation and every trace of it."""
        await self.server.tell(
            "DELETE /v1/relations/{}",
            relation_id,
            query={"ai": ai},
            headers=unchanged_since(expected),
        )
