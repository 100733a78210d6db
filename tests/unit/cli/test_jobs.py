"""`memweaver jobs`: what waits, what became of the rest, and another chance for the dead."""

import asyncio
from datetime import timedelta

import pytest
from tests.unit.cli.conftest import Terminal

from memweaver.app.settings import load_settings
from memweaver.app.wiring import open_services
from memweaver.domain.job import Failure
from memweaver.services import Services

GIVEN_UP = Failure("model_refused", "the key is not valid")


def recorded(terminal: Terminal, user: str = "owner") -> str:
    """The id of a job that waits."""
    return str(terminal.json("record", "I moved to Oslo", "--user", user)["id"])


def give_up(user: str = "owner") -> None:
    """Let the oldest waiting job of `user` die."""

    async def work() -> None:
        async with open_services(load_settings(), working=False) as services:
            queue, now = services.jobs.queue, services.jobs.clock.now()
            lease = timedelta(seconds=10)
            claim = await queue.claim(now=now, lease=lease, batch=1, user=user)
            assert claim
            await queue.fail(claim, GIVEN_UP, now=now, retry_at=None)

    asyncio.run(work())


@pytest.mark.requirement("D8")
def test_jobs_are_listed_latest_first_by_state_and_user(terminal: Terminal) -> None:
    dead, waiting, bens = recorded(terminal), recorded(terminal), recorded(terminal, "ben")
    give_up()

    listed = terminal.json("jobs", "list")["items"]
    assert [(job["id"], job["user"], job["state"]) for job in listed] == [
        (bens, "ben", "waiting"),
        (waiting, "owner", "waiting"),
        (dead, "owner", "dead"),
    ]
    narrowed = terminal.json("jobs", "list", "--state", "waiting", "--user", "owner")["items"]
    assert [job["id"] for job in narrowed] == [waiting]

    said = terminal.type("jobs", "list", "--limit", "2").said
    assert bens in said
    assert dead not in said
    cursor = said.split("more: --cursor ")[1].strip()
    assert dead in terminal.type("jobs", "list", "--limit", "2", "--cursor", cursor).said
    assert terminal.type("jobs", "list", "--state", "asleep").code == 2


@pytest.mark.requirement("D8")
def test_dead_jobs_are_shown_with_the_reason_and_the_last_error(terminal: Terminal) -> None:
    dead, waiting = recorded(terminal), recorded(terminal)
    give_up()

    [job] = terminal.json("jobs", "dead")["items"]
    said = terminal.type("jobs", "dead").said

    assert (job["id"], job["code"], job["error"]) == (dead, GIVEN_UP.code, GIVEN_UP.message)
    assert all(word in said for word in (dead, GIVEN_UP.code, GIVEN_UP.message))
    assert waiting not in said
    assert terminal.json("jobs", "dead", "--user", "ben")["items"] == []


@pytest.mark.requirement("D12")
def test_one_job_is_shown_with_how_long_it_has_waited(terminal: Terminal) -> None:
    job_id = recorded(terminal)

    shown = terminal.json("jobs", "show", job_id)
    assert shown["state"] == "waiting"
    assert shown["attempts"] == shown["failures"] == 0
    assert shown["seconds"] >= 0
    assert "Oslo" not in str(shown)
    said = terminal.type("jobs", "show", job_id).said
    assert job_id in said
    assert "seconds" in said

    assert terminal.type("jobs", "show", "nothing").code == 3
    assert terminal.type("jobs", "show", job_id, "--user", "ben").code == 3


@pytest.mark.requirement("D8")
def test_a_dead_job_is_retried_alone_or_with_all_others(terminal: Terminal) -> None:
    one, two, bens = recorded(terminal), recorded(terminal), recorded(terminal, "ben")
    for user in ("owner", "owner", "ben"):
        give_up(user)

    assert terminal.type("jobs", "retry", one).said == "1 job waits anew\n"
    assert terminal.type("jobs", "retry", one).code == 4
    assert terminal.type("jobs", "retry", bens).code == 3
    assert terminal.json("jobs", "retry", "--all-dead", "--user", "owner") == {"retried": [two]}
    assert terminal.json("jobs", "retry", "--all-dead") == {"retried": [bens]}
    assert terminal.type("jobs", "retry", "--all-dead").said == "0 jobs wait anew\n"
    assert {job["state"] for job in terminal.json("jobs", "list")["items"]} == {"waiting"}


@pytest.mark.parametrize("words", [(), ("some-job", "--all-dead")])
def test_what_to_retry_must_be_said(words: tuple[str, ...], terminal: Terminal) -> None:
    assert terminal.type("jobs", "retry", *words).code == 2


@pytest.mark.requirement("D8")
def test_draining_an_empty_queue_ends_at_once(terminal: Terminal) -> None:
    ended = terminal.type("jobs", "drain", "--json")

    assert (ended.code, ended.json) == (0, {"done": 0, "dead": 0})


@pytest.mark.requirement("D8")
def test_draining_with_work_leaves_nothing_waiting(terminal: Terminal) -> None:
    job_id = recorded(terminal)
    recorded(terminal, "ben")

    ended = terminal.type("jobs", "drain", "--work")

    assert (ended.code, ended.said) == (0, "nothing waits any more; 2 done, 0 given up\n")
    assert terminal.json("jobs", "show", job_id)["state"] == "done"


@pytest.mark.requirement("D8")
def test_draining_says_when_something_was_given_up(terminal: Terminal) -> None:
    terminal.monkeypatch.setenv("MEMWEAVER_EXTRACTOR__KIND", "openai")
    terminal.monkeypatch.setenv("MEMWEAVER_EXTRACTOR__URL", "http://127.0.0.1:9/v1")
    terminal.monkeypatch.setenv("MEMWEAVER_EXTRACTOR__RETRIES", "0")
    terminal.monkeypatch.setenv("OPENAI_API_KEY", "sk-of-nobody")
    terminal.monkeypatch.setenv("MEMWEAVER_REFLECTOR__OUTAGE", "0")
    recorded(terminal)

    ended = terminal.type("jobs", "drain", "--work")

    assert ended.code == 1
    assert ended.said.startswith("nothing waits any more; 0 done, 1 given up")
    assert [job["code"] for job in terminal.json("jobs", "dead")["items"]] == ["model_unavailable"]


def test_draining_can_be_interrupted(terminal: Terminal) -> None:
    async def interrupted(_: Services) -> None:
        raise KeyboardInterrupt

    terminal.monkeypatch.setattr("memweaver.cli.drain.followed", interrupted)
    ended = terminal.type("jobs", "drain")

    assert (ended.code, ended.said) == (130, "stopped; what is not done yet still waits\n")
