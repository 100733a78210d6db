"""What things are called at the broker."""

from dataclasses import dataclass
from hashlib import sha256

from memweaver.errors import ConfigurationError

EVERYBODY = "reflection.#"
"""Binds every user's bells. `reflection.*` would lose those of users with a dot in their name."""
FAILED = "failed"
"""The routing key of dead jobs."""
LONGEST = 255
"""Bytes of any name or routing key, by the protocol."""


@dataclass(frozen=True, slots=True)
class Names:
    """The exchange and queue that bells go through, and where dead jobs are announced."""

    exchange: str
    queue: str

    def __post_init__(self) -> None:
        for name in (self.exchange, self.queue, self.dead_exchange, self.dead_queue):
            if not name or name.startswith("amq.") or len(name.encode()) > LONGEST:
                raise ConfigurationError(
                    "the names of RabbitMQ's exchange and queue must not be empty, not begin with "
                    f"`amq.` and leave room for endings within {LONGEST} bytes: change "
                    "RABBITMQ_EXCHANGE or RABBITMQ_QUEUE"
                )

    @property
    def dead_exchange(self) -> str:
        return f"{self.exchange}.dlx"

    @property
    def dead_queue(self) -> str:
        return f"{self.queue.removesuffix('_queue')}_dlq"


def routing_key(user: str) -> str:
    """`reflection.{user}`; a user whose name is too long for that goes by its digest."""
    key = f"reflection.{user}"
    if len(key.encode()) <= LONGEST:
        return key
    return f"reflection.{sha256(user.encode()).hexdigest()}"
