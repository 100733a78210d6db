"""/sessions, /session and /chats: conversations as messages and responses."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, status

from memweaver.domain.conversation import Turn
from memweaver.domain.scope import Scope
from memweaver.interfaces.door import Memweaver, Reader, Writer
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.compat.paged import every
from memweaver.interfaces.rest.once import ONCE, OnceRoute
from memweaver.interfaces.rest.wire.chats import (
    Chat,
    ChatSession,
    Exchange,
    NewName,
    SessionMade,
    SessionName,
    SessionRenamed,
    Told,
)
from memweaver.services import Services

router = APIRouter(tags=["chats"], route_class=OnceRoute)
Nothing = Annotated[NoQuery, Query()]


@router.get("/sessions", response_model_exclude_none=True)
async def list_chat_sessions(services: Memweaver, caller: Reader, _: Nothing) -> list[ChatSession]:
    """All sessions, latest first."""
    scope = caller.scope()
    found = await every(lambda before: services.sessions.all(scope, before=before))
    return [ChatSession.of(session) for session in found]


@router.post("/session", status_code=status.HTTP_201_CREATED, dependencies=[ONCE])
async def create_chat_session(
    services: Memweaver, caller: Writer, given: SessionName, _: Nothing
) -> SessionMade:
    """Begin a session."""
    session = await services.sessions.create(caller.scope(), given.name)
    return SessionMade(msg="Session created", session_id=session.id)


@router.delete("/session/{session_id}")
async def delete_chat_session(
    services: Memweaver, caller: Writer, session_id: str, _: Nothing
) -> Told:
    """Remove a session with all its chats."""
    await services.forget.session(caller.scope(), session_id)
    return Told(msg="Session deleted successfully")


@router.put("/session/{session_id}/rename")
async def rename_chat_session(
    services: Memweaver, caller: Writer, session_id: str, given: NewName, _: Nothing
) -> SessionRenamed:
    """Give a session another name."""
    session = await services.sessions.rename(caller.scope(), session_id, given.new_name)
    return SessionRenamed(msg="Session renamed successfully", new_name=session.name)


@router.get("/sessions/{session_id}/history")
async def read_history(
    services: Memweaver, caller: Reader, session_id: str, _: Nothing
) -> list[Exchange]:
    """What was said in a session, oldest first."""
    return [Exchange.of(turn) for turn in await said(services, caller.scope(), session_id)]


@router.get("/chats/{session_id}")
async def list_chats(
    services: Memweaver, caller: Reader, session_id: str, _: Nothing
) -> list[Chat]:
    """The same with the id of each chat."""
    return [Chat.of(turn) for turn in await said(services, caller.scope(), session_id)]


@router.delete("/chats/{chat_id}")
async def delete_chat(services: Memweaver, caller: Writer, chat_id: str, _: Nothing) -> Told:
    """Remove one chat, which is a turn: its words, vectors and job."""
    await services.curate.erase_turn(caller.scope(), chat_id)
    return Told(msg="Chat deleted successfully")


async def said(services: Services, scope: Scope, session_id: str) -> Sequence[Turn]:
    """Oldest first."""
    history = services.sessions.history
    return (await every(lambda before: history(scope, session_id, before=before)))[::-1]
