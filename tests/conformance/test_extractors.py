"""The extractor suite on every extractor, and on broken ones to see that it notices."""

import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace

import pytest

from memweaver.adapters.ollama import open_ollama_chat
from memweaver.adapters.openai import open_openai_chat
from memweaver.adapters.prompted import Asking, PromptedExtractor
from memweaver.adapters.rules import open_rules
from memweaver.domain.candidate import Aspect, Candidate, CandidateKind, Scene
from memweaver.domain.conversation import Role
from memweaver.domain.memory import Tier
from memweaver.domain.origin import Authority
from memweaver.ports.extract import Extractor
from memweaver.testing.conformance import extractor as suite
from memweaver.testing.conformance.extractor import ExtractorSuite
from memweaver.testing.doubles import Asked, ScriptedModel, Tally
from memweaver.testing.echo import MOST, echo, statements
from memweaver.testing.model_server import Script, serving


def gullible(asked: Asked) -> Mapping[str, object]:
    """Finds everything worth remembering, says that the user said it, and believes in orders."""
    if asked.purpose != "semantic":
        return echo(asked.purpose, asked.text)
    told = [{**one, "speaker": "user", "kind": "preference"} for one in statements(asked.text)]
    wish = [{**one, "wish": "forget"} for one in told if "Forget" in str(one["text"])]
    foreign = {"turn": 99, "text": "User obeys.", "speaker": "user"}
    return {"memories": [*told[:MOST], *wish[:MOST], foreign]}


@asynccontextmanager
async def opened(extractor: Extractor) -> AsyncGenerator[Extractor]:
    yield extractor


class TestPrompted(ExtractorSuite):
    def open_extractor(self) -> AbstractAsyncContextManager[Extractor]:
        asking = Asking(ScriptedModel(otherwise=gullible), Tally(), tokens=1024)
        return opened(PromptedExtractor(asking))


class TestRules(ExtractorSuite):
    def open_extractor(self) -> AbstractAsyncContextManager[Extractor]:
        return open_rules("english", apart=False)


class TestRulesApart(ExtractorSuite):
    """In one process for all tests: it takes a while to begin."""

    def open_extractor(self) -> AbstractAsyncContextManager[Extractor]:
        return open_rules("english")

    @pytest.fixture(scope="class")
    async def extractor(self) -> AsyncGenerator[Extractor]:
        async with self.open_extractor() as extractor:
            yield extractor


class TestPromptedOverOpenAI(ExtractorSuite):
    @asynccontextmanager
    async def open_extractor(self) -> AsyncGenerator[Extractor]:
        async with serving(Script()) as service, open_openai_chat(url=service.url) as model:
            yield PromptedExtractor(Asking(model, Tally(), tokens=1024))


class TestPromptedOverOllama(ExtractorSuite):
    @asynccontextmanager
    async def open_extractor(self) -> AsyncGenerator[Extractor]:
        async with (
            serving(Script()) as service,
            open_ollama_chat(url=service.url.removesuffix("/v1")) as model,
        ):
            yield PromptedExtractor(Asking(model, Tally(), tokens=1024))


class Spoilt(Extractor):
    """Finds every message, and then does something wrong with it."""

    def __init__(self, spoil: Callable[[Candidate], Sequence[Candidate]]) -> None:
        self._spoil = spoil

    @property
    def name(self) -> str:
        return "spoilt"

    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        if aspect is not Aspect.SEMANTIC:
            return []
        said = [(turn, message) for turn in scene.turns for message in turn.messages]
        found = [
            Candidate(
                text=message.text[:500],
                kind=CandidateKind.FACT,
                tier=Tier.SEMANTIC,
                source=turn.id,
                speaker=message.role.value,
            )
            for turn, message in said
            if message.text.strip() and message.role is not Role.SYSTEM
        ]
        return [spoilt for one in found for spoilt in self._spoil(one)]


class Blocking(Spoilt):
    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        busy_until = time.perf_counter() + 0.3
        while time.perf_counter() < busy_until:
            pass
        return await super().extract(scene, aspect)


def keep(one: Candidate) -> Sequence[Candidate]:
    return [one]


TESTS = TestPrompted()


async def test_a_simple_extractor_is_accepted() -> None:
    await TESTS.test_a_plain_statement_is_found_and_names_its_turn(Spoilt(keep))
    await TESTS.test_nothing_is_found_twice(Spoilt(keep))
    await TESTS.test_others_run_meanwhile(Spoilt(keep))


async def test_the_suite_notices_a_foreign_source() -> None:
    foreign = Spoilt(lambda one: [replace(one, source="t0")])
    with pytest.raises(AssertionError):
        await TESTS.test_every_candidate_names_one_of_the_turns(foreign)
    with pytest.raises(AssertionError):
        await TESTS.test_text_that_gives_orders_is_not_obeyed(foreign, Role.USER)


async def test_the_suite_notices_what_is_too_much() -> None:
    with pytest.raises(AssertionError):
        await TESTS.test_whoever_rambles_is_cut_short(Spoilt(lambda one: [one] * 6))
    longer = Spoilt(lambda one: [replace(one, text=one.text * 2)])
    with pytest.raises(AssertionError):
        await TESTS.test_whoever_rambles_is_cut_short(longer)
    with pytest.raises(AssertionError):
        await TESTS.test_nothing_is_found_twice(Spoilt(lambda one: [one] * 2))


async def test_the_suite_notices_what_is_known() -> None:
    with pytest.raises(AssertionError):
        await TESTS.test_what_is_known_is_not_extracted_again(Spoilt(keep))


async def test_the_suite_notices_an_assistant_that_gives_orders() -> None:
    ordering = Spoilt(lambda one: [replace(one, authority=Authority.INSTRUCTION)])
    with pytest.raises(AssertionError):
        await TESTS.test_only_the_user_says_more_than_facts(ordering)


async def test_the_suite_notices_candidates_that_are_not_sound() -> None:
    with pytest.raises(AssertionError):
        await TESTS.test_candidates_are_sound(Spoilt(lambda one: [replace(one, key="home")]))
    with pytest.raises(AssertionError):
        await TESTS.test_candidates_are_sound(Spoilt(lambda one: [replace(one, importance=2)]))


async def test_the_suite_notices_an_extractor_that_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "LONGEST_STOP", 0.2)
    with pytest.raises(AssertionError):
        await TESTS.test_others_run_meanwhile(Blocking(keep))
