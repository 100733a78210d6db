"""OpenAI's own client for Python, unmodified but for its address."""

from collections.abc import Iterator
from typing import Any

import pytest
from openai import (
    APIStatusError,
    AsyncOpenAI,
    AuthenticationError,
    BadRequestError,
    InternalServerError,
    NotFoundError,
    OpenAI,
    RateLimitError,
)
from pydantic import BaseModel
from tests.proxy.house import Guest

from memweaver.app.house_sections import ServerSettings
from memweaver.testing.speaking import MODELS, VECTOR, Reply

WEATHER: Any = {
    "type": "function",
    "function": {
        "name": "weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}
HELLO: Any = [{"role": "user", "content": "Hello"}]


@pytest.fixture
def client(guest: Guest) -> Iterator[OpenAI]:
    with OpenAI(api_key=guest.secret, base_url=guest.base_url, max_retries=0) as client:
        yield client


@pytest.mark.requirement("B7")
def test_a_chat(client: OpenAI, guest: Guest) -> None:
    answer = client.chat.completions.create(model="small", messages=HELLO, temperature=0.7)

    assert answer.choices[0].message.content == "Fine, thank you."
    assert answer.usage
    assert answer.usage.total_tokens == 43
    assert guest.said() == [["Hello", "Fine, thank you."]]


def test_a_stream_with_usage(client: OpenAI, guest: Guest) -> None:
    stream = client.chat.completions.create(
        model="small", messages=HELLO, stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)

    words = [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices]
    assert "".join(words) == "Fine, thank you."
    assert chunks[-1].usage
    assert chunks[-1].usage.prompt_tokens == 40
    assert guest.said() == [["Hello", "Fine, thank you."]]


async def test_the_asynchronous_client(guest: Guest) -> None:
    async with AsyncOpenAI(api_key=guest.secret, base_url=guest.base_url) as client:
        stream = await client.chat.completions.create(model="small", messages=HELLO, stream=True)
        words = [chunk.choices[0].delta.content or "" async for chunk in stream]
        whole = await client.chat.completions.create(model="small", messages=HELLO)
    assert "".join(words) == whole.choices[0].message.content == "Fine, thank you."


@pytest.mark.parametrize("streamed", [False, True])
def test_tools(client: OpenAI, guest: Guest, *, streamed: bool) -> None:
    guest.house.script.replies[:] = [Reply("", [("weather", {"city": "Oslo"})]), Reply("It rains.")]
    messages: list[Any] = [{"role": "user", "content": "How is the weather in Oslo?"}]
    if streamed:
        with client.chat.completions.stream(
            model="small", messages=messages, tools=[WEATHER]
        ) as stream:
            said: Any = stream.get_final_completion().choices[0]
    else:
        said = client.chat.completions.create(
            model="small", messages=messages, tools=[WEATHER]
        ).choices[0]

    assert said.finish_reason == "tool_calls"
    [call] = said.message.tool_calls
    assert (call.function.name, call.function.arguments) == ("weather", '{"city": "Oslo"}')
    messages.append(said.message.model_dump(exclude_none=True, exclude={"parsed"}))
    messages.append({"role": "tool", "tool_call_id": call.id, "content": "rain"})
    last = client.chat.completions.create(model="small", messages=messages, tools=[WEATHER])
    assert last.choices[0].message.content == "It rains."
    assert guest.asked["tools"] == [WEATHER]
    assert guest.said() == [["How is the weather in Oslo?", "It rains."]]


def test_a_shape_is_asked_for(client: OpenAI, guest: Guest) -> None:
    class Decide(BaseModel):
        action: str

    client.chat.completions.create(
        model="small",
        messages=HELLO,
        response_format={
            "type": "json_schema",
            "json_schema": {"name": "decide", "schema": Decide.model_json_schema()},
        },
    )
    assert guest.asked["response_format"]["json_schema"]["name"] == "decide"


def test_models_and_embeddings(client: OpenAI) -> None:
    assert [model.id for model in client.models.list()] == [*MODELS]
    assert client.models.retrieve("small").id == "small"
    with pytest.raises(NotFoundError):
        client.models.retrieve("huge")
    vectors = client.embeddings.create(model="small", input=["a"], encoding_format="float")
    assert vectors.data[0].embedding == list(VECTOR)


@pytest.mark.parametrize(
    ("fault", "kind", "status"),
    [
        ("busy_for_long", RateLimitError, 429),
        ("broken", InternalServerError, 500),
        ("overloaded", InternalServerError, 503),
        ("no_model", NotFoundError, 404),
        ("bad_request", BadRequestError, 400),
        ("wrong_key", InternalServerError, 502),
        ("hang_up", InternalServerError, 503),
    ],
)
def test_a_failure_of_the_model_is_the_exception_it_should_be(
    client: OpenAI, guest: Guest, fault: str, kind: type[APIStatusError], status: int
) -> None:
    for streamed in (False, True):
        guest.house.script.first[:] = [fault]
        with pytest.raises(kind) as raised:
            client.chat.completions.create(model="small", messages=HELLO, stream=streamed)
        assert raised.value.status_code == status
        body: Any = raised.value.body
        assert body["message"]
        if fault == "busy_for_long":
            assert raised.value.response.headers["retry-after"] == "120"
    assert guest.turns() == []


def test_our_own_refusals_are_the_exceptions_they_should_be(client: OpenAI, guest: Guest) -> None:
    with pytest.raises(BadRequestError) as bad:
        client.chat.completions.create(model="small", messages=[])
    assert bad.value.param == "messages"
    with pytest.raises(NotFoundError):
        client.chat.completions.create(
            model="small", messages=HELLO, extra_body={"ai_uuid": "nobody"}
        )
    with pytest.raises(AuthenticationError):
        client.with_options(api_key="mw_guessed").models.list()
    large = "x" * (ServerSettings().chat_body + 1)
    with pytest.raises(APIStatusError) as much:
        client.chat.completions.create(model="small", messages=[{"role": "user", "content": large}])
    assert much.value.status_code == 413
    assert guest.turns() == []
