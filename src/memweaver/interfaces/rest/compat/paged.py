"""All pages of a list at once, for routes that know no pages."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from memweaver.ports.store import Page

Item = TypeVar("Item")


async def every(read: Callable[[int | None], Awaitable[Page[Item]]]) -> Sequence[Item]:
    """`read` takes the position where a page begins."""
    found: list[Item] = []
    before: int | None = None
    while True:
        page = await read(before)
        found += page.items
        if (before := page.next) is None:
            return found
