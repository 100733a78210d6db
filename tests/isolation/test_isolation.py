"""Nobody reads, changes or learns of what is somebody else's, by whatever way in."""

from pathlib import Path

import pytest
from tests.isolation import operations, trial
from tests.isolation.trial import searched, tried

from memweaver.adapters.sql import scoped
from memweaver.domain.principal import Principal


@pytest.mark.requirement("B14", "B18", "X15")
async def test_nobody_gets_at_what_is_somebody_elses(tmp_path: Path) -> None:
    found = await tried(tmp_path)

    assert found.leaks == []
    assert found.unlisted == []
    assert len(found.cells) >= 1500


async def test_an_operation_that_is_not_listed_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = {name: one for name, one in operations.OPERATIONS.items() if name != "GET /v1/me"}
    monkeypatch.setattr(trial, "OPERATIONS", listed)

    found = await tried(tmp_path, "GET /v1/models")

    assert found.unlisted == ["GET /v1/me"]


async def test_a_missing_scope_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoped, "seen", lambda table, _: scoped.everybodys(table))

    found = await tried(tmp_path, "GET /v1/sessions/{session_id}", "GET /v1/reflections/{job_id}")

    told = "it tells what is somebody else's"
    assert ("GET /v1/sessions/{session_id}", told) in {
        (cell.operation, cell.leak) for cell in found.leaks
    }
    assert "GET /v1/reflections/{job_id}" in {cell.operation for cell in found.leaks}


async def test_a_permission_that_nobody_asks_for_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Principal, "must", lambda *_: None)

    found = await tried(tmp_path, "DELETE /v1/turns/{turn_id}")

    assert {cell.person for cell in found.leaks} == {"read-only", "chat-only", "admin-only"}


async def test_nobody_finds_what_somebody_else_sings(tmp_path: Path) -> None:
    found = await searched(tmp_path, people=1000, searches=5000)

    assert found.foreign == []
    assert found.own > 1000
