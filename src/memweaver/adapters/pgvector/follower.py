"""Brings a user's rows up to the store, in strides, together with all other processes."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from weakref import WeakValueDictionary

import anyio.to_thread
from anyio import Lock

from memweaver.adapters.pgvector.blind import Blind, Blinds
from memweaver.adapters.pgvector.database import Database
from memweaver.adapters.pgvector.following import NOTHING, State, Step, forget, read_state, take
from memweaver.adapters.pgvector.rows import Reader, memory_ref, turn_ref
from memweaver.ports.changes import Changes, Delta, Stamp

STRIDE = 2000
"""Versions taken in by one transaction; bounds the memory that a large user needs at first."""
ATTEMPTS = 5


class Follower:
    def __init__(self, database: Database, changes: Changes, reader: Reader) -> None:
        self._database = database
        self._changes = changes
        self._reader = reader
        self._blinds = Blinds(changes)
        self._locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    async def follow(self, user: str) -> State:
        """Follow the store as far as it is now.

        A record that changes while it is read is told under its new version only. So the store is
        asked again until nothing changed meanwhile, but not forever.
        """
        async with self._one_at_a_time(user):
            state = NOTHING
            for _ in range(ATTEMPTS):
                stamp = await self._changes.stamp(user)
                state = await self._state(user)
                if stamp is None:
                    return await self._forgotten(user, state)
                if not self._behind(state, stamp):
                    break
                blind = await self._blinds.of(user, stamp.epoch)
                if blind is not None:
                    await self._reach(user, state, stamp, blind)
            return state

    async def blind(self, user: str, state: State) -> Blind | None:
        """What numbers the words and names of `user`, whose rows are in `state`."""
        return await self._blinds.of(user, state.epoch)

    async def forget(self, user: str) -> None:
        """Remove every row of `user`; who is still there is read anew when next followed."""
        self._blinds.forget(user)
        await self._database.write(partial(forget, user=user))

    @asynccontextmanager
    async def _one_at_a_time(self, user: str) -> AsyncGenerator[None]:
        """Two of this process would only do the same work twice."""
        lock = self._locks.get(user) or self._locks.setdefault(user, Lock())
        async with lock:
            yield

    async def _state(self, user: str) -> State:
        return await self._database.read(partial(read_state, user=user))

    async def _forgotten(self, user: str, state: State) -> State:
        self._blinds.forget(user)
        if state != NOTHING:
            await self.forget(user)
        return NOTHING

    def _behind(self, state: State, stamp: Stamp) -> bool:
        return not self._continues(state, stamp) or state.version < stamp.version

    def _continues(self, state: State, stamp: Stamp) -> bool:
        """Whether the rows are of this life of the user, and made as this process makes them."""
        return (state.epoch, state.made_by) == (stamp.epoch, self._reader.made_by)

    async def _reach(self, user: str, state: State, stamp: Stamp, blind: Blind) -> None:
        while self._behind(state, stamp):
            step = await self._step(user, state, stamp, blind)
            await self._database.write(partial(take, user=user, step=step))
            state = await self._state(user)

    async def _step(self, user: str, state: State, stamp: Stamp, blind: Blind) -> Step:
        after = state.version if self._continues(state, stamp) else 0
        upto = min(after + STRIDE, stamp.version)
        delta = await self._whole(user, await self._changes.since(user, after, upto))
        told = frozenset(map(turn_ref, delta.turns)).union(map(memory_ref, delta.memories))
        later = [one for one in delta.vectors if one.ref not in told]
        return Step(
            before=state,
            epoch=stamp.epoch,
            version=upto,
            made_by=self._reader.made_by,
            rows=await anyio.to_thread.run_sync(self._reader.rows, delta, blind),
            gone=told.union(delta.erased),
            embeddings=list(self._reader.embeddings(later)),
        )

    async def _whole(self, user: str, delta: Delta) -> Delta:
        """With the vectors of memories that were told again: those may be of an earlier stride."""
        there = {one.ref for one in delta.vectors}
        lacking = {memory_ref(memory) for memory in delta.memories} - there
        if not lacking:
            return delta
        found = await self._changes.records(user, lacking)
        return replace(delta, vectors=[*delta.vectors, *found.vectors])
