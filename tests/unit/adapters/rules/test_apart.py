"""The rules in a process of their own: what becomes of those who ask when it fails."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from traceback import format_exception

import psutil
import pytest

from memweaver.adapters.rules import apart, open_rules
from memweaver.adapters.rules.__main__ import answer
from memweaver.adapters.rules.apart import Apart
from memweaver.adapters.rules.finding import Rules
from memweaver.adapters.rules.language import language_named
from memweaver.adapters.rules.wire import question
from memweaver.background import LAST
from memweaver.domain.candidate import Aspect, Candidate, Scene
from memweaver.errors import ConfigurationError, ModelOutputInvalid, ModelUnavailable
from memweaver.testing.conformance.extractor import remembered, said

PATIENCE = 20.0
SCENE = Scene((said("I live in Oslo."),))
LONG = Scene(tuple(said("My sister likes tea and I like my job. " * 60) for _ in range(10)))
OUTLIVING = """
import asyncio, psutil, signal
from memweaver.adapters.rules.apart import Apart
from memweaver.testing.conformance.extractor import said
from memweaver.domain.candidate import Scene

async def main():
    await Apart("english")(Scene((said("I live in Oslo."),)))
    [child] = psutil.Process().children()
    print(child.pid, flush=True)
    signal.pause()

asyncio.run(main())
"""


@pytest.fixture
async def reader() -> AsyncGenerator[Apart]:
    reader = Apart("english")
    yield reader
    await reader.close()


def texts(found: Sequence[Candidate]) -> list[str]:
    return [one.text for one in found]


def child() -> psutil.Process:
    [one] = [each for each in psutil.Process().children() if apart.PROGRAM in each.cmdline()]
    return one


def instead(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have another program begun in place of the rules."""
    program = folder / "program"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))


async def test_it_is_begun_when_the_first_scene_comes_and_ends_when_it_is_closed() -> None:
    reader = Apart("english")
    assert not any(apart.PROGRAM in each.cmdline() for each in psutil.Process().children())
    assert texts(await reader(SCENE)) == ["User lives in Oslo."]
    process = child()
    await reader.close()
    assert not process.is_running()
    await reader.close()


async def test_it_finds_what_the_rules_find_in_a_thread(reader: Apart) -> None:
    scene = Scene(
        (said("I moved to Lyon yesterday. Remember that my door code is 4711."),),
        before=(said("I have a dog called Rex.", turn_id="t0"),),
        zone="Europe/Paris",
    )
    assert list(await reader(scene)) == Rules(language_named("english")).found(scene)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system decides")
async def test_it_has_the_processor_behind_us(reader: Apart) -> None:
    await reader(SCENE)
    process = child()
    assert process.nice() >= LAST
    assert os.getsid(process.pid) == os.getsid(0)
    assert os.getpgid(process.pid) != os.getpgid(0)


async def test_nothing_in_the_working_directory_is_taken_for_it(
    reader: Apart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "logging.py").write_text("raise SystemExit(3)")
    (tmp_path / "memweaver").mkdir()
    (tmp_path / "memweaver" / "__init__.py").write_text("raise SystemExit(4)")
    monkeypatch.chdir(tmp_path)
    assert texts(await reader(SCENE)) == ["User lives in Oslo."]


async def test_one_that_died_is_replaced(reader: Apart) -> None:
    await reader(SCENE)
    process = reader._process
    assert process is not None
    process.kill()
    await process.wait()
    assert texts(await reader(SCENE)) == ["User lives in Oslo."]


async def test_whoever_asks_while_it_dies_is_told_and_the_next_one_is_served(reader: Apart) -> None:
    await reader(SCENE)
    asking = asyncio.get_running_loop().create_task(reader(LONG))
    await asyncio.sleep(0)
    child().send_signal(signal.SIGKILL)
    with pytest.raises(ModelUnavailable, match=f"-9.*python -m {apart.PROGRAM}"):
        await asking
    assert texts(await reader(SCENE)) == ["User lives in Oslo."]


async def test_who_leaves_midway_leaves_no_answer_to_the_next(reader: Apart) -> None:
    await reader(SCENE)
    leaving = asyncio.get_running_loop().create_task(reader(LONG))
    await asyncio.sleep(0)
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert texts(await reader(SCENE)) == ["User lives in Oslo."]


async def test_one_that_hangs_is_ended(
    reader: Apart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead(tmp_path, "exec sleep 60", monkeypatch)
    monkeypatch.setattr(apart, "PATIENCE", 0.2)
    before = set(psutil.Process().children())
    asking = asyncio.get_running_loop().create_task(reader(SCENE))
    while not (begun := set(psutil.Process().children()) - before):  # noqa: ASYNC110 - of others
        await asyncio.sleep(0.01)
    with pytest.raises(ModelUnavailable, match="no answer within"):
        await asking
    assert not psutil.wait_procs(begun, PATIENCE)[1]


async def test_a_program_that_cannot_be_begun_is_a_model_that_is_away(
    reader: Apart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    with pytest.raises(ModelUnavailable, match="No such file"):
        await reader(SCENE)


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ('{"broke": "ValueError in found, line 7"}', ModelOutputInvalid),
        ('{"missing": "the rules need the package x"}', ConfigurationError),
        ('{"found": "Oslo, line 7"}', ModelOutputInvalid),
        ("Oslo", ModelOutputInvalid),
    ],
)
async def test_what_is_wrong_there_is_raised_here(
    reader: Apart,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    told: str,
    kind: type[Exception],
) -> None:
    instead(tmp_path, f"read line\necho '{told}'\nexec cat", monkeypatch)
    with pytest.raises(kind, match=r"found, line 7|package x|gave no answer") as raised:
        await reader(SCENE)
    assert "Oslo" not in "".join(format_exception(raised.value))


def test_what_breaks_is_told_without_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_self: Rules, scene: Scene) -> list[Candidate]:
        raise ValueError(scene.turns[0].messages[0].text)

    monkeypatch.setattr(Rules, "found", broken)
    told = answer(Rules(language_named("english")), question(SCENE))
    assert told.broke.startswith("ValueError in broken")
    assert "Oslo" not in told.broke


def test_a_missing_parser_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    language = language_named("english")
    assert language.parser is not None
    monkeypatch.setitem(sys.modules, language.parser, None)
    told = answer(Rules(language), question(SCENE))
    assert f"need the package `{language.parser}`" in told.missing


def test_it_does_not_outlive_whoever_began_it() -> None:
    with subprocess.Popen([sys.executable, "-c", OUTLIVING], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        process = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    with suppress(psutil.TimeoutExpired):  # where nobody buries it
        process.wait(PATIENCE)
    assert not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


async def test_what_hangs_on_turns_and_memories_beside_their_words_is_not_sent(
    reader: Apart,
) -> None:
    deep: object = "x"
    for _ in range(400):
        deep = [deep]
    turn = replace(said("I leave tomorrow."), metadata={"deep": deep, "timezone": "Asia/Tokyo"})
    core = replace(remembered("User has a dog."), metadata={"deep": deep})
    scene = Scene((turn,), core=(core,), episodes=(core,))
    assert b"deep" not in question(scene)
    assert list(await reader(scene)) == Rules(language_named("english")).found(scene)


async def test_closing_ends_what_is_read_and_what_waits() -> None:
    before = set(psutil.Process().children())
    async with open_rules("english") as extractor:
        asking = [
            asyncio.get_running_loop().create_task(extractor.extract(scene, Aspect.SEMANTIC))
            for scene in (LONG, SCENE)
        ]
        while not set(psutil.Process().children()) - before:  # noqa: ASYNC110 - of others
            await asyncio.sleep(0.01)
    assert all(isinstance(each, asyncio.CancelledError) for each in await answers(asking))
    assert set(psutil.Process().children()) <= before


async def answers(asking: Sequence[asyncio.Task[Sequence[Candidate]]]) -> Sequence[object]:
    return await asyncio.gather(*asking, return_exceptions=True)


async def test_a_program_that_is_no_python_is_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(ConfigurationError, match="MEMWEAVER_EXTRACTOR__APART=false"):
        async with open_rules("english"):
            pass


async def test_without_a_process_a_thread_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere")
    async with open_rules("english", apart=False) as extractor:
        found = await extractor._read(SCENE)
    assert texts(found) == ["User lives in Oslo."]
