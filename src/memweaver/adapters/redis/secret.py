"""What a user's windows are called and sealed with: both need a secret that dies with the user."""

import hmac
import json
from dataclasses import dataclass, field

from memweaver.domain.scope import Scope
from memweaver.ports.changes import Changes

MOST_KNOWN = 10_000
"""Users whose secret is remembered, before beginning anew."""


@dataclass(frozen=True, slots=True)
class Secret:
    """Everything here is derived from the user's own secret, and differs for every user and use."""

    index_key: bytes = field(repr=False)

    @property
    def key(self) -> bytes:
        """What windows are sealed under."""
        return self._derived("windows: key", "")

    @property
    def every(self) -> str:
        """The name of the list of all windows of the user."""
        return f"memweaver:{self._place}:windows"

    @property
    def forgotten(self) -> str:
        """The name of what is there just after the user's windows were forgotten."""
        return f"memweaver:{self._place}:forgotten"

    def name(self, scope: Scope, session: str) -> str:
        """The name of one window, which tells neither the user nor the AI nor the session."""
        one = self._derived("windows: name", json.dumps([scope.ai, session])).hex()
        return f"memweaver:{self._place}:window:{one}"

    @property
    def _place(self) -> str:
        """Alike for all of a user and in braces, so that a cluster keeps them on one machine."""
        return f"{{{self._derived('windows: user', '').hex()}}}"

    def _derived(self, use: str, value: str) -> bytes:
        return hmac.digest(self.index_key, f"{use}\0{value}".encode(), "sha256")


class Secrets:
    """Everybody's secret, held in memory only, as long as that user is there."""

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._known: dict[str, tuple[str, Secret]] = {}

    async def of(self, user: str) -> Secret | None:
        """That of `user`; `None` of nobody."""
        stamp = await self._changes.stamp(user)
        known = self._known.get(user)
        if known is not None and stamp is not None and known[0] == stamp.epoch:
            return known[1]
        self.drop(user)
        index_key = await self._changes.index_key(user)
        if stamp is None or index_key is None:
            return None
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[user] = stamp.epoch, Secret(index_key)
        return self._known[user][1]

    def drop(self, user: str) -> None:
        self._known.pop(user, None)
