"""/v1/turns: what was heard and said."""

from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from memweaver.interfaces.door import Memweaver, Reader, Writer
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.access import ScopeToRead, ScopeToWrite
from memweaver.interfaces.rest.once import HEADER
from memweaver.interfaces.rest.paging import Pages
from memweaver.interfaces.rest.wire.answers import PageAnswer
from memweaver.interfaces.rest.wire.fields import Idempotency
from memweaver.interfaces.rest.wire.turns import NewTurn, RecordedTurn, TurnAnswer, TurnsQuery

router = APIRouter(prefix="/v1/turns", tags=["turns"])


@router.post("", status_code=status.HTTP_201_CREATED)
async def record_turn(
    services: Memweaver,
    caller: Writer,
    turn: NewTurn,
    response: Response,
    _: Annotated[NoQuery, Query()],
    idempotency_key: Annotated[Idempotency | None, HEADER] = None,
) -> RecordedTurn:
    """Keep a turn, durably. With the same `Idempotency-Key` it is kept once.

    What is worth remembering is drawn from it in the background. Of a message in parts the texts
    are kept; images, sounds and files are only named.
    """
    scope = caller.scope(turn.ai)
    kept = await services.record.telling(scope, turn.said(), idempotency=idempotency_key)
    response.headers["Location"] = f"{router.prefix}/{kept.turn.id}"
    return RecordedTurn.kept(kept)


@router.get("")
async def list_turns(
    services: Memweaver, caller: Reader, pages: Pages, query: Annotated[TurnsQuery, Query()]
) -> PageAnswer[TurnAnswer]:
    """The turns of all sessions or one, latest recorded first."""
    page = await services.curate.turns(
        caller.scope(query.ai),
        session=query.session,
        before=await pages.position(query.cursor),
        limit=query.limit,
    )
    return await pages.answer(page, TurnAnswer.of)


@router.get("/{turn_id}")
async def read_turn(services: Memweaver, scope: ScopeToRead, turn_id: str) -> TurnAnswer:
    """A turn, word for word."""
    return TurnAnswer.of(await services.curate.turn(scope, turn_id))


@router.delete("/{turn_id}", status_code=status.HTTP_204_NO_CONTENT)
async def erase_turn(services: Memweaver, scope: ScopeToWrite, turn_id: str) -> None:
    """Remove a turn: its words, vectors and job. Memories drawn from it stay."""
    await services.curate.erase_turn(scope, turn_id)
