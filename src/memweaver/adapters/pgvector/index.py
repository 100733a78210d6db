"""The `Index` port over Postgres: shared by all processes, as new as the store."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from memweaver.adapters.pgvector import method
from memweaver.adapters.pgvector.blind import Blind
from memweaver.adapters.pgvector.follower import Follower
from memweaver.adapters.pgvector.following import NOTHING, State
from memweaver.adapters.pgvector.method import Method
from memweaver.adapters.pgvector.rows import Reader
from memweaver.adapters.pgvector.schema import users
from memweaver.adapters.pgvector.searching import Means, PgvectorShard
from memweaver.adapters.pgvector.speakers import NOBODY, Speakers, speakers, voices
from memweaver.domain.scope import Scope
from memweaver.errors import Unreadable
from memweaver.ports.index import Index, IndexCapability, Shard

LOOKED_AFTER = 32
"""Users followed by one call of `maintain`: so many who were opened last, so many of all others."""
MOST_KNOWN = 10_000
"""Scopes whose speakers are remembered, before beginning anew."""


class PgvectorIndex(Index):
    """Finds records in Postgres. Its vectors are not sealed."""

    def __init__(self, means: Means) -> None:
        self._means = means
        reader = Reader(means.words, means.dimensions)
        self._follower = Follower(means.database, means.changes, reader)
        self._heard: dict[Scope, tuple[State, Speakers]] = {}
        self._looked_after = ""

    @property
    def capabilities(self) -> frozenset[IndexCapability]:
        """None: only what words or vectors bring near is scored, and its vectors are clear."""
        return frozenset()

    async def open(self, scope: Scope, *, since: float | None = None) -> Shard:
        state = await self._follower.follow(scope.user)
        blind = await self._follower.blind(scope.user, state) if state.rows else None
        heard = NOBODY if blind is None else await self._speakers(scope, state, blind)
        return PgvectorShard(self._means, scope, state, blind, heard)

    def people(self, scope: Scope) -> Sequence[str]:
        _, heard = self._heard.get(scope, (None, NOBODY))
        return sorted(heard.named)

    async def erased(self, user: str) -> None:
        for scope in [scope for scope in self._heard if scope.user == user]:
            del self._heard[scope]
        try:
            there = await self._follower.follow(user) != NOTHING
        except Unreadable:
            there = False
        if not there:
            await self._follower.forget(user)

    async def maintain(self) -> None:
        """Follow the store for some users, so that what was erased there leaves this index too."""
        lately = {scope.user for scope in list(self._heard)[-LOOKED_AFTER:]}
        for user in lately.union(await self._means.database.read(self._next_users)):
            await self._follower.follow(user)
        if self._means.method is Method.IVFFLAT:
            await self._means.database.tend(method.renew_if_worn)

    def _next_users(self, connection: Connection) -> list[str]:
        """The next users in the order of names; after the last ones the first ones again."""
        following = select(users.c.owner).where(users.c.owner > self._looked_after)
        found = connection.scalars(following.order_by(users.c.owner).limit(LOOKED_AFTER)).all()
        self._looked_after = found[-1] if len(found) == LOOKED_AFTER else ""
        return list(found)

    async def _speakers(self, scope: Scope, state: State, blind: Blind) -> Speakers:
        known, heard = self._heard.get(scope, (None, NOBODY))
        if known != state:
            found = await self._means.database.read(lambda connection: voices(connection, scope))
            heard = await speakers(self._means.changes, scope, blind, found)
            self._heard.pop(scope, None)
            if len(self._heard) >= MOST_KNOWN:
                self._heard.clear()
            self._heard[scope] = state, heard
        return heard
