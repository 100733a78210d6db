"""Rates: too often is refused, and what is refused does not count."""

from datetime import timedelta

import pytest
from tests.unit.services.house import House, a_house

from memweaver.app.house_sections import AccessSettings
from memweaver.app.settings import Settings
from memweaver.errors import RateLimited
from memweaver.testing.doubles import Tally

MINUTE = timedelta(minutes=1)


def few(**limits: int) -> Settings:
    return Settings(access=AccessSettings.model_validate(limits))


def told(house: House, what: str) -> float:
    figures = house.around.figures
    assert isinstance(figures, Tally)
    return figures.told("rate_limited", what=what)


async def times(house: House, kind: str, *whose: str) -> int:
    """How often it may be done before it is refused."""
    for number in range(100):
        try:
            await getattr(house.services.rates, kind)(*whose)
        except RateLimited:
            return number
    return 100


async def test_logins_are_limited_by_address_and_by_account() -> None:
    async with a_house(settings=few(logins_per_minute=5), step=timedelta()) as house:
        assert await times(house, "login", "10.0.0.1", "ann@b.c") == 5
        assert await times(house, "login", "10.0.0.1", "ben@b.c") == 0
        assert await times(house, "login", "10.0.0.2", " ANN@b.c") == 0
        assert await times(house, "login", "10.0.0.3", "eve@b.c") == 5
        house.clock.advance(MINUTE * 2)
        assert await times(house, "login", "10.0.0.1", "ann@b.c") == 5


async def test_keys_and_requests_are_limited_by_user() -> None:
    limits = few(keys_per_hour=3, requests_per_minute=4)
    async with a_house(settings=limits, step=timedelta()) as house:
        assert await times(house, "key", "ann") == 3
        assert await times(house, "key", "ben") == 3
        assert await times(house, "request", "ann") == 4
        assert await times(house, "request", "ben") == 4
        assert told(house, "keys") == told(house, "requests") == 2


async def test_one_who_asks_fifty_times_as_often_takes_nothing_from_the_others() -> None:
    """In every round one asks fifty times and the others once."""
    limit, others = 20, ("ben", "eve")
    refused = dict.fromkeys(("ann", *others), 0)
    async with a_house(settings=few(requests_per_minute=limit), step=timedelta()) as house:
        for _ in range(limit):
            for user in ["ann"] * 50 + list(others):
                try:
                    await house.services.rates.request(user)
                except RateLimited:
                    refused[user] += 1

    assert refused == {"ann": limit * 50 - limit, "ben": 0, "eve": 0}


async def test_requests_may_be_without_a_limit() -> None:
    async with a_house(settings=few(requests_per_minute=0)) as house:
        assert await times(house, "request", "ann") == 100


async def test_what_is_spent_in_a_day_is_limited() -> None:
    async with a_house(settings=few(tokens_per_day=100), step=timedelta()) as house:
        quota = house.services.quota
        await quota.settle(await quota.reserve("ann", 5), 99)
        await quota.settle(await quota.reserve("ann", 500), 50)
        with pytest.raises(RateLimited, match="100 tokens") as refused:
            await quota.reserve("ann", 1)
        assert refused.value.retry_after == 8640
        assert told(house, "tokens") == 1
        await quota.reserve("ben", 1)
        house.clock.advance(timedelta(days=2))
        await quota.reserve("ann", 1)


async def test_what_is_set_aside_is_not_spent_twice_nor_kept_if_it_is_refused() -> None:
    async with a_house(settings=few(tokens_per_day=150), step=timedelta()) as house:
        quota = house.services.quota
        first, _ = [await quota.reserve("ann", 100) for _ in range(2)]
        for _ in range(8):
            with pytest.raises(RateLimited):
                await quota.reserve("ann", 100)
        await quota.settle(first, 0)
        await quota.reserve("ann", 100)


async def test_what_was_set_aside_yesterday_is_not_given_back_today() -> None:
    async with a_house(settings=few(tokens_per_day=100), step=timedelta()) as house:
        quota = house.services.quota
        yesterday = await quota.reserve("ann", 80)
        house.clock.advance(timedelta(days=3))
        await quota.settle(await quota.reserve("ann", 0), 99)
        await quota.settle(yesterday, 1)
        with pytest.raises(RateLimited):
            await quota.reserve("ann", 1)


async def test_spending_may_be_without_a_limit() -> None:
    async with a_house() as house:
        quota = house.services.quota
        await quota.settle(await quota.reserve("ann", 10**9), 10**9)
        await quota.reserve("ann", 1)
