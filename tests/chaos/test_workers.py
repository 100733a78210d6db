"""Workers die and sleep while they reflect; and the checks notice when that does harm."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.chaos import identical, workers
from benchmarks.chaos.house import Mind
from benchmarks.chaos.storm import Storm

SEED = 7


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(SEED)


@pytest.mark.requirement("D8", "D13")
async def test_killed_workers_lose_nothing_and_repeat_nothing(
    tmp_path: Path, rng: np.random.Generator
) -> None:
    found = await workers.killed(tmp_path, Storm(jobs=80, strikes=8, pause=0.2), rng)

    assert found.clean, found
    assert found.acked == found.attempted >= 80
    assert found.strikes == {"kills": 8}


@pytest.mark.requirement("D8", "D13")
async def test_workers_that_sleep_longer_than_their_lease_change_nothing_when_they_wake(
    tmp_path: Path, rng: np.random.Generator
) -> None:
    storm = Storm(jobs=60, strikes=8, users=8, mind=Mind(0.15))

    found = await workers.stopped(tmp_path, storm, rng)

    assert found.clean, found
    assert found.told["begun_again"] > 0


@pytest.mark.requirement("D13")
async def test_without_the_fence_it_is_noticed(tmp_path: Path, rng: np.random.Generator) -> None:
    storm = Storm(jobs=60, strikes=8, users=8, mind=Mind(0.15), mutant="unfenced")

    found = await workers.stopped(tmp_path, storm, rng)

    assert found.verdict.duplicates > 0, found


@pytest.mark.requirement("D13")
@pytest.mark.parametrize(
    ("mutant", "noticed"),
    [("twice", "duplicates"), ("reordering", "inversions"), ("forgetting", "lost")],
)
async def test_a_worker_that_breaks_a_promise_is_noticed(
    mutant: str, noticed: str, tmp_path: Path, rng: np.random.Generator
) -> None:
    storm = Storm(jobs=30, strikes=0, users=3, workers=2, mutant=mutant)

    found = await workers.killed(tmp_path, storm, rng)

    assert not found.clean
    assert found.as_dict()[noticed] > 0, found


@pytest.mark.requirement("C13", "D13")
async def test_fifty_identical_turns_from_several_processes_leave_one_memory(
    tmp_path: Path,
) -> None:
    found = await identical.told(tmp_path)

    assert found.clean, found
    assert found.acked == 50


@pytest.mark.requirement("D13")
async def test_a_second_memory_of_identical_turns_is_noticed(tmp_path: Path) -> None:
    found = await identical.told(tmp_path, turns=8, mutant="twice")

    assert found.verdict.duplicates > 0, found
