"""The `Sessions` port in the process."""

from dataclasses import replace

from memweaver.adapters.memory.state import State
from memweaver.domain.scope import Scope, checked_name
from memweaver.errors import Conflict, NotFound
from memweaver.ports.sessions import Session, Sessions
from memweaver.ports.store import Page


class InMemorySessions(Sessions):
    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, session: Session) -> None:
        checked_name("id", session.id)
        user = self._state.begun(session.scope.user)
        if session.id in user.sessions:
            raise Conflict(f"there is a session {session.id!r} already")
        user.sessions[session.id] = user.next_version(), session

    async def session(self, scope: Scope, session_id: str) -> Session:
        return self._kept(scope, session_id)[1]

    async def sessions(self, scope: Scope, *, before: int | None, limit: int) -> Page[Session]:
        user = self._state.users.get(scope.user)
        found = [
            (serial, session)
            for serial, session in (user.sessions.values() if user else ())
            if scope.holds(session.scope) and (before is None or serial < before)
        ]
        latest = sorted(found, key=lambda one: -one[0])
        shown = latest[:limit]
        following = shown[-1][0] if len(latest) > limit else None
        return Page([session for _, session in shown], following)

    async def rename(self, scope: Scope, session_id: str, name: str) -> Session:
        serial, session = self._kept(scope, session_id)
        renamed = replace(session, name=name)
        self._state.users[scope.user].sessions[session_id] = serial, renamed
        return renamed

    async def erase(self, scope: Scope, session_id: str) -> None:
        self._kept(scope, session_id)
        del self._state.users[scope.user].sessions[session_id]

    def _kept(self, scope: Scope, session_id: str) -> tuple[int, Session]:
        user = self._state.users.get(scope.user)
        found = user and user.sessions.get(session_id)
        if not found or not scope.holds(found[1].scope):
            raise NotFound(f"there is no session {session_id!r}")
        return found
