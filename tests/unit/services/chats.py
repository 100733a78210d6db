"""Chats with a scripted model, and what is kept of them."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from tests.unit.services.house import ANN, House, a_house

from memweaver.app.found import Around
from memweaver.app.settings import Settings
from memweaver.domain.conversation import Turn
from memweaver.services.chat import Chat, Manner
from memweaver.testing.doubles import Tally
from memweaver.testing.upstreams import ScriptedUpstream

MANNER = Manner(ANN, "monday")


def event(text: str) -> bytes:
    return f"data: {json.dumps({'choices': [{'delta': {'content': text}}]})}\n\n".encode()


def asked(text: str, *before: dict[str, Any]) -> dict[str, Any]:
    return {"messages": [*before, {"role": "user", "content": text}]}


@asynccontextmanager
async def chatting(
    *answers: Any, settings: Settings | None = None
) -> AsyncGenerator[tuple[House, ScriptedUpstream]]:
    upstream = ScriptedUpstream([*answers])
    around = Around(figures=Tally(), upstream=upstream)
    async with a_house(around=around, settings=settings) as house:
        yield house, upstream


async def talk(chat: Chat, request: dict[str, Any], manner: Manner = MANNER) -> bytes:
    answer = await chat(request, manner)
    try:
        return b"".join([piece async for piece in answer])
    finally:
        await answer.aclose()


async def turns(house: House) -> Sequence[Turn]:
    await house.services.chat.settled()
    page = await house.services.curate.turns(ANN, limit=50)
    return list(reversed(page.items))


async def said(house: House) -> list[list[str]]:
    return [[message.text for message in turn.messages] for turn in await turns(house)]
