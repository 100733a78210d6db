"""The fast path under its literal names."""

import json

import pytest
from tests.unit.services.house import ANN, a_house

from memweaver.app.sections import ReflectorSettings
from memweaver.app.settings import Settings
from memweaver.domain.job import Priority, State
from memweaver.errors import InvalidInput
from memweaver.reflector import MemoryReflectionJob, Reflector

TALK = {
    "session_id": "s1",
    "user_message": "FACT: User likes tea.",
    "assistant_response": "Noted.",
    "timestamp": "2026-05-01T10:00:00+02:00",
    "metadata": {"app": "chat"},
}


@pytest.mark.requirement("D4", "X21")
async def test_an_interaction_is_stored_and_queued() -> None:
    async with a_house() as house:
        stored = await Reflector(house.services).store_interaction_fast("ann", TALK)
        assert stored["status"] == "queued"
        turn = await house.services.curate.turn(ANN, stored["short_term_id"])
        assert [message.text for message in turn.messages] == ["FACT: User likes tea.", "Noted."]
        assert (turn.session, turn.at.hour, turn.metadata) == ("s1", 10, {"app": "chat"})
        job = await house.services.jobs.job(ANN, stored["job_id"])
        assert (job.state, job.priority) == (State.WAITING, Priority.NORMAL)


@pytest.mark.requirement("D13")
async def test_the_same_job_is_stored_once() -> None:
    async with a_house() as house:
        reflector = Reflector(house.services)
        named = {**TALK, "job_id": "j1", "priority": 1}
        first = await reflector.store_interaction_fast("ann", named)
        assert await reflector.store_interaction_fast("ann", named) == first
        assert (await house.services.jobs.job(ANN, first["job_id"])).priority is Priority.HIGH


async def test_what_is_left_empty_is_not_given() -> None:
    async with a_house() as house:
        reflector = Reflector(house.services)
        bare = {**TALK, "job_id": None, "session_id": None, "timestamp": "2026-05-01T10:00:00"}
        first = await reflector.store_interaction_fast("ann", bare)
        other = await reflector.store_interaction_fast("ann", {**bare, "user_message": "Else."})
        assert first["job_id"] != other["job_id"]
        turn = await house.services.curate.turn(ANN, first["job_id"])
        assert (turn.session, turn.at.isoformat()) == ("default", "2026-05-01T10:00:00+00:00")


async def test_a_message_may_come_in_parts() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    words = {"type": "text", "text": "Look at my cat."}
    async with a_house() as house:
        stored = await Reflector(house.services).store_interaction_fast(
            "ann", {**TALK, "user_message": [words, picture]}
        )
        turn = await house.services.curate.turn(ANN, stored["short_term_id"])
        assert turn.messages[0].text == "Look at my cat.\n[image]"


@pytest.mark.requirement("D12")
async def test_without_the_queue_the_status_says_so() -> None:
    prompt = Settings(reflector=ReflectorSettings(fast_mode=False))
    off = Settings(reflector=ReflectorSettings(queue_enabled=False))
    for settings, status in ((prompt, "processed"), (off, "stored")):
        async with a_house(settings=settings) as house:
            stored = await Reflector(house.services).store_interaction_fast("ann", TALK)
            assert stored["status"] == status


@pytest.mark.requirement("D4")
async def test_the_context_has_the_recent_turns_and_what_matters() -> None:
    async with a_house() as house:
        reflector = Reflector(house.services)
        await reflector.store_interaction_fast("ann", TALK)
        await house.services.shift()
        recalled = await reflector.recall_context("ann", "Which tea?", session_id="s1")
        assert recalled["status"] == "ok"
        assert recalled["short_term"][0] == {"role": "user", "content": "FACT: User likes tea."}
        assert "User likes tea." in recalled["context"]
        assert "semantic" in {memory["tier"] for memory in recalled["memories"]}


@pytest.mark.requirement("D3")
def test_a_job_goes_through_json_and_back() -> None:
    job = MemoryReflectionJob.from_interaction("ann", TALK, job_id="j1")
    told = json.loads(job.to_json())
    assert told == {
        "job_id": "j1",
        "user_id": "ann",
        "session_id": "s1",
        "user_message": "FACT: User likes tea.",
        "assistant_response": "Noted.",
        "timestamp": "2026-05-01T10:00:00+02:00",
        "metadata": {"app": "chat"},
        "priority": 0,
        "retry_count": 0,
        "max_retries": 3,
    }
    assert MemoryReflectionJob.from_json(job.to_json()) == job


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"job_id": 1, "more": 2}', "[" * 100_000, '{"a":' * 100_000]
)
def test_what_is_no_job_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="not a memory reflection job"):
        MemoryReflectionJob.from_json(text)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("user_id", 2),
        ("timestamp", None),
        ("user_message", ["in parts"]),
        ("metadata", []),
        ("priority", 2),
        ("priority", True),
        ("priority", "1"),
        ("retry_count", 0.5),
        ("max_retries", None),
    ],
)
def test_a_job_of_wrong_types_is_refused(field: str, value: object) -> None:
    job = json.loads(MemoryReflectionJob.from_interaction("ann", TALK, job_id="j1").to_json())
    with pytest.raises(InvalidInput, match=f"`{field}`"):
        MemoryReflectionJob.from_json(json.dumps({**job, field: value}))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("user_message", 7),
        ("session_id", 7),
        ("metadata", "text"),
        ("priority", 5),
        ("timestamp", "yesterday"),
    ],
)
async def test_a_wrong_field_is_named(field: str, value: object) -> None:
    async with a_house() as house:
        with pytest.raises(InvalidInput, match=f"`{field}`"):
            await Reflector(house.services).store_interaction_fast("ann", {**TALK, field: value})
        assert (await house.services.curate.turns(ANN)).items == []
