"""What the proxy passes on, and back: everything that is not its own, as it is."""

import json
from pathlib import Path
from socket import create_connection
from threading import Event
from typing import Any

import httpx
import pytest
from tests.proxy.house import PATIENCE, Guest, House, open_house

from memweaver.adapters.http import Line
from memweaver.app.house_sections import ServerSettings, UpstreamSettings
from memweaver.testing.faults import FAULTS, Fault
from memweaver.testing.model_server import Script
from memweaver.testing.speaking import MODELS, VECTOR, Reply

REFUSAL = {"error": {"message": "No.", "type": "policy", "param": None, "code": "refused"}}

EVERYTHING: dict[str, Any] = {
    "model": "house/large",
    "temperature": 0.7,
    "top_p": 0.9,
    "n": 2,
    "seed": 7,
    "stop": ["\n"],
    "logprobs": True,
    "top_logprobs": 3,
    "logit_bias": {"50256": -100},
    "max_completion_tokens": 99,
    "parallel_tool_calls": False,
    "reasoning_effort": "low",
    "user": "somebody",
    "service_tier": "auto",
    "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
    "tool_choice": "auto",
    "prediction": {"type": "content", "content": "x"},
    "a_field_of_tomorrow": {"deep": [1, 2.5, None, True, "é"]},
}


def test_every_field_is_passed_on_untouched(guest: Guest) -> None:
    messages = [
        {"role": "system", "content": "Be kind."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is this?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
            ],
        },
    ]

    answer = guest.post("/v1/chat/completions", {**EVERYTHING, "messages": messages})

    assert answer.status_code == 200
    assert guest.asked == {**EVERYTHING, "messages": messages}


def test_the_answer_comes_back_byte_for_byte(guest: Guest) -> None:
    guest.house.script.first.append("no_message")

    answer = guest.chat("Good morning")

    assert answer.json() == {"choices": [], "message": None}
    assert answer.headers["content-type"] == "application/json"


def test_an_answer_has_one_request_id(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = Fault(400, body=REFUSAL, headers={"X-Request-Id": "theirs", "OpenAI-Version": "1"})
    monkeypatch.setitem(FAULTS, "told", failing)
    guest.house.script.first.append("told")

    answer = guest.chat("Good morning", headers={"X-Request-Id": "mine"})

    assert answer.headers.get_list("x-request-id") == ["mine"]
    assert answer.headers["openai-version"] == "1"


@pytest.mark.parametrize(
    ("status", "body", "shown"),
    [
        (403, REFUSAL, 403),
        (403, {"error": {"message": "Your API key sk-123 may not.", "type": "policy"}}, 502),
        (403, {"error": {"message": "No.", "type": "authentication_error"}}, 502),
        (403, {"error": "No."}, 502),
        (403, "<html>", 502),
        (401, REFUSAL, 502),
    ],
)
def test_what_is_forbidden_is_told_unless_it_is_about_the_operators_key(
    guest: Guest, status: int, body: Any, shown: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FAULTS, "told", Fault(status, body=body))
    guest.house.script.first.append("told")

    answer = guest.chat("Good morning")

    assert answer.status_code == shown
    assert (answer.json() == REFUSAL) is (shown == 403)
    assert "sk-123" not in answer.text


@pytest.mark.requirement("B7")
def test_what_is_said_in_one_conversation_is_known_in_the_next(guest: Guest) -> None:
    guest.chat("My sister Ada lives in Lisbon.", headers={"X-Memweaver-Session": "one"})
    guest.chat("Where does my sister live?", headers={"X-Memweaver-Session": "two"})

    [message] = guest.asked["messages"]
    assert message["role"] == "user"
    assert "My sister Ada lives in Lisbon." in message["content"]
    assert message["content"].startswith("<memory ")
    assert message["content"].endswith("\n\nWhere does my sister live?")
    assert [turn.session for turn in guest.turns()] == ["one", "two"]
    assert guest.said()[1] == ["Where does my sister live?", "Fine, thank you."]


def test_a_stream_is_passed_on_as_it_is_and_recorded_whole(guest: Guest) -> None:
    body = {"stream": True, "stream_options": {"include_usage": True}}

    answer = guest.chat("Good morning", **body)

    assert answer.headers["content-type"] == "text/event-stream"
    events = answer.text.split("\n\n")
    assert events[-2:] == ["data: [DONE]", ""]
    assert json.loads(events[-3].removeprefix("data: "))["usage"]["prompt_tokens"] == 40
    assert guest.said() == [["Good morning", "Fine, thank you."]]
    assert guest.turns()[0].metadata == {}


def test_whoever_leaves_in_the_middle_still_leaves_a_turn(guest: Guest) -> None:
    script = guest.house.script
    script.hold = 3
    request = {"messages": [{"role": "user", "content": "Tell me a story"}], "stream": True}
    headers = {"Authorization": f"Bearer {guest.secret}"}
    url = f"{guest.base_url}/chat/completions"
    with (
        httpx.Client(trust_env=False) as client,
        client.stream("POST", url, json=request, headers=headers) as answer,
    ):
        heard = b""
        for piece in answer.iter_raw():
            heard += piece
            if b"thank" in heard:
                break

    guest.house.call(script.left.wait())
    assert guest.said() == [["Tell me a story", "Fine, thank"]]
    assert guest.turns()[0].metadata == {"broke_off": True}


def test_an_answer_that_comes_whole_is_recorded_also_for_who_has_left(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Event()
    monkeypatch.setattr(guest.house.script, "latency", 0.2)
    monkeypatch.setattr(Script, "fault", lambda _: asked.set())
    body = b'{"messages": [{"role": "user", "content": "Tell me a story"}]}'
    head = (
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}"
        f"\r\nAuthorization: Bearer {guest.secret}\r\n\r\n"
    )
    url = httpx.URL(guest.house.url)
    with create_connection((url.host, url.port)) as leaving:
        leaving.sendall(head.encode() + body)
        assert asked.wait(PATIENCE)

    assert guest.said() == [["Tell me a story", "Fine, thank you."]]


@pytest.mark.parametrize("fault", ["busy", "broken", "overloaded", "hang_up"])
@pytest.mark.parametrize("stream", [False, True])
def test_what_is_not_answered_is_recorded_when_it_is_tried_again(
    guest: Guest, fault: str, *, stream: bool
) -> None:
    guest.house.script.first.append(fault)

    failed, answered = (guest.chat("Good morning", stream=stream) for _ in range(2))

    assert failed.status_code >= 400
    assert answered.status_code == 200
    assert guest.said() == [["Good morning", "Fine, thank you."]]


def test_models_and_embeddings_are_passed_through(guest: Guest) -> None:
    assert [model["id"] for model in guest.get("/v1/models").json()["data"]] == [*MODELS]
    assert guest.get("/v1/models/house/large").json()["id"] == "house/large"
    answer = guest.post("/v1/embeddings", {"model": "small", "input": ["a", "b"], "user": "x"})
    assert [one["embedding"] for one in answer.json()["data"]] == [list(VECTOR)] * 2
    assert guest.asked == {"model": "small", "input": ["a", "b"], "user": "x"}


def test_without_an_upstream_the_answer_names_the_setting(tmp_path: Path) -> None:
    with open_house(tmp_path, lambda _: UpstreamSettings(url="")) as house:
        answer = house.guest().chat("Good morning")

    assert answer.status_code == 503
    error = answer.json()["error"]
    assert "MEMWEAVER_UPSTREAM__URL" in error["message"]
    assert (error["type"], error["code"], error["param"]) == ("server_error", "no_upstream", None)


@pytest.fixture
def ollama(tmp_path: Path) -> Any:
    def local(url: str) -> UpstreamSettings:
        return UpstreamSettings(protocol="ollama", url=url.removesuffix("/v1"), model="small")

    with open_house(tmp_path, local) as house:
        yield house


def test_ollamas_own_protocol_is_spoken_too(ollama: House) -> None:
    guest = ollama.guest()
    whole = guest.chat("Good morning", temperature=0.5, max_tokens=9).json()
    assert whole["choices"][0]["message"]["content"] == "Fine, thank you."
    assert whole["usage"] == {"prompt_tokens": 40, "completion_tokens": 3, "total_tokens": 43}
    assert guest.asked["options"] == {"temperature": 0.5, "num_predict": 9}
    streamed = guest.chat("Good night", stream=True).text
    assert streamed.endswith("data: [DONE]\n\n")
    assert [model["id"] for model in guest.get("/v1/models").json()["data"]] == [*MODELS]
    answer = guest.post("/v1/embeddings", {"model": "small", "input": "a"})
    assert answer.json()["data"][0]["embedding"] == list(VECTOR)
    assert guest.said() == [
        ["Good morning", "Fine, thank you."],
        ["Good night", "Fine, thank you."],
    ]


def test_a_turn_with_tools_is_recorded_once_with_its_last_answer(guest: Guest) -> None:
    guest.house.script.replies[:] = [
        Reply("", [("weather", {"city": "Oslo"})]),
        Reply("It rains."),
    ]
    asked = {"role": "user", "content": "How is the weather?"}
    first = guest.post("/v1/chat/completions", {"messages": [asked]}).json()
    call = first["choices"][0]["message"]
    assert guest.turns() == []

    result = {"role": "tool", "tool_call_id": call["tool_calls"][0]["id"], "content": "rain"}
    for _ in range(2):
        guest.post("/v1/chat/completions", {"messages": [asked, call, result]})

    assert guest.said() == [["How is the weather?", "It rains."]]


PROXY = ["/v1/chat/completions", "/v1/embeddings"]


def test_a_chat_may_carry_a_large_picture(guest: Guest) -> None:
    picture = "data:image/png;base64," + "A" * 5_000_000
    parts = [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": picture}},
    ]

    answer = guest.post("/v1/chat/completions", {"messages": [{"role": "user", "content": parts}]})

    assert answer.status_code == 200
    assert guest.asked["messages"][0]["content"][-1] == parts[1]
    assert guest.said() == [["What is this?\n[image]", "Fine, thank you."]]


def test_what_is_too_large_for_the_proxy_is_refused_in_openais_shape(tmp_path: Path) -> None:
    with open_house(tmp_path, server=ServerSettings(body=100, chat_body=2000)) as house:
        guest = house.guest()
        for path in PROXY:
            body = {"messages": [{"role": "user", "content": "Hi"}], "input": "Hi"}
            assert guest.post(path, {**body, "extra": "x" * 1000}).status_code == 200
            answer = guest.post(path, {**body, "extra": "x" * 3000})
            assert answer.status_code == 413
            assert answer.json()["error"] == {
                "message": "the body is over the limit of 2000 bytes",
                "type": "invalid_request_error",
                "param": None,
                "code": "too_large",
            }


@pytest.mark.parametrize("path", PROXY)
def test_what_nobody_foresaw_is_told_in_openais_shape_and_no_more(
    guest: Guest, path: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def failing(*_: object) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(Line, "post", failing)
    answer = guest.post(path, {"messages": [{"role": "user", "content": "Hi"}], "input": "Hi"})

    assert answer.status_code == 500
    assert answer.json()["error"]["type"] == "server_error"
    assert answer.json()["error"]["code"] == "internal_error"
    assert "secret" not in answer.text
    assert "request failed" in caplog.messages
