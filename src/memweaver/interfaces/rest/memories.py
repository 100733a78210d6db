"""/v1/memories: what is remembered."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response, status

from memweaver.interfaces.door import Memweaver, Reader, Writer
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.access import ScopeToRead, ScopeToWrite
from memweaver.interfaces.rest.once import HEADER, ONCE, OnceRoute
from memweaver.interfaces.rest.paging import Pages
from memweaver.interfaces.rest.revisions import KnownTags, SeenRevision, already_known, tagged
from memweaver.interfaces.rest.wire.answers import PageAnswer
from memweaver.interfaces.rest.wire.fields import Idempotency
from memweaver.interfaces.rest.wire.memories import (
    MemoriesQuery,
    MemoryAnswer,
    MemoryCorrection,
    Move,
    NewMemory,
)

router = APIRouter(prefix="/v1/memories", tags=["memories"], route_class=OnceRoute)


@router.post("", status_code=status.HTTP_201_CREATED)
async def add_memory(
    services: Memweaver,
    caller: Writer,
    memory: NewMemory,
    response: Response,
    _: Annotated[NoQuery, Query()],
    idempotency_key: Annotated[Idempotency | None, HEADER] = None,
) -> MemoryAnswer:
    """Keep a memory written by hand. With the same `Idempotency-Key` it is kept once."""
    scope = caller.scope(memory.ai)
    kept = await services.curate.add(scope, memory.draft(), idempotency=idempotency_key)
    response.headers["Location"] = f"{router.prefix}/{kept.id}"
    return MemoryAnswer.of(tagged(response, kept))


@router.get("")
async def list_memories(
    services: Memweaver, caller: Reader, pages: Pages, query: Annotated[MemoriesQuery, Query()]
) -> PageAnswer[MemoryAnswer]:
    """The memories of all tiers or some, latest added first."""
    page = await services.curate.memories(
        caller.scope(query.ai),
        tiers=query.tiers(),
        before=await pages.position(query.cursor),
        limit=query.limit,
    )
    return await pages.answer(page, MemoryAnswer.of)


@router.get("/{memory_id}", response_model=MemoryAnswer)
async def read_memory(
    services: Memweaver,
    scope: ScopeToRead,
    memory_id: str,
    response: Response,
    if_none_match: Annotated[KnownTags, Header()] = None,
) -> MemoryAnswer | Response:
    """The latest revision; its number is the `ETag`."""
    memory = await services.curate.memory(scope, memory_id)
    known = already_known(if_none_match, memory)
    return known or MemoryAnswer.of(tagged(response, memory))


@router.patch("/{memory_id}")
async def correct_memory(  # noqa: PLR0917 - each is a part of the request
    services: Memweaver,
    scope: ScopeToWrite,
    memory_id: str,
    change: MemoryCorrection,
    seen: SeenRevision,
    response: Response,
) -> MemoryAnswer:
    """Change a memory; what it said before can still be recalled with `as_of`."""
    expected = change.expected_revision if seen is None else seen
    corrected = await services.curate.correct(
        scope, memory_id, change.correction(), expected=expected
    )
    return MemoryAnswer.of(tagged(response, corrected))


@router.post("/{memory_id}/move", dependencies=[ONCE])
async def move_memory(  # noqa: PLR0917 - each is a part of the request
    services: Memweaver,
    scope: ScopeToWrite,
    memory_id: str,
    move: Move,
    seen: SeenRevision,
    response: Response,
) -> MemoryAnswer:
    """Put a memory into another tier; it keeps its id."""
    moved = await services.curate.move(scope, memory_id, move.tier, expected=seen)
    return MemoryAnswer.of(tagged(response, moved))


@router.post("/{memory_id}/confirm", dependencies=[ONCE])
async def confirm_memory(
    services: Memweaver,
    scope: ScopeToWrite,
    memory_id: str,
    seen: SeenRevision,
    response: Response,
) -> MemoryAnswer:
    """Take a memory's word for it, as its origin is not you: it leaves quarantine."""
    confirmed = await services.curate.confirm(scope, memory_id, expected=seen)
    return MemoryAnswer.of(tagged(response, confirmed))


@router.delete("/{memory_id}", status_code=status.HTTP_204_NO_CONTENT)
async def erase_memory(
    services: Memweaver, scope: ScopeToWrite, memory_id: str, seen: SeenRevision
) -> None:
    """Remove a memory and every trace of it."""
    await services.curate.erase(scope, memory_id, expected=seen)
