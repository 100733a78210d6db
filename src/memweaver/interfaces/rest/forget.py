"""/v1/forget: everything that is remembered of somebody, gone."""

from typing import Annotated

from fastapi import APIRouter, Query, status

from memweaver.interfaces.door import Memweaver
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.access import Owner
from memweaver.interfaces.rest.confirmed import Confirmed
from memweaver.interfaces.rest.once import ONCE, OnceRoute

router = APIRouter(prefix="/v1/forget", tags=["forget"], route_class=OnceRoute)


@router.post("", status_code=status.HTTP_204_NO_CONTENT, dependencies=[ONCE])
async def forget_everything(
    services: Memweaver, caller: Owner, _: Annotated[NoQuery, Query()], _confirmed: Confirmed
) -> None:
    """Erase all turns, memories, sessions and AIs, and destroy the key they were sealed under.

    The account and its API keys stay. Without `X-Confirm: true` nothing happens.
    """
    await services.forget.everything(caller.user)
    await services.audit.note(caller, "everything forgotten", caller.user)
