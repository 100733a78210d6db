"""The contract of the `ChatModel` port, as tests."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager

import pytest

from memweaver.domain.conversation import Message, Role
from memweaver.ports.models import ChatModel, Schema

QUESTION = [Message(Role.SYSTEM, "Answer in JSON."), Message(Role.USER, "How are you?")]
SCHEMA: Schema = {
    "title": "greeting",
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
ODD = ["", "  ", "\x00", "\ud800 alone", "👩‍🚀", "明日は東京へ行きます。", "a b c " * 50]
"""What nobody means to ask a model, and somebody will."""


class ChatModelSuite(ABC):
    """Subclass, and say how to open a model that answers whatever it is asked."""

    @abstractmethod
    def open_model(self) -> AbstractAsyncContextManager[ChatModel]: ...

    @pytest.fixture
    async def model(self) -> AsyncGenerator[ChatModel]:
        async with self.open_model() as model:
            yield model

    async def test_it_has_a_name(self, model: ChatModel) -> None:
        assert model.model.strip()

    @pytest.mark.parametrize("schema", [None, SCHEMA], ids=["free", "schema"])
    async def test_it_answers(self, model: ChatModel, schema: Schema | None) -> None:
        answer = await model.complete(QUESTION, schema=schema, tokens=20)
        assert answer.text.strip()
        assert answer.tokens_in >= 0
        assert answer.tokens_out >= 0

    @pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
    async def test_odd_messages_are_answered_too(self, model: ChatModel, text: str) -> None:
        messages = [QUESTION[0], Message(Role.USER, text, name="Ann")]
        assert isinstance((await model.complete(messages, schema=None, tokens=5)).text, str)

    async def test_many_at_once_are_all_answered(self, model: ChatModel) -> None:
        answers = await asyncio.gather(
            *(model.complete(QUESTION, schema=SCHEMA, tokens=20) for _ in range(5))
        )
        assert all(answer.text.strip() for answer in answers)

    async def test_whoever_stops_waiting_disturbs_nobody(self, model: ChatModel) -> None:
        async with asyncio.TaskGroup() as tasks:
            leaving = tasks.create_task(model.complete(QUESTION, schema=None, tokens=20))
            await asyncio.sleep(0)
            leaving.cancel()
        assert (await model.complete(QUESTION, schema=None, tokens=20)).text.strip()
