"""Errors: what a server says went wrong is raised under its own class."""

import httpx
import pytest
from tests.unit.client.scripted import Scripted, refused

from memweaver import errors
from memweaver.client import MemweaverClient
from memweaver.errors import (
    BackendError,
    BackendUnavailable,
    ConfigurationError,
    InvalidInput,
    MemweaverError,
    ModelError,
    ModelOutputInvalid,
    Unauthenticated,
)

pytestmark = pytest.mark.anyio

KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, MemweaverError)
]


async def raised(answer: httpx.Response) -> MemweaverError:
    server = Scripted([answer] * 4)
    async with server.client() as client:
        with pytest.raises(MemweaverError) as caught:
            await client.me.read()
    return caught.value


@pytest.mark.parametrize("kind", KINDS)
async def test_every_code_is_raised_as_its_class(kind: type[MemweaverError]) -> None:
    error = await raised(refused(418, kind.code, "said so"))

    assert (type(error), str(error)) == (kind, "said so")


async def test_an_error_in_openais_shape_is_understood() -> None:
    shape = {"message": "no", "type": "authentication_error", "param": None}

    ours = httpx.Response(401, json={"error": {**shape, "code": "unauthenticated"}})
    theirs = httpx.Response(401, json={"error": {**shape, "code": None}})

    assert {type(await raised(ours)), type(await raised(theirs))} == {Unauthenticated}


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (307, InvalidInput),
        (400, InvalidInput),
        (401, Unauthenticated),
        (405, InvalidInput),
        (500, BackendError),
        (503, BackendUnavailable),
    ],
)
@pytest.mark.parametrize("body", ["", "<html>", "[]", '{"error": "no"}', '{"detail": "no"}'])
async def test_whoever_sends_no_code_is_known_by_the_status(
    status: int, kind: type[MemweaverError], body: str
) -> None:
    assert type(await raised(httpx.Response(status, text=body))) is kind


@pytest.mark.parametrize("body", ["", "null", "<html>", '{"user": "ann"}', "[]"])
async def test_an_answer_of_another_shape_says_so(body: str) -> None:
    error = await raised(httpx.Response(200, text=body))

    assert type(error) is BackendError


async def test_an_answer_that_cannot_be_unpacked_says_so() -> None:
    packed = httpx.Response(
        200, stream=httpx.ByteStream(b"not packed"), headers={"Content-Encoding": "gzip"}
    )

    assert type(await raised(packed)) is BackendError


async def test_what_is_newer_than_the_client_is_passed_over() -> None:
    me = {"user": "ann", "organisation": "home", "permissions": ["read"], "ai": None}
    server = Scripted([httpx.Response(200, json={**me, "shoe_size": 38})])

    async with server.client() as client:
        assert (await client.me.read()).user == "ann"


@pytest.mark.parametrize("name", ["", ".", "..", "\ud800"])
async def test_a_name_that_would_lead_elsewhere_is_not_asked_for(name: str) -> None:
    server = Scripted([])

    async with server.client() as client:
        with pytest.raises(InvalidInput):
            await client.memories.read(name)


@pytest.mark.parametrize("name", ["a/b", "a b", "%2e%2e", "é", "a?b#c", "../users"])
async def test_any_other_name_stays_in_its_place(name: str) -> None:
    server = Scripted([refused(404, "not_found")])

    async with server.client() as client:
        with pytest.raises(MemweaverError):
            await client.memories.read(name)

    [request] = server.asked
    path = request.url.raw_path.decode()
    assert path.startswith("/v1/memories/")
    assert path.count("/") == 3
    assert request.url.path == f"/v1/memories/{name}"


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("ftp://server", ""),
        ("server:8765", ""),
        ("http://", ""),
        ("http://server:port", ""),
        ("http://server", "two words"),
        ("http://server", "new\nline"),
        ("http://server", "schlüssel"),
    ],
)
def test_what_cannot_work_is_said_at_once(url: str, key: str) -> None:
    with pytest.raises(ConfigurationError):
        MemweaverClient(url, key)


async def test_what_json_or_a_header_cannot_carry_is_not_sent() -> None:
    server = Scripted([])

    async with server.client() as client:
        with pytest.raises(InvalidInput, match="JSON"):
            await client.memories.add("half a character: \ud83d")
        with pytest.raises(InvalidInput, match="Idempotency-Key"):
            await client.memories.add("tea", idempotency="one\ntwo")


def stream(*lines: str) -> httpx.Response:
    return httpx.Response(200, text="\n".join(lines), headers={"Content-Type": "text/event-stream"})


async def pieces(answer: httpx.Response) -> list[str]:
    async with Scripted([answer]).client() as client:
        return [piece async for piece in client.stream("Hello")]


async def test_a_stream_is_its_pieces() -> None:
    said = stream(
        ": a comment",
        'data: {"choices": [{"delta": {"role": "assistant", "content": ""}}]}',
        "",
        'data: {"choices": [{"delta": {"content": "Good "}}]}',
        'data: {"choices": [{"delta": {"content": "day"}}]}',
        'data: {"choices": [{"delta": {}}]}',
        'data: {"choices": [], "usage": {"total_tokens": 3}}',
        "data: 7",
        "data: [DONE]",
    )

    assert await pieces(said) == ["Good ", "day"]


async def test_a_stream_that_ends_in_a_failure_raises_it() -> None:
    with pytest.raises(ModelError, match="it broke"):
        await pieces(stream('data: {"error": {"message": "it broke", "code": null}}'))
    with pytest.raises(ModelOutputInvalid):
        await pieces(stream("data: {half"))
