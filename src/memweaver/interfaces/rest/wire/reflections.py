"""Reflections as they travel: states and times, nothing of what they are about."""

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field

from memweaver.domain.job import Job, State
from memweaver.interfaces.rest.wire.fields import Wire


class ReflectionAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "job_id": "019f2f6e-8d5c-7a51-9d39-3f1c1f0e7d11",
                    "ai": None,
                    "state": "waiting",
                    "priority": "normal",
                    "attempts": 0,
                    "failures": 0,
                    "code": "model_unavailable",
                    "created_at": "2026-05-01T09:30:00Z",
                    "due_at": "2026-05-01T09:30:25Z",
                    "away_since": "2026-05-01T09:30:01Z",
                    "settled_at": None,
                },
                {
                    "job_id": "019f2f6e-8d5c-7a51-9d39-3f1c1f0e7d11",
                    "ai": None,
                    "state": "done",
                    "priority": "normal",
                    "attempts": 2,
                    "failures": 1,
                    "code": None,
                    "created_at": "2026-05-01T09:30:00Z",
                    "due_at": None,
                    "away_since": None,
                    "settled_at": "2026-05-01T09:30:26Z",
                },
            ]
        }
    )

    job_id: str
    ai: str | None
    state: State
    priority: str
    attempts: Annotated[int, Field(description="How often it was begun")]
    failures: Annotated[int, Field(description="How often it ended badly")]
    code: Annotated[str | None, Field(description="Of the latest failure; see the errors")]
    created_at: datetime
    due_at: Annotated[datetime | None, Field(description="While waiting: not before then")]
    away_since: Annotated[
        datetime | None, Field(description="Since when it waits out an outage, named by `code`")
    ]
    settled_at: Annotated[datetime | None, Field(description="When it was done, or given up")]

    @classmethod
    def of(cls, job: Job) -> "ReflectionAnswer":
        return cls(
            job_id=job.id,
            ai=job.scope.ai,
            state=job.state,
            priority=job.priority.name.lower(),
            attempts=job.attempts,
            failures=job.failures,
            code=job.failure.code if job.failure else None,
            created_at=job.created_at,
            due_at=job.due_at if job.state is State.WAITING else None,
            away_since=job.away_since,
            settled_at=job.settled_at,
        )
