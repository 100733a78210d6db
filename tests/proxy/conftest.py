from collections.abc import Generator

import pytest
from tests.proxy.house import Guest, House, open_house


@pytest.fixture(scope="session")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    """One server for all; tests keep apart by being different guests."""
    with open_house(tmp_path_factory.mktemp("proxy")) as opened:
        yield opened


@pytest.fixture
def guest(proxy: House) -> Guest:
    return proxy.guest()
