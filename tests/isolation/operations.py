"""Every operation of the app: what it needs, whose it is about, and how it is asked."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.isolation.objects import AI_NAME, PASSWORD

from memweaver.domain.principal import PERSONAL, Permission

READ, WRITE = Permission.READ, Permission.WRITE
CHAT, KEYS, ADMIN = Permission.CHAT, Permission.KEYS, Permission.ADMIN
PARAMETER = re.compile(r"\{[^}]+\}")
Filled = Callable[[str], Any]


def nothing(_: str) -> None:
    return None


def no_headers(_: str) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True)
class Operation:
    """`about` is the kind of what it names: in its path if `named`, else in query or body.

    Who asks for something that is not theirs gets `refused`, whoever's it is. What only takes the
    name of an AI or a session as a filter has nothing to refuse: it finds nothing.
    """

    needs: Permission | None
    """Nothing, if every valid credential will do."""
    about: str = "everything"
    named: bool = True
    body: Filled = nothing
    query: Filled = nothing
    headers: Callable[[str], Mapping[str, str]] = no_headers
    good: frozenset[int] = frozenset({200, 201, 204})
    refused: int = 404
    differs: bool = False
    """It answers something new every time, such as an id or a secret."""
    besides: frozenset[Permission] = frozenset()
    """What is needed as well."""

    @property
    def needed(self) -> frozenset[Permission]:
        return self.besides | ({self.needs} if self.needs else frozenset())

    def path(self, route: str, target: str) -> str:
        return PARAMETER.sub(target, route)


def read(about: str, **more: Any) -> Operation:
    return Operation(READ, about, **more)


def write(about: str, **more: Any) -> Operation:
    return Operation(WRITE, about, **more)


def of_ai(**more: Any) -> Filled:
    return lambda target: {"ai_uuid": target, "ai_name": AI_NAME, **more}


def found(needs: Permission | None, **more: Any) -> Operation:
    """What takes a name as a filter, or makes something new beside it."""
    return Operation(needs, named=False, **more)


def of_piece(**more: Any) -> Filled:
    """The body of a request about a memory of an AI, which a target of kind `piece` names."""

    def filled(target: str) -> Any:
        ai, _, memory = target.partition("~")
        named = {name: memory or ai for name, value in more.items() if value is ...}
        return {"ai_uuid": ai, "ai_name": AI_NAME, **more, **named}

    return filled


KEPT = "long_term_memory"
TEXT = {"messages": [{"role": "user", "text": "Hello"}]}
CHATTING = {"model": "scripted", "messages": [{"role": "user", "content": "Hello"}]}
KNOWS = {"subject": "A", "predicate": "works_at", "object": "B"}
CONFIRM = {"X-Confirm": "true"}

OPERATIONS: Mapping[str, Operation] = {
    # turns, reflections and recall
    "POST /v1/turns": found(WRITE, about="ai", differs=True, body=lambda t: {**TEXT, "ai": t}),
    "GET /v1/turns": found(READ, about="ai", query=lambda t: {"ai": t}),
    "GET /v1/turns/{turn_id}": read("turn"),
    "DELETE /v1/turns/{turn_id}": write("turn"),
    "GET /v1/reflections/{job_id}": read("turn"),
    "POST /v1/recall": found(
        READ, about="ai", body=lambda t: {"query": "canary memory", "ai": t}, differs=True
    ),
    # memories
    "POST /v1/memories": found(
        WRITE, about="ai", differs=True, body=lambda t: {"text": "New", "ai": t}
    ),
    "GET /v1/memories": found(READ, about="ai", query=lambda t: {"ai": t}),
    "GET /v1/memories/{memory_id}": read("memory"),
    "PATCH /v1/memories/{memory_id}": write("memory", body=lambda _: {"text": "Changed"}),
    "POST /v1/memories/{memory_id}/move": write("memory", body=lambda _: {"tier": "archive"}),
    "POST /v1/memories/{memory_id}/confirm": write("memory"),
    "DELETE /v1/memories/{memory_id}": write("memory"),
    # relations
    "POST /v1/relations": found(WRITE, about="ai", differs=True, body=lambda t: {**KNOWS, "ai": t}),
    "GET /v1/relations": found(READ, about="ai", query=lambda t: {"ai": t}),
    "GET /v1/relations/{relation_id}": read("relation"),
    "PATCH /v1/relations/{relation_id}": write("relation", body=lambda _: {"confidence": 0.1}),
    "DELETE /v1/relations/{relation_id}": write("relation"),
    # sessions and AIs
    "POST /v1/sessions": found(
        WRITE, about="ai", differs=True, body=lambda t: {"name": "New", "ai": t}
    ),
    "GET /v1/sessions": found(READ, about="ai", query=lambda t: {"ai": t}),
    "GET /v1/sessions/{session_id}": read("session"),
    "GET /v1/sessions/{session_id}/turns": read("session"),
    "PATCH /v1/sessions/{session_id}": write("session", body=lambda _: {"name": "Other"}),
    "DELETE /v1/sessions/{session_id}": write("session"),
    "POST /v1/ais": found(WRITE, differs=True, body=lambda _: {"name": "New"}),
    "GET /v1/ais": found(READ, differs=True),
    "GET /v1/ais/{ai_id}": read("ai"),
    "PATCH /v1/ais/{ai_id}": write("ai", body=lambda _: {"name": AI_NAME}),
    "DELETE /v1/ais/{ai_id}": write("ai"),
    "POST /v1/forget": found(WRITE, headers=lambda _: CONFIRM),
    # what other programs call the same
    "POST /v1/handshake": found(WRITE, differs=True, body=lambda _: {"ai_name": "New"}),
    "POST /create_memory": write(
        "ai", body=of_ai(memory_type=KEPT, memory_data={"content": "New"})
    ),
    "POST /edit_memory": write(
        "piece", body=of_piece(memory_type=KEPT, memory_data={"content": "Other"}, memory_id=...)
    ),
    "POST /delete_memory": write("piece", body=of_piece(memory_type=KEPT, memory_id=...)),
    "POST /move_memory": write(
        "piece",
        body=of_piece(from_memory_type=KEPT, to_memory_type="archive", document_id=...),
    ),
    "GET /sessions": found(READ, differs=True),
    "POST /session": found(WRITE, differs=True, body=lambda _: {"name": "New"}),
    "DELETE /session/{session_id}": write("session"),
    "PUT /session/{session_id}/rename": write("session", body=lambda _: {"new_name": "Other"}),
    "GET /sessions/{session_id}/history": read("session"),
    "GET /chats/{session_id}": read("session"),
    "DELETE /chats/{chat_id}": write("turn"),
    "GET /auth/me/memory/core": found(READ, differs=True),
    "PUT /auth/me/memory/core/{key:path}": Operation(
        WRITE, "entry", named=False, body=lambda _: {"value": "Other"}
    ),
    "DELETE /auth/me/memory/core/{key:path}": write("entry"),
    "GET /auth/me/memory/relational": found(READ, differs=True),
    "PATCH /auth/me/memory/relational/{relation_id}": write(
        "relation", body=lambda _: {"confidence": 0.1}
    ),
    "DELETE /auth/me/memory/relational/{relation_id}": write("relation"),
    "POST /auth/me/memory/forget-all": found(WRITE, headers=lambda _: CONFIRM),
    # the model behind
    "POST /v1/chat/completions": Operation(
        CHAT, "ai", body=lambda t: {**CHATTING, "ai_uuid": t, "ai_name": AI_NAME}
    ),
    "POST /v1/embeddings": found(CHAT, body=lambda _: {"model": "scripted", "input": "Hello"}),
    "GET /v1/models": found(CHAT),
    "GET /v1/models/{model_id:path}": Operation(CHAT, good=frozenset({404})),
    "POST /chat": Operation(
        CHAT,
        "session",
        body=lambda t: {"message": "Hello", "session_id": t},
        differs=True,
        besides=frozenset({READ}),
    ),
    # keys, webhooks and events
    "POST /v1/keys": found(KEYS, differs=True, body=lambda _: {"label": "New"}),
    "GET /v1/keys": found(KEYS, differs=True),
    "DELETE /v1/keys/{key_id}": Operation(KEYS, "key"),
    "POST /v1/webhooks": found(
        KEYS, about="ai", differs=True, body=lambda t: {"url": "https://hooks.example/", "ai": t}
    ),
    "GET /v1/webhooks": found(KEYS, differs=True),
    "GET /v1/webhooks/{webhook_id}/failures": Operation(KEYS, "webhook"),
    "POST /v1/webhooks/{webhook_id}/test": Operation(KEYS, "webhook"),
    "DELETE /v1/webhooks/{webhook_id}": Operation(KEYS, "webhook"),
    "GET /v1/events": found(READ, about="ai", differs=True, query=lambda t: {"ai": t}),
    "GET /v1/events/schema": found(READ),
    # the house
    "GET /v1/me": found(None),
    "POST /v1/users": found(
        ADMIN,
        differs=True,
        body=lambda t: {"name": "New", "email": f"{t}@new.example", "password": PASSWORD},
        besides=PERSONAL,
    ),
    "GET /v1/users": Operation(ADMIN, "account", named=False, differs=True),
    "GET /v1/admin/jobs": Operation(ADMIN, "account", query=lambda t: {"user": t}),
    "POST /v1/admin/jobs/{job_id}/retry": Operation(
        ADMIN, "account", query=lambda t: {"user": t}, good=frozenset({404})
    ),
    "DELETE /v1/admin/jobs/{job_id}": Operation(
        ADMIN, "account", query=lambda t: {"user": t}, good=frozenset({404})
    ),
    "GET /v1/users/{user}": Operation(ADMIN, "account"),
    "PATCH /v1/users/{user}": Operation(
        ADMIN, "account", body=lambda _: {"disabled": True}, besides=PERSONAL
    ),
}
"""All but those of which `APART` says why they are not here."""

APART: Mapping[str, str] = {
    "GET /health": "open to everybody, names nobody",
    "GET /ready": "open to everybody, names nobody",
    "POST /signup": "open; tests/wire/test_entrance.py",
    "POST /login": "open; tests/wire/test_entrance.py",
    "GET /docs": "open to everybody, names nobody",
    "GET /docs/oauth2-redirect": "open to everybody, names nobody",
    "POST /v1/me/logout": "ends the credential that asks; tests/wire/test_entrance.py",
    "POST /v1/me/password": "changes the credential that asks; tests/wire/test_entrance.py",
    "GET /metrics": "nobody here is of the house itself; tests/wire/test_metrics.py",
    "GET /v1/admin/audit": "nobody here is of the house itself; tests/wire/test_keys.py",
}
