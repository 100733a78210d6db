"""The models without a model that others test with."""

import subprocess
import sys
from collections.abc import Generator

import pytest

from memweaver.adapters.openai import open_openai_chat
from memweaver.domain.conversation import Message, Role
from memweaver.errors import ModelRefused
from memweaver.ports.models import Completion
from memweaver.testing.conformance.chat import QUESTION
from memweaver.testing.doubles import ScriptedModel
from memweaver.testing.echo import echo, statements
from memweaver.testing.faults import FAULTS, PASSING
from memweaver.testing.model_server import Script, serving

DATA = """<data 1>
KNOWN
known 1, core, from 2026-01-01
| home: Oslo
BEFORE
said on Sunday
speaker: user
| I was here before.
TURNS
turn 3, said on Monday
speaker: user
| I like tea. Do you?
speaker: assistant
| I do!
</data 1>"""


async def test_a_scripted_model_answers_in_order_and_then_otherwise() -> None:
    model = ScriptedModel("one", {"two": 2}, Completion("3", finished=False), ModelRefused("no"))
    answers = [await model.complete(QUESTION, schema=None, tokens=7) for _ in range(3)]
    assert [answer.text for answer in answers] == ["one", '{"two": 2}', "3"]
    assert not answers[2].finished
    with pytest.raises(ModelRefused):
        await model.complete(QUESTION, schema=None, tokens=7)
    assert (await model.complete(QUESTION, schema=None, tokens=7)).text == '{"memories": []}'


async def test_a_scripted_model_keeps_what_it_was_asked() -> None:
    model = ScriptedModel(otherwise=lambda asked: f"{asked.purpose}: {asked.text}")
    answer = await model.complete(QUESTION, schema={"title": "decide"}, tokens=7)
    assert answer.text == "decide: How are you?"
    assert [(one.messages, one.tokens) for one in model.asked] == [(QUESTION, 7)]


def test_an_echo_finds_every_sentence_of_the_new_turns() -> None:
    found = [(one["turn"], one["speaker"], one["text"]) for one in statements(DATA)]
    assert found == [
        (3, "user", "I like tea."),
        (3, "user", "Do you?"),
        (3, "assistant", "I do!"),
    ]
    assert echo("semantic", DATA) == {"memories": list(statements(DATA))}
    assert echo("episodic", DATA) == {"memories": []}
    assert echo("decide", DATA)["action"] == "add"


def test_faults_come_as_often_as_told_and_the_same_for_a_seed() -> None:
    def faults(seed: int) -> list[object]:
        script = Script(faults=0.3, seed=seed)
        return [script.fault() for _ in range(1000)]

    some = [fault for fault in faults(7) if fault]
    assert 200 < len(some) < 400
    assert all(any(fault is FAULTS[name] for name in PASSING) for fault in some)
    assert faults(7) == faults(7) != faults(8)


async def test_a_server_answers_late(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("memweaver.testing.model_server.asyncio.sleep", wait)
    async with serving(Script(latency=0.2)) as script, open_openai_chat(url=script.url) as model:
        await model.complete(QUESTION, schema=None, tokens=7)
    assert waited == [0.2, 0]


@pytest.fixture
def server() -> Generator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "memweaver.testing.model_server", "--latency", "0.01"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process


async def test_a_server_of_its_own_ends_with_its_input(server: subprocess.Popen[str]) -> None:
    assert server.stdin is not None
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    async with open_openai_chat(url=url) as model:
        schema = {"title": "semantic", "type": "object"}
        answer = await model.complete([Message(Role.USER, DATA)], schema=schema, tokens=99)
    assert "I like tea." in answer.text
    server.stdin.close()
    assert server.wait(timeout=60) == 0
