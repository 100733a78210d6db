"""/v1/recall: what is worth knowing for what is being said."""

from typing import Annotated

from fastapi import APIRouter, Query

from memweaver.domain.scope import Scope
from memweaver.interfaces.rest.access import Caller, Memweaver
from memweaver.interfaces.rest.wire.fields import NoQuery
from memweaver.interfaces.rest.wire.recall import RecallAnswer, RecallRequest

router = APIRouter(prefix="/v1/recall", tags=["recall"])


@router.post("")
async def recall(
    services: Memweaver, caller: Caller, request: RecallRequest, _: Annotated[NoQuery, Query()]
) -> RecallAnswer:
    """The records that matter, best first, and a context block within the budget."""
    found = await services.recall(
        Scope(caller.user, request.ai),
        request.query,
        where=request.where(),
        limit=request.limit,
        budget=request.budget,
    )
    return RecallAnswer.of(found)
