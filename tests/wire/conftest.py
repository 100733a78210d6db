from collections.abc import Generator

import pytest
from tests.wire.house import House, Visitor, open_house

from memweaver.app.settings import Settings


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    """One server for all; tests keep apart by being different visitors."""
    settings = Settings(data=tmp_path_factory.mktemp("house"))
    with open_house(settings) as opened:
        yield opened


@pytest.fixture
def visitor(house: House) -> Visitor:
    return house.visitor()
