"""A real language model behind a real server: what it says ends in candidates or a named error."""

import json
from collections.abc import AsyncGenerator, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from tests.servers import llama_keeper
from tests.servers.llama import private_llama

from memweaver.adapters.openai import open_openai_chat
from memweaver.adapters.prompted import Asking, PromptedExtractor
from memweaver.domain.candidate import Aspect, Scene
from memweaver.domain.conversation import Message, Role
from memweaver.errors import ModelOutputInvalid
from memweaver.ports.models import ChatModel
from memweaver.testing.conformance.chat import QUESTION, SCHEMA, ChatModelSuite
from memweaver.testing.conformance.extractor import assert_sound, said
from memweaver.testing.doubles import Tally

PATIENCE = 300.0
"""Seconds for one answer, on a machine that is busy with everything else."""
TURNS = (
    said("My name is Dana and I live in Lyon.", Message(Role.ASSISTANT, "Nice to meet you!")),
    said("I fly to Oslo next Friday.", turn_id="t2"),
)


@pytest.fixture(scope="module")
def llama() -> Generator[str]:
    with private_llama() as url:
        yield url


@asynccontextmanager
async def opened(url: str) -> AsyncGenerator[ChatModel]:
    async with open_openai_chat(url=url, model="smollm2", timeout=PATIENCE) as model:
        yield model


class TestLlama(ChatModelSuite):
    @pytest.fixture(autouse=True)
    def _found(self, llama: str) -> None:
        self.url = llama

    def open_model(self) -> AbstractAsyncContextManager[ChatModel]:
        return opened(self.url)


async def test_its_answer_is_held_to_a_schema(llama: str) -> None:
    async with opened(llama) as model:
        answer = await model.complete(QUESTION, schema=SCHEMA, tokens=60)
    assert answer.tokens_in > 0
    assert 0 < answer.tokens_out <= 60
    assert not answer.finished or list(json.loads(answer.text)) == ["word"]


@pytest.mark.requirement("C9", "D5")
async def test_extraction_ends_in_candidates_or_a_named_error(llama: str) -> None:
    async with opened(llama) as model:
        meter = Tally()
        extractor = PromptedExtractor(Asking(model, meter, tokens=100))
        try:
            found = await extractor.extract(Scene(TURNS), Aspect.PROCEDURAL)
        except ModelOutputInvalid:
            found = []
    assert meter.told("model_tokens", model="smollm2", purpose="procedural", direction="in") > 500
    for one in found:
        assert one.source in {"t1", "t2"}
        assert_sound(one)


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama_keeper, "installed_model", lambda: None)


@pytest.mark.usefixtures("nothing_installed")
def test_on_a_laptop_its_absence_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="NOT TESTED ON LLAMA"):
        enter()


@pytest.mark.usefixtures("nothing_installed")
def test_where_all_must_be_proven_its_absence_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="must be tested here"):
        enter()


def enter() -> None:
    with private_llama():
        pass
