"""What is tried again, how often, and after how long."""

from collections.abc import Sequence

import pytest

from memweaver.adapters.http import Retries
from memweaver.errors import MemweaverError, ModelOutputInvalid, ModelRefused, ModelUnavailable


class Attempt:
    """Fails as told, then succeeds; the pauses in between are noted, not made."""

    def __init__(self, *errors: MemweaverError) -> None:
        self.errors = list(errors)
        self.tries = 0
        self.pauses: list[float] = []

    async def __call__(self) -> str:
        self.tries += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def retries(self, more: int = 3) -> Retries:
        return Retries(more, first=1.0, longest=20.0, pause=self.pause)


async def test_what_succeeds_is_tried_once() -> None:
    attempt = Attempt()
    assert await attempt.retries()(attempt) == "done"
    assert (attempt.tries, attempt.pauses) == (1, [])


async def test_what_may_pass_is_tried_again() -> None:
    attempt = Attempt(ModelUnavailable("away"), ModelOutputInvalid("odd"))
    assert await attempt.retries()(attempt) == "done"
    assert attempt.tries == 3


async def test_what_will_not_pass_is_not_tried_again() -> None:
    attempt = Attempt(ModelRefused("no"))
    with pytest.raises(ModelRefused):
        await attempt.retries()(attempt)
    assert (attempt.tries, attempt.pauses) == (1, [])


@pytest.mark.parametrize("more", [0, 1, 4])
async def test_the_last_failure_is_told_after_as_many_tries_as_allowed(more: int) -> None:
    attempt = Attempt(*(ModelUnavailable(f"away {number}") for number in range(9)))
    with pytest.raises(ModelUnavailable, match=f"away {more}"):
        await attempt.retries(more)(attempt)
    assert attempt.tries == more + 1


async def test_pauses_double_up_to_the_longest_and_are_shortened_by_chance() -> None:
    runs: list[Sequence[float]] = []
    for _ in range(20):
        attempt = Attempt(*[ModelUnavailable("away")] * 7)
        await attempt.retries(7)(attempt)
        runs.append(attempt.pauses)
    for pauses in zip(*runs, strict=True):
        assert len(set(pauses)) > 1
    for place, whole in enumerate([1, 2, 4, 8, 16, 20, 20]):
        assert all(whole / 2 <= pauses[place] <= whole for pauses in runs)


async def test_a_longer_pause_that_is_asked_for_is_made() -> None:
    attempt = Attempt(ModelUnavailable("busy", retry_after=7.0))
    await attempt.retries()(attempt)
    assert attempt.pauses == [7.0]


async def test_a_pause_too_long_to_make_is_left_to_the_caller() -> None:
    attempt = Attempt(ModelUnavailable("busy", retry_after=21.0))
    with pytest.raises(ModelUnavailable) as caught:
        await attempt.retries()(attempt)
    assert caught.value.retry_after == 21.0
    assert attempt.pauses == []
