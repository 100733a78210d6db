"""Upkeep: work that fails is begun again, and seen to have failed."""

import asyncio

import pytest
from tests.unit.services.house import a_house

from memweaver.background import beside
from memweaver.errors import BackendUnavailable
from memweaver.services import upkeep as upkeep_module
from memweaver.services.upkeep import Upkeep


class Work:
    """Fails as often as there are failures, then goes on."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.going = asyncio.Event()
        self.end = asyncio.Event()

    async def __call__(self) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.going.set()
        await self.end.wait()


class Troubles(dict[str, str]):
    """Tells when one is gone."""

    def __init__(self) -> None:
        super().__init__()
        self.gone = asyncio.Event()

    def pop(self, name: str, *default: object) -> object:  # type: ignore[override] # one use only
        self.gone.set()
        return super().pop(name, *default)


@pytest.fixture(autouse=True)
def _without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep_module, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(upkeep_module, "LONGEST_PAUSE", 0.002)


async def test_work_that_failed_goes_on_and_is_said_to_have_failed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    upkeep, work = Upkeep(), Work(RuntimeError("a private word"), BackendUnavailable("away"))
    async with asyncio.timeout(10), beside(upkeep("webhooks", work)):
        await work.going.wait()
        assert upkeep.troubles == {"webhooks": "backend_unavailable"}
    said = [record.message.partition(" ended")[0] for record in caplog.records]
    assert said == ["background work", "webhooks"] * 2


async def test_work_that_goes_on_steadily_is_in_order_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(upkeep_module, "STEADY", 0.01)
    troubles = Troubles()
    upkeep, work = Upkeep(troubles), Work(RuntimeError())
    async with asyncio.timeout(10), beside(upkeep("webhooks", work)):
        await work.going.wait()
        await troubles.gone.wait()
        assert upkeep.troubles == {}


async def test_work_that_ends_by_itself_has_ended() -> None:
    upkeep, work = Upkeep(), Work(RuntimeError())
    work.end.set()
    async with asyncio.timeout(10):
        await upkeep("webhooks", work)
    assert upkeep.troubles == {}


async def test_what_ended_makes_the_house_degraded_though_it_serves() -> None:
    async with a_house() as house:
        services = house.services
        assert (await services.health()).parts["tasks"] == {"status": "ok"}
        services.upkeep.troubles.update(webhooks="error", events="backend_unavailable")
        report = await services.health()
        assert (report.status, report.serving) == ("degraded", True)
        assert report.parts["tasks"] == {
            "status": "failed",
            "code": "backend_unavailable",
            "names": ["events", "webhooks"],
        }


async def test_work_that_fails_when_told_to_end_has_ended(
    caplog: pytest.LogCaptureFixture,
) -> None:
    upkeep, going = Upkeep(), asyncio.Event()

    async def clumsy() -> None:
        going.set()
        try:
            await asyncio.Event().wait()
        finally:
            raise RuntimeError

    async with asyncio.timeout(10), beside(upkeep("webhooks", clumsy)):
        await going.wait()
    assert [record.message for record in caplog.records] == ["background work ended"]


class Crash(Exception):
    """What nobody foresaw."""


async def test_a_carrier_that_crashed_carries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_house() as house:
        services, again, crashes = house.services, asyncio.Event(), [Crash()]

        async def crashing_once(*_: object, **__: object) -> None:
            if crashes:
                raise crashes.pop()
            if services.upkeep.troubles:
                again.set()

        monkeypatch.setattr(type(services.webhooks.store), "next", crashing_once)
        kept = services.upkeep("webhooks", services.webhooks.run)
        async with asyncio.timeout(10), beside(kept):
            await again.wait()
        assert services.upkeep.troubles == {"webhooks": "error"}
