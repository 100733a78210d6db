"""Chat models over HTTP, against a real service that answers well and badly."""

import gzip
import json
import logging
import zlib
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
from tests.unit.adapters.http.service import Reply, Service

from memweaver.adapters.http import Endpoint, HttpChat, Retries, open_chat
from memweaver.adapters.http.chat import LARGEST
from memweaver.adapters.ollama import open_ollama_chat
from memweaver.adapters.ollama.chat import OllamaChatDialect
from memweaver.adapters.openai import open_openai_chat
from memweaver.adapters.openai.chat import OpenAIChatDialect
from memweaver.domain.conversation import Message, Role
from memweaver.errors import (
    ConfigurationError,
    ModelError,
    ModelOutputInvalid,
    ModelRefused,
    ModelUnavailable,
)
from memweaver.ports.models import Completion
from memweaver.testing.conformance.chat import SCHEMA
from memweaver.testing.faults import FAULTS
from memweaver.testing.model_server import Script, serving

KEY = "sk-canary-4711-do-not-show"
SECRET = "My sister Giulia moved to Oslo."
ASKED = [Message(Role.SYSTEM, "Answer in JSON."), Message(Role.USER, SECRET)]
SENT = [
    {"role": "system", "content": "Answer in JSON."},
    {"role": "user", "content": SECRET},
]
Opening = Callable[..., AbstractAsyncContextManager[HttpChat]]


async def no_pause(_: float) -> None:
    """Tests do not wait."""


@asynccontextmanager
async def by_openai(
    url: str, *, model: str = "gpt-4o-mini", patience: float = 30, retries: int = 2
) -> AsyncGenerator[HttpChat]:
    async with open_chat(
        Endpoint(url, patience, KEY),
        OpenAIChatDialect(model),
        model=model,
        retries=Retries(retries, pause=no_pause),
    ) as chat:
        yield chat


@asynccontextmanager
async def by_ollama(
    url: str, *, model: str = "qwen2.5", patience: float = 30, retries: int = 2
) -> AsyncGenerator[HttpChat]:
    async with open_chat(
        Endpoint(url.removesuffix("/v1"), patience),
        OllamaChatDialect(model),
        model=model,
        retries=Retries(retries, pause=no_pause),
    ) as chat:
        yield chat


@pytest.fixture(params=[by_openai, by_ollama])
def opening(request: pytest.FixtureRequest) -> Opening:
    chosen: Opening = request.param
    return chosen


@pytest.mark.requirement("C9")
async def test_openai_is_asked_in_its_own_way(service: Service) -> None:
    service.replies = [Reply(body=openai_answer("yes"))]
    async with by_openai(service.url) as chat:
        answer = await chat.complete(ASKED, schema=SCHEMA, tokens=99)
    assert answer == Completion("yes", finished=True, tokens_in=5, tokens_out=1)
    assert (service.paths, service.keys) == (["/v1/chat/completions"], [f"Bearer {KEY}"])
    assert service.bodies == [
        {
            "model": "gpt-4o-mini",
            "messages": SENT,
            "stream": False,
            "max_tokens": 99,
            "temperature": 0,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "greeting", "strict": True, "schema": SCHEMA},
            },
        }
    ]


async def test_models_that_think_are_asked_in_theirs(service: Service) -> None:
    service.replies = [Reply(body=openai_answer("yes"))]
    async with by_openai(service.url, model="gpt-5-mini") as chat:
        await chat.complete(ASKED, schema=None, tokens=99)
    assert service.bodies == [
        {
            "model": "gpt-5-mini",
            "messages": SENT,
            "stream": False,
            "max_completion_tokens": 99,
        }
    ]


async def test_ollama_is_asked_in_its_own_way(service: Service) -> None:
    service.replies = [Reply(body=ollama_answer("yes"))]
    async with by_ollama(service.url) as chat:
        answer = await chat.complete(ASKED, schema=SCHEMA, tokens=99)
    assert answer == Completion("yes", finished=True, tokens_in=5, tokens_out=1)
    assert service.paths == ["/api/chat"]
    assert service.bodies == [
        {
            "model": "qwen2.5",
            "messages": SENT,
            "stream": False,
            "options": {"temperature": 0, "num_predict": 99, "num_ctx": 8192},
            "format": SCHEMA,
        }
    ]


def openai_answer(text: object, ended: str = "stop", **message: object) -> dict[str, Any]:
    said = {"role": "assistant", "content": text, **message}
    return {
        "choices": [{"message": said, "finish_reason": ended}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 1},
    }


def ollama_answer(text: object, ended: str = "stop") -> dict[str, Any]:
    said = {"role": "assistant", "content": text}
    return {"message": said, "done_reason": ended, "prompt_eval_count": 5, "eval_count": 1}


@pytest.mark.parametrize("wrong", [-1, 1.5, True, "5", None, 10**40, {}])
async def test_what_is_no_count_of_tokens_is_not_counted(
    opening: Opening, service: Service, wrong: object
) -> None:
    by_name = {"prompt_tokens": wrong, "completion_tokens": 1}
    counts = {"usage": by_name, "prompt_eval_count": wrong, "eval_count": 1}
    service.replies = [Reply(body={**openai_answer("yes"), **ollama_answer("yes"), **counts})]
    async with opening(service.url) as chat:
        answer = await chat.complete(ASKED, schema=None, tokens=9)
    assert (answer.text, answer.tokens_in, answer.tokens_out) == ("yes", 0, 1)


async def test_nobody_needs_to_tell_tokens(opening: Opening, service: Service) -> None:
    bare = {**openai_answer("yes"), "message": {"content": "yes"}, "usage": None}
    service.replies = [Reply(body=bare)]
    async with opening(service.url) as chat:
        answer = await chat.complete(ASKED, schema=None, tokens=9)
    assert (answer.text, answer.tokens_in, answer.tokens_out) == ("yes", 0, 0)


REFUSED = Reply(400, {"error": {"code": "invalid_request_error"}})
FORMATS: dict[Opening, list[str | None]] = {
    by_openai: ["json_schema", "json_object", None],
    by_ollama: ["greeting", "json", None],
}


def format_of(body: dict[str, Any]) -> object:
    match body:
        case {"response_format": {"type": kind}}:
            return kind
        case {"format": {"title": title}}:
            return title
        case _:
            return body.get("format")


@pytest.mark.parametrize("refusals", [0, 1, 2])
async def test_a_format_that_is_refused_is_not_asked_for_again(
    opening: Opening, service: Service, refusals: int
) -> None:
    right = Reply(body={**openai_answer("yes"), **ollama_answer("yes")})
    service.replies = [*[REFUSED] * refusals, right, right]
    async with opening(service.url) as chat:
        for _ in range(2):
            assert (await chat.complete(ASKED, schema=SCHEMA, tokens=9)).text == "yes"
    formats = FORMATS[opening]
    asked = [format_of(body) for body in service.bodies]
    assert asked == [*formats[: refusals + 1], formats[refusals]]


async def test_a_question_refused_in_every_format_says_nothing_about_formats(
    opening: Opening, service: Service
) -> None:
    right = Reply(body={**openai_answer("yes"), **ollama_answer("yes")})
    service.replies = [REFUSED, REFUSED, REFUSED, right]
    async with opening(service.url) as chat:
        with pytest.raises(ModelRefused, match="400"):
            await chat.complete(ASKED, schema=SCHEMA, tokens=9)
        await chat.complete(ASKED, schema=SCHEMA, tokens=9)
    assert [format_of(body) for body in service.bodies] == [*FORMATS[opening], FORMATS[opening][0]]


@pytest.mark.requirement("C9")
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("large", ModelOutputInvalid),
        ("no_message", ModelOutputInvalid),
        ("not_an_answer", ModelOutputInvalid),
        ("busy", ModelUnavailable),
        ("busy_for_long", ModelUnavailable),
        ("broken", ModelUnavailable),
        ("overloaded", ModelUnavailable),
        ("hang_up", ModelUnavailable),
        ("stall", ModelUnavailable),
        ("trickle", ModelUnavailable),
        ("no_credit", ModelRefused),
        ("wrong_key", ModelRefused),
        ("no_model", ModelRefused),
        ("bad_request", ModelRefused),
    ],
)
async def test_every_fault_ends_in_its_error(
    opening: Opening, fault: str, error: type[ModelError]
) -> None:
    patience = 0.5 if fault in {"stall", "trickle"} else 30
    async with (
        serving(Script(first=[fault])) as service,
        opening(service.url, retries=0, patience=patience) as chat,
    ):
        with pytest.raises(error):
            await chat.complete(ASKED, schema=None, tokens=9)


@pytest.mark.parametrize("fault", ["busy", "broken", "overloaded", "hang_up", "no_message"])
async def test_a_fault_that_passes_is_tried_again(opening: Opening, fault: str) -> None:
    async with serving(Script(first=[fault, fault])) as service, opening(service.url) as chat:
        assert (await chat.complete(ASKED, schema=None, tokens=9)).text
    assert len(service.asked) == 3


async def test_a_long_pause_that_is_asked_for_is_told() -> None:
    async with (
        serving(Script(first=["busy_for_long"])) as service,
        by_openai(service.url) as chat,
    ):
        with pytest.raises(ModelUnavailable) as caught:
            await chat.complete(ASKED, schema=None, tokens=9)
    assert caught.value.retry_after == 120
    assert len(service.asked) == 1


@pytest.mark.parametrize("fault", ["empty", "cut", "not_json", "wrong_schema", "prose"])
async def test_what_a_model_says_is_for_others_to_judge(opening: Opening, fault: str) -> None:
    async with serving(Script(first=[fault])) as service, opening(service.url) as chat:
        answer = await chat.complete(ASKED, schema=None, tokens=9)
    assert answer.text == FAULTS[fault].text
    assert answer.finished is (fault != "cut")


@pytest.mark.parametrize(
    "answer",
    [openai_answer(None, refusal="I'm sorry."), openai_answer("", ended="content_filter")],
)
async def test_a_refusal_is_one(service: Service, answer: dict[str, Any]) -> None:
    service.replies = [Reply(body=answer)]
    async with by_openai(service.url) as chat:
        with pytest.raises(ModelRefused, match="refused to answer"):
            await chat.complete(ASKED, schema=None, tokens=9)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"choices": "no", "message": "no"},
        {"choices": [{"message": {"content": ["a"]}}], "message": {"content": ["a"]}},
        {"choices": [None], "message": None},
        b"[" * 100_000,
        b'{"choices": ' + b"1" * 10_000 + b"}",
        b"\xff\xfe",
        b"",
    ],
    ids=range(8),
)
async def test_what_is_no_answer_of_the_protocol_is_invalid(
    opening: Opening, service: Service, body: object
) -> None:
    service.replies = [Reply(body=body)]
    async with opening(service.url, retries=0) as chat:
        with pytest.raises(ModelOutputInvalid):
            await chat.complete(ASKED, schema=None, tokens=9)


async def test_of_an_endless_answer_only_the_beginning_is_read(opening: Opening) -> None:
    async with (
        serving(Script(first=["large"])) as service,
        opening(service.url, retries=0) as chat,
    ):
        with pytest.raises(ModelOutputInvalid, match=f"more than {LARGEST} bytes"):
            await chat.complete(ASKED, schema=None, tokens=9)


@pytest.mark.parametrize(("packing", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
async def test_an_answer_that_is_packed_though_asked_not_to_is_unpacked(
    service: Service, packing: str, pack: Callable[[bytes], bytes]
) -> None:
    content = pack(json.dumps(openai_answer("{}")).encode())
    service.replies = [Reply(body=content, headers={"Content-Encoding": packing})]
    async with by_openai(service.url, retries=0) as chat:
        assert (await chat.complete(ASKED, schema=None, tokens=9)).text == "{}"


async def test_a_packed_answer_is_as_large_as_it_is_unpacked(service: Service) -> None:
    content = gzip.compress(b" " * (LARGEST + 1))
    service.replies = [Reply(body=content, headers={"Content-Encoding": "gzip"})]
    async with by_openai(service.url, retries=0) as chat:
        with pytest.raises(ModelOutputInvalid, match=f"more than {LARGEST} bytes"):
            await chat.complete(ASKED, schema=None, tokens=9)


@pytest.mark.parametrize(("packing", "named"), [("BR", "br"), ("gzip, gzip", "gzip, gzip")])
async def test_an_answer_packed_as_nobody_here_unpacks_is_told_of(
    service: Service, packing: str, named: str
) -> None:
    service.replies = [Reply(body=b"\x0b", headers={"Content-Encoding": packing})]
    async with by_openai(service.url, retries=0) as chat:
        with pytest.raises(ModelRefused, match=rf"\({named}\) though asked not to"):
            await chat.complete(ASKED, schema=None, tokens=9)


@pytest.mark.parametrize(
    ("content", "error"), [(b"\x1f\x8b", ModelOutputInvalid), (b"{}", ModelUnavailable)]
)
async def test_what_cannot_be_unpacked_is_no_answer(
    service: Service, content: bytes, error: type[ModelError]
) -> None:
    service.replies = [Reply(body=content, headers={"Content-Encoding": "gzip"})]
    async with by_openai(service.url, retries=0) as chat:
        with pytest.raises(error):
            await chat.complete(ASKED, schema=None, tokens=9)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(401, {"error": {"code": "invalid", "message": f"{KEY} {SECRET}"}}),
        Reply(400, {"error": {"code": SECRET}}),
        Reply(500, f"{KEY} {SECRET}".encode()),
        Reply(200, {"choices": f"{KEY} {SECRET}"}),
        Reply(200, openai_answer(None, refusal=f"{KEY} {SECRET}")),
        Reply(hangs_up=True),
    ],
)
async def test_neither_the_key_nor_a_text_is_in_errors_or_logs(
    service: Service, reply: Reply, caplog: pytest.LogCaptureFixture
) -> None:
    service.replies = [reply]
    with caplog.at_level(logging.DEBUG):
        async with by_openai(service.url, retries=0) as chat:
            with pytest.raises(ModelError) as caught:
                await chat.complete(ASKED, schema=None, tokens=9)
    shown = f"{caught.value} {caught.value.__cause__} {caplog.text} {vars(chat)}"
    assert "canary" not in shown
    assert "Giulia" not in shown


async def test_a_url_that_cannot_be_one_is_refused_before_anything_is_sent() -> None:
    for open_it in (open_openai_chat, open_ollama_chat):
        with pytest.raises(ConfigurationError, match="URL"):
            async with open_it(url="nonsense"):
                pass


@pytest.mark.requirement("C9")
async def test_the_defaults_are_those_of_the_requirements() -> None:
    async with open_openai_chat() as openai, open_ollama_chat() as ollama:
        assert (openai.model, ollama.model) == ("gpt-4o-mini", "qwen2.5")
