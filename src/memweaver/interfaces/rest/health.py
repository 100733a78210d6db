"""/health: whether each part answers; /ready: whether to send requests. They ask for no key."""

from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from memweaver.interfaces.door import Memweaver
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.wire.answers import HealthAnswer, ReadyAnswer

router = APIRouter(tags=["health"])


@router.head("/health", include_in_schema=False)
@router.get(
    "/health", responses={503: {"model": HealthAnswer, "description": "The store does not answer"}}
)
async def health(
    services: Memweaver, response: Response, _: Annotated[NoQuery, Query()]
) -> HealthAnswer:
    """`ok` or, while some part does not work, `degraded`; with 503 if that is the store."""
    report = await services.health()
    if not report.serving:
        response.status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    return HealthAnswer(
        status=report.status, parts={name: dict(part) for name, part in report.parts.items()}
    )


@router.head("/ready", include_in_schema=False)
@router.get("/ready", responses={503: {"model": ReadyAnswer, "description": "Send none"}})
async def ready(
    services: Memweaver, response: Response, _: Annotated[NoQuery, Query()]
) -> ReadyAnswer:
    """Whether requests should be sent here: 503 if the store does not answer or this one stops."""
    trouble = await services.health.ready()
    if trouble:
        response.status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    return ReadyAnswer(ready=trouble is None, code=trouble)
