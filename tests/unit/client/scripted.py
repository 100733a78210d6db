"""A server that answers as a script says, and a client of it that loses no time by waiting."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

import httpx

from memweaver.client import MemweaverClient
from memweaver.domain.job import Patience

Answer = httpx.Response | Exception
LOST = httpx.ReadError("gone")
UNREACHED = httpx.ConnectError("nobody there")


@dataclass
class Scripted:
    """Gives the `answers` in turn, and keeps what was asked."""

    answers: list[Answer]
    asked: list[httpx.Request] = field(default_factory=list[httpx.Request])
    pauses: list[float] = field(default_factory=list[float])

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def client(self, *, acting: Callable[[], str] | None = None) -> MemweaverClient:
        patience = Patience(retries=3, delay=timedelta(seconds=1), longest=timedelta(seconds=8))
        return MemweaverClient(
            "http://server",
            "mw_key",
            patience=patience,
            pause=self.pause,
            acting=acting,
            transport=httpx.MockTransport(self),
        )


def refused(status: int, code: str = "", message: str = "no", **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json={"error": {"code": code, "message": message}}, headers=named)
