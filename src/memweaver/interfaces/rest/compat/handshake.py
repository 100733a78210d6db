"""POST /v1/handshake: a new AI, with its four collections and a session to begin with."""

from typing import Annotated

from fastapi import APIRouter, Query

from memweaver.domain.collection import collection_names
from memweaver.domain.scope import checked_name
from memweaver.interfaces.door import Memweaver
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.access import Owner
from memweaver.interfaces.rest.once import ONCE, OnceRoute
from memweaver.interfaces.rest.wire.compat import Handshake, HandshakeAnswer, SessionData

router = APIRouter(tags=["ais"], route_class=OnceRoute)


@router.post("/v1/handshake", dependencies=[ONCE])
async def shake_hands(
    services: Memweaver, caller: Owner, given: Handshake, _: Annotated[NoQuery, Query()]
) -> HandshakeAnswer:
    """Make an AI known under a new UUID, and begin a session with it."""
    ai = await services.ais.create(caller.user, checked_name("ai_name", given.ai_name))
    session = await services.sessions.create(caller.scope(ai.id), ai.name)
    return HandshakeAnswer(
        message="Handshake successful",
        sessionData=SessionData(
            ai_name=ai.name,
            ai_uuid=ai.id,
            created_at=ai.created_at,
            session_id=session.id,
            internet_access=ai.permissions.internet_access,
            tools=list(ai.permissions.tools),
            notes=ai.permissions.notes,
        ),
        dbPaths=collection_names(ai.id, ai.name),
    )
