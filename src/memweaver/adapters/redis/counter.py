"""The `Counter` port over Redis, for several servers together."""

from datetime import datetime, timedelta
from hashlib import sha256

from redis.asyncio import Redis

from memweaver.adapters.redis.errors import translated
from memweaver.domain.rate import window_of
from memweaver.ports.counter import Counted, Counter


class RedisCounter(Counter):
    """Holds whole numbers only, under hashes of their names."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def add(self, name: str, amount: int, window: timedelta, now: datetime) -> Counted:
        number, seconds = window_of(now, window), int(window.total_seconds())
        hashed = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        # In braces, so that a cluster keeps both on one machine.
        prefix = f"memweaver:{{rate {hashed}}}:{seconds}"
        with translated():
            async with self._client.pipeline(transaction=True) as pipe:
                pipe.incrby(f"{prefix}:{number}", amount)
                pipe.expire(f"{prefix}:{number}", 2 * seconds)
                pipe.get(f"{prefix}:{number - 1}")
                counted, _, before = await pipe.execute()
        return Counted(max(0, int(before or 0)), max(0, int(counted)))
