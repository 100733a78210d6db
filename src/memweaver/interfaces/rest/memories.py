"""/v1/memories: what is remembered."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response, status

from memweaver.domain.scope import Scope
from memweaver.interfaces.rest.access import Caller, Memweaver, ScopeInQuery
from memweaver.interfaces.rest.cursor import cursor_of, position_of
from memweaver.interfaces.rest.wire.answers import PageAnswer
from memweaver.interfaces.rest.wire.fields import Idempotency, NoQuery
from memweaver.interfaces.rest.wire.memories import (
    MemoriesQuery,
    MemoryAnswer,
    MemoryCorrection,
    Move,
    NewMemory,
)

router = APIRouter(prefix="/v1/memories", tags=["memories"])


@router.post("", status_code=status.HTTP_201_CREATED)
async def add_memory(
    services: Memweaver,
    caller: Caller,
    memory: NewMemory,
    response: Response,
    _: Annotated[NoQuery, Query()],
    idempotency_key: Annotated[Idempotency | None, Header()] = None,
) -> MemoryAnswer:
    """Keep a memory written by hand. With the same `Idempotency-Key` it is kept once."""
    scope = Scope(caller.user, memory.ai)
    kept = await services.curate.add(scope, memory.draft(), idempotency=idempotency_key)
    response.headers["Location"] = f"{router.prefix}/{kept.id}"
    return MemoryAnswer.of(kept)


@router.get("")
async def list_memories(
    services: Memweaver, caller: Caller, query: Annotated[MemoriesQuery, Query()]
) -> PageAnswer[MemoryAnswer]:
    """The memories of all tiers or some, latest added first."""
    page = await services.curate.memories(
        Scope(caller.user, query.ai),
        tiers=query.tiers(),
        before=position_of(query.cursor),
        limit=query.limit,
    )
    return PageAnswer(items=[MemoryAnswer.of(it) for it in page.items], next=cursor_of(page.next))


@router.get("/{memory_id}")
async def read_memory(services: Memweaver, scope: ScopeInQuery, memory_id: str) -> MemoryAnswer:
    """The latest revision."""
    return MemoryAnswer.of(await services.curate.memory(scope, memory_id))


@router.patch("/{memory_id}")
async def correct_memory(
    services: Memweaver, scope: ScopeInQuery, memory_id: str, change: MemoryCorrection
) -> MemoryAnswer:
    """Change a memory; what it said before can still be recalled with `as_of`."""
    corrected = await services.curate.correct(
        scope, memory_id, change.correction(), expected=change.expected_revision
    )
    return MemoryAnswer.of(corrected)


@router.post("/{memory_id}/move")
async def move_memory(
    services: Memweaver, scope: ScopeInQuery, memory_id: str, move: Move
) -> MemoryAnswer:
    """Put a memory into another tier; it keeps its id."""
    return MemoryAnswer.of(await services.curate.move(scope, memory_id, move.tier))


@router.post("/{memory_id}/confirm")
async def confirm_memory(services: Memweaver, scope: ScopeInQuery, memory_id: str) -> MemoryAnswer:
    """Take a memory's word for it, as its origin is not you: it leaves quarantine."""
    return MemoryAnswer.of(await services.curate.confirm(scope, memory_id))


@router.delete("/{memory_id}", status_code=status.HTTP_204_NO_CONTENT)
async def erase_memory(services: Memweaver, scope: ScopeInQuery, memory_id: str) -> None:
    """Remove a memory and every trace of it."""
    await services.curate.erase(scope, memory_id)
