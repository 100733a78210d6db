"""Jobs as whoever runs the house sees them: names, states and reasons, nothing said."""

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field

from memweaver.domain.job import Job, State
from memweaver.interfaces.rest.wire.fields import Cursor, Wire


class JobsQuery(Wire):
    state: Annotated[list[State], Field(description="In any of these; dead ones if none")] = Field(
        default_factory=list
    )
    user: Annotated[str | None, Field(description="Only those of this user")] = None
    cursor: Cursor = None
    limit: int = 50

    def states(self) -> list[State]:
        return self.state or [State.DEAD]


class JobQuery(Wire):
    user: Annotated[str, Field(description="Whose job it is")]


class JobAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "job_id": "019f2f6e-8d5c-7a51-9d39-3f1c1f0e7d11",
                    "user": "ann",
                    "ai": None,
                    "state": "dead",
                    "attempts": 4,
                    "failures": 4,
                    "code": "model_output_invalid",
                    "created_at": "2026-05-01T09:30:00Z",
                    "settled_at": "2026-05-01T10:30:26Z",
                }
            ]
        }
    )

    job_id: str
    user: str
    ai: str | None
    state: State
    attempts: int
    failures: int
    code: Annotated[str | None, Field(description="Of the latest failure; see the errors")]
    created_at: datetime
    settled_at: datetime | None

    @classmethod
    def of(cls, job: Job) -> "JobAnswer":
        return cls(
            job_id=job.id,
            user=job.scope.user,
            ai=job.scope.ai,
            state=job.state,
            attempts=job.attempts,
            failures=job.failures,
            code=job.failure.code if job.failure else None,
            created_at=job.created_at,
            settled_at=job.settled_at,
        )
