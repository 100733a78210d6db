"""Passing on over HTTP: what goes out, what comes back, and where nothing ever goes."""

import gzip
import json
import zlib
from collections.abc import AsyncGenerator, Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest
from httpx import AsyncByteStream, AsyncClient, MockTransport, Response
from hypothesis import example, given
from hypothesis import strategies as st

from memweaver.adapters.http import HttpPassage, Line
from memweaver.adapters.ollama import open_ollama_upstream
from memweaver.adapters.ollama.translating import DEEPEST, Chunks, completion, question
from memweaver.adapters.ollama.upstream import OllamaStream
from memweaver.adapters.openai import open_openai_upstream
from memweaver.errors import ModelRefused, ModelUnavailable
from memweaver.ports.upstream import Upstream
from memweaver.testing.conformance.upstream import HELLO, whole
from memweaver.testing.faults import FAULTS, Fault
from memweaver.testing.model_server import Script, serving


@pytest.fixture
async def script() -> AsyncGenerator[Script]:
    async with serving(Script()) as script:
        yield script


@pytest.fixture
async def upstream(script: Script) -> AsyncGenerator[Upstream]:
    async with open_openai_upstream(url=script.url, model="small", api_key="sk-ours") as upstream:
        yield upstream


async def test_our_key_is_sent_and_nothing_that_packs(script: Script, upstream: Upstream) -> None:
    await whole(await upstream.chat(HELLO))

    assert script.heads[0]["authorization"] == "Bearer sk-ours"
    assert script.heads[0]["accept-encoding"] == "identity"


async def test_a_cookie_is_not_kept_for_who_asks_next(
    script: Script, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    marking = Fault(headers={"Set-Cookie": "known=ann"})
    monkeypatch.setattr(Script, "fault", lambda _: marking)
    for _ in range(2):
        await whole(await upstream.chat(HELLO))

    assert [head.get("cookie") for head in script.heads] == [None, None]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("busy", {"code": "rate_limit_exceeded", "message": "the model answered 429"}),
        ("broken", {"message": "internal"}),
        ("overloaded", {"message": "the model answered 503", "type": "upstream_error"}),
        ("no_model", {"code": "model_not_found"}),
    ],
)
async def test_a_failure_comes_in_openais_shape(
    script: Script, upstream: Upstream, fault: str, error: dict[str, str]
) -> None:
    script.first.append(fault)

    passage = await upstream.chat(HELLO)

    assert passage.status == FAULTS[fault].status
    told = json.loads(await whole(passage))["error"]
    assert told.items() >= error.items()
    assert told["message"]


@pytest.mark.parametrize(("status", "setting"), [(401, "API_KEY"), (403, "API_KEY"), (307, "URL")])
async def test_a_refusal_of_us_names_the_setting_and_nothing_else(
    script: Script,
    upstream: Upstream,
    status: int,
    setting: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    headers = {"Location": f"{script.url}/elsewhere"}
    refusal = Fault(status, body={"error": {"message": "sk-o***rs"}}, headers=headers)
    monkeypatch.setattr(Script, "fault", lambda _: refusal)

    with pytest.raises(ModelRefused, match=f"MEMWEAVER_UPSTREAM__{setting}$") as raised:
        await upstream.chat(HELLO)

    assert "sk-" not in str(raised.value)
    assert len(script.asked) == 1, "a redirect was followed"


async def test_a_model_that_hangs_up_is_unavailable(script: Script, upstream: Upstream) -> None:
    """Whichever model was asked for: it is not named, as the request may have named another."""
    script.first.append("hang_up")

    with pytest.raises(ModelUnavailable, match=r"^the upstream could not be reached"):
        await upstream.chat(HELLO)


async def test_a_model_without_a_sign_of_life_is_unavailable(script: Script) -> None:
    script.first.append("stall")
    async with open_openai_upstream(url=script.url, model="small", patience=0.05) as upstream:
        with pytest.raises(ModelUnavailable):
            await upstream.chat(HELLO)


async def test_ollamas_words_about_a_failure_are_kept(
    script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    failure = Fault(404, body={"error": "model 'small' not found"})
    monkeypatch.setattr(Script, "fault", lambda _: failure)
    url = script.url.removesuffix("/v1")
    async with open_ollama_upstream(url=url, model="small") as upstream:
        passage = await upstream.chat(HELLO)
        told = json.loads(await whole(passage))

    assert (passage.status, told["error"]["message"]) == (404, "model 'small' not found")


def test_a_request_in_ollamas_words() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    asked = question(
        {
            "model": "small",
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "Look"}, picture]},
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "1", "content": "7"},
            ],
            "max_tokens": 9,
            "seed": 7,
            "options": {"num_ctx": 4096},
            "response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "x"}}},
            "tools": [{"type": "function"}],
            "keep_alive": "5m",
        }
    )

    assert asked["messages"][0] == {"role": "user", "content": "Look", "images": ["AAAA"]}
    assert asked["messages"][1]["tool_calls"][0]["function"]["arguments"] == {"a": 1}
    assert asked["messages"][2] == {"role": "tool", "tool_call_id": "1", "content": "7"}
    assert asked["options"] == {"num_predict": 9, "seed": 7, "num_ctx": 4096}
    assert (asked["format"], asked["stream"], asked["keep_alive"]) == ({"type": "x"}, False, "5m")


@pytest.mark.parametrize("options", [[1], "num_ctx", 7])
def test_options_that_are_none_are_ollamas_to_refuse(options: object) -> None:
    asked = question({**HELLO, "seed": 7, "options": options})

    assert asked["options"] == options


@pytest.mark.parametrize("options", [None, {}, []])
def test_options_that_say_nothing_leave_the_others(options: object) -> None:
    assert "options" not in question({**HELLO, "options": options})
    assert question({**HELLO, "seed": 7, "options": options})["options"] == {"seed": 7}


def nested(levels: int) -> str:
    return '{"a":[' * (levels // 2) + "]}" * (levels // 2)


@pytest.mark.parametrize("arguments", ["{", "[" * 100_000, nested(976), nested(DEEPEST + 2)])
def test_arguments_that_nobody_can_read_say_nothing(arguments: str) -> None:
    assert arguments_passed_on(arguments) == {}


def test_deep_arguments_are_passed_on() -> None:
    assert json.dumps(arguments_passed_on(nested(DEEPEST)), separators=(",", ":")) == nested(
        DEEPEST
    )


def arguments_passed_on(arguments: str) -> object:
    calls = [{"function": {"name": "f", "arguments": arguments}}]
    asked = question({"messages": [{"role": "assistant", "tool_calls": calls}]})
    return asked["messages"][0]["tool_calls"][0]["function"]["arguments"]


def test_calls_of_tools_come_back_in_openais_words() -> None:
    message: dict[str, Any] = {
        "content": "",
        "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}],
    }
    line = {"model": "small", "message": message, "done": True}

    choice = completion(line)["choices"][0]
    events = b"".join(Chunks(with_usage=True).events(line))

    [call] = choice["message"]["tool_calls"]
    assert (call["function"], call["type"]) == ({"name": "f", "arguments": '{"a": 1}'}, "function")
    assert choice["finish_reason"] == "tool_calls"
    assert b'"finish_reason":"tool_calls"' in events
    assert b'"usage":{' in events


def test_a_failure_in_mid_stream_is_told() -> None:
    [event] = Chunks(with_usage=False).events({"error": "out of memory"})

    assert json.loads(event[6:])["error"]["message"] == "out of memory"


WORD = st.text('aé\U0001f469\ud800\r\n"\\{', max_size=5)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORD, inner, max_size=3),
    max_leaves=6,
)
CALL = st.fixed_dictionaries(
    {},
    optional={
        "id": ANYTHING,
        "function": st.fixed_dictionaries({}, optional={"name": ANYTHING, "arguments": ANYTHING})
        | ANYTHING,
    },
)
SAYING = st.fixed_dictionaries(
    {},
    optional={
        "content": WORD | ANYTHING,
        "thinking": WORD | ANYTHING,
        "tool_calls": st.lists(CALL | ANYTHING, max_size=2) | ANYTHING,
    },
)
LINE = st.fixed_dictionaries(
    {},
    optional={
        "model": WORD | ANYTHING,
        "created_at": st.just("2026-01-01T00:00:00.123456789Z") | WORD | ANYTHING,
        "message": SAYING | ANYTHING,
        "done": st.booleans() | ANYTHING,
        "done_reason": ANYTHING,
        "error": st.none() | ANYTHING,
        "eval_count": ANYTHING,
    },
)
LINES = st.lists(LINE.map(json.dumps).map(str.encode) | st.binary(max_size=20), max_size=6)


class Pieces(AsyncByteStream):
    def __init__(self, pieces: Sequence[bytes]) -> None:
        self._pieces = pieces

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        for piece in self._pieces:
            yield piece


async def heard_from_ollama(pieces: Sequence[bytes]) -> bytes:
    stream = OllamaStream(Response(200, stream=Pieces(pieces)), Chunks(with_usage=True))
    return b"".join([piece async for piece in stream])


@given(LINES, st.lists(st.integers(min_value=0), max_size=8))
@example([b'{"created_at":"\\ud800"}'], [])
@example([b'{"created_at":"0001-01-01"}'], [])
@example([b'{"message":{"content":NaN}}'], [])
@example([b'{"message":{"content":1e999}}'], [])
async def test_whatever_ollama_sends_in_whatever_pieces_comes_out_as_events(
    lines: Sequence[bytes], places: Sequence[int]
) -> None:
    content = b"\n".join(lines)
    edges = [0, *sorted(place % (len(content) + 1) for place in places), len(content)]

    told = await heard_from_ollama([content[a:b] for a, b in pairwise(edges)])

    assert told == await heard_from_ollama([content])
    events = told.split(b"\n\n")
    assert events.pop() == b""
    for event in events:
        assert event.startswith(b"data: ")
        if event != b"data: [DONE]":
            assert isinstance(json.loads(event.removeprefix(b"data: "), parse_constant=no), dict)


def no(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


@pytest.mark.parametrize(("packing", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
async def test_an_answer_that_is_packed_though_asked_not_to_comes_unpacked(
    packing: str, pack: Callable[[bytes], bytes]
) -> None:
    content = pack(b"data: {}\n\n" * 100)
    pieces = Pieces([content[:7], content[7:]])
    passage = HttpPassage(Response(200, headers={"Content-Encoding": packing}, stream=pieces))

    assert await whole(passage) == b"data: {}\n\n" * 100
    assert "content-encoding" not in passage.headers


async def test_an_answer_that_is_not_packed_as_it_says_breaks_off() -> None:
    pieces = Pieces([b"data: {}\n\n"])
    passage = HttpPassage(Response(200, headers={"Content-Encoding": "gzip"}, stream=pieces))

    with pytest.raises(ModelUnavailable, match="DecodingError"):
        await whole(passage)


async def answered_with(response: Response) -> Response:
    transport = MockTransport(lambda _: response)
    async with AsyncClient(transport=transport, base_url="http://model") as client:
        return await Line(client).post("chat/completions", HELLO)


async def test_an_answer_that_nobody_here_unpacks_is_told_of() -> None:
    response = Response(200, headers={"Content-Encoding": "gzip, BR"}, stream=Pieces([b"\x0b"]))

    with pytest.raises(ModelRefused, match=r"\(br\).*MEMWEAVER_UPSTREAM__URL"):
        await answered_with(response)

    assert response.is_closed


async def test_words_about_a_failure_are_unpacked_too() -> None:
    content = gzip.compress(b'{"error":{"message":"No."}}')
    headers = {"Content-Encoding": "gzip"}
    async with AsyncClient() as client:
        refused = Response(400, headers=headers, stream=Pieces([content]))
        passage = await Line(client).failure(refused)

    assert await whole(passage) == b'{"error":{"message":"No."}}'
