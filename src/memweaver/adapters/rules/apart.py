"""The rules in a process of their own, which is begun when the first turn comes.

A parser holds the interpreter while it works on a sentence: in a thread it would hold up whoever
waits for an answer. Here it has the processor last, and shares nothing but the machine.
"""

import logging
import sys
from asyncio import Lock, create_subprocess_exec, timeout
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence

from anyio.to_thread import run_sync

from memweaver.adapters.rules.wire import END, Answer, answers, heard, question, scenes
from memweaver.domain.candidate import Candidate, Scene
from memweaver.errors import ConfigurationError, ModelOutputInvalid, ModelUnavailable

log = logging.getLogger(__name__)

PROGRAM = "memweaver.adapters.rules"
PATIENCE = 120.0
"""Seconds after which a process has hung; the longest of turns take a few."""
LONGEST_ANSWER = 2**24
"""Bytes; candidates are few and short."""


class Apart:
    """One process, one scene at a time. When it dies or hangs, another one is begun."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._asking = Lock()
        self._process: Process | None = None

    async def __call__(self, scene: Scene) -> Sequence[Candidate]:
        """Raises `ModelUnavailable`, `ModelOutputInvalid`, `ConfigurationError`."""
        async with self._asking:
            answer = await self._asked(scene)
        if answer.missing:
            raise ConfigurationError(answer.missing)
        if answer.broke:
            log.error("the rules broke: %s", answer.broke)
            raise ModelOutputInvalid(f"the rules broke: {answer.broke}")
        return answer.found

    async def close(self) -> None:
        """It has nothing of its own to keep, so it is not asked to end."""
        process, self._process = self._alive(), None
        if process:
            process.kill()
            await process.wait()

    async def _asked(self, scene: Scene) -> Answer:
        """Whoever is not answered leaves a process behind that is of no use to others."""
        process = self._process = self._alive() or await begun(self._language)
        try:
            return await exchanged(process, question(scene))
        except BaseException:
            await self.close()
            raise

    def _alive(self) -> Process | None:
        process = self._process
        return process if process and process.returncode is None else None


async def begun(language: str) -> Process:
    """In a group of its own: who ends the server from a terminal does not end it midway.

    Not in a session of its own, where Linux would give it as much of the processor as the rest of
    us together. It ends when the server does, however that ends: nobody writes to it any more.
    """
    for prepare in (scenes, answers):
        await run_sync(prepare)
    try:
        return await create_subprocess_exec(
            sys.executable,
            "-P",  # nothing that happens to lie in the working directory is taken for our code
            "-m",
            PROGRAM,
            language,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=LONGEST_ANSWER,
            process_group=0,
        )
    except OSError as error:
        raise ModelUnavailable(f"no process for the rules ({error.strerror})") from error


async def exchanged(process: Process, line: bytes) -> Answer:
    assert process.stdin is not None  # noqa: S101 - asked for when it was begun
    assert process.stdout is not None  # noqa: S101 - likewise
    try:
        async with timeout(PATIENCE):
            process.stdin.write(line)
            await process.stdin.drain()
            answer = await process.stdout.readline()
    except TimeoutError:
        raise ModelUnavailable(f"the rules gave no answer within {PATIENCE:.0f} s") from None
    except (ConnectionError, ValueError) as error:
        raise ModelUnavailable("the process of the rules does not answer") from error
    if not answer.endswith(END):
        code = await process.wait()
        raise ModelUnavailable(f"the process of the rules ended ({code}): see python -m {PROGRAM}")
    return heard(answer)
