"""LangChain's ChatOpenAI, unmodified but for its address."""

import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import SecretStr
from tests.proxy.house import Guest

from memweaver.testing.speaking import VECTOR, Reply


@tool
def weather(city: str) -> str:
    """The weather in a city."""
    return f"rain in {city}"


@pytest.fixture
def model(guest: Guest) -> ChatOpenAI:
    return ChatOpenAI(
        model="small",
        api_key=SecretStr(guest.secret),
        base_url=guest.base_url,
        max_retries=0,
        stream_usage=True,
    )


def test_a_chat_and_a_stream(model: ChatOpenAI, guest: Guest) -> None:
    assert model.invoke("Hello").content == "Fine, thank you."
    assert "".join(str(piece.content) for piece in model.stream("Hello")) == "Fine, thank you."
    assert guest.said() == [["Hello", "Fine, thank you."]] * 2


async def test_the_asynchronous_ways(model: ChatOpenAI) -> None:
    assert (await model.ainvoke("Hello")).content == "Fine, thank you."
    pieces = [str(piece.content) async for piece in model.astream("Hello")]
    assert "".join(pieces) == "Fine, thank you."


def test_tools(model: ChatOpenAI, guest: Guest) -> None:
    guest.house.script.replies[:] = [Reply("", [("weather", {"city": "Oslo"})]), Reply("It rains.")]
    bound = model.bind_tools([weather])
    asked = HumanMessage("How is the weather in Oslo?")
    called = bound.invoke([asked])
    [call] = called.tool_calls
    result = ToolMessage(weather.invoke(call["args"]), tool_call_id=str(call["id"]))
    assert bound.invoke([asked, called, result]).content == "It rains."
    assert guest.said() == [["How is the weather in Oslo?", "It rains."]]


def test_a_shape_asked_for_by_a_call(model: ChatOpenAI, guest: Guest) -> None:
    guest.house.script.replies[:] = [Reply("", [("weather", {"city": "Oslo"})])]
    shaped = model.with_structured_output(weather.args_schema, method="function_calling")
    shaped.invoke("I live in Oslo.")
    assert guest.said() == [["I live in Oslo."]]


def test_embeddings(guest: Guest) -> None:
    embeddings = OpenAIEmbeddings(
        model="small",
        api_key=SecretStr(guest.secret),
        base_url=guest.base_url,
        check_embedding_ctx_length=False,
    )
    assert embeddings.embed_query("Hello") == list(VECTOR)
