"""/v1/relations: who is what to whom."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response, status

from memweaver.interfaces.door import Memweaver, Reader, Writer
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.access import ScopeToRead, ScopeToWrite
from memweaver.interfaces.rest.once import ONCE, OnceRoute
from memweaver.interfaces.rest.paging import Pages
from memweaver.interfaces.rest.revisions import KnownTags, SeenRevision, already_known, tagged
from memweaver.interfaces.rest.wire.answers import PageAnswer
from memweaver.interfaces.rest.wire.fields import PageQuery
from memweaver.interfaces.rest.wire.relations import NewRelation, RelationAnswer, RelationChange

router = APIRouter(prefix="/v1/relations", tags=["relations"], route_class=OnceRoute)


@router.post("", status_code=status.HTTP_201_CREATED, dependencies=[ONCE])
async def add_relation(
    services: Memweaver,
    caller: Writer,
    relation: NewRelation,
    response: Response,
    _: Annotated[NoQuery, Query()],
) -> RelationAnswer:
    """Keep a relation told by hand; told again, it is confirmed and never becomes less sure."""
    kept = await services.relate.add(
        caller.scope(relation.ai), relation.relation(), confidence=relation.confidence
    )
    response.headers["Location"] = f"{router.prefix}/{kept.id}"
    return RelationAnswer.of(tagged(response, kept))


@router.get("")
async def list_relations(
    services: Memweaver, caller: Reader, pages: Pages, query: Annotated[PageQuery, Query()]
) -> PageAnswer[RelationAnswer]:
    """All relations, latest added first."""
    page = await services.relate.all(
        caller.scope(query.ai), before=await pages.position(query.cursor), limit=query.limit
    )
    return await pages.answer(page, RelationAnswer.of)


@router.get("/{relation_id}", response_model=RelationAnswer)
async def read_relation(
    services: Memweaver,
    scope: ScopeToRead,
    relation_id: str,
    response: Response,
    if_none_match: Annotated[KnownTags, Header()] = None,
) -> RelationAnswer | Response:
    """One relation; its revision is the `ETag`."""
    memory = await services.relate.relation(scope, relation_id)
    known = already_known(if_none_match, memory)
    return known or RelationAnswer.of(tagged(response, memory))


@router.patch("/{relation_id}")
async def change_relation(  # noqa: PLR0917 - each is a part of the request
    services: Memweaver,
    scope: ScopeToWrite,
    relation_id: str,
    change: RelationChange,
    seen: SeenRevision,
    response: Response,
) -> RelationAnswer:
    """Change a relation; what it said before can still be recalled with `as_of`."""
    changed = await services.relate.change(
        scope, relation_id, change.ends(), confidence=change.confidence, expected=seen
    )
    return RelationAnswer.of(tagged(response, changed))


@router.delete("/{relation_id}", status_code=status.HTTP_204_NO_CONTENT)
async def erase_relation(
    services: Memweaver, scope: ScopeToWrite, relation_id: str, seen: SeenRevision
) -> None:
    """Remove a relation and every trace of it."""
    await services.relate.erase(scope, relation_id, expected=seen)
