"""The power is cut everywhere; and the checks notice when something was not on disk."""

from collections.abc import Generator
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from benchmarks.chaos import mutants, power
from benchmarks.chaos.disk import Answered, Platter, Sync, Truncate, Write

from memweaver.adapters.sql.sqlite import PRAGMAS

SEED = 7


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(SEED)


@pytest.fixture
def answering_early(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    monkeypatch.setattr(mutants, "WHILE", 0)
    mutants.answering_early()
    yield
    patch.stopall()


@pytest.mark.requirement("D1", "D13")
async def test_what_was_acknowledged_is_in_every_image(
    tmp_path: Path, rng: np.random.Generator
) -> None:
    found = await power.cut(tmp_path, 300, rng, turns=30)

    assert found.clean, found
    assert (found.images, found.acked) == (300, 60)


@pytest.mark.requirement("D1")
async def test_weaker_durability_is_noticed(tmp_path: Path, rng: np.random.Generator) -> None:
    pragmas = {**PRAGMAS, "synchronous": "normal"}

    found = await power.cut(tmp_path, 100, rng, turns=15, pragmas=pragmas)

    assert found.lost > 0, found


@pytest.mark.requirement("D1")
@pytest.mark.usefixtures("answering_early")
async def test_an_answer_before_the_commit_is_noticed(
    tmp_path: Path, rng: np.random.Generator
) -> None:
    found = await power.cut(tmp_path, 100, rng, turns=10)

    assert found.lost > 0, found


def test_only_what_is_synced_is_there_for_sure(rng: np.random.Generator) -> None:
    platter = Platter({"file": bytearray(b"old")})
    platter.do(Write("file", 0, b"new"))
    platter.do(Answered(frozenset({"turns/1"})))

    assert {platter.after_cut(rng)["file"] for _ in range(50)} == {b"old", b"new"}
    platter.do(Sync("file"))
    assert {platter.after_cut(rng)["file"] for _ in range(50)} == {b"new"}
    assert platter.answered == {"turns/1"}


def test_a_write_can_be_torn_and_a_truncation_missed(rng: np.random.Generator) -> None:
    platter = Platter({"log": bytearray(b"x" * 1024)})
    platter.do(Truncate("log", 0))
    platter.do(Write("log", 0, b"y" * 1024))

    images = {platter.after_cut(rng)["log"] for _ in range(100)}

    assert b"y" * 512 + b"x" * 512 in images
    assert bytes(512) + b"y" * 512 in images
    assert b"" in images
