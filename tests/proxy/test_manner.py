"""How a request says what memory has to do with it, and what nobody can say."""

import asyncio
from typing import Any

import pytest
from tests.proxy.house import Guest, House

from memweaver.domain import chat
from memweaver.services import chat as asking

KNOWN = "I live in Lisbon."
ASKED = "Where do I live?"
CHAT = "3f0c8e64-6f0a-4b8e-9a55-0d6f8f1f2a11"


def reminded(guest: Guest) -> bool:
    return KNOWN in str(guest.asked["messages"])


@pytest.mark.parametrize("by", ["header", "metadata"])
@pytest.mark.parametrize(
    ("name", "value", "recalled", "recorded"),
    [
        ("recall", "off", False, True),
        ("record", "off", True, False),
        ("ephemeral", "on", False, False),
        ("ephemeral", "off", True, True),
    ],
)
def test_a_request_switches_memory_off(
    guest: Guest, by: str, name: str, value: str, *, recalled: bool, recorded: bool
) -> None:
    guest.chat(KNOWN)
    if by == "header":
        guest.chat(ASKED, headers={f"X-Memweaver-{name}": value})
    else:
        guest.chat(ASKED, metadata={f"memweaver_{name}": value, "theirs": "kept"})
        assert guest.asked["metadata"] == {"theirs": "kept"}

    assert reminded(guest) is recalled
    assert len(guest.turns()) == 1 + recorded


@pytest.mark.parametrize(
    ("headers", "body", "param"),
    [
        ({"X-Memweaver-Recall": "perhaps"}, {}, "x-memweaver-recall"),
        ({}, {"metadata": {"memweaver_recall": "perhaps"}}, "metadata.memweaver_recall"),
        ({}, {"metadata": {"memweaver_record": 1}}, "metadata.memweaver_record"),
        ({"X-Memweaver-Session": "x" * 300}, {}, "x-memweaver-session"),
        ({}, {"metadata": {"memweaver_session": " "}}, "metadata.memweaver_session"),
        ({"X-OpenWebUI-Chat-Id": "x" * 300}, {}, "x-openwebui-chat-id"),
        ({"X-Memweaver-AI": "x" * 300}, {}, "x-memweaver-ai"),
        ({}, {"metadata": {"memweaver_ai": "a\nb"}}, "metadata.memweaver_ai"),
        ({}, {"ai_uuid": "a\nb"}, "ai_uuid"),
        ({}, {"ai_uuid": 7}, "ai_uuid"),
        ({}, {"messages": [{"role": ["user"], "content": "Hello"}]}, "messages[0].role"),
        ({"Idempotency-Key": ""}, {}, "idempotency-key"),
        ({"Idempotency-Key": "x" * 257}, {}, "idempotency-key"),
        ({"Idempotency-Key": "a\tb"}, {}, "idempotency-key"),
    ],
)
def test_a_wish_that_cannot_be_is_refused_by_name(
    guest: Guest, headers: dict[str, str], body: dict[str, Any], param: str
) -> None:
    answer = guest.chat("Hello", headers=headers, **body)

    assert (answer.status_code, answer.json()["error"]["param"]) == (400, param)
    assert guest.house.script.asked == []


ENDLESS = b'{"messages": [{"role": "user", "content": "Hello"}], "temperature": %b}'


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b"[" * 10_000, b'{"a": ' * 900 + b"1" + b"}" * 900),
        *(ENDLESS % number for number in (b"NaN", b"Infinity", b"1e400", b"-1e400")),
    ],
)
def test_a_body_that_is_no_object_is_refused(guest: Guest, content: bytes) -> None:
    answer = guest.send("/v1/chat/completions", content)

    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "invalid_request_error"
    assert answer.json()["error"]["code"] == "invalid_input"
    assert guest.house.script.asked == []


@pytest.mark.requirement("B7")
def test_an_ai_has_memories_of_its_own(guest: Guest) -> None:
    services = guest.house.services
    for ai in ("one", "two"):
        guest.house.call(services.ais.register(guest.user, ai, ai.title()))
    guest.chat(KNOWN, ai_uuid="one", ai_name="One")
    guest.chat(ASKED, ai_uuid="two")
    assert not reminded(guest)
    guest.chat(ASKED, headers={"X-Memweaver-AI": "one"})
    assert reminded(guest)
    assert "ai_uuid" not in guest.asked
    assert [turn.scope.ai for turn in guest.turns()] == ["one", "two", "one"]


@pytest.mark.requirement("B7")
def test_an_ai_that_is_not_ones_own_is_not_there(proxy: House) -> None:
    ann, ben = proxy.guest(), proxy.guest()
    proxy.call(proxy.services.ais.register(ann.user, "anns", "Ann's"))

    foreign, missing = (ben.chat("Hello", ai_uuid=name) for name in ("anns", "nobody"))

    assert foreign.status_code == missing.status_code == 404
    assert foreign.text.replace("anns", "") == missing.text.replace("nobody", "")


def steered(guest: Guest, field: str) -> list[str]:
    """The routes by which `field` reached the model, or whom it names."""
    reached: list[str] = []

    async def canary() -> asyncio.Server:
        return await asyncio.start_server(lambda *_: reached.append("it"), "127.0.0.1", 0)

    server = guest.house.call(canary())
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    body = {"messages": [{"role": "user", "content": "Hi"}], "input": "Hi", field: url}
    try:
        for path in ("/v1/chat/completions", "/v1/embeddings"):
            assert guest.post(path, body).status_code == 200
            reached += [path] if field in guest.asked else []
    finally:
        guest.house.loop.call_soon_threadsafe(server.close)
    return reached


@pytest.mark.parametrize("field", ["base_url", "api_base", "api_key"])
def test_no_field_steers_where_a_request_goes(guest: Guest, field: str) -> None:
    assert steered(guest, field) == []


@pytest.mark.parametrize("field", ["base_url", "api_base", "api_key"])
def test_a_field_that_is_let_through_is_noticed(
    guest: Guest, field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for guarding in (chat, asking):
        monkeypatch.setattr(guarding, "STEERING", frozenset())
    assert steered(guest, field) == ["/v1/chat/completions", "/v1/embeddings"]


def test_the_callers_key_never_reaches_the_model(guest: Guest) -> None:
    guest.chat("Hello", headers={"X-API-Key": guest.secret, "Cookie": "a=b", "X-Other": "c"})

    [head] = guest.house.script.heads
    assert guest.secret not in str(head)
    assert not {"authorization", "x-api-key", "cookie", "x-other"} & set(head)


def test_a_turn_under_one_idempotency_key_is_recorded_once(guest: Guest) -> None:
    for _ in range(2):
        assert guest.chat("Yes", headers={"Idempotency-Key": "1"}).status_code == 200

    assert guest.said() == [["Yes", "Fine, thank you."]]


def test_other_words_under_a_used_idempotency_key_are_refused_in_openais_shape(
    guest: Guest,
) -> None:
    guest.chat("Yes", headers={"Idempotency-Key": "1"})
    answer = guest.chat("No", headers={"Idempotency-Key": "1"})

    assert answer.status_code == 409
    error = answer.json()["error"]
    assert (error["type"], error["code"]) == ("invalid_request_error", "conflict")
    assert len(guest.house.script.asked) == 1


TASK = """### Task:
Generate a concise, 3-5 word title with an emoji for the talk below.
### Guidelines:
- Use its language.
### Chat History:
<chat_history>
USER: Where do I live?
</chat_history>"""


def test_open_webui_as_a_connection(guest: Guest) -> None:
    """As it sends them: a chat streamed with usage and its headers, then a request for a title."""
    headers = {
        "X-OpenWebUI-User-Name": "Somebody%20Else",
        "X-OpenWebUI-User-Id": "another",
        "X-OpenWebUI-User-Email": "another@example.org",
        "X-OpenWebUI-User-Role": "admin",
        "X-OpenWebUI-Chat-Id": CHAT,
    }
    guest.chat(KNOWN)
    options = {"stream": True, "stream_options": {"include_usage": True}}
    history = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": ASKED},
    ]
    answer = guest.chat("", headers=headers, messages=history, **options)
    assert reminded(guest)
    assert guest.asked["messages"][:3] == history[:3]
    assert '"usage"' in answer.text

    guest.chat(TASK, headers=headers, stream=False, max_completion_tokens=1000)

    assert guest.asked["messages"] == [{"role": "user", "content": TASK}]
    assert [turn.session for turn in guest.turns()] == ["default", CHAT]
    assert guest.said()[1] == [ASKED, "Fine, thank you."]


@pytest.mark.parametrize("kind", ["temporary", "local", "channel"])
def test_chats_of_open_webui_that_pass_or_are_read_by_several_have_no_memory(
    guest: Guest, kind: str
) -> None:
    guest.chat(KNOWN)
    passing = {"X-OpenWebUI-Chat-Id": f"{kind}:qvRN2"}
    guest.chat(ASKED, headers=passing)
    assert not reminded(guest)
    assert len(guest.turns()) == 1

    guest.chat(ASKED, headers={**passing, "X-Memweaver-Ephemeral": "off"})
    assert reminded(guest)
    assert len(guest.turns()) == 2


def test_a_session_is_a_name_for_turns_which_one_of_the_list_may_lend_its_id(guest: Guest) -> None:
    made = guest.post("/v1/sessions", {"name": "Monday"}).json()["id"]
    for name in ("monday", made):
        guest.chat("Good morning", headers={"X-Memweaver-Session": name})

    assert [turn.session for turn in guest.turns()] == ["monday", made]
    assert len(guest.get("/v1/turns?session=monday").json()["items"]) == 1
    assert guest.get("/v1/sessions/monday").status_code == 404
    assert len(guest.get(f"/v1/sessions/{made}/turns").json()["items"]) == 1
