"""One server, asked again while that may help: every request of the client passes through here."""

import random
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import anyio
import httpx
from pydantic import TypeAdapter, ValidationError

from memweaver.client.asking import Asked, Given, asked
from memweaver.client.failures import failure, may_have_been_done, translated
from memweaver.client.results import Page
from memweaver.domain.job import Patience
from memweaver.domain.principal import ACTING_HEADER
from memweaver.errors import BackendError, MemweaverError, NotFound

Answer = TypeVar("Answer")
Item = TypeVar("Item")
NOTHING: Given = {}


@dataclass(frozen=True, slots=True)
class Connection:
    """`acting` makes the header by which a service key speaks for an end user, fresh each time."""

    http: httpx.AsyncClient
    patience: Patience
    timeout: httpx.Timeout
    acting: Callable[[], str] | None = None
    pause: Callable[[float], Awaitable[None]] = anyio.sleep

    async def ask(
        self,
        answer: type[Answer],
        operation: str,
        *names: str,
        query: Given = NOTHING,
        body: Given | None = None,
        headers: Given = NOTHING,
        known: Answer | None = None,
    ) -> Answer:
        """What the server answers; `known`, if it says that this has not changed.

        Raises what the server says went wrong.
        """
        request = asked(operation, *names, query=query, body=body, headers=headers)
        response = await self._sent(request)
        if response.status_code == httpx.codes.NOT_MODIFIED and known is not None:
            return known
        return read(answer, response)

    async def tell(
        self,
        operation: str,
        *names: str,
        query: Given = NOTHING,
        body: Given | None = None,
        headers: Given = NOTHING,
    ) -> None:
        """The same where there is nothing to answer."""
        await self._sent(asked(operation, *names, query=query, body=body, headers=headers))

    async def each(
        self, item: type[Item], operation: str, *names: str, query: Given = NOTHING
    ) -> AsyncGenerator[Item]:
        """The items of a list, page after page, as they are wanted."""
        cursor: str | None = None
        while True:
            here = {**query, "cursor": cursor}
            page = await self.ask(Page[item], operation, *names, query=here)  # type: ignore[valid-type]  # a type at run time
            for one in page.items:
                yield one
            cursor = page.next
            if cursor is None:
                return

    @asynccontextmanager
    async def lines(
        self, operation: str, *, body: Given, headers: Given = NOTHING
    ) -> AsyncGenerator[AsyncIterator[str]]:
        """The lines of an answer, while they come."""
        request = asked(operation, query=NOTHING, body=body, headers=headers)
        response = await self._sent(request, streamed=True)
        try:
            with translated():
                yield response.aiter_lines()
        finally:
            await response.aclose()

    async def _sent(self, request: Asked, *, streamed: bool = False) -> httpx.Response:
        failures, lost = 0, False
        while True:
            try:
                return await self._once(request, streamed=streamed)
            except NotFound:
                if lost and request.method == "DELETE":
                    return httpx.Response(204)  # it was there, and the lost answer was that it went
                raise
            except MemweaverError as error:
                failures += 1
                lost = lost or may_have_been_done(error)
                rest = self._rest(request, error, failures)
                if rest is None:
                    raise
            await self.pause(rest)

    async def _once(self, request: Asked, *, streamed: bool) -> httpx.Response:
        acting = {ACTING_HEADER: self.acting()} if self.acting else {}
        with translated():
            sent = self.http.build_request(
                request.method,
                request.path,
                params=list(request.query),
                headers={**request.headers, **acting},
                content=request.content,
                timeout=self.timeout,
            )
            response = await self.http.send(sent, stream=True)
            if response.is_success and streamed:
                return response
            try:
                await response.aread()
            finally:
                await response.aclose()
        if response.is_success or response.status_code == httpx.codes.NOT_MODIFIED:
            return response
        raise failure(response)

    def _rest(self, request: Asked, error: MemweaverError, failures: int) -> float | None:
        """Seconds to wait before it is tried again; `None` if it is not to be."""
        if not error.retryable or self.patience.exhausted(failures):
            return None
        if may_have_been_done(error) and not request.repeatable:
            return None
        asked_for = getattr(error, "retry_after", None) or 0.0
        if asked_for > self.patience.longest.total_seconds():
            return None
        chance = random.random()  # noqa: S311 - keeps callers apart, no secret
        return max(asked_for, self.patience.rest(failures, chance).total_seconds())


@cache
def reader(shape: Any) -> TypeAdapter[Any]:
    return TypeAdapter(shape)


def read(answer: type[Answer], response: httpx.Response) -> Answer:
    """Fields that are newer than this client are passed over."""
    shape: Any = answer  # which mypy does not know to be hashable
    try:
        value: Answer = reader(shape).validate_json(response.content)
    except ValidationError as error:
        raise BackendError("the answer is of a shape unknown here: are both of one age?") from error
    return value
