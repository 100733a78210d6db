"""POST /chat: one message in, one reply out."""

from dataclasses import replace

import pytest
from tests.proxy.house import Guest, House

from memweaver.testing.speaking import Reply


@pytest.mark.requirement("B5", "B16")
def test_a_session_is_made_and_goes_on(guest: Guest) -> None:
    guest.house.script.replies[:] = [Reply("Hello!"), Reply("In Lisbon.")]
    first = guest.post("/chat", {"message": "I live in Lisbon."})
    assert first.status_code == 200
    session = first.json()["session_id"]
    assert first.json() == {"response": "Hello!", "session_id": session}

    second = guest.post("/chat", {"message": "Where do I live?", "session_id": session})

    assert second.json() == {"response": "In Lisbon.", "session_id": session}
    told = guest.asked["messages"]
    assert [one["role"] for one in told] == ["user", "assistant", "user"]
    assert [one["content"] for one in told[:2]] == ["I live in Lisbon.", "Hello!"]
    assert {turn.session for turn in guest.turns()} == {session}
    assert guest.said() == [["I live in Lisbon.", "Hello!"], ["Where do I live?", "In Lisbon."]]


def test_anothers_session_is_not_there(proxy: House) -> None:
    ann, ben = proxy.guest(), proxy.guest()
    session = ann.post("/chat", {"message": "Hello"}).json()["session_id"]

    foreign, missing = (
        ben.post("/chat", {"message": "Hello", "session_id": name}) for name in (session, "none")
    )

    assert foreign.status_code == missing.status_code == 404
    assert foreign.text.replace(session, "") == missing.text.replace("none", "")


def test_a_key_for_chats_only_is_told_nothing_and_leaves_nothing(guest: Guest) -> None:
    session = guest.post("/chat", {"message": "I live in Lisbon."}).json()["session_id"]
    made = guest.post("/v1/keys", {"label": "chats", "permissions": ["chat"]}).json()
    chatter = replace(guest, secret=made["secret"])

    going_on = chatter.post("/chat", {"message": "Where do I live?", "session_id": session})
    beginning = chatter.post("/chat", {"message": "Hello"})

    for answer, missing in ((going_on, "read"), (beginning, "write")):
        assert answer.status_code == 403
        assert f"lacks the permission `{missing}`" in answer.json()["error"]["message"]
    assert len(guest.house.script.asked) == 1
    assert [one["id"] for one in guest.get("/v1/sessions").json()["items"]] == [session]


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        ("busy", 503, "model_busy"),
        ("bad_request", 502, "model_refused"),
        ("no_message", 502, "model_output_invalid"),
        ("not_an_answer", 502, "model_output_invalid"),
        ("hang_up", 503, "model_unavailable"),
    ],
)
def test_a_failing_model_is_told_of_in_our_own_shape(
    guest: Guest, fault: str, status: int, code: str
) -> None:
    guest.house.script.first.append(fault)

    answer = guest.post("/chat", {"message": "Hello"})

    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert guest.get("/sessions").json() == []
    assert guest.turns() == []


@pytest.mark.parametrize("message", ["\x00\x01", "x" * 500, " two\nlines "])
def test_any_message_names_a_session(guest: Guest, message: str) -> None:
    assert guest.post("/chat", {"message": message}).status_code == 200


def test_a_message_that_is_sent_again_is_answered_as_before(guest: Guest) -> None:
    guest.house.script.replies[:] = [Reply("Hello!"), Reply("Again?"), Reply("Something else.")]
    first, second = (
        guest.post("/chat", {"message": "Good morning"}, Idempotency_Key="k") for _ in range(2)
    )

    assert first.status_code == second.status_code == 200
    assert first.content == second.content
    assert guest.said() == [["Good morning", "Hello!"]]
    other = guest.post("/chat", {"message": "Good evening"}, Idempotency_Key="k")
    assert other.status_code == 409


def test_a_message_that_came_to_nothing_may_be_sent_again(guest: Guest) -> None:
    guest.house.script.first.append("bad_request")
    guest.house.script.replies[:] = [Reply("Hello!")]
    failed, said = (
        guest.post("/chat", {"message": "Good morning"}, Idempotency_Key="k") for _ in range(2)
    )

    assert (failed.status_code, said.status_code) == (502, 200)
    assert said.json()["response"] == "Hello!"
