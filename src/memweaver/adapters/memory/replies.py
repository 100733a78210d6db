"""The `Replies` port in the process."""

from dataclasses import replace
from datetime import datetime

from memweaver.adapters.memory.state import Answered, State
from memweaver.ports.replies import Replies, Reply, another, unfinished


class InMemoryReplies(Replies):
    def __init__(self, state: State) -> None:
        self._state = state

    async def begin(
        self, user: str, key: str, request: bytes, *, now: datetime, stale: datetime
    ) -> Reply | None:
        kept = self._state.begun(user).replies
        found = kept.get(key)
        if found is None or (found.reply is None and found.at < stale):
            kept[key] = Answered(request, now)
            return None
        if found.request != request:
            raise another()
        if found.reply is None:
            raise unfinished()
        return found.reply

    async def keep(self, user: str, key: str, reply: Reply, *, begun: datetime) -> None:
        if found := self._begun(user, key, begun):
            self._state.users[user].replies[key] = replace(found, reply=reply)

    async def give_up(self, user: str, key: str, *, begun: datetime) -> None:
        if self._begun(user, key, begun):
            del self._state.users[user].replies[key]

    async def sweep(self, *, before: datetime) -> int:
        old = [
            (user, key)
            for user in self._state.users.values()
            for key, answered in user.replies.items()
            if answered.at < before
        ]
        for user, key in old:
            del user.replies[key]
        return len(old)

    def _begun(self, user: str, key: str, at: datetime) -> Answered | None:
        there = self._state.users.get(user)
        found = there.replies.get(key) if there else None
        return found if found and found.at == at else None
