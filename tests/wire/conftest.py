from collections.abc import Generator

import pytest
from tests.wire.house import House, Visitor, open_house


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    """One server for all; tests keep apart by being different visitors."""
    with open_house(tmp_path_factory.mktemp("house")) as opened:
        yield opened


@pytest.fixture
def visitor(house: House) -> Visitor:
    return house.visitor()
