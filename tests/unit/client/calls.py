"""A call of every method, in which everything is said that it can say."""

from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memweaver.client import MemweaverClient, Message, Role
from memweaver.domain.origin import Authority
from memweaver.domain.permissions import AiPermissions

Called = Coroutine[Any, Any, Any] | AsyncGenerator[Any]


@dataclass(frozen=True)
class Call:
    """A method, and what it is called with."""

    method: Callable[[MemweaverClient], Callable[..., Called]]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    def __call__(self, client: MemweaverClient) -> Called:
        return self.method(client)(*self.args, **self.kwargs)


def call(
    method: Callable[[MemweaverClient], Callable[..., Called]], *args: Any, **kwargs: Any
) -> Call:
    return Call(method, args, kwargs)


THEN = datetime(2026, 5, 1, tzinfo=UTC)
SHARING = AiPermissions(tools=("calculator",), capabilities=("maths",), notes="Kind", shares="all")
TEA = "Ann drinks tea."

CALLS: Mapping[str, Call] = {
    "POST /v1/turns": call(
        lambda client: client.turns.record,
        Message(Role.USER, TEA, "Ann"),
        session="s",
        at=THEN,
        ai="a",
        metadata={"n": 1},
    ),
    "GET /v1/turns": call(lambda client: client.turns.all, session="s", ai="a", at_once=7),
    "GET /v1/turns/{turn_id}": call(lambda client: client.turns.read, "1", ai="a"),
    "DELETE /v1/turns/{turn_id}": call(lambda client: client.turns.erase, "1", ai="a"),
    "GET /v1/reflections/{job_id}": call(lambda client: client.turns.reflection, "1", ai="a"),
    "POST /v1/memories": call(
        lambda client: client.memories.add,
        TEA,
        tier="core",
        key="drink",
        authority=Authority.PREFERENCE,
        importance=0.9,
        confidence=0.8,
        valid_from=THEN,
        valid_to=THEN,
        supersedes="0",
        sources=["1"],
        ai="a",
        metadata={"n": 1},
    ),
    "GET /v1/memories": call(
        lambda client: client.memories.all, tiers=["core", "semantic"], ai="a", at_once=7
    ),
    "GET /v1/memories/{memory_id}": call(lambda client: client.memories.read, "1", ai="a"),
    "PATCH /v1/memories/{memory_id}": call(
        lambda client: client.memories.correct,
        "1",
        text=TEA,
        key="drink",
        importance=0.9,
        confidence=0.8,
        valid_from=THEN,
        valid_to=THEN,
        metadata={"n": 1},
        expected=1,
        ai="a",
    ),
    "POST /v1/memories/{memory_id}/move": call(
        lambda client: client.memories.move, "1", "archive", expected=1, ai="a"
    ),
    "POST /v1/memories/{memory_id}/confirm": call(
        lambda client: client.memories.confirm, "1", expected=1, ai="a"
    ),
    "DELETE /v1/memories/{memory_id}": call(
        lambda client: client.memories.erase, "1", expected=1, ai="a"
    ),
    "POST /v1/recall": call(
        lambda client: client.recall,
        "tea?",
        limit=3,
        budget=100,
        tiers=["core"],
        turns=False,
        session="s",
        as_of=THEN,
        valid_at=THEN,
        ai="a",
    ),
    "POST /v1/relations": call(
        lambda client: client.relations.add,
        "Marco",
        "works_at",
        "Acme",
        subject_type="person",
        object_type="company",
        confidence=0.9,
        ai="a",
    ),
    "GET /v1/relations": call(lambda client: client.relations.all, ai="a", at_once=7),
    "GET /v1/relations/{relation_id}": call(lambda client: client.relations.read, "1", ai="a"),
    "PATCH /v1/relations/{relation_id}": call(
        lambda client: client.relations.change,
        "1",
        subject="Marco",
        predicate="works_at",
        object="Acme",
        subject_type="person",
        object_type="company",
        confidence=0.9,
        expected=1,
        ai="a",
    ),
    "DELETE /v1/relations/{relation_id}": call(
        lambda client: client.relations.erase, "1", expected=1, ai="a"
    ),
    "POST /v1/ais": call(lambda client: client.ais.create, "Tutor", SHARING),
    "POST /v1/handshake": call(lambda client: client.ais.handshake, "Tutor"),
    "GET /v1/ais": call(lambda client: client.ais.all),
    "GET /v1/ais/{ai_id}": call(lambda client: client.ais.read, "1"),
    "PATCH /v1/ais/{ai_id}": call(
        lambda client: client.ais.update, "1", name="Tutor", permissions=SHARING
    ),
    "DELETE /v1/ais/{ai_id}": call(lambda client: client.ais.erase, "1"),
    "POST /v1/sessions": call(lambda client: client.sessions.create, "Holidays", ai="a"),
    "GET /v1/sessions": call(lambda client: client.sessions.all, ai="a", at_once=7),
    "GET /v1/sessions/{session_id}": call(lambda client: client.sessions.read, "1", ai="a"),
    "GET /v1/sessions/{session_id}/turns": call(
        lambda client: client.sessions.turns, "1", ai="a", at_once=7
    ),
    "PATCH /v1/sessions/{session_id}": call(
        lambda client: client.sessions.rename, "1", "Lisbon", ai="a"
    ),
    "DELETE /v1/sessions/{session_id}": call(lambda client: client.sessions.erase, "1", ai="a"),
    "GET /v1/events": call(lambda client: client.events.since, "41.7", ai="a", limit=7),
    "GET /v1/events/schema": call(lambda client: client.events.schema),
    "POST /v1/webhooks": call(
        lambda client: client.webhooks.add, "https://example.org", kinds=["memory.added"], ai="a"
    ),
    "GET /v1/webhooks": call(lambda client: client.webhooks.all),
    "GET /v1/webhooks/{webhook_id}/failures": call(lambda client: client.webhooks.failures, "1"),
    "POST /v1/webhooks/{webhook_id}/test": call(lambda client: client.webhooks.test, "1"),
    "DELETE /v1/webhooks/{webhook_id}": call(lambda client: client.webhooks.remove, "1"),
    "POST /v1/chat/completions": call(
        lambda client: client.chat, TEA, model="m", ai="a", session="s"
    ),
    "GET /v1/models": call(lambda client: client.models.names),
    "GET /v1/models/{model_id}": call(lambda client: client.models.read, "house/large"),
    "POST /v1/embeddings": call(lambda client: client.models.embed, [TEA], model="m"),
    "GET /v1/me": call(lambda client: client.me.read),
    "POST /v1/me/password": call(lambda client: client.me.change_password, "old", "new"),
    "POST /v1/me/logout": call(lambda client: client.me.log_out),
    "POST /v1/keys": call(
        lambda client: client.keys.create, "laptop", permissions=["read"], ai="a", expires_at=THEN
    ),
    "GET /v1/keys": call(lambda client: client.keys.all),
    "DELETE /v1/keys/{key_id}": call(lambda client: client.keys.revoke, "1"),
    "POST /v1/users": call(
        lambda client: client.users.create,
        "ada@example.org",
        "Ada",
        "secret",
        role="admin",
        organisation="home",
    ),
    "GET /v1/users": call(lambda client: client.users.all),
    "GET /v1/users/{user}": call(lambda client: client.users.read, "ada"),
    "PATCH /v1/users/{user}": call(lambda client: client.users.disable, "ada"),
    "POST /v1/forget": call(lambda client: client.forget_everything),
    "GET /v1/admin/audit": call(lambda client: client.admin.audit, limit=7),
    "GET /v1/admin/jobs": call(
        lambda client: client.admin.jobs, states=["dead"], user="ada", at_once=7
    ),
    "POST /v1/admin/jobs/{job_id}/retry": call(lambda client: client.admin.retry_job, "ada", "1"),
    "DELETE /v1/admin/jobs/{job_id}": call(lambda client: client.admin.discard_job, "ada", "1"),
}

ELSEWHERE: Mapping[str, frozenset[str]] = {
    "PATCH /v1/memories/{memory_id}": frozenset({"expected_revision"}),
    "POST /v1/chat/completions": frozenset({"ai_name", "stream"}),
}
"""Fields that the client says in another way: by a header, by another field, by another method."""
