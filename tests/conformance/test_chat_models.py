"""The chat model suite on every chat model, and on broken ones to see that it notices."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from memweaver.adapters.ollama import open_ollama_chat
from memweaver.adapters.openai import open_openai_chat
from memweaver.domain.conversation import Message
from memweaver.errors import ModelUnavailable
from memweaver.ports.models import ChatModel, Completion, Schema
from memweaver.testing.conformance.chat import ChatModelSuite
from memweaver.testing.doubles import ScriptedModel
from memweaver.testing.model_server import Script, serving


@asynccontextmanager
async def opened(model: ChatModel) -> AsyncGenerator[ChatModel]:
    yield model


class TestScripted(ChatModelSuite):
    def open_model(self) -> AbstractAsyncContextManager[ChatModel]:
        return opened(ScriptedModel(latency=0.01))


class TestOpenAI(ChatModelSuite):
    @asynccontextmanager
    async def open_model(self) -> AsyncGenerator[ChatModel]:
        async with serving(Script()) as service, open_openai_chat(url=service.url) as model:
            yield model


class TestOllama(ChatModelSuite):
    @asynccontextmanager
    async def open_model(self) -> AsyncGenerator[ChatModel]:
        async with (
            serving(Script()) as service,
            open_ollama_chat(url=service.url.removesuffix("/v1")) as model,
        ):
            yield model


class Silent(ScriptedModel):
    async def complete(
        self, messages: Sequence[Message], *, schema: Schema | None, tokens: int
    ) -> Completion:
        return Completion(" ")


class OneAtATime(ScriptedModel):
    busy = False

    async def complete(
        self, messages: Sequence[Message], *, schema: Schema | None, tokens: int
    ) -> Completion:
        if self.busy:
            raise ModelUnavailable("busy")
        self.busy = True
        try:
            return await super().complete(messages, schema=schema, tokens=tokens)
        finally:
            self.busy = False


async def test_the_suite_notices_a_model_that_says_nothing() -> None:
    with pytest.raises(AssertionError):
        await TestScripted().test_it_answers(Silent(), None)


async def test_the_suite_notices_a_model_that_answers_one_at_a_time() -> None:
    with pytest.raises(ModelUnavailable):
        await TestScripted().test_many_at_once_are_all_answered(OneAtATime(latency=0.01))
