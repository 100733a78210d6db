"""Asking again: what fails in passing is tried once more, and is done once all the same."""

import httpx
import pytest
from tests.unit.client.scripted import LOST, UNREACHED, Answer, Scripted, refused

from memweaver.client import Message, Role
from memweaver.errors import (
    BackendUnavailable,
    Conflict,
    ModelBusy,
    NotFound,
    NoUpstream,
    RateLimited,
)

pytestmark = pytest.mark.anyio

ME = {"user": "ann", "organisation": "home", "permissions": ["read"], "ai": None}
FOUND = {"hits": [], "context": "", "by_meaning": True}
MEMORY = {
    "id": "m1",
    "revision": 2,
    "ai": None,
    "tier": "semantic",
    "key": None,
    "text": "Ann drinks tea.",
    "origin": "user",
    "authority": "fact",
    "quarantined": False,
    "importance": 0.5,
    "confidence": 0.7,
    "known_from": "2026-05-01T09:31:00Z",
    "known_to": None,
    "valid_from": None,
    "valid_to": None,
    "supersedes": None,
    "sources": [],
    "metadata": {},
}


def answered(body: object) -> httpx.Response:
    return httpx.Response(200, json=body)


@pytest.mark.parametrize(
    "passing",
    [
        LOST,
        UNREACHED,
        httpx.ReadTimeout("slow"),
        httpx.RemoteProtocolError("half an answer"),
        refused(429, "rate_limited"),
        refused(503, "backend_unavailable"),
        refused(503, "model_busy"),
        refused(409, "unfinished"),
        httpx.Response(502, text="<html>Bad Gateway</html>"),
        httpx.Response(504),
    ],
    ids=repr,
)
async def test_what_may_well_succeed_is_tried_again(passing: Answer) -> None:
    server = Scripted([passing, passing, answered(ME)])

    async with server.client() as client:
        assert (await client.me.read()).user == "ann"

    assert len(server.pauses) == 2


async def test_a_request_that_creates_something_keeps_its_name_when_it_comes_again() -> None:
    server = Scripted([LOST, answered(MEMORY), answered(MEMORY)])

    async with server.client() as client:
        await client.memories.add("Ann drinks tea.")
        await client.memories.add("Ann drinks tea.")

    first, again, another = (request.headers["idempotency-key"] for request in server.asked)
    assert first == again != another
    assert len(first) > 20


async def test_a_caller_may_name_the_request() -> None:
    server = Scripted([answered(MEMORY)])

    async with server.client() as client:
        await client.memories.add("Ann drinks tea.", idempotency="tea-1")

    assert server.asked[0].headers["idempotency-key"] == "tea-1"


async def test_what_only_reads_carries_no_such_name() -> None:
    server = Scripted([answered(ME)])

    async with server.client() as client:
        await client.me.read()

    assert "idempotency-key" not in server.asked[0].headers


async def test_rests_grow_and_are_not_all_alike() -> None:
    server = Scripted([LOST, LOST, LOST, LOST])

    async with server.client() as client:
        with pytest.raises(BackendUnavailable):
            await client.me.read()

    assert [2**n / 2 <= rest <= 2**n for n, rest in enumerate(server.pauses)] == [True] * 3
    assert len({rest / 2**n for n, rest in enumerate(server.pauses)}) == 3


async def test_a_server_that_names_a_rest_is_left_alone_for_so_long() -> None:
    server = Scripted([refused(429, "rate_limited", Retry_After="7"), answered(ME)])

    async with server.client() as client:
        await client.me.read()

    assert server.pauses == [7.0]


async def test_a_rest_that_is_too_long_is_the_callers_to_take() -> None:
    server = Scripted([refused(429, "rate_limited", Retry_After="3600")])

    async with server.client() as client:
        with pytest.raises(RateLimited) as caught:
            await client.me.read()

    assert (caught.value.retry_after, server.pauses) == (3600.0, [])


@pytest.mark.parametrize("said", ["Fri, 31 Dec 2027 23:59:59 GMT", "soon", ""])
async def test_a_rest_that_is_no_number_is_none(said: str) -> None:
    server = Scripted([refused(503, "model_busy", Retry_After=said)] * 4)

    async with server.client() as client:
        with pytest.raises(ModelBusy) as caught:
            await client.chat("Hello")

    assert caught.value.retry_after is None


@pytest.mark.parametrize(
    ("refusal", "error"),
    [
        (refused(503, "no_upstream"), NoUpstream),
        (refused(404, "not_found"), NotFound),
        (refused(409, "conflict"), Conflict),
    ],
)
async def test_what_will_stay_wrong_is_not_tried_again(
    refusal: httpx.Response, error: type[Exception]
) -> None:
    server = Scripted([refusal])

    async with server.client() as client:
        with pytest.raises(error):
            await client.chat("Hello")

    assert server.pauses == []


async def test_a_change_whose_answer_was_lost_is_not_made_twice() -> None:
    server = Scripted([LOST])

    async with server.client() as client:
        with pytest.raises(BackendUnavailable):
            await client.memories.correct("m1", text="Ann drinks coffee.")

    assert len(server.asked) == 1


@pytest.mark.parametrize("passing", [UNREACHED, refused(503, "backend_unavailable")], ids=repr)
async def test_a_change_that_was_certainly_not_made_is_tried_again(passing: Answer) -> None:
    server = Scripted([passing, answered(MEMORY)])

    async with server.client() as client:
        assert (await client.memories.correct("m1", text="Ann drinks tea.")).revision == 2


async def test_what_was_erased_by_a_request_whose_answer_was_lost_is_erased() -> None:
    server = Scripted([LOST, refused(404, "not_found")])

    async with server.client() as client:
        await client.memories.erase("m1")


async def test_what_was_never_there_cannot_be_erased() -> None:
    server = Scripted([UNREACHED, refused(404, "not_found")])

    async with server.client() as client:
        with pytest.raises(NotFound):
            await client.memories.erase("m1")


async def test_whom_a_service_acts_for_is_signed_anew_each_time() -> None:
    signatures = iter(["first", "second"])
    server = Scripted([LOST, answered(ME)])

    async with server.client(acting=lambda: next(signatures)) as client:
        await client.me.read()

    assert [request.headers["x-memweaver-user"] for request in server.asked] == ["first", "second"]


async def test_a_turn_is_sent_as_it_was_said() -> None:
    server = Scripted([refused(400, "invalid_input")])

    async with server.client() as client:
        with pytest.raises(Exception, match="no"):
            await client.turns.record(Message(Role.USER, "Good morning"), metadata={"a": None})

    assert server.asked[0].content == (
        b'{"messages":[{"role":"user","text":"Good morning","name":null}],'
        b'"session":"default","metadata":{"a":null}}'
    )
