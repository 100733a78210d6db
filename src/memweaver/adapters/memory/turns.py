"""Turns in the process."""

from collections.abc import Sequence
from dataclasses import replace

from memweaver.adapters.memory.listing import page
from memweaver.adapters.memory.state import Entry, State, plain
from memweaver.domain.conversation import Turn
from memweaver.domain.event import Event, EventKind
from memweaver.domain.job import Job, Priority
from memweaver.domain.job import State as JobState
from memweaver.domain.scope import Scope, checked_name
from memweaver.domain.search import Kind, Ref
from memweaver.errors import Conflict, NotFound
from memweaver.ports.store import Page


def record(
    state: State, given: Sequence[Turn], priority: Priority | None, trace: str | None
) -> Sequence[Turn]:
    given = [replace(turn, metadata=plain(turn.metadata)) for turn in given]
    new: dict[tuple[str, str], Turn] = {}
    for turn in given:
        first = kept(state, turn) or new.setdefault((turn.scope.user, turn.id), turn)
        if not same(first, turn):
            raise Conflict(f"a different turn is kept under the id {turn.id!r}")
        checked_name("id", turn.id)
    # Users by name: so every backend numbers the jobs of several alike.
    for turn in sorted(new.values(), key=lambda turn: turn.scope.user):
        user = state.begun(turn.scope.user)
        user.turns[turn.id] = user.kept(Ref(Kind.TURN, turn.id), turn)
        state.tell(Event(EventKind.TURN_RECORDED, turn.scope, turn.id, turn.recorded_at))
        if priority is not None:
            user.lane.add(next(state.numbers), job_for(turn, priority, trace))
    return [state.users[turn.scope.user].turns[turn.id].value for turn in given]


def job_for(turn: Turn, priority: Priority, trace: str | None) -> Job:
    at = turn.recorded_at
    return Job(
        turn.id, turn.scope, priority, JobState.WAITING, created_at=at, due_at=at, trace=trace
    )


def kept(state: State, turn: Turn) -> Turn | None:
    user = state.users.get(turn.scope.user)
    entry = user and user.turns.get(turn.id)
    return entry.value if entry else None


def unchanged(state: State, jobs: Sequence[Job]) -> bool:
    """Whether the turns that these jobs of one user are named after are there as recorded."""
    user = state.users.get(jobs[0].scope.user)
    there = user.turns if user else {}
    return all(
        job.id in there and there[job.id].value.recorded_at == job.created_at for job in jobs
    )


def same(one: Turn, other: Turn) -> bool:
    return replace(one, at=other.at, recorded_at=other.recorded_at) == other


def entry_of(state: State, scope: Scope, turn_id: str) -> Entry[Turn]:
    user = state.users.get(scope.user)
    entry = user and user.turns.get(turn_id)
    if not entry or not scope.holds(entry.value.scope):
        raise NotFound(f"there is no turn {turn_id!r}")
    return entry


def listed(
    state: State, scope: Scope, *, session: str | None, before: int | None, limit: int
) -> Page[Turn]:
    user = state.users.get(scope.user)
    entries = (
        entry
        for entry in (user.turns.values() if user else ())
        if scope.holds(entry.value.scope) and session in (None, entry.value.session)
    )
    return page(entries, before=before, limit=limit)


def erase(state: State, scope: Scope, turn_id: str) -> None:
    entry = entry_of(state, scope, turn_id)
    user = state.users[scope.user]
    user.bury([entry])
    del user.turns[turn_id]
    user.lane.remove(turn_id)
    user.windows.clear()


def erase_some(state: State, scope: Scope, session: str | None, limit: int) -> int:
    page = listed(state, scope, session=session, before=None, limit=limit)
    for turn in page.items:
        erase(state, scope, turn.id)
    return len(page.items)
