"""`memweaver worker`, as a process of its own: it reflects, can be watched, and stops when told."""

import asyncio
import json
import signal
import socket
import subprocess
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from tests.story.server import PATIENCE
from tests.story.working import working

from memweaver.app.settings import Settings
from memweaver.app.wiring import open_services
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.job import Job, State
from memweaver.domain.principal import Permission
from memweaver.domain.scope import Scope
from memweaver.services import Services

ANN = Scope("ann")
MOVED = Said((Message(Role.USER, "My sister Ada moved to Lisbon."),))
Answer = TypeVar("Answer")


def visit(folder: Path, work: Callable[[Services], Awaitable[Answer]]) -> Answer:
    """What `work` answers, done by another process than the worker's, on the same data."""

    async def opened() -> Answer:
        settings = Settings(data=folder / "memweaver-data")
        async with asyncio.timeout(PATIENCE), open_services(settings, working=False) as services:
            return await work(services)

    return asyncio.run(opened())


async def recorded(services: Services) -> str:
    return (await services.record(ANN, MOVED)).id


def job_of(folder: Path, job_id: str) -> Job:
    return visit(folder, lambda services: services.jobs.job(ANN, job_id))


def settled(folder: Path, job_id: str) -> State:
    """How a job ended, once it has."""

    async def work(services: Services) -> State:
        while not (job := await services.jobs.job(ANN, job_id)).settled_at:  # noqa: ASYNC110 - it happens elsewhere
            await asyncio.sleep(0.05)
        return job.state

    return visit(folder, work)


def ended(process: subprocess.Popen[str], number: signal.Signals) -> int:
    process.send_signal(number)
    return process.wait(PATIENCE)


@contextmanager
def silent_model() -> Generator[tuple[socket.socket, dict[str, str]]]:
    """A chat model that hears and never answers, and the settings that name it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        port = listener.getsockname()[1]
        settings = {
            "MEMWEAVER_EXTRACTOR__KIND": "openai",
            "MEMWEAVER_EXTRACTOR__URL": f"http://127.0.0.1:{port}/v1",
            "OPENAI_API_KEY": "sk-of-nobody",
        }
        yield listener, settings


@pytest.mark.requirement("D1", "D8", "D11")
def test_a_worker_reflects_upon_what_others_record_and_can_be_watched(tmp_path: Path) -> None:
    job = visit(tmp_path, recorded)
    admin = {Permission.ADMIN}
    key = visit(
        tmp_path,
        lambda services: services.access.create("prometheus", "scraping", permissions=admin),
    )
    headers = {"X-API-Key": key.secret}

    with working(tmp_path, "--port", "0", "--json") as process:
        assert process.stdout
        told = json.loads(process.stdout.readline())
        assert settled(tmp_path, job) is State.DONE

        with httpx.Client(base_url=told["url"], trust_env=False, timeout=PATIENCE) as client:
            health = client.get("/health")
            assert (health.status_code, health.json()["status"]) == (200, "ok")
            assert client.get("/metrics").status_code == 401
            figures = client.get("/metrics", headers=headers).text
            assert 'memweaver_jobs_settled_total{code="",outcome="done"} 1.0' in figures
            assert client.get("/v1/turns", headers=headers).status_code == 404

        assert ended(process, signal.SIGTERM) == 0
        assert "stopping within 10 s" in process.stdout.read()


@pytest.mark.requirement("D8", "D13")
def test_a_worker_that_is_told_to_stop_gives_back_what_it_cannot_finish(tmp_path: Path) -> None:
    job = visit(tmp_path, recorded)

    with silent_model() as (model, settings), working(tmp_path, settings=settings) as process:
        asked, _ = model.accept()
        with asked:
            assert job_of(tmp_path, job).state is State.RUNNING
            assert ended(process, signal.SIGTERM) == 0

    given_back = job_of(tmp_path, job)
    assert given_back.state is State.WAITING
    assert (given_back.attempts, given_back.failures) == (0, 0)


@pytest.mark.requirement("D13")
def test_a_worker_that_is_told_twice_is_gone_at_once_and_loses_nothing(tmp_path: Path) -> None:
    job = visit(tmp_path, recorded)

    with silent_model() as (model, settings), working(tmp_path, settings=settings) as process:
        asked, _ = model.accept()
        with asked:
            assert process.stdout
            process.stdout.readline()
            process.send_signal(signal.SIGTERM)
            assert process.stdout.readline().startswith("stopping within 10 s")
            assert ended(process, signal.SIGTERM) == -signal.SIGTERM

    with working(tmp_path) as process:
        assert settled(tmp_path, job) is State.DONE
        assert ended(process, signal.SIGINT) == 0


def test_a_worker_that_cannot_be_watched_there_says_so(tmp_path: Path) -> None:
    with working(tmp_path, "--host", "192.0.2.1", "--port", "0") as process:
        said, complaint = process.communicate(timeout=PATIENCE)

    assert (process.returncode, said) == (10, "")
    assert complaint.startswith("memweaver: refusing to listen on 192.0.2.1 without TLS")
