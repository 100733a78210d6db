"""/auth/me/memory: what a settings page shows a person of their memory, and lets them change."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from memweaver.interfaces.door import Memweaver, Reader, Writer
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.access import Owner
from memweaver.interfaces.rest.compat.paged import every
from memweaver.interfaces.rest.confirmed import Confirmed
from memweaver.interfaces.rest.once import ONCE, OnceRoute
from memweaver.interfaces.rest.revisions import SeenRevision, tagged
from memweaver.interfaces.rest.wire.compat import StatusAnswer
from memweaver.interfaces.rest.wire.own_memory import CoreAnswer, CoreValue, EntryAnswer
from memweaver.interfaces.rest.wire.relations import RelationAnswer, RelationChange

router = APIRouter(prefix="/auth/me/memory", tags=["own memory"], route_class=OnceRoute)
Nothing = Annotated[NoQuery, Query()]


@router.get("/core")
async def read_core(services: Memweaver, caller: Reader, _: Nothing) -> CoreAnswer:
    """What is kept under each key."""
    return CoreAnswer(await services.entries.all(caller.scope()))


@router.put("/core/{key:path}")
async def write_core(  # noqa: PLR0917 - each is a part of the request
    services: Memweaver,
    caller: Writer,
    key: str,
    given: CoreValue,
    seen: SeenRevision,
    response: Response,
    _: Nothing,
) -> EntryAnswer:
    """Keep a value under a key, in place of the one before."""
    kept = await services.entries.put(caller.scope(), key, given.value, expected=seen)
    return EntryAnswer(key=key, value=tagged(response, kept).text)


@router.delete("/core/{key:path}")
async def erase_core(services: Memweaver, caller: Writer, key: str, _: Nothing) -> StatusAnswer:
    """Erase what is kept under a key."""
    await services.entries.erase(caller.scope(), key)
    return StatusAnswer(status="Entry deleted successfully.")


@router.get("/relational")
async def read_relational(services: Memweaver, caller: Reader, _: Nothing) -> list[RelationAnswer]:
    """Everybody and everything that is known to be connected."""
    scope = caller.scope()
    found = await every(lambda before: services.relate.all(scope, before=before))
    return [RelationAnswer.of(memory) for memory in found]


@router.patch("/relational/{relation_id}")
async def change_relational(  # noqa: PLR0917 - each is a part of the request
    services: Memweaver,
    caller: Writer,
    relation_id: str,
    given: RelationChange,
    seen: SeenRevision,
    response: Response,
    _: Nothing,
) -> RelationAnswer:
    """Change a label, the predicate or the confidence. An unknown predicate is 422."""
    changed = await services.relate.change(
        caller.scope(), relation_id, given.ends(), confidence=given.confidence, expected=seen
    )
    return RelationAnswer.of(tagged(response, changed))


@router.delete("/relational/{relation_id}")
async def erase_relational(
    services: Memweaver, caller: Writer, relation_id: str, seen: SeenRevision, _: Nothing
) -> StatusAnswer:
    """Erase a relation and every trace of it."""
    await services.relate.erase(caller.scope(), relation_id, expected=seen)
    return StatusAnswer(status="Relation deleted successfully.")


@router.post("/forget-all", dependencies=[ONCE])
async def forget_all(
    services: Memweaver, caller: Owner, _: Nothing, _confirmed: Confirmed
) -> StatusAnswer:
    """Erase everything that is remembered, in every tier; the account and its keys stay.

    Without `X-Confirm: true` nothing happens.
    """
    await services.forget.everything(caller.user)
    await services.audit.note(caller, "everything forgotten", caller.user)
    return StatusAnswer(status="Everything was forgotten.")
