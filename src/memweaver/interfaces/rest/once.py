"""A POST that comes again under its `Idempotency-Key` is answered as before, not done again."""

from collections.abc import Callable, Coroutine
from hashlib import sha256
from typing import Annotated, Any

from fastapi import Depends, Header, Request, Response
from fastapi.routing import APIRoute

from memweaver.domain.principal import Principal
from memweaver.interfaces.door import Memweaver, authenticated
from memweaver.interfaces.rest.wire.fields import Idempotency
from memweaver.ports.replies import Reply

HEADER = Header(
    description="A name of your own for this request: sent again under it within a day, it is "
    "answered as before and not done again"
)
UNNEEDED = Header(
    alias="Idempotency-Key", description="Nothing is written: asked again, it is answered anew"
)
SHOWN = ("location", "etag", "content-type")
"""The headers of an answer that belong to it, not to its way."""

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Replayed(Exception):
    def __init__(self, reply: Reply) -> None:
        super().__init__("answered before")
        self.reply = reply


class OnceRoute(APIRoute):
    """Keeps what a request was answered that has begun under an idempotency key."""

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                response = await handle(request)
            except Replayed as found:
                return again(found.reply)
            except Exception:
                await give_up(request)
                raise
            await keep(request, response)
            return response

        return answer


async def begin(
    request: Request,
    services: Memweaver,
    caller: Annotated[Principal, Depends(authenticated)],
    idempotency_key: Annotated[Idempotency | None, HEADER] = None,
) -> None:
    """For a route that is done once for each key."""
    if idempotency_key is None:
        return
    asked = await digest(request, caller)
    begun = await services.once.begin(caller.user, idempotency_key, asked)
    if isinstance(begun, Reply):
        raise Replayed(begun)
    request.state.begun = services.once, begun


async def begin_secretly(request: Request, _: Annotated[None, Depends(begin)]) -> None:
    """For one whose answer holds a secret, which is kept nowhere: so it is never shown again."""
    request.state.secret = True


ONCE = Depends(begin)
ONCE_SECRETLY = Depends(begin_secretly)


async def digest(request: Request, caller: Principal) -> bytes:
    """Stands for the whole request: who may what, asks what, of what, with which words.

    So a credential that may do less is not told what one that may do more was answered.
    """
    may = caller.ai, sorted(caller.permissions)
    asked = repr((may, request.method, request.url.path, request.url.query)).encode()
    return sha256(asked + await request.body()).digest()


async def keep(request: Request, response: Response) -> None:
    begun = getattr(request.state, "begun", None)
    if begun is None:
        return
    once, attempt = begun
    body = None if getattr(request.state, "secret", False) else bytes(response.body)
    headers = {name: response.headers[name] for name in SHOWN if name in response.headers}
    await once.keep(attempt, Reply(response.status_code, body, headers))


async def give_up(request: Request) -> None:
    begun = getattr(request.state, "begun", None)
    if begun is not None:
        once, attempt = begun
        await once.give_up(attempt)


def again(reply: Reply) -> Response:
    return Response(reply.body, reply.status, dict(reply.headers))
