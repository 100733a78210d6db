"""/v1/sessions: conversations that have a name."""

from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from memweaver.interfaces.door import Memweaver, Reader, Writer
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.access import ScopeToRead, ScopeToWrite
from memweaver.interfaces.rest.once import ONCE, OnceRoute
from memweaver.interfaces.rest.paging import Pages
from memweaver.interfaces.rest.wire.answers import PageAnswer
from memweaver.interfaces.rest.wire.fields import PageQuery
from memweaver.interfaces.rest.wire.sessions import NewSession, SessionAnswer, SessionChange
from memweaver.interfaces.rest.wire.turns import TurnAnswer

router = APIRouter(prefix="/v1/sessions", tags=["sessions"], route_class=OnceRoute)


@router.post("", status_code=status.HTTP_201_CREATED, dependencies=[ONCE])
async def create_session(
    services: Memweaver,
    caller: Writer,
    session: NewSession,
    response: Response,
    _: Annotated[NoQuery, Query()],
) -> SessionAnswer:
    """Begin a session. Its `id` is what a turn names as its `session`."""
    made = await services.sessions.create(caller.scope(session.ai), session.name)
    response.headers["Location"] = f"{router.prefix}/{made.id}"
    return SessionAnswer.of(made)


@router.get("")
async def list_sessions(
    services: Memweaver, caller: Reader, pages: Pages, query: Annotated[PageQuery, Query()]
) -> PageAnswer[SessionAnswer]:
    """The sessions that were begun, latest first."""
    page = await services.sessions.all(
        caller.scope(query.ai), before=await pages.position(query.cursor), limit=query.limit
    )
    return await pages.answer(page, SessionAnswer.of)


@router.get("/{session_id}")
async def read_session(services: Memweaver, scope: ScopeToRead, session_id: str) -> SessionAnswer:
    """One session."""
    return SessionAnswer.of(await services.sessions.session(scope, session_id))


@router.get("/{session_id}/turns")
async def list_session_turns(
    services: Memweaver,
    caller: Reader,
    pages: Pages,
    session_id: str,
    query: Annotated[PageQuery, Query()],
) -> PageAnswer[TurnAnswer]:
    """What was said in a session, latest first."""
    page = await services.sessions.history(
        caller.scope(query.ai),
        session_id,
        before=await pages.position(query.cursor),
        limit=query.limit,
    )
    return await pages.answer(page, TurnAnswer.of)


@router.patch("/{session_id}")
async def rename_session(
    services: Memweaver, scope: ScopeToWrite, session_id: str, change: SessionChange
) -> SessionAnswer:
    """Give a session another name."""
    return SessionAnswer.of(await services.sessions.rename(scope, session_id, change.name))


@router.delete("/{session_id}", status_code=status.HTTP_204_NO_CONTENT)
async def erase_session(services: Memweaver, scope: ScopeToWrite, session_id: str) -> None:
    """Remove a session and all its turns, with their jobs and vectors. Memories stay."""
    await services.forget.session(scope, session_id)
