"""Logs: every reflection leaves its lines, with ids and numbers, and nothing that was said."""

import json
import logging
from collections.abc import Mapping
from typing import Any

import pytest
from tests.unit.services.house import ANN, a_house, heard

from memweaver.app.logging import configure_logging
from memweaver.app.settings import Settings
from memweaver.domain.candidate import Aspect
from memweaver.errors import MemweaverError, ModelOutputInvalid
from memweaver.services.reflect import Outcome
from memweaver.testing.minds import ScriptedExtractor

CANARY = "the heron nests at the old mill"
SESSION = "birdwatching"
SAID = heard(f"FACT: {CANARY}", SESSION)
GIVING_UP = Settings.model_validate({"reflector": {"max_retries": 0}})


class Quoting(ScriptedExtractor):
    """Breaks with an error that nobody foresaw and that quotes what was said."""

    async def extract(self, scene: object, aspect: Aspect) -> Any:
        raise RuntimeError(CANARY) from ValueError(CANARY)


async def written(
    extractor: ScriptedExtractor, capsys: pytest.CaptureFixture[str], *, plainly: bool = False
) -> tuple[str, Outcome | None, list[Mapping[str, Any]], str]:
    """The id of a job, how its reflection ended, and the log of it, also as it was written."""
    root = logging.getLogger()
    before = root.handlers, root.level
    try:
        configure_logging(Settings.model_validate({"log": LOUD}).log)
        if plainly:
            root.handlers[0].setFormatter(logging.Formatter())
        async with a_house(settings=GIVING_UP, extractor=extractor) as house:
            turn = await house.services.record(ANN, SAID)
            outcome = await house.services.shift()
    finally:
        root.handlers, root.level = before
    text = capsys.readouterr().err
    lines = [] if plainly else [json.loads(line) for line in text.splitlines()]
    return turn.id, outcome, lines, text


LOUD = {"level": "debug", "format": "json"}
ENDINGS: Mapping[str, tuple[ScriptedExtractor, Outcome]] = {
    "done": (ScriptedExtractor(), Outcome.DONE),
    "dead": (
        ScriptedExtractor(errors={Aspect.SEMANTIC: [ModelOutputInvalid("not JSON")]}),
        Outcome.DEAD,
    ),
    "broken": (Quoting(), Outcome.DEAD),
}


@pytest.mark.requirement("D11", "C1", "C11")
@pytest.mark.parametrize("ending", ENDINGS)
async def test_a_reflection_is_logged_by_its_ids_and_never_by_its_contents(
    ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    extractor, expected = ENDINGS[ending]

    job, outcome, lines, text = await written(extractor, capsys)

    assert outcome is expected
    [line] = [line for line in lines if line.get("action") == "reflected"]
    assert (line["outcome"], line["jobs"], line["attempt"]) == (expected.value, [job], 1)
    assert line["seconds"] >= 0
    for private in ("heron", "old mill", SESSION, f'"{ANN.user}"'):
        assert private not in text.lower()


async def test_a_log_that_quotes_somebody_is_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    class Loud(ScriptedExtractor):
        async def extract(self, scene: Any, aspect: Aspect) -> Any:
            logging.getLogger("loud").info("asked about: %s", scene.turns[0].messages[0].text)
            return []

    *_, text = await written(Loud(), capsys, plainly=True)

    assert "heron" in text


@pytest.mark.requirement("D8")
async def test_the_failure_that_is_kept_quotes_nobody_either() -> None:
    async with a_house(settings=GIVING_UP, extractor=Quoting()) as house:
        turn = await house.services.record(ANN, SAID)
        await house.services.shift()
        job = await house.services.jobs.job(ANN, turn.id)

    assert job.failure
    assert job.failure.code == MemweaverError.code
    assert "heron" not in job.failure.message
