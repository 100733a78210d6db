"""How a scene is read: with its questions, once for all aspects, in a language there is."""

import asyncio

import pytest

from memweaver.adapters.rules import open_rules
from memweaver.adapters.rules.finding import Rules
from memweaver.domain.candidate import Aspect, Candidate, Scene
from memweaver.domain.conversation import Message, Role
from memweaver.errors import ConfigurationError
from memweaver.ports.extract import Extractor
from memweaver.testing.conformance.extractor import everything, said


async def test_a_short_answer_is_read_with_its_question(extractor: Extractor) -> None:
    before = said(Message(Role.ASSISTANT, "Do you like country music?"), turn_id="t0")
    scene = Scene((said("Yes, I do."),), before=(before,))

    assert "User likes country music." in {one.text for one in await everything(extractor, scene)}


async def test_a_scene_is_read_once_for_all_aspects_and_anew_when_asked_later(
    extractor: Extractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Scene] = []
    genuine = Rules.found

    def counted(self: Rules, scene: Scene) -> list[Candidate]:
        read.append(scene)
        return genuine(self, scene)

    monkeypatch.setattr(Rules, "found", counted)
    scene, other = Scene((said("I live in Oslo."),)), Scene((said("I have a dog."),))
    asked = [extractor.extract(each, aspect) for each in (scene, other) for aspect in Aspect]
    answers = await asyncio.gather(*asked)
    assert [one.text for answer in answers for one in answer] == [
        "User lives in Oslo.",
        "User has a dog.",
    ]
    assert len(read) == 2
    await extractor.extract(scene, Aspect.SEMANTIC)
    assert len(read) == 3


async def test_who_no_longer_waits_for_an_aspect_does_not_take_it_from_others(
    extractor: Extractor,
) -> None:
    scene = Scene((said("I live in Oslo."),))
    loop = asyncio.get_running_loop()
    leaving, staying = (
        loop.create_task(extractor.extract(scene, Aspect.SEMANTIC)) for _ in range(2)
    )
    await asyncio.sleep(0)
    leaving.cancel()
    assert [one.text for one in await staying] == ["User lives in Oslo."]


async def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match=r"klingon.*english"):
        async with open_rules("klingon"):
            pass
