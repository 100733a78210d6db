"""Conversing: a session that goes on, and models that say nothing."""

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.services.chats import MANNER, chatting, event, turns
from tests.unit.services.house import ANN, BOB

from memweaver.errors import (
    Forbidden,
    ModelBusy,
    ModelOutputInvalid,
    ModelRefused,
    ModelUnavailable,
    NotFound,
)
from memweaver.services.chat import Manner
from memweaver.testing.upstreams import ScriptedPassage

WORDLESS = b'{"choices":[{"index":0,"finish_reason":"stop","message":null}]}'
"""An answer that has come to its end, without a message."""
EVENTS = "text/event-stream"


async def test_a_session_goes_on() -> None:
    async with chatting() as (house, upstream):
        converse = house.services.converse
        first = await converse(MANNER, "I live\nin Oslo.", None)
        assert first.text == "Fine."
        session = await house.services.sessions.session(ANN, first.session)
        assert session.name == "I live in Oslo."

        second = await converse(MANNER, "Where do I live?", first.session)

        assert second.session == first.session
        asked: Any = upstream.asked[1]["messages"]
        assert [one["role"] for one in asked] == ["user", "assistant", "user"]
        with pytest.raises(NotFound):
            await converse(Manner(BOB), "Where does she live?", first.session)


async def test_no_session_goes_on_for_who_may_not_read() -> None:
    async with chatting() as (house, upstream):
        session = (await house.services.converse(MANNER, "I live in Oslo.", None)).session
        for name in (session, "none"):
            with pytest.raises(Forbidden, match="lacks the permission `read`"):
                await house.services.converse(replace(MANNER, recall=False), "Where?", name)
        assert len(upstream.asked) == 1


async def test_no_session_begins_for_who_may_not_write() -> None:
    async with chatting() as (house, upstream):
        with pytest.raises(Forbidden, match="lacks the permission `write`"):
            await house.services.converse(replace(MANNER, record=False), "Hello", None)
        assert (await house.services.sessions.all(ANN)).items == []
        assert upstream.asked == []


async def test_who_may_only_read_goes_on_with_a_session_unrecorded() -> None:
    async with chatting() as (house, _):
        session = (await house.services.converse(MANNER, "I live in Oslo.", None)).session
        await house.services.converse(replace(MANNER, record=False), "Where?", session)
        assert len(await turns(house)) == 1


async def test_a_session_begun_without_a_word_has_a_name_nevertheless() -> None:
    async with chatting() as (house, _):
        reply = await house.services.converse(MANNER, "\x00", None)
        assert (await house.services.sessions.session(ANN, reply.session)).name == "Chat"


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (ModelUnavailable("away"), ModelUnavailable),
        (ScriptedPassage(code=429), ModelBusy),
        (ScriptedPassage(code=500), ModelRefused),
        (ScriptedPassage([b"<html>"]), ModelOutputInvalid),
        (ScriptedPassage([b"[]"]), ModelOutputInvalid),
        (ScriptedPassage([b'{"choices":[]}']), ModelOutputInvalid),
        (ScriptedPassage([WORDLESS]), ModelOutputInvalid),
        (ScriptedPassage([event("Fine.")], EVENTS), ModelOutputInvalid),
        (
            ScriptedPassage([event("Fi")], EVENTS, failure=ModelUnavailable("away")),
            ModelUnavailable,
        ),
    ],
)
async def test_a_model_that_says_nothing_is_told_of(answer: Any, error: type[Exception]) -> None:
    async with chatting(answer) as (house, _):
        with pytest.raises(error):
            await house.services.converse(MANNER, "Hello", None)
        assert (await house.services.sessions.all(ANN)).items == []
        assert await turns(house) == []


async def test_what_is_sent_again_after_no_message_is_in_the_session_it_is_answered_in() -> None:
    async with chatting(ScriptedPassage([WORDLESS]), ScriptedPassage()) as (house, _):
        manner = replace(MANNER, idempotency="k")
        with pytest.raises(ModelOutputInvalid):
            await house.services.converse(manner, "My cat is Tom.", None)
        reply = await house.services.converse(manner, "My cat is Tom.", None)
        [turn] = (await house.services.sessions.history(ANN, reply.session)).items
        assert [one.text for one in turn.messages] == ["My cat is Tom.", "Fine."]


async def test_a_session_stays_when_a_later_message_fails() -> None:
    async with chatting(ScriptedPassage(), ModelUnavailable("away")) as (house, _):
        session = (await house.services.converse(MANNER, "Hello", None)).session
        with pytest.raises(ModelUnavailable):
            await house.services.converse(MANNER, "Hello", session)
        assert [one.id for one in (await house.services.sessions.all(ANN)).items] == [session]
