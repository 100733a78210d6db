"""Every place of a request where somebody may type: fields, keys of objects, paths and queries."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from tests.wire.house import Visitor


@dataclass(frozen=True)
class Request:
    line: str
    body: object = None
    headers: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def route(self) -> tuple[str, str]:
        method, path = self.line.split(" ", 1)
        return method, path.split("?")[0]


@dataclass(frozen=True)
class Known:
    """What there is already, so that a word reaches the very statement that writes it."""

    ai: str
    memory: str
    relation: str
    session: str
    collected: str

    @classmethod
    def of(cls, visitor: Visitor) -> "Known":
        def made(line: str, body: object, name: str = "id") -> str:
            return str(visitor.ask(f"POST {line}", body).json()[name])

        ai = made("/v1/ais", {"name": "Cook"})
        kept = {
            "ai_name": "Cook",
            "ai_uuid": ai,
            "memory_type": "archive",
            "memory_data": {"content": "tea"},
        }
        met = {"subject": "Ann", "predicate": "custom", "object": "Bob"}
        return cls(
            ai,
            made("/v1/memories", {"text": "tea"}),
            made("/v1/relations", met),
            made("/v1/sessions", {"name": "Tea"}),
            made("/create_memory", kept, "memory_id"),
        )


def requests(word: str, known: Known) -> Iterator[Request]:
    """With `word` in every place in turn."""
    yield from modern(word, known)
    yield from literal(word, known)
    yield from entered(word)
    for line in IN_PATHS:
        body = {"name": "x"} if line.startswith(("PUT", "PATCH")) else None
        yield Request(line.format(quote(word, safe="")), BODIES.get(line, body))
    for path, names in IN_QUERIES:
        for name in names:
            yield Request(f"GET {path}?{urlencode({name: word})}")


def modern(word: str, known: Known) -> Iterator[Request]:
    said = {"role": "user", "text": word, "name": word}
    meta = {word: {word: [word]}}
    once = {"Idempotency-Key": word} if word.isprintable() and word.isascii() else {}
    yield Request("POST /v1/turns", {"messages": [said], "session": word, "metadata": meta}, once)
    yield Request("POST /v1/memories", {"text": word, "metadata": meta, "sources": [word]}, once)
    yield Request("POST /v1/memories", {"text": "x", "tier": "core", "key": word, "ai": word})
    for name in ("supersedes", "tier", word):
        yield Request("POST /v1/memories", {"text": "x", name: word})
    yield Request(f"PATCH /v1/memories/{known.memory}", {"text": word, "metadata": meta})
    yield Request(f"POST /v1/memories/{known.memory}/move", {"tier": word})
    yield Request("POST /v1/recall", {"query": word, "session": word, "ai": word})
    yield Request("POST /v1/recall", {"query": word, "tiers": [word]})
    yield Request("POST /v1/sessions", {"name": word, "ai": word}, once)
    yield Request(f"PATCH /v1/sessions/{known.session}", {"name": word})
    for policy in ({"tools": [word], "notes": word}, {"shares": [word]}):
        yield Request("POST /v1/ais", {"name": word, "permissions": policy})
        yield Request(f"PATCH /v1/ais/{known.ai}", {"name": "Cook", "permissions": policy})
    ends = {"subject": word, "subject_type": word, "object": word, "object_type": word}
    yield Request("POST /v1/relations", {**ends, "predicate": "custom"})
    yield Request("POST /v1/relations", {"subject": word, "predicate": word, "object": word})
    yield Request(f"PATCH /v1/relations/{known.relation}", {"subject": word, "object": word})


def literal(word: str, known: Known) -> Iterator[Request]:
    own = {"ai_name": "Cook", "ai_uuid": known.ai, "memory_type": "archive"}
    foreign = {"ai_name": word, "ai_uuid": word, "memory_type": word}
    data = {"content": word, word: word}
    mine = {"memory_id": known.collected}
    yield Request("POST /v1/handshake", {"ai_name": word})
    for whose, which in ((own, mine), (own, {"memory_id": word}), (foreign, mine)):
        yield Request("POST /create_memory", {**whose, "memory_data": data})
        yield Request("POST /edit_memory", {**whose, **which, "memory_data": data})
    for whose in (own, foreign):
        yield Request("POST /delete_memory", {**whose, "memory_id": word})
    moved = {"from_memory_type": "archive", "to_memory_type": "working_memory"}
    named = {"ai_name": word, "ai_uuid": word, "document_id": word}
    yield Request("POST /move_memory", {**named, **moved})
    yield Request("POST /session", {"name": word})
    yield Request("PUT /auth/me/memory/core/home", {"value": word})
    ends = {"subject": word, "object": word}
    yield Request(f"PATCH /auth/me/memory/relational/{known.relation}", ends)


def entered(word: str) -> Iterator[Request]:
    password = {"password": "short"}
    yield Request("POST /v1/keys", {"label": word, "ai": word, "permissions": ["read"]})
    yield Request("POST /v1/keys", {"label": "x", "permissions": [word]})
    yield Request("POST /v1/users", {"email": word, "name": word, **password})
    told = {"url": f"http://127.0.0.1:9/{word}", "kinds": ["job.dead"], "ai": word}
    yield Request("POST /v1/webhooks", told)
    yield Request("POST /v1/webhooks", {"url": word, "kinds": [word]})
    yield Request("POST /chat", {"message": word, "session_id": word})
    completion = {"messages": [{"role": "user", "content": word}], "ai_uuid": word, word: word}
    yield Request("POST /v1/chat/completions", completion)
    yield Request("POST /v1/embeddings", {"input": word})


IN_PATHS = (
    "DELETE /v1/keys/{}",
    "GET /v1/users/{}",
    "PATCH /v1/users/{}",
    "GET /v1/turns/{}",
    "DELETE /v1/turns/{}",
    "GET /v1/reflections/{}",
    "GET /v1/memories/{}",
    "PATCH /v1/memories/{}",
    "DELETE /v1/memories/{}",
    "POST /v1/memories/{}/move",
    "POST /v1/memories/{}/confirm",
    "GET /v1/relations/{}",
    "PATCH /v1/relations/{}",
    "DELETE /v1/relations/{}",
    "GET /v1/sessions/{}",
    "PATCH /v1/sessions/{}",
    "DELETE /v1/sessions/{}",
    "GET /v1/sessions/{}/turns",
    "GET /v1/ais/{}",
    "PATCH /v1/ais/{}",
    "DELETE /v1/ais/{}",
    "POST /v1/admin/jobs/{}/retry?user=ann",
    "DELETE /v1/admin/jobs/{}?user=ann",
    "DELETE /session/{}",
    "PUT /session/{}/rename",
    "GET /sessions/{}/history",
    "GET /chats/{}",
    "DELETE /chats/{}",
    "PUT /auth/me/memory/core/{}",
    "DELETE /auth/me/memory/core/{}",
    "PATCH /auth/me/memory/relational/{}",
    "DELETE /auth/me/memory/relational/{}",
    "GET /v1/webhooks/{}/failures",
    "POST /v1/webhooks/{}/test",
    "DELETE /v1/webhooks/{}",
    "GET /v1/models/{}",
)
BODIES: dict[str, Any] = {
    "PATCH /v1/users/{}": {"disabled": True},
    "PATCH /v1/memories/{}": {"text": "x"},
    "POST /v1/memories/{}/move": {"tier": "core"},
    "PATCH /v1/relations/{}": {"subject": "x"},
    "PUT /auth/me/memory/core/{}": {"value": "x"},
    "PATCH /auth/me/memory/relational/{}": {"subject": "x"},
}
IN_QUERIES = (
    ("/v1/turns", ("session", "ai", "cursor", "limit")),
    ("/v1/memories", ("ai", "tier", "cursor", "as_of")),
    ("/v1/relations", ("ai", "cursor")),
    ("/v1/sessions", ("ai", "cursor")),
    ("/v1/ais", ("cursor",)),
    ("/v1/events", ("ai", "cursor")),
    ("/v1/admin/jobs", ("user", "state", "cursor")),
    ("/v1/admin/audit", ("limit",)),
)
