"""The fast path under its literal names: an interaction is stored at once and reflected later.

`MemoryReflectionJob` is what one interaction looks like as a job; the queue itself carries only
its name.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import TypedDict

from memweaver.domain.conversation import Message, Metadata, Role, Said
from memweaver.domain.job import Priority
from memweaver.domain.parts import text_of_parts
from memweaver.domain.scope import Scope
from memweaver.errors import InvalidInput
from memweaver.services import Services

NUMBERS = ("priority", "retry_count", "max_retries")
"""Fields of a job that are whole numbers."""


class Stored(TypedDict):
    """How an interaction was taken; both names are those of the turn it became.

    `status` is `queued`, `processed` if it was reflected upon at once, or `stored` if it was not,
    or not wholly, and there is no job to do so.
    """

    status: str
    short_term_id: str
    job_id: str


class Recalled(TypedDict):
    """What is known that matters: the block for the prompt, and the tiers it comes from."""

    status: str
    context: str
    short_term: list[dict[str, str]]
    summary: str
    memories: list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class MemoryReflectionJob:
    """One interaction and how it is to be treated. `priority` is 1 high, 0 normal, -1 low."""

    job_id: str
    user_id: str
    session_id: str
    user_message: str
    assistant_response: str
    timestamp: str
    metadata: Metadata = field(default_factory=dict[str, object])
    priority: int = 0
    retry_count: int = 0
    max_retries: int = 3

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "MemoryReflectionJob":
        """Raises `InvalidInput`, which names the field if there is one of the wrong type."""
        try:
            given = json.loads(text)
            job = cls(**given)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidInput("this is not a memory reflection job in JSON") from error
        check_types(given)
        return job

    @classmethod
    def from_interaction(
        cls, user_id: str, interaction: Mapping[str, object], *, job_id: str = ""
    ) -> "MemoryReflectionJob":
        """Raises `InvalidInput`, which names the field."""
        return cls(
            job_id=text_of(interaction, "job_id", job_id),
            user_id=user_id,
            session_id=text_of(interaction, "session_id", "default"),
            user_message=message_of(interaction, "user_message"),
            assistant_response=message_of(interaction, "assistant_response"),
            timestamp=text_of(interaction, "timestamp", ""),
            metadata=object_of(interaction, "metadata"),
            priority=priority_of(interaction.get("priority", 0)),
        )

    def said(self) -> Said:
        """The interaction as it is recorded. Raises `InvalidInput`."""
        spoken = ((Role.USER, self.user_message), (Role.ASSISTANT, self.assistant_response))
        return Said(
            messages=tuple(Message(role, text) for role, text in spoken if text),
            session=self.session_id,
            at=time_of(self.timestamp),
            metadata=self.metadata,
        )


class Reflector:
    """Stores interactions and recalls for them. Whose they are is said by the program itself."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def store_interaction_fast(
        self, user_id: str, interaction: Mapping[str, object]
    ) -> Stored:
        """Keep it durably, with a job to reflect upon it; no model is called.

        Only with `MEMORY_FAST_MODE=false`, and while the queue cannot be written, models are: then
        the answer waits for them, for `MEMWEAVER_REFLECTOR__TIMEOUT` seconds at most.

        With a `job_id` of the caller's it is kept once, however often it is handed in.
        """
        job = MemoryReflectionJob.from_interaction(user_id, interaction)
        kept = await self._services.record.telling(
            Scope(user_id),
            job.said(),
            idempotency=job.job_id or None,
            priority=Priority(job.priority) if "priority" in interaction else None,
        )
        name = kept.turn.id
        return Stored(status=kept.reflection.value, short_term_id=name, job_id=name)

    async def recall_context(
        self, user_id: str, current_input: str, *, session_id: str = "default"
    ) -> Recalled:
        """What of all tiers matters for `current_input`, with the recent turns of the session."""
        scope = Scope(user_id)
        found = await self._services.recall(scope, current_input)
        window = await self._services.working(scope, session_id)
        return Recalled(
            status="ok" if found.by_meaning else "partial",
            context=found.context,
            short_term=[
                {"role": message.role.value, "content": message.text}
                for turn in window.turns
                for message in turn.messages
            ],
            summary=window.summary,
            memories=[
                {"id": hit.ref.id, "text": hit.text, "tier": hit.tier, "score": hit.score}
                for hit in found.hits
            ],
        )


def check_types(given: Mapping[str, object]) -> None:
    """Whether fields of a job that came as JSON are what they should be. Raises `InvalidInput`."""
    for name, value in given.items():
        if name in NUMBERS:
            if type(value) is not int:
                raise InvalidInput(f"`{name}` must be a whole number")
        elif name == "metadata":
            if not isinstance(value, dict):
                raise InvalidInput(f"`{name}` must be an object")
        elif not isinstance(value, str):
            raise InvalidInput(f"`{name}` must be text")
    priority_of(given.get("priority", 0))


def text_of(given: Mapping[str, object], name: str, default: str) -> str:
    value = given.get(name)
    if value is None:
        return default
    if not isinstance(value, str):
        raise InvalidInput(f"`{name}` must be text")
    return value


def message_of(given: Mapping[str, object], name: str) -> str:
    """A message, whole or in parts, as chat applications send pictures."""
    value = given.get(name)
    return text_of_parts(value) if isinstance(value, list) else text_of(given, name, "")


def object_of(given: Mapping[str, object], name: str) -> Metadata:
    value = given.get(name) or {}
    if not isinstance(value, Mapping):
        raise InvalidInput(f"`{name}` must be an object")
    return value


def priority_of(value: object) -> int:
    if value not in tuple(Priority):
        raise InvalidInput("`priority` must be -1 (low), 0 (normal) or 1 (high)")
    return Priority(value)  # type: ignore[arg-type]  # one of its values, as just seen


def time_of(text: str) -> datetime | None:
    if not text:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput("`timestamp` is not an ISO 8601 time") from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
