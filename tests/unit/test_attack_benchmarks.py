"""The benchmarks of refusals and neighbours run, and work out what they say."""

import json
from collections import Counter
from pathlib import Path

import pytest
from benchmarks import neighbours, refusals, report
from benchmarks.measures import neighbouring, refusing
from benchmarks.measures.neighbouring import Times


def last_line(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, object]]:
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert isinstance(found, dict)
    return found


def test_the_benchmark_of_refusals_ends_in_one_line_of_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refusals.main(["--quick", "--results", str(tmp_path)])
    found = last_line(capsys)
    assert found.keys() == {"benchmark", "credentials", "logins", "sign-ups"}
    forms = found["credentials"]["medians"]
    assert isinstance(forms, dict)
    assert len(forms) >= 100
    assert min(forms.values()) >= 10
    assert "## Refusing" in report.page(tmp_path)


def test_the_benchmark_of_neighbours_ends_in_one_line_of_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    neighbours.main(["--quick", "--results", str(tmp_path)])
    found = last_line(capsys)
    names = (neighbouring.ORDINARY, neighbouring.NOISY, "slow", neighbouring.ELSEWHERE)
    assert [found[name]["requests"] for name in names] == [neighbouring.RATE] * 4
    assert found["slow"]["answers"] == {"opened": neighbours.QUICK.slow}
    assert "## Neighbours" in report.page(tmp_path)


def test_the_spread_of_refusals_is_from_the_fastest_to_the_slowest() -> None:
    found = refusing.summed_up({"a": 10.0, "b": 10.2, "c": 11.0}, rounds=3)
    assert (found.fastest, found.slowest, found.spread) == ("a", "c", 0.1)
    assert [figure.kept for figure in refusals.figures_of({"x": found})] == [False]


def test_what_a_neighbour_costs_is_worked_out_from_what_was_seen() -> None:
    alone, beside = Times([0.010] * 4, [0.005] * 4), Times([0.015] * 4, [0.020] * 4)
    found = neighbouring.summed_up(alone, beside, Counter({"429": 3}), 99.0)
    assert (found.recall_over_alone, found.record_over_alone) == (1.5, 4.0)
    assert (found.requests, found.answers) == (8, {"429": 3})
    assert [one.kept for one in neighbours.figures_beside("x", found)] == [True, False, True]


@pytest.mark.parametrize("shown", [neighbouring.ELSEWHERE, neighbouring.ORDINARY])
def test_what_others_cost_is_shown_and_not_promised(shown: str) -> None:
    alone, beside = Times([0.010] * 4, [0.005] * 4), Times([0.015] * 4, [0.020] * 4)
    found = neighbouring.summed_up(alone, beside, Counter(), 0.0)
    told = neighbours.figures_of({neighbouring.NOISY: found, shown: found})
    assert {figure.name.split(":")[0] for figure in told} == {"noisy"}
