"""Where there is no Postgres, a laptop is told so and CI fails."""

import pytest
from tests.servers import postgres


@pytest.fixture(autouse=True)
def _nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "installed_programs", lambda: None)


def test_on_a_laptop_its_absence_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="NOT TESTED ON POSTGRES"):
        enter()


def test_where_all_must_be_proven_its_absence_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="must be tested here"):
        enter()


def enter() -> None:
    with postgres.private_postgres():
        pass
