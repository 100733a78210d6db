"""Cursors that are good for one person, one list and one question only."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, TypeVar

from fastapi import Depends, Request

from memweaver.domain.principal import Principal
from memweaver.errors import InvalidInput
from memweaver.interfaces.door import Memweaver, authenticated
from memweaver.interfaces.rest.cursor import cursor_of, position_of
from memweaver.interfaces.rest.wire.answers import PageAnswer
from memweaver.interfaces.rest.wire.fields import Wire
from memweaver.ports.store import Page
from memweaver.services.signing import Signing

PURPOSE = "cursor"
Item = TypeVar("Item")
Shown = TypeVar("Shown", bound=Wire)


@dataclass(frozen=True, slots=True)
class Paging:
    """Where a list goes on, signed for whoever asked and for what was asked."""

    signing: Signing
    asked: str

    async def position(self, cursor: str | None) -> int | None:
        """Raises `InvalidInput`."""
        return None if cursor is None else position_of(await self.opened(cursor))

    async def opened(self, cursor: str) -> str:
        """The place that was signed. Raises `InvalidInput`."""
        try:
            asked, _, place = (await self.signing.opened(PURPOSE, cursor)).partition(" ")
        except InvalidInput as error:
            raise not_of_this_list() from error
        if asked != self.asked:
            raise not_of_this_list()
        return place

    async def signed(self, place: str) -> str:
        return await self.signing.sign(PURPOSE, f"{self.asked} {place}")

    async def answer(self, page: Page[Item], shown: Callable[[Item], Shown]) -> PageAnswer[Shown]:
        following = cursor_of(page.next)
        if following is not None:
            following = await self.signed(following)
        return PageAnswer[Shown](items=[shown(one) for one in page.items], next=following)


def not_of_this_list() -> InvalidInput:
    return InvalidInput("`cursor` is not one that this list has answered with")


async def paging_of(
    request: Request,
    services: Memweaver,
    caller: Annotated[Principal, Depends(authenticated)],
) -> Paging:
    query = sorted(pair for pair in request.query_params.multi_items() if pair[0] != "cursor")
    asked = repr((caller.user, caller.ai, request.url.path, query))
    return Paging(services.signing, sha256(asked.encode("utf-8", "surrogatepass")).hexdigest())


Pages = Annotated[Paging, Depends(paging_of)]
