"""Cursors that are good for one person, one list and one question only."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import Depends, Request

from memweaver.domain.principal import Principal
from memweaver.interfaces.door import Memweaver, authenticated
from memweaver.interfaces.rest.cursor import cursor_of, position_of
from memweaver.interfaces.rest.wire.answers import PageAnswer
from memweaver.interfaces.rest.wire.fields import Wire
from memweaver.ports.store import Page
from memweaver.services.cursors import Cursors

Item = TypeVar("Item")
Shown = TypeVar("Shown", bound=Wire)


@dataclass(frozen=True, slots=True)
class Paging:
    """Where a list goes on, signed for whoever asked and for what was asked."""

    cursors: Cursors
    question: str

    async def position(self, cursor: str | None) -> int | None:
        """Raises `InvalidInput`."""
        if cursor is None:
            return None
        return position_of(await self.cursors.opened(self.question, cursor))

    async def answer(self, page: Page[Item], shown: Callable[[Item], Shown]) -> PageAnswer[Shown]:
        following = cursor_of(page.next)
        if following is not None:
            following = await self.cursors.signed(self.question, following)
        return PageAnswer[Shown](items=[shown(one) for one in page.items], next=following)


async def paging_of(
    request: Request,
    services: Memweaver,
    caller: Annotated[Principal, Depends(authenticated)],
) -> Paging:
    query = sorted(pair for pair in request.query_params.multi_items() if pair[0] != "cursor")
    return Paging(services.cursors, repr((caller.user, caller.ai, request.url.path, query)))


Pages = Annotated[Paging, Depends(paging_of)]
