"""/v1/events: what happened, for those who ask from time to time."""

from typing import Annotated

from fastapi import APIRouter, Query

from memweaver.domain.event import cursor_from
from memweaver.interfaces.door import Memweaver, Reader
from memweaver.interfaces.rest.paging import Pages
from memweaver.interfaces.rest.wire.events import EventAnswer, EventsAnswer, EventsQuery

router = APIRouter(prefix="/v1/events", tags=["events"])


@router.get("")
async def list_events(
    services: Memweaver, caller: Reader, pages: Pages, query: Annotated[EventsQuery, Query()]
) -> EventsAnswer:
    """What happened after `cursor`, oldest first; without one, from the first that is kept."""
    scope, listen = caller.scope(query.ai), services.listen
    given = None if query.cursor is None else cursor_from(await pages.opened(query.cursor))
    start = await listen.start(scope.user, given)
    told = await listen.since(scope, given and start.cursor, query.limit)
    cursor = told[-1].cursor if told else start.cursor
    return EventsAnswer(
        items=[EventAnswer.of(one, await pages.signed(str(one.cursor))) for one in told],
        cursor=await pages.signed(str(cursor)),
        missed=start.missed,
    )
