"""What a chat costs: the tokens of a day, told by the model or estimated."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.unit.services.chats import MANNER, asked, chatting, event, talk, turns
from tests.unit.services.house import ANN, House

from memweaver.adapters.memory.counter import InMemoryCounter
from memweaver.app.house_sections import AccessSettings
from memweaver.app.settings import Settings
from memweaver.errors import BackendUnavailable, ModelUnavailable, RateLimited
from memweaver.ports.counter import Counted
from memweaver.services.chat import Chat
from memweaver.testing.upstreams import ScriptedPassage

USED = b'{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":40,"completion_tokens":7}}'


@pytest.mark.parametrize(
    "answer",
    [
        ScriptedPassage([USED]),
        ScriptedPassage([event("A word or two " * 20)], "text/event-stream"),
    ],
    ids=["told", "estimated"],
)
async def test_whoever_has_spent_all_tokens_of_a_day_waits(answer: ScriptedPassage) -> None:
    settings = Settings(access=AccessSettings(tokens_per_day=47))
    async with chatting(answer, settings=settings) as (house, upstream):
        await talk(house.services.chat, asked("Hello"), replace(MANNER, record=False))
        with pytest.raises(RateLimited):
            await house.services.chat(asked("Hello"), MANNER)
        assert len(upstream.asked) == 1
        assert await turns(house) == []


GARBLED = b"\x1f\x8b\x08"


@pytest.mark.parametrize(
    "answer",
    [
        ScriptedPassage([GARBLED]),
        ScriptedPassage([GARBLED], "text/event-stream"),
        ScriptedPassage([GARBLED], "text/event-stream", failure=ModelUnavailable("gone")),
    ],
    ids=["whole", "streamed", "broken"],
)
async def test_an_answer_that_is_not_understood_costs_what_was_read_and_is_not_recorded(
    answer: ScriptedPassage,
) -> None:
    settings = Settings(access=AccessSettings(tokens_per_day=10))
    async with chatting(answer, settings=settings) as (house, upstream):
        with suppress(ModelUnavailable):
            await talk(house.services.chat, asked("Hello " * 100))
        with pytest.raises(RateLimited):
            await house.services.chat(asked("Hello"), MANNER)
        assert len(upstream.asked) == 1
        assert await turns(house) == []


COSTLY = (
    b'{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":60,"completion_tokens":40}}'
)


async def test_many_chats_at_once_do_not_spend_more_than_one_too_many() -> None:
    settings = Settings(access=AccessSettings(tokens_per_day=150))
    answers = [ScriptedPassage([COSTLY]) for _ in range(10)]
    async with chatting(*answers, settings=settings) as (house, upstream):
        request = {**asked("Hello"), "max_tokens": 98}
        chats = (talk(house.services.chat, request) for _ in range(10))
        ended = await asyncio.gather(*chats, return_exceptions=True)

        assert len(upstream.asked) == 2
        assert sum(isinstance(one, RateLimited) for one in ended) == 8


@pytest.mark.parametrize(
    "failing", [ModelUnavailable("away"), ScriptedPassage([b'{"error":{}}'], code=500)]
)
async def test_what_comes_to_nothing_costs_nothing(failing: Any) -> None:
    settings = Settings(access=AccessSettings(tokens_per_day=10))
    async with chatting(failing, failing, settings=settings) as (house, _):
        chat = house.services.chat
        for ask in (
            lambda: talk(chat, asked("Hello")),
            lambda: chat.embeddings({"input": "Hello " * 100}, ANN.user),
        ):
            with suppress(ModelUnavailable):
                await ask()
        assert b"Fine." in await talk(chat, asked("Hello"))


async def test_a_model_that_breaks_off_before_a_byte_costs_nothing() -> None:
    settings = Settings(access=AccessSettings(tokens_per_day=10))
    failing = ScriptedPassage([], "text/event-stream", failure=ModelUnavailable("gone"))
    async with chatting(failing, settings=settings) as (house, _):
        with pytest.raises(ModelUnavailable):
            await talk(house.services.chat, asked("Hello " * 100))
        assert b"Fine." in await talk(house.services.chat, asked("Hello"))


class CountsOnce(InMemoryCounter):
    """Sets aside what a chat may cost, and is away when it is to be settled."""

    async def add(self, name: str, amount: int, window: timedelta, now: datetime) -> Counted:
        counted = await super().add(name, amount, window, now)
        if counted.now != amount:
            raise BackendUnavailable("away")
        return counted


def miscounting(house: House) -> Chat:
    chat = house.services.chat
    return replace(chat, quota=replace(chat.quota, counter=CountsOnce(), tokens_per_day=1000))


async def test_a_chat_whose_cost_cannot_be_settled_is_recorded() -> None:
    async with chatting() as (house, _):
        assert b"Fine." in await talk(miscounting(house), asked("Hello"))
        assert len(await turns(house)) == 1


async def test_a_cost_that_cannot_be_settled_does_not_hide_what_the_model_said() -> None:
    away, failed = ModelUnavailable("away"), ScriptedPassage([b'{"error":{}}'], code=500)
    async with chatting(away, away, failed) as (house, _):
        with pytest.raises(ModelUnavailable):
            await talk(miscounting(house), asked("Hello"))
        with pytest.raises(ModelUnavailable):
            await miscounting(house).embeddings({"input": "Hello"}, ANN.user)
        assert (await miscounting(house).embeddings({"input": "Hello"}, ANN.user)).status == 500


async def test_embeddings_are_spent_too() -> None:
    settings = Settings(access=AccessSettings(tokens_per_day=100))
    async with chatting(settings=settings) as (house, upstream):
        asking: dict[str, Any] = {"input": "Hello " * 100, "api_key": "theirs"}
        assert (await house.services.chat.embeddings(asking, ANN.user)).status == 200
        for ask in (
            house.services.chat.embeddings(asking, ANN.user),
            talk(house.services.chat, asked("Hello")),
        ):
            with pytest.raises(RateLimited):
                await ask
        assert upstream.asked == [{"input": "Hello " * 100}]


async def test_tokens_are_counted() -> None:
    whole = b'{"choices":[],"usage":{"prompt_tokens":40,"completion_tokens":7}}'
    async with chatting(ScriptedPassage([whole])) as (house, _):
        await talk(house.services.chat, asked("Hello"))
        figures: Any = house.around.figures
        for direction, tokens in (("in", 40), ("out", 7)):
            labels = {"model": "scripted", "purpose": "chat", "direction": direction}
            assert figures.told("model_tokens", **labels) == tokens
