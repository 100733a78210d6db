"""What is looked at from outside, whichever technology: doorbells, couriers and windows."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from memweaver.domain.job import Job
from memweaver.domain.scope import Scope
from memweaver.domain.working import Window
from memweaver.errors import BackendError, MemweaverError
from memweaver.ports.doorbell import Doorbell
from memweaver.ports.meter import Meter
from memweaver.ports.webhooks import Courier
from memweaver.ports.windows import Windows


@dataclass(frozen=True, slots=True)
class MeteredDoorbell(Doorbell):
    """Counts how often it is rung and heard."""

    inner: Doorbell
    meter: Meter

    @property
    def trouble(self) -> str | None:
        return self.inner.trouble

    async def ring(self, jobs: Sequence[Job]) -> None:
        self.meter.count("doorbell_rings", len(jobs), side="rung")
        await self.inner.ring(jobs)

    async def heard(self, patience: float) -> bool:
        rang = await self.inner.heard(patience)
        self.meter.count("doorbell_rings", int(rang), side="heard")
        return rang

    async def toll(self, jobs: Sequence[Job]) -> None:
        await self.inner.toll(jobs)


@dataclass(frozen=True, slots=True)
class MeteredCourier(Courier):
    """Counts what is carried to webhooks, and what they would not take."""

    inner: Courier
    meter: Meter

    def check(self, url: str) -> None:
        self.inner.check(url)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        try:
            await self.inner.post(url, body, headers)
        except MemweaverError as error:
            self.meter.count("webhook_posts", outcome=error.code)
            raise
        self.meter.count("webhook_posts", outcome="ok")


class WatchedWindows(Windows):
    """Remembers what was wrong with them when they were last asked."""

    def __init__(self, inner: Windows) -> None:
        self._inner = inner
        self.trouble: str | None = None
        """The code of what keeps them from being at hand at the moment."""

    async def window(self, scope: Scope, session: str) -> Window | None:
        with self._watched():
            return await self._inner.window(scope, session)

    async def keep(self, scope: Scope, session: str, window: Window) -> None:
        with self._watched():
            await self._inner.keep(scope, session, window)

    async def forget(self, user: str) -> None:
        with self._watched():
            await self._inner.forget(user)

    @contextmanager
    def _watched(self) -> Generator[None]:
        try:
            yield
        except BackendError as error:
            self.trouble = error.code
            raise
        self.trouble = None
