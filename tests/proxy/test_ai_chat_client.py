"""`AIChatClient`: an AI that is met once, and known again by its UUID."""

import pytest
from tests.proxy.house import Guest

from memweaver.client import AIChatClient
from memweaver.client.blocking import connect
from memweaver.errors import NotFound, Unauthenticated
from memweaver.testing.speaking import Reply


def client_of(guest: Guest, ai_name: str = "Tutor", ai_uuid: str | None = None) -> AIChatClient:
    return AIChatClient(ai_name, ai_uuid, base_url=guest.house.url, api_key=guest.secret)


@pytest.mark.requirement("B6")
def test_an_ai_that_is_registered_has_a_uuid_and_four_collections(guest: Guest) -> None:
    client = client_of(guest, "Piano Tutor")

    ai_uuid = client.register()

    assert client.ai_uuid == ai_uuid
    assert client.memory_paths == {
        kind: f"{kind}_{ai_uuid}_Piano_Tutor"
        for kind in ("working_memory", "long_term_memory", "personal_logs", "archive")
    }
    with connect(guest.house.url, guest.secret) as server:
        assert [(ai.id, ai.name) for ai in server.ais.all()] == [(ai_uuid, "Piano Tutor")]


@pytest.mark.requirement("B7")
def test_a_chat_is_answered_with_what_was_said_in_it(guest: Guest) -> None:
    guest.house.script.replies += [Reply("Good morning, Ann."), Reply("Ann.")]
    client = client_of(guest)

    assert client.chat("Good morning, I am Ann.") == "Good morning, Ann."
    assert client.chat("What is my name?") == "Ann."

    assert [message["role"] for message in guest.asked["messages"]] == [
        "user",
        "assistant",
        "user",
    ]
    assert client.get_chat_history() == [
        {"user": "Good morning, I am Ann.", "ai": "Good morning, Ann."},
        {"user": "What is my name?", "ai": "Ann."},
    ]


@pytest.mark.requirement("B16")
def test_an_ai_known_by_its_uuid_remembers_what_was_said_before(guest: Guest) -> None:
    before = client_of(guest)
    before.chat("My sister Ada moved to Lisbon.")

    again = client_of(guest, ai_uuid=before.ai_uuid)
    again.register()
    again.chat("Where does my sister live?")

    assert "sister Ada moved to Lisbon." in guest.asked["messages"][-1]["content"]
    assert len(guest.asked["messages"]) == 1
    assert again.session_id != before.session_id
    assert again.memory_paths == before.memory_paths
    assert [said["user"] for said in again.get_chat_history()] == [
        "My sister Ada moved to Lisbon.",
        "Where does my sister live?",
    ]


def test_two_ais_of_one_user_do_not_hear_each_other(guest: Guest) -> None:
    one, other = client_of(guest), client_of(guest)
    one.chat("My sister Ada moved to Lisbon.")

    other.chat("Where does my sister live?")

    assert guest.asked["messages"] == [{"role": "user", "content": "Where does my sister live?"}]
    assert [said["user"] for said in other.get_chat_history()] == ["Where does my sister live?"]


@pytest.mark.parametrize("name", ["Tutor", "Somebody"])
def test_an_ai_of_another_uuid_or_name_is_not_there(guest: Guest, name: str) -> None:
    known = client_of(guest).register()
    wanted = known if name == "Somebody" else known[::-1]

    with pytest.raises(NotFound):
        client_of(guest, name, wanted).register()


def test_what_was_never_registered_has_no_history(guest: Guest) -> None:
    assert client_of(guest).get_chat_history() == []


@pytest.mark.requirement("B18")
def test_nobody_chats_without_a_key(guest: Guest) -> None:
    with pytest.raises(Unauthenticated):
        AIChatClient("Tutor", base_url=guest.house.url).register()
