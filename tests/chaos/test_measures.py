"""The benchmarks of accepting and reflecting run and say what they promise; figures aside."""

import asyncio
import json
from pathlib import Path

import pytest
from benchmarks import accept, reflect
from benchmarks.measures import accepting, backlog, both, crowd, quiet
from benchmarks.timing import Spread

from memweaver.domain.conversation import Said


@pytest.mark.requirement("D1")
def test_the_benchmark_of_accepting_ends_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    accept.main(["--quick", "--results", str(tmp_path)])

    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found["benchmark"] == "accept"
    assert found["http"]["turns"] == 100
    assert found["http"]["p99_over_bare_commit"] > 0
    assert found["crowd"]["writers"] == 64
    assert found["both"]["over_bare_embedder"] > 1
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.requirement("D8")
def test_the_benchmark_of_reflecting_ends_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reflect.main(["--quick", "--results", str(tmp_path)])

    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found["benchmark"] == "reflect"
    assert 0 < found["throughput"]["share"] <= 1
    assert found["memory"]["jobs"] == 60
    assert found["quiet"]["inside"] >= reflect.LATENCY


async def test_who_waits_for_those_before_is_timed_from_when_it_was_to_be_sent() -> None:
    alone = asyncio.Lock()

    async def send(_: Said, number: int) -> None:
        async with alone:
            await asyncio.sleep(0 if number else 0.2)

    stuck, behind = sorted(await accepting.paced([Said(()), Said(())], send), reverse=True)

    assert stuck >= 0.2
    assert 0.1 < behind < stuck


@pytest.mark.parametrize(("per_second", "over"), [(1000, 1.0), (999, 4.0)])
def test_many_writers_are_enough_a_second_or_enough_together(
    per_second: float, over: float
) -> None:
    assert accept.crowd_figure(crowd.Crowd(64, per_second, 1, over)).kept
    assert not accept.crowd_figure(crowd.Crowd(64, 999, 1, 3.9)).kept


def test_promises_that_are_not_kept_are_told() -> None:
    slow = accepting.summed_up([0.051] * 100, [0.01] * 100)
    spread = Spread(1, 1, 1)
    accepted = accept.Found(slow, slow, crowd.Crowd(64, 1, 1, 1), both.Both(1, spread, spread, 2.6))
    reflected = reflect.Found(
        backlog.Throughput(1, 1, 1, 0.2, 3.9, 5, 0.79),
        backlog.Memory(1, 1, 100, 100, 111, 1.11),
        quiet.Quiet(1, 0.2, inside=0.3, polling=2.1, notified=None),
    )

    figures = [*accept.figures_of(accepted), *reflect.figures_of(reflected)]

    assert [figure.name for figure in figures if figure.kept] == []
