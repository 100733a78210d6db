from collections.abc import Generator

import pytest
from tests.unit.adapters.http.service import Service, serving


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Generator[Service]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as service:
        yield service
