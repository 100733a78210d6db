"""/health: whether each part answers. The one route that asks for no key."""

from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from memweaver.interfaces.rest.access import Memweaver
from memweaver.interfaces.rest.wire.answers import HealthAnswer
from memweaver.interfaces.rest.wire.fields import NoQuery

router = APIRouter(tags=["health"])


@router.get("/health")
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
