"""POST /create_memory, /edit_memory, /delete_memory, /move_memory: the collections of an AI."""

from collections.abc import Collection
from typing import Annotated

from fastapi import APIRouter, Query

from memweaver.domain.collection import importance, plain, tiers_of
from memweaver.domain.memory import Correction, Draft, Tier
from memweaver.domain.principal import Principal
from memweaver.domain.scope import Scope
from memweaver.errors import NotFound
from memweaver.interfaces.door import Memweaver, Writer
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.once import ONCE, OnceRoute
from memweaver.interfaces.rest.wire.compat import (
    CreatedAnswer,
    CreateMemory,
    DeleteMemory,
    EditMemory,
    MoveMemory,
    OfAnAi,
    StatusAnswer,
)
from memweaver.services import Services

router = APIRouter(tags=["collections"], route_class=OnceRoute, dependencies=[ONCE])
Nothing = Annotated[NoQuery, Query()]


@router.post("/create_memory")
async def create_memory(
    services: Memweaver, caller: Writer, given: CreateMemory, _: Nothing
) -> CreatedAnswer:
    """Keep something in a collection of an AI."""
    [tier, *_rest] = tiers_of(given.memory_type)
    scope = await space(services, caller, given)
    beside = given.memory_data.beside()
    draft = Draft(
        given.memory_data.content, tier=tier, importance=importance(beside), metadata=beside
    )
    kept = await services.curate.add(scope, draft)
    return CreatedAnswer(status="Memory created successfully.", memory_id=kept.id)


@router.post("/edit_memory")
async def edit_memory(
    services: Memweaver, caller: Writer, given: EditMemory, _: Nothing
) -> StatusAnswer:
    """Put something else in the place of what a collection holds; it keeps its id."""
    tiers = tiers_of(given.memory_type)
    scope = await space(services, caller, given)
    await held(services, scope, given.memory_id, tiers)
    beside = given.memory_data.beside()
    correction = Correction(
        text=given.memory_data.content,
        importance=importance(beside) if "importance" in beside else None,
        metadata=beside or None,
    )
    await services.curate.correct(scope, given.memory_id, correction)
    return StatusAnswer(status="Memory updated successfully.")


@router.post("/delete_memory")
async def delete_memory(
    services: Memweaver, caller: Writer, given: DeleteMemory, _: Nothing
) -> StatusAnswer:
    """Remove something from a collection, and every trace of it."""
    tiers = tiers_of(given.memory_type)
    scope = await space(services, caller, given)
    await held(services, scope, given.memory_id, tiers)
    await services.curate.erase(scope, given.memory_id)
    return StatusAnswer(status="Memory deleted successfully.")


@router.post("/move_memory")
async def move_memory(
    services: Memweaver, caller: Writer, given: MoveMemory, _: Nothing
) -> StatusAnswer:
    """Put something into another collection of the same AI, in one step; it keeps its id."""
    sources = tiers_of(given.from_memory_type, "from_memory_type")
    [target, *_rest] = tiers_of(given.to_memory_type, "to_memory_type")
    scope = await space(services, caller, given)
    revision = await held(services, scope, given.document_id, sources)
    await services.curate.move(scope, given.document_id, target, expected=revision)
    return StatusAnswer(status="Memory moved successfully.")


async def space(services: Services, caller: Principal, given: OfAnAi) -> Scope:
    """The scope of an AI, known by both its UUID and its name. Raises `NotFound`."""
    caller.may_speak_for(given.ai_uuid)
    ai = await services.ais.ai(caller.user, given.ai_uuid)
    if plain(ai.name) != plain(given.ai_name):
        raise NotFound("there is no AI of that UUID and name")
    return caller.scope(ai.id)


async def held(services: Services, scope: Scope, memory_id: str, tiers: Collection[Tier]) -> int:
    """The revision of a memory that a collection of this very AI holds. Raises `NotFound`."""
    memory = await services.curate.memory(scope, memory_id)
    if memory.tier not in tiers or not scope.holds(memory.scope):
        raise NotFound(f"there is no memory {memory_id!r} in that collection")
    return memory.revision
