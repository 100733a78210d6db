"""For programs that do not await: asynchronous calls through a portal, each with its signature."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import aclosing
from functools import partial, wraps
from typing import ParamSpec, TypeVar

from anyio.from_thread import BlockingPortal

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def waiting(
    portal: BlockingPortal, call: Callable[Given, Awaitable[Answer]]
) -> Callable[Given, Answer]:
    """`call`, with its own signature, for a caller who waits for the answer."""

    @wraps(call)
    def wait(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        return portal.call(partial(call, *args, **kwargs))

    return wait


def waiting_for_each(
    portal: BlockingPortal, call: Callable[Given, AsyncGenerator[Answer]]
) -> Callable[Given, Generator[Answer]]:
    """The same for a call that answers one by one."""

    @wraps(call)
    def wait(*args: Given.args, **kwargs: Given.kwargs) -> Generator[Answer]:
        answers = call(*args, **kwargs)
        with portal.wrap_async_context_manager(aclosing(answers)):
            while answer := portal.call(next_of, answers):
                yield answer[0]

    return wait


async def next_of(answers: AsyncGenerator[Answer]) -> tuple[Answer] | None:
    """The next one, by itself, or `None` at the end."""
    try:
        return (await anext(answers),)
    except StopAsyncIteration:
        return None
