"""/v1/recall: what is worth knowing for what is being said."""

from typing import Annotated

from fastapi import APIRouter, Query

from memweaver.interfaces.door import Memweaver, Reader
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.once import UNNEEDED
from memweaver.interfaces.rest.wire.fields import Idempotency
from memweaver.interfaces.rest.wire.recall import RecallAnswer, RecallRequest

router = APIRouter(prefix="/v1/recall", tags=["recall"])


@router.post("")
async def recall(
    services: Memweaver,
    caller: Reader,
    request: RecallRequest,
    _: Annotated[NoQuery, Query()],
    _key: Annotated[Idempotency | None, UNNEEDED] = None,
) -> RecallAnswer:
    """The records that matter, best first, and a context block within the budget."""
    found = await services.recall(
        caller.scope(request.ai),
        request.query,
        where=request.where(),
        limit=request.limit,
        budget=request.budget,
    )
    return RecallAnswer.of(found)
