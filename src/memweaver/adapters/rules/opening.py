"""Opening the extractor by rules."""

import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from anyio.to_thread import run_sync

from memweaver.adapters.rules.apart import Apart
from memweaver.adapters.rules.extractor import Read, RuleExtractor
from memweaver.adapters.rules.finding import Rules
from memweaver.adapters.rules.language import language_named
from memweaver.domain.candidate import Candidate, Scene
from memweaver.errors import ConfigurationError


@asynccontextmanager
async def open_rules(
    language: str = "english", *, apart: bool = True
) -> AsyncGenerator[RuleExtractor]:
    """The rules of a language, in a process of their own or in a thread of this one.

    Its parser is loaded when the first turn comes.

    Raises:
        ConfigurationError: there are no rules for it; the message names those there are. Or there
            is no Python to begin a process with.
    """
    chosen = language_named(language)
    if not apart:
        yield RuleExtractor(in_a_thread(Rules(chosen)))
        return
    if getattr(sys, "frozen", False) or not sys.executable:
        raise ConfigurationError(
            "this program cannot begin a Python: set MEMWEAVER_EXTRACTOR__APART=false"
        )
    reader = Apart(chosen.name)
    extractor = RuleExtractor(reader)
    try:
        yield extractor
    finally:
        await extractor.close()
        await reader.close()


def in_a_thread(rules: Rules) -> Read:
    async def read(scene: Scene) -> Sequence[Candidate]:
        return await run_sync(rules.found, scene)

    return read
