"""/v1/ais: the assistants a user has, and what each may do."""

from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from memweaver.interfaces.door import Memweaver, Reader
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.access import Owner
from memweaver.interfaces.rest.once import ONCE, OnceRoute
from memweaver.interfaces.rest.wire.ais import AiAnswer, AiChange, AisAnswer, NewAi

router = APIRouter(prefix="/v1/ais", tags=["ais"], route_class=OnceRoute)


@router.post("", status_code=status.HTTP_201_CREATED, dependencies=[ONCE])
async def create_ai(
    services: Memweaver,
    caller: Owner,
    ai: NewAi,
    response: Response,
    _: Annotated[NoQuery, Query()],
) -> AiAnswer:
    """Make an AI known. It begins with no memories of its own."""
    made = await services.ais.create(caller.user, ai.name, ai.permissions.permissions())
    response.headers["Location"] = f"{router.prefix}/{made.id}"
    return AiAnswer.of(made)


@router.get("")
async def list_ais(
    services: Memweaver, caller: Reader, _: Annotated[NoQuery, Query()]
) -> AisAnswer:
    """The AIs that the credential may speak for."""
    every = await services.ais.all(caller.user)
    return AisAnswer(items=[AiAnswer.of(ai) for ai in every if caller.ai in {None, ai.id}])


@router.get("/{ai_id}")
async def read_ai(
    services: Memweaver, caller: Reader, ai_id: str, _: Annotated[NoQuery, Query()]
) -> AiAnswer:
    """One AI."""
    caller.may_speak_for(ai_id)
    return AiAnswer.of(await services.ais.ai(caller.user, ai_id))


@router.patch("/{ai_id}")
async def update_ai(
    services: Memweaver,
    caller: Owner,
    ai_id: str,
    change: AiChange,
    _: Annotated[NoQuery, Query()],
) -> AiAnswer:
    """Change its name, or what it may do and with whom it shares its memories."""
    updated = await services.ais.update(
        caller.user, ai_id, name=change.name, permissions=change.granted()
    )
    return AiAnswer.of(updated)


@router.delete("/{ai_id}", status_code=status.HTTP_204_NO_CONTENT)
async def erase_ai(
    services: Memweaver, caller: Owner, ai_id: str, _: Annotated[NoQuery, Query()]
) -> None:
    """Remove an AI with its turns, memories, sessions and webhooks; the keys for it end."""
    await services.forget.ai(caller.user, ai_id)
