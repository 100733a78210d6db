"""`client.admin`: for whoever runs the house. Nobody's memories are to be had here."""

from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass

from memweaver.client.connection import Connection
from memweaver.client.results import Deed, Job


@dataclass(frozen=True, slots=True)
class Administration:
    server: Connection

    def audit(self, *, limit: int | None = None) -> AsyncGenerator[Deed]:
        """Who did what to whom, latest first."""
        return self.server.each(Deed, "GET /v1/admin/audit", query={"limit": limit})

    def jobs(
        self, *, states: Iterable[str] = (), user: str | None = None, at_once: int = 50
    ) -> AsyncGenerator[Job]:
        """Jobs of everybody, dead ones if no states are named, latest first."""
        query = {"state": list(states), "user": user, "limit": at_once}
        return self.server.each(Job, "GET /v1/admin/jobs", query=query)

    async def retry_job(self, user: str, job_id: str) -> Job:
        """Let a dead job wait anew, as if it had never failed."""
        query = {"user": user}
        return await self.server.ask(Job, "POST /v1/admin/jobs/{}/retry", job_id, query=query)

    async def discard_job(self, user: str, job_id: str) -> None:
        """Forget a dead job; the turn it was to reflect upon stays."""
        await self.server.tell("DELETE /v1/admin/jobs/{}", job_id, query={"user": user})
