"""From turns to memories with every store, doorbell and place for windows, by settings alone."""

import json
import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import httpx
import pytest
from redis import Redis
from tests.story.combinations import BELLS, STORES, WINDOWS, Combination, Environment, combined
from tests.story.combinations import rabbitmq_settings as another_queue
from tests.story.server import PATIENCE
from tests.story.working import working
from tests.wire.house import House, Visitor, open_house

from memweaver.app.settings import load_settings
from memweaver.domain.scope import Scope
from memweaver.domain.working import Window

TALK = (
    ("home", "My name is Dana and I live in Lyon."),
    ("office", "I work at Microsoft."),
    ("home", "Thanks, that helps."),
    ("home", "I live in Oslo."),
    ("office", "I have a dog."),
)
KNOWN = [
    "User has a dog.",
    "User lives in Oslo.",
    "User works at Microsoft.",
    "User's name is Dana.",
]
"""What is known after all of it was reflected upon once and in its order, latest first."""
SILENCE = 3
"""Seconds after which nobody waits any longer for a bell that is known to be broken."""


@dataclass(frozen=True)
class Watched:
    """Whoever reflects, as it can be watched from outside."""

    get: Callable[[str], Any]

    def health(self) -> dict[str, Any]:
        told: dict[str, Any] = self.get("/health").json()
        return told

    def heard(self) -> float:
        """How often it heard the bell."""
        figure = r'^memweaver_doorbell_rings_total\{side="heard"\} (\S+)$'
        found = re.search(figure, self.get("/metrics").text, re.MULTILINE)
        return float(found[1]) if found else 0.0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where everything of one installation is; nothing is set but what the test sets."""
    monkeypatch.chdir(tmp_path)
    for name in ("POSTGRES_URL", "RABBITMQ_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@contextmanager
def serving(environment: Environment) -> Generator[House]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        settings = load_settings()
    with open_house(settings) as house:
        yield house


@contextmanager
def reflecting(house: House, folder: Path, environment: Environment) -> Generator[Watched]:
    """A worker of its own process."""
    headers = {"X-API-Key": house.admin().secret}
    with working(folder, "--port", "0", "--json", settings=environment) as process:
        assert process.stdout
        url = json.loads(process.stdout.readline())["url"]
        with httpx.Client(
            base_url=url, headers=headers, trust_env=False, timeout=PATIENCE
        ) as client:
            yield Watched(client.get)


def until(happened: Callable[[], bool], within: float) -> None:
    """Raises `TimeoutError`."""
    end = monotonic() + within
    while not happened():
        if monotonic() > end:
            raise TimeoutError(f"it did not happen within {within} s")
        Event().wait(0.05)


def say(visitor: Visitor, text: str, session: str = "home") -> str:
    """Record a turn; answer its job."""
    messages = [{"role": "user", "text": text}, {"role": "assistant", "text": "I see."}]
    answer = visitor.ask("POST /v1/turns", {"messages": messages, "session": session})
    assert answer.status_code == 201
    job: str = answer.json()["reflection"]
    return job


def job_of(visitor: Visitor, job: str) -> dict[str, Any]:
    told: dict[str, Any] = visitor.ask(f"GET /v1/reflections/{job}").json()
    return told


def hear(visitor: Visitor, worker: Watched, within: float) -> None:
    """See that the bell is heard, or raise `TimeoutError`.

    Somebody says hello until it is: a worker listens a moment after it has begun to work.
    """
    before = worker.heard()

    def rung() -> bool:
        say(visitor, "Hello!", "hall")
        return worker.heard() > before

    until(rung, within)


def talked(visitors: Sequence[Visitor]) -> dict[str, list[str]]:
    """Everybody says everything, in turns; the jobs of each."""
    jobs: dict[str, list[str]] = {visitor.user: [] for visitor in visitors}
    for session, text in TALK:
        for visitor in visitors:
            jobs[visitor.user].append(say(visitor, text, session))
    return jobs


def check_jobs(visitor: Visitor, jobs: Sequence[str]) -> None:
    """That all are done, and in their order, long before a worker would look by itself."""
    until(lambda: all(job_of(visitor, job)["settled_at"] for job in jobs), PATIENCE)
    told = [job_of(visitor, job) for job in jobs]
    assert {one["state"] for one in told} == {"done"}
    settled = [one["settled_at"] for one in told]
    assert settled == sorted(settled)


def check_memories(visitor: Visitor) -> None:
    """That what is known is known once, and by the latest word."""
    memories = visitor.ask("GET /v1/memories").json()["items"]
    assert [memory["text"] for memory in memories] == KNOWN
    assert {memory["revision"] for memory in memories} == {1}


def windows_of(house: House, visitors: Sequence[Visitor]) -> list[Window]:
    """What each session holds, however new the memory was when that was looked up."""
    assert house.client.portal
    call, working = house.client.portal.call, house.services.working.__call__
    return [
        replace(call(working, Scope(visitor.user), session), seen=None)
        for visitor in visitors
        for session in ("home", "office")
    ]


def check_windows(windows: Sequence[Window]) -> None:
    said = [[turn.messages[0].text for turn in window.turns] for window in windows]
    home, office = ([text for where, text in TALK if where == it] for it in ("home", "office"))
    assert said == [home, office] * (len(windows) // 2)


def check_health(told: dict[str, Any], combination: Combination) -> None:
    failed = [name for name, part in told["parts"].items() if part.get("status") == "failed"]
    assert failed == (["doorbell"] if combination.away else [])
    assert told["status"] == ("degraded" if combination.away else "ok")


@contextmanager
def whoever_reflects(house: House, folder: Path, combination: Combination) -> Generator[Watched]:
    if combination.apart:
        with reflecting(house, folder, combination.environment) as worker:
            yield worker
    else:
        visitor = house.admin()
        yield Watched(lambda path: visitor.ask(f"GET {path}"))


def emptied(combination: Combination) -> bool:
    """Have Redis lose everything; whether there was something."""
    with Redis.from_url(combination.environment["REDIS_URL"]) as redis:
        there = bool(redis.dbsize())
        redis.flushall()
    return there


@pytest.mark.requirement("D1", "D13", "X6", "X14", "D12")
@pytest.mark.parametrize("windows", WINDOWS)
@pytest.mark.parametrize("bell", BELLS)
@pytest.mark.parametrize("store", STORES)
def test_turns_become_memories_once_and_in_order(
    request: pytest.FixtureRequest, folder: Path, store: str, bell: str, windows: str
) -> None:
    combination = combined(request, folder, store, bell, windows)
    with serving(combination.environment) as house:
        visitors = [house.visitor(), house.visitor()]
        with whoever_reflects(house, folder, combination) as worker:
            if combination.rings:
                hear(house.visitor(), worker, PATIENCE)
            jobs = talked(visitors)
            for visitor in visitors:
                check_jobs(visitor, jobs[visitor.user])
                check_memories(visitor)
            assert (worker.heard() > 0) is combination.rings
            for told in (worker.health(), house.client.get("/health").json()):
                check_health(told, combination)
        before = windows_of(house, visitors)
        check_windows(before)
        if windows == "redis":
            assert emptied(combination)
            assert windows_of(house, visitors) == before
            assert emptied(combination), "it is at hand again"
    with serving(combination.environment) as anew:
        assert windows_of(anew, visitors) == before


@pytest.mark.rabbitmq
@pytest.mark.parametrize("bell", [pytest.param("notify", marks=pytest.mark.postgres), "rabbitmq"])
def test_a_bell_that_nobody_hears_is_noticed(
    request: pytest.FixtureRequest, folder: Path, bell: str
) -> None:
    store = "postgres" if bell == "notify" else "sqlite"
    rung = combined(request, folder, store, bell, "ram")
    elsewhere = {**rung.environment, **another_queue(request)}
    with (
        serving(rung.environment) as house,
        reflecting(house, folder, elsewhere) as worker,
    ):
        visitor = house.visitor()
        with pytest.raises(TimeoutError):
            hear(visitor, worker, SILENCE)
        late = say(visitor, "I have a dog.")
        with pytest.raises(TimeoutError):
            until(lambda: bool(job_of(visitor, late)["settled_at"]), SILENCE)
        check_health(worker.health(), rung)
