"""`/v1/admin/audit`: who did what to whom."""

from typing import Annotated

from fastapi import APIRouter, Query

from memweaver.interfaces.door import Memweaver, Operator
from memweaver.interfaces.rest.wire.access import AuditAnswer, AuditQuery, DeedAnswer

router = APIRouter(prefix="/v1/admin/audit", tags=["access"])


@router.get("")
async def read_audit(
    services: Memweaver, _caller: Operator, query: Annotated[AuditQuery, Query()]
) -> AuditAnswer:
    """The latest first: keys, accounts and whole memories; for admins of the house itself."""
    deeds = await services.audit.latest(query.limit)
    return AuditAnswer(items=[DeedAnswer.of(deed) for deed in deeds])
