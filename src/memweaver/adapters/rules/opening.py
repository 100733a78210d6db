"""Opening the extractor by rules."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from memweaver.adapters.rules.extractor import RuleExtractor
from memweaver.adapters.rules.language import language_named


@asynccontextmanager
async def open_rules(language: str = "english") -> AsyncGenerator[RuleExtractor]:
    """The rules of a language; its parser is loaded when the first turn comes.

    Raises:
        ConfigurationError: there are no rules for it; the message names those there are.
    """
    yield RuleExtractor(language_named(language))
