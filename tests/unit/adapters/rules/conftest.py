"""The rules for English, loaded once for a module."""

from collections.abc import AsyncGenerator

import pytest

from memweaver.adapters.rules import open_rules
from memweaver.ports.extract import Extractor


@pytest.fixture(scope="module")
async def extractor() -> AsyncGenerator[Extractor]:
    async with open_rules("english", apart=False) as extractor:
        yield extractor
