"""/v1/turns: what was heard and said."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response, status

from memweaver.domain.scope import Scope
from memweaver.interfaces.rest.access import Caller, Memweaver, ScopeInQuery
from memweaver.interfaces.rest.cursor import cursor_of, position_of
from memweaver.interfaces.rest.wire.answers import PageAnswer
from memweaver.interfaces.rest.wire.fields import Idempotency, NoQuery
from memweaver.interfaces.rest.wire.turns import NewTurn, RecordedTurn, TurnAnswer, TurnsQuery

router = APIRouter(prefix="/v1/turns", tags=["turns"])


@router.post("", status_code=status.HTTP_201_CREATED)
async def record_turn(
    services: Memweaver,
    caller: Caller,
    turn: NewTurn,
    response: Response,
    _: Annotated[NoQuery, Query()],
    idempotency_key: Annotated[Idempotency | None, Header()] = None,
) -> RecordedTurn:
    """Keep a turn, durably. With the same `Idempotency-Key` it is kept once.

    What is worth remembering is drawn from it in the background. Of a message in parts the texts
    are kept; images, sounds and files are only named.
    """
    scope = Scope(caller.user, turn.ai)
    kept = await services.record.telling(scope, turn.said(), idempotency=idempotency_key)
    response.headers["Location"] = f"{router.prefix}/{kept.turn.id}"
    return RecordedTurn.kept(kept)


@router.get("")
async def list_turns(
    services: Memweaver, caller: Caller, query: Annotated[TurnsQuery, Query()]
) -> PageAnswer[TurnAnswer]:
    """The turns of all sessions or one, latest recorded first."""
    page = await services.curate.turns(
        Scope(caller.user, query.ai),
        session=query.session,
        before=position_of(query.cursor),
        limit=query.limit,
    )
    return PageAnswer(items=[TurnAnswer.of(it) for it in page.items], next=cursor_of(page.next))


@router.get("/{turn_id}")
async def read_turn(services: Memweaver, scope: ScopeInQuery, turn_id: str) -> TurnAnswer:
    """A turn, word for word."""
    return TurnAnswer.of(await services.curate.turn(scope, turn_id))


@router.delete("/{turn_id}", status_code=status.HTTP_204_NO_CONTENT)
async def erase_turn(services: Memweaver, scope: ScopeInQuery, turn_id: str) -> None:
    """Remove a turn: its words, vectors and job. Memories drawn from it stay."""
    await services.curate.erase_turn(scope, turn_id)
