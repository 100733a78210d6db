"""The `Windows` port over Redis."""

import logging
from collections.abc import Awaitable
from datetime import timedelta
from typing import Any, cast

from redis.asyncio import Redis

from memweaver.adapters.redis.errors import translated
from memweaver.adapters.redis.packing import FORMAT, packed, unpacked
from memweaver.adapters.redis.secret import Secret, Secrets
from memweaver.domain.scope import Scope
from memweaver.domain.working import Window
from memweaver.errors import Unreadable
from memweaver.ports.changes import Changes
from memweaver.ports.cipher import Cipher, Context
from memweaver.ports.windows import Windows

KEEP = """
if redis.call('EXISTS', KEYS[3]) == 1 then return end
local now = tonumber(redis.call('TIME')[1])
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZADD', KEYS[2], now + ARGV[2], KEYS[1])
redis.call('EXPIRE', KEYS[2], ARGV[2])
"""
"""Keeps a window and lists it among its user's, for as long as it lives."""

FORGET = """
redis.call('SET', KEYS[2], '', 'EX', ARGV[1])
for _, name in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('UNLINK', name) end
redis.call('UNLINK', KEYS[1])
"""
"""Forgets all that is listed, and keeps nothing for a while."""

A_WHILE = 10
"""Seconds after forgetting in which somebody may still hold a window made before, to keep it."""

log = logging.getLogger(__name__)


class RedisWindows(Windows):
    """Sealed under a key that is derived from the user's own, and gone with it.

    Once a user is destroyed nothing here can be read any more, and it is let go in its time;
    `forget` before that lets it go at once. For a while after it nothing of that user is kept.
    """

    def __init__(self, client: Redis, cipher: Cipher, changes: Changes, ttl: timedelta) -> None:
        self._client = client
        self._cipher = cipher
        self._secrets = Secrets(changes)
        self._seconds = max(1, int(ttl.total_seconds()))

    async def window(self, scope: Scope, session: str) -> Window | None:
        secret = await self._secrets.of(scope.user)
        if secret is None:
            return None
        name = secret.name(scope, session)
        with translated():
            sealed = cast("bytes | None", await self._client.get(name))
        return None if sealed is None else self._opened(secret, scope.user, name, sealed)

    async def keep(self, scope: Scope, session: str, window: Window) -> None:
        secret = await self._secrets.of(scope.user)
        if secret is None:
            return
        name = secret.name(scope, session)
        sealed = self._cipher.seal(secret.key, packed(window), place(scope.user, name))
        names = [name, secret.every, secret.forgotten]
        await self._run(KEEP, names, [sealed, self._seconds])

    async def forget(self, user: str) -> None:
        secret = await self._secrets.of(user)
        self._secrets.drop(user)
        if secret is not None:
            await self._run(FORGET, [secret.every, secret.forgotten], [A_WHILE])

    def _opened(self, secret: Secret, user: str, name: str, sealed: bytes) -> Window | None:
        """One that cannot be opened is not at hand: it can be made again."""
        try:
            return unpacked(user, self._cipher.open(secret.key, sealed, place(user, name)))
        except Unreadable:
            log.warning(
                "a window in Redis cannot be opened and is made again",
                extra={"action": "window_unreadable", "window": name},
            )
            return None

    async def _run(self, script: str, names: list[str], values: list[Any]) -> None:
        with translated():
            await cast("Awaitable[object]", self._client.eval(script, len(names), *names, *values))


def place(user: str, name: str) -> Context:
    return Context(user, "windows", "window", name, FORMAT)
