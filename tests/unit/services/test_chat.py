"""Chatting: what is remembered goes to the model, what is said is recorded, whatever happens."""

import asyncio
import json
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.unit.services.chats import MANNER, asked, chatting, event, said, talk, turns
from tests.unit.services.house import ANN, heard

from memweaver.app.sections import LimitSettings
from memweaver.app.settings import Settings
from memweaver.domain.scope import Scope
from memweaver.errors import (
    BackendUnavailable,
    Conflict,
    InvalidInput,
    ModelUnavailable,
)
from memweaver.testing.upstreams import ScriptedPassage


async def test_a_chat_is_reminded_answered_and_recorded() -> None:
    async with chatting() as (house, upstream):
        await house.services.record(ANN, heard("I moved to Oslo."))
        answer = await talk(house.services.chat, asked("Where did I move?"))

        assert "I moved to Oslo." in str(upstream.asked[0]["messages"])
        assert json.loads(answer)["choices"][0]["message"]["content"] == "Fine."
        assert (await said(house))[1] == ["Where did I move?", "Fine."]
        assert [turn.session for turn in await turns(house)] == ["default", "monday"]
        assert house.around.figures.told("chat_seconds", stage="first") == 1  # type: ignore[attr-defined]  # a tally
        assert house.around.figures.told("chat_seconds", stage="whole") == 1  # type: ignore[attr-defined]  # a tally


@pytest.mark.parametrize(("recall", "record"), [(False, True), (True, False)])
async def test_memory_can_be_left_out(*, recall: bool, record: bool) -> None:
    async with chatting() as (house, upstream):
        await house.services.record(ANN, heard("I moved to Oslo."))
        manner = replace(MANNER, recall=recall, record=record)
        await talk(house.services.chat, asked("Where did I move?"), manner)

        assert ("Oslo" in str(upstream.asked)) is recall
        assert len(await turns(house)) == 1 + record


@pytest.mark.parametrize(
    "request_",
    [
        {"messages": [{"role": "system", "content": "Oslo?"}]},
        asked("### Task:\nGenerate 1-3 broad tags.\n### Output:\nOslo"),
    ],
)
async def test_what_nobody_said_is_neither_reminded_nor_recorded(request_: dict[str, Any]) -> None:
    async with chatting() as (house, upstream):
        await house.services.record(ANN, heard("I moved to Oslo."))
        await talk(house.services.chat, request_)

        assert upstream.asked == [{**request_, "model": "scripted"}]
        assert len(await turns(house)) == 1


class Broken:
    """In the place of recall or record."""

    def __init__(self, error: BaseException | None, real: Any) -> None:
        self.error = error
        self.limits = real.limits
        self.gate = asyncio.Event()

    async def __call__(self, scope: Scope, what: Any, **_: Any) -> Any:
        if self.error:
            raise self.error
        await self.gate.wait()


FAILURES = [
    (BackendUnavailable("away"), "backend_unavailable"),
    (RuntimeError("a mistake"), "unforeseen"),
]


@pytest.mark.parametrize(("error", "code"), [*FAILURES, (None, "timeout")])
async def test_a_recall_that_fails_costs_the_chat_nothing(
    error: Exception | None, code: str
) -> None:
    async with chatting() as (house, _):
        broken: Any = Broken(error, house.services.recall)
        chat = replace(house.services.chat, recall=broken, patience=0.01 if error is None else 9)
        assert b"Fine." in await talk(chat, asked("Hello"))
        assert await said(house) == [["Hello", "Fine."]]
        assert house.around.figures.told("chat_recall_failed", code=code) == 1  # type: ignore[attr-defined]  # a tally


@pytest.mark.parametrize(("error", "code"), FAILURES)
async def test_a_record_that_fails_costs_the_chat_nothing(error: Exception, code: str) -> None:
    async with chatting() as (house, _):
        broken: Any = Broken(error, house.services.record)
        chat = replace(house.services.chat, record=broken)
        assert b"Fine." in await talk(chat, asked("Hello"))
        assert house.around.figures.told("chat_record_failed", code=code) == 1  # type: ignore[attr-defined]  # a tally


async def test_a_record_that_hangs_does_not_hold_up_the_answer() -> None:
    async with chatting() as (house, _):
        broken: Any = Broken(None, house.services.record)
        chat = replace(house.services.chat, record=broken, patience=0.01)
        assert b"Fine." in await talk(chat, asked("Hello"))
        broken.gate.set()
        await chat.settled()


async def test_whoever_is_cancelled_while_a_turn_is_recorded_still_leaves_it() -> None:
    async with chatting() as (house, _):
        answer = await house.services.chat(asked("Hello"), MANNER)
        [piece async for piece in answer]
        async with asyncio.TaskGroup() as tasks:
            closing = tasks.create_task(answer.aclose())
            await asyncio.sleep(0)
            closing.cancel()
        assert await said(house) == [["Hello", "Fine."]]


async def test_whoever_leaves_leaves_what_was_said_so_far() -> None:
    passage = ScriptedPassage([event("Once"), event(" upon"), event(" a")], "text/event-stream")
    async with chatting(passage) as (house, _):
        answer = await house.services.chat(asked("A story"), MANNER)
        pieces = aiter(answer)
        assert await anext(pieces) == event("Once")
        await answer.aclose()
        await answer.aclose()

        assert passage.closed == 1
        assert await said(house) == [["A story", "Once"]]
        assert (await turns(house))[0].metadata == {"broke_off": True}


LAST = b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'
DONE = b"data: [DONE]\n\n"


@pytest.mark.parametrize("failure", [None, ModelUnavailable("gone")])
async def test_an_answer_that_has_ended_is_whole_whoever_leaves_after_it(
    failure: Exception | None,
) -> None:
    pieces = [event("The end."), LAST, DONE, b"\n"]
    async with chatting(ScriptedPassage(pieces, "text/event-stream", failure=failure)) as (
        house,
        _,
    ):
        answer = await house.services.chat(asked("A story"), MANNER)
        with suppress(ModelUnavailable):
            async for piece in answer:
                if piece == DONE and not failure:
                    break
        await answer.aclose()

        assert await said(house) == [["A story", "The end."]]
        assert (await turns(house))[0].metadata == {}


async def test_a_model_that_breaks_off_leaves_what_it_said() -> None:
    pieces = [event("Once"), event(" upon")]
    failing = ScriptedPassage(pieces, "text/event-stream", failure=ModelUnavailable("gone"))
    async with chatting(failing) as (house, _):
        with pytest.raises(ModelUnavailable):
            await talk(house.services.chat, asked("A story"))
        assert await said(house) == [["A story", "Once upon"]]


async def test_a_model_that_breaks_off_before_a_word_leaves_nothing() -> None:
    failing = ScriptedPassage([], "text/event-stream", failure=ModelUnavailable("gone"))
    async with chatting(failing) as (house, _):
        with pytest.raises(ModelUnavailable):
            await talk(house.services.chat, asked("A story"))
        assert await turns(house) == []


async def test_whoever_leaves_before_a_word_leaves_what_was_asked() -> None:
    passage = ScriptedPassage([event("Once")], "text/event-stream")
    async with chatting(passage) as (house, _):
        await (await house.services.chat(asked("A story"), MANNER)).aclose()
        assert await said(house) == [["A story"]]
        assert (await turns(house))[0].metadata == {"broke_off": True}


async def test_a_model_that_cannot_be_reached_is_told_of_and_nothing_is_recorded() -> None:
    async with chatting(ModelUnavailable("away")) as (house, _):
        with pytest.raises(ModelUnavailable):
            await house.services.chat(asked("Hello"), MANNER)
        assert await turns(house) == []


async def test_a_refusal_is_passed_on_and_not_recorded() -> None:
    async with chatting(ScriptedPassage([b'{"error":{}}'], code=400)) as (house, _):
        assert await talk(house.services.chat, asked("Hello")) == b'{"error":{}}'
        assert await turns(house) == []


CALL = b'{"choices":[{"message":{"tool_calls":[{"id":"1"}]},"finish_reason":"tool_calls"}]}'
CALLED = {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}


async def test_a_turn_with_tools_is_recorded_once_when_it_is_through() -> None:
    async with chatting(ScriptedPassage([CALL])) as (house, _):
        chat = house.services.chat
        await talk(chat, asked("The weather?"))
        going_on = {"messages": [*asked("The weather?")["messages"], CALLED, {"role": "tool"}]}
        for _ in range(2):
            await talk(chat, going_on)
        assert await said(house) == [["The weather?", "Fine."]]


FORCED = {"tool_choice": {"type": "function", "function": {"name": "Weather"}}}


@pytest.mark.parametrize("idempotency", [None, "1"])
async def test_a_turn_whose_call_is_forced_is_recorded_with_the_call_and_only_once(
    idempotency: str | None,
) -> None:
    manner = replace(MANNER, idempotency=idempotency)
    async with chatting(ScriptedPassage([CALL]), ScriptedPassage([CALL])) as (house, _):
        chat, first = house.services.chat, asked("I live in Oslo.")
        await talk(chat, {**first, **FORCED}, manner)
        assert await said(house) == [["I live in Oslo."]]

        going_on = {"messages": [*first["messages"], CALLED, {"role": "tool"}]}
        for choice in (FORCED, {}):
            await talk(chat, {**going_on, **choice}, manner)
        assert await said(house) == [["I live in Oslo."]]


async def test_asking_anew_for_another_answer_records_nothing_more() -> None:
    other = ScriptedPassage([b'{"choices":[{"message":{"content":"Good."}}]}'])
    before = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    async with chatting(ScriptedPassage(), other) as (house, _):
        for _ in range(2):
            await talk(house.services.chat, asked("How are you?", *before))
        assert await said(house) == [["How are you?", "Fine."]]
        assert house.around.figures.told("chat_record_failed", code="conflict") == 0  # type: ignore[attr-defined]  # a tally


async def test_the_same_words_about_another_picture_are_recorded_too() -> None:
    before = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    async with chatting() as (house, _):
        for url in ("data:cat", "data:cat", "data:dog"):
            picture = {"type": "image_url", "image_url": {"url": url}}
            content = [{"type": "text", "text": "What is this?"}, picture]
            await talk(
                house.services.chat, {"messages": [*before, {"role": "user", "content": content}]}
            )
        assert len(await turns(house)) == 2


async def test_a_conversation_that_is_held_again_is_another_one() -> None:
    before = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    async with chatting() as (house, _):
        recorded = []
        for minutes in (30, 40, 15, 50, 24 * 60):
            house.clock.advance(timedelta(minutes=minutes))
            await talk(house.services.chat, asked("How are you?", *before))
            recorded.append(len(await turns(house)))
        assert recorded == [1, 1, 1, 2, 3]


async def test_a_callers_name_for_a_request_stands_for_its_words() -> None:
    manner = replace(MANNER, idempotency="1")
    async with chatting() as (house, upstream):
        chat = house.services.chat
        await talk(chat, asked("Yes"), manner)
        with pytest.raises(Conflict, match="Idempotency-Key"):
            await chat(asked("No"), manner)
        assert len(upstream.asked) == 1
        await talk(chat, asked("No"), replace(manner, record=False))
        assert await said(house) == [["Yes", "Fine."]]


async def test_a_name_that_cannot_be_looked_up_costs_the_chat_nothing() -> None:
    async with chatting() as (house, _):
        broken: Any = Broken(None, house.services.record)
        broken.store = broken
        broken.turn = Broken(BackendUnavailable("away"), house.services.record)
        broken.gate.set()
        chat = replace(house.services.chat, record=broken)
        assert b"Fine." in await talk(chat, asked("Yes"), replace(MANNER, idempotency="1"))
        code = "backend_unavailable"
        assert house.around.figures.told("chat_record_failed", code=code) == 1  # type: ignore[attr-defined]  # a tally


async def test_a_turn_is_recorded_once_under_a_callers_own_name_for_it() -> None:
    async with chatting() as (house, _):
        for name in ("1", "1", "2", None, None):
            await talk(house.services.chat, asked("Yes"), replace(MANNER, idempotency=name))
        assert len(await turns(house)) == 4


async def test_what_is_too_long_for_a_turn_is_cut_and_marked() -> None:
    settings = Settings(limits=LimitSettings(text=5))
    async with chatting(settings=settings) as (house, upstream):
        await talk(house.services.chat, asked("Good \ud800morning"))
        assert await said(house) == [["Good ", "Fine."]]
        assert (await turns(house))[0].metadata == {"cut": True}
        assert "morning" in str(upstream.asked)


ENDED = b'{"choices":[{"message":{"content":null},"finish_reason":"length"}]}'


@pytest.mark.parametrize(("pieces", "recorded"), [([], []), ([ENDED], [["Hello"]])])
async def test_an_answer_without_a_word_leaves_what_was_asked_if_it_is_one(
    pieces: list[bytes], recorded: list[list[str]]
) -> None:
    async with chatting(ScriptedPassage(pieces)) as (house, _):
        answer = await house.services.chat(asked("Hello"), MANNER)
        assert (answer.status, answer.headers) == (200, {"content-type": "application/json"})
        assert [piece async for piece in answer] == pieces
        await answer.aclose()
        assert await said(house) == recorded


async def test_a_chat_that_says_nothing_is_refused() -> None:
    async with chatting() as (house, _):
        with pytest.raises(InvalidInput):
            await house.services.chat({"messages": []}, MANNER)
