"""Jobs: how long they rest, and which come first."""

from datetime import timedelta

import pytest

from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.job import Patience, Priority
from memweaver.domain.priority import priority_of

PATIENT = Patience(retries=3, delay=timedelta(seconds=30), longest=timedelta(minutes=5))


@pytest.mark.requirement("D8")
@pytest.mark.parametrize(
    ("failures", "chance", "seconds"),
    [(1, 0, 30), (2, 0, 60), (3, 0, 120), (3, 1, 60), (9, 0, 300), (9, 0.5, 225), (5000, 0, 300)],
)
def test_a_job_rests_longer_after_each_failure(failures: int, chance: float, seconds: int) -> None:
    assert PATIENT.rest(failures, chance) == timedelta(seconds=seconds)


def test_it_is_given_up_after_the_last_retry() -> None:
    assert [PATIENT.exhausted(failures) for failures in (1, 3, 4)] == [False, False, True]


def test_what_our_own_code_breaks_over_is_given_up_sooner() -> None:
    tries = [PATIENT.exhausted(failures, unexpected=True) for failures in (1, 2)]
    assert tries == [False, True]
    assert Patience(retries=0).exhausted(1, unexpected=True)


@pytest.mark.requirement("D7", "X7")
@pytest.mark.parametrize(
    ("text", "priority"),
    [
        ("Please remember that I am vegetarian", Priority.HIGH),
        ("The DEADLINE is Friday", Priority.HIGH),
        ("hello!", Priority.LOW),
        ("Thank you.", Priority.LOW),
        ("", Priority.LOW),
        ("this is where I live", Priority.NORMAL),
        ("Hi, I moved to Oslo", Priority.NORMAL),
        ("an unimportantly long story", Priority.NORMAL),
    ],
)
def test_what_is_said_tells_how_soon(text: str, priority: Priority) -> None:
    assert priority_of(Said((Message(Role.USER, text),))) is priority


def test_what_nobody_said_can_wait() -> None:
    assert priority_of(Said((Message(Role.SYSTEM, "urgent status"),))) is Priority.LOW
