"""/v1/events: what happened, for those who ask from time to time."""

from typing import Annotated

from fastapi import APIRouter, Query

from memweaver.interfaces.door import Memweaver, Reader
from memweaver.interfaces.rest.wire.events import EventAnswer, EventsAnswer, EventsQuery

router = APIRouter(prefix="/v1/events", tags=["events"])


@router.get("")
async def list_events(
    services: Memweaver, caller: Reader, query: Annotated[EventsQuery, Query()]
) -> EventsAnswer:
    """What happened after `cursor`, oldest first; without one, from the first that is kept."""
    scope, listen, cursors = caller.scope(query.ai), services.listen, services.cursors
    given = None if query.cursor is None else await cursors.heard(scope, query.cursor)
    start = await listen.start(scope.user, given)
    told = await listen.since(scope, given and start.cursor, query.limit)
    cursor = told[-1].cursor if told else start.cursor
    return EventsAnswer(
        items=[EventAnswer.of(one, await cursors.told(scope, one.cursor)) for one in told],
        cursor=await cursors.told(scope, cursor),
        missed=start.missed,
    )
