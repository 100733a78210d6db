"""Whatever is sent, no operation fails, and every answer is as the documentation says."""

from pathlib import Path

import pytest
from tests.fuzz.trial import fuzzed

from memweaver.services.ais import Ais

SEED = 11


async def test_no_operation_fails_whatever_is_sent(tmp_path: Path) -> None:
    found = await fuzzed(tmp_path, cases=5, seed=SEED, phases=["fuzzing"])

    assert found.failures == [], found.told
    assert found.operations > 70
    assert found.cases > 300


async def test_an_operation_that_fails_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise LookupError

    monkeypatch.setattr(Ais, "all", fail)

    found = await fuzzed(tmp_path, cases=3, seed=SEED, phases=["fuzzing"], only="/v1/ais")

    assert any("/v1/ais" in failure for failure in found.failures)
