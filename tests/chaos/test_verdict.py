"""The verdict tells apart what was lost, repeated and out of order."""

from collections import Counter
from collections.abc import Sequence

import pytest
from benchmarks.chaos.__main__ import main, names, summary
from benchmarks.chaos.storm import Outcome
from benchmarks.chaos.verdict import Verdict, compared


@pytest.mark.parametrize(
    ("kept", "remembered", "acked", "expected"),
    [
        ("abc", "abc", "abc", Verdict(0, 0, 0)),
        ("abc", "abc", "ab", Verdict(0, 0, 0)),
        ("ab", "ab", "abc", Verdict(1, 0, 0)),
        ("abc", "ab", "abc", Verdict(1, 0, 0)),
        ("abc", "abbc", "abc", Verdict(0, 1, 0)),
        ("abc", "bac", "abc", Verdict(0, 0, 1)),
        ("abc", "cba", "abc", Verdict(0, 0, 2)),
    ],
)
def test_what_is_there_is_held_against_what_was_acknowledged(
    kept: str, remembered: str, acked: Sequence[str], expected: Verdict
) -> None:
    order = {name: place for place, name in enumerate(kept)}

    assert compared(order, list(remembered), acked, Counter(kept)) == expected


def test_a_turn_that_is_kept_twice_is_a_duplicate() -> None:
    found = compared({"a": 0, "b": 1}, ["a", "b"], ["a", "b"], Counter({"the same words": 2}))

    assert found == Verdict(0, 1, 0)


@pytest.mark.parametrize("fault", ["lost", "duplicates", "inversions", "unfinished", "damage"])
def test_any_fault_is_told_and_adds_up(fault: str) -> None:
    faulty = Outcome(5, 4, Verdict(**{**dict.fromkeys(FAULTS, 0), fault: 2}), {"kills": 3})
    fine = Outcome(5, 5, Verdict(0, 0, 0), {"kills": 1})

    found = summary({"one": faulty, "other": fine, "away": None}, "ci", 7)

    assert (found["clean"], found[fault], found["kills"]) == (False, 2, 4)
    assert (found["attempted"], found["acked"], found["skipped"]) == (10, 9, ["away"])


FAULTS = ("lost", "duplicates", "inversions")


def test_a_worker_that_fails_by_itself_is_a_fault() -> None:
    assert not Outcome(1, 1, Verdict(0, 0, 0), {}, {"workers_failed": 1}).clean


def test_a_scenario_that_nobody_knows_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert names("power_cut,api_killed") == ["power_cut", "api_killed"]
    with pytest.raises(SystemExit):
        main(["--only", "earthquake"])
    assert "unknown: earthquake; known are workers_killed" in capsys.readouterr().err
