"""Passes requests on to a model over HTTP, and its answers back, unpacked, byte for byte."""

import json
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from httpx import AsyncClient, HTTPError, Limits, Response, StreamError

from memweaver.adapters.http.answers import json_of, translated
from memweaver.adapters.http.endpoint import Endpoint
from memweaver.adapters.http.packing import UNPACKED, unread
from memweaver.errors import ModelRefused, ModelUnavailable
from memweaver.ports.upstream import Json, Passage

MANY = Limits(max_connections=None, max_keepalive_connections=100)
"""Who may talk at once is decided before; connections are kept for those who come next."""
LARGEST_FAILURE = 64 * 1024
"""Bytes read of an answer that tells of a failure."""
SHOWN = ("content-type", "retry-after", "openai-processing-ms", "openai-version")
"""Not the request's id: an answer has one, which is ours and stands in our logs."""
COUNTED = "x-ratelimit-"
"""How headers begin that tell how much may still be asked."""
ABOUT_THE_KEY = re.compile(rb"key|auth|credential|token|sk-|\*\*\*", re.IGNORECASE)
"""Words of a refusal that may be about our own key, and repeat a part of it."""


class HttpPassage(Passage):
    """An answer that is read from its connection as it is listened to."""

    def __init__(self, response: Response) -> None:
        self._response = response
        self._headers = shown(response)

    @property
    def status(self) -> int:
        return self._response.status_code

    @property
    def headers(self) -> Mapping[str, str]:
        return self._headers

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        try:
            async for piece in self._response.aiter_bytes():
                yield piece
        except (HTTPError, StreamError) as error:
            raise ModelUnavailable(f"the model broke off ({type(error).__name__})") from error

    async def aclose(self) -> None:
        await self._response.aclose()


class WholePassage(Passage):
    """An answer that is here already."""

    def __init__(self, status: int, content: bytes, headers: Mapping[str, str]) -> None:
        self._status = status
        self._content = content
        self._headers = {**headers, "content-type": "application/json"}

    @property
    def status(self) -> int:
        return self._status

    @property
    def headers(self) -> Mapping[str, str]:
        return self._headers

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        yield self._content

    async def aclose(self) -> None:
        pass


class Line:
    """A line to who has the models. Redirects are not followed: a key is for one host."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def post(self, path: str, request: Json) -> Response:
        """Whoever gets an answer closes it.

        Raises `ModelUnavailable`, and `ModelRefused` if the answer is packed as nobody here reads.
        """
        content = json.dumps(request, separators=(",", ":")).encode()
        headers = {"Content-Type": "application/json", **UNPACKED}
        return await self._sent("POST", path, content=content, headers=headers)

    async def get(self, path: str) -> Response:
        return await self._sent("GET", path, headers=UNPACKED)

    async def _sent(self, method: str, path: str, **given: Any) -> Response:
        with translated("the upstream"):
            request = self._client.build_request(method, path, **given)
            response = await self._client.send(request, stream=True)
        if packing := unread(response):
            await response.aclose()
            raise ModelRefused(
                f"the upstream packs its answers ({', '.join(packing)}) though asked not "
                "to: switch that off at MEMWEAVER_UPSTREAM__URL, or in the proxy before it"
            )
        return response

    async def failure(self, response: Response) -> Passage:
        """What the model said about why not, in OpenAI's shape.

        Raises `ModelRefused` if it is about our own key or address, which no caller can mend: its
        words may hold a part of the key.
        """
        try:
            status = response.status_code
            content = await self._beginning(response)
            if about_the_key(status, content):
                raise ModelRefused(
                    "the upstream refused its key: check MEMWEAVER_UPSTREAM__API_KEY"
                )
            if status < HTTPStatus.BAD_REQUEST:
                raise ModelRefused(f"the upstream answered {status}: check MEMWEAVER_UPSTREAM__URL")
        finally:
            await response.aclose()
        return WholePassage(status, in_openais_shape(status, content), shown(response))

    async def _beginning(self, response: Response) -> bytes:
        content = bytearray()
        with translated("the upstream"):
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) > LARGEST_FAILURE:
                    break
        return bytes(content)


def shown(response: Response) -> dict[str, str]:
    return {
        name: value
        for name, value in response.headers.items()
        if name in SHOWN or name.startswith(COUNTED)
    }


def about_the_key(status: int, content: bytes) -> bool:
    """Forbidden may also be what was asked: so it is if a kind is told, and no word names a key."""
    if status != HTTPStatus.FORBIDDEN:
        return status == HTTPStatus.UNAUTHORIZED
    match json_of(Response(status, content=content)):
        case {"error": {"message": str(), "type": str()}}:
            return bool(ABOUT_THE_KEY.search(content))
        case _:
            return True


def in_openais_shape(status: int, content: bytes) -> bytes:
    """`content` itself if it has the shape already."""
    error = {
        "message": f"the model answered {status}",
        "type": "upstream_error",
        "param": None,
        "code": None,
    }
    match json_of(Response(status, content=content)):
        case {"error": {"message": str()}}:
            return content
        case {"error": dict(told)}:
            error |= told
        case {"error": str(message)} | {"message": str(message)} | {"detail": str(message)}:
            error["message"] = message
    return json.dumps({"error": error}).encode()


@asynccontextmanager
async def open_line(endpoint: Endpoint) -> AsyncGenerator[Line]:
    """Raises `ConfigurationError` if the endpoint cannot be one."""
    async with endpoint.client(MANY) as client:
        yield Line(client)
