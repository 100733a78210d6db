"""Scripts of operations that any backend can run, and what it answers to them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st

from memweaver.domain.job import Failure, Priority, State
from memweaver.domain.memory import Tier
from memweaver.domain.scope import Scope
from memweaver.domain.search import Kind, Ref
from memweaver.domain.working import Window
from memweaver.errors import MemweaverError, NotFound
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Segment, Stamp
from memweaver.ports.queue import Claim, Closing, Effects
from memweaver.ports.registry import Ai
from memweaver.testing.conformance.backend import (
    a_memory,
    a_turn,
    ended,
    later,
    vectors_for,
)

Step = tuple[str, tuple[Any, ...]]
"""The name of an operation below, and its arguments."""
FAILURE = Failure("model_unavailable", "the model could not be reached")


@dataclass
class Player:
    """Runs steps on one backend. Epochs differ between backends; their order does not."""

    backend: Backend
    epochs: dict[str, int] = field(default_factory=dict)
    claims: dict[str, list[Claim]] = field(default_factory=dict)

    async def answer(self, step: Step) -> object:
        name, arguments = step
        operation: Callable[..., Awaitable[object]] = getattr(self, name)
        try:
            return await operation(*arguments)
        except MemweaverError as error:
            return type(error)

    async def forget_everybody(self) -> None:
        for user in await self.backend.vault.users():
            await self.backend.vault.destroy(user)

    async def record(self, *turns: tuple[Scope, str, str, str, int]) -> object:
        given = [a_turn(i, text, scope=s, session=at, after=n) for s, i, text, at, n in turns]
        return await self.backend.store.record(given)

    async def leave(self, priority: Priority, *turns: tuple[Scope, str, str, str, int]) -> object:
        given = [a_turn(i, text, scope=s, session=at, after=n) for s, i, text, at, n in turns]
        return await self.backend.store.record(given, priority=priority)

    async def claim(self, after: int, batch: int, scope: Scope | None, wait: int = 9) -> object:
        user = None if scope is None else scope.user
        now, lease, longest = later(after), timedelta(minutes=3), timedelta(minutes=wait)
        found = await self.backend.queue.claim(
            now=now, lease=lease, batch=batch, user=user, longest_wait=longest
        )
        if found is None:
            return None
        self.claims.setdefault(found.scope.user, []).append(found)
        return replace(found, epoch="")

    def held(self, scope: Scope, back: int) -> Claim:
        """A claim of a user, the latest or one before it, whatever became of it."""
        theirs = self.claims.get(scope.user, [])
        if len(theirs) <= back:
            raise NotFound("there was no such claim")
        return theirs[-1 - back]

    async def heartbeat(self, scope: Scope, back: int, after: int) -> None:
        await self.backend.queue.heartbeat(self.held(scope, back), until=later(after))

    async def stage(self, scope: Scope, back: int, name: str) -> None:
        await self.backend.queue.stage(self.held(scope, back), name, name.encode())

    async def settle(self, scope: Scope, back: int, new: tuple[str, str], closing: str) -> object:
        claim, (name, text) = self.held(scope, back), new
        effects = Effects(
            [a_memory(name, text, scope=claim.scope)],
            closed=[Closing(closing, 1)] if closing != name else (),
            vectors=[vectors_for(Ref(Kind.MEMORY, name), 1)],
        )
        return await self.backend.queue.settle(claim, effects, now=later(50))

    async def give_up(self, scope: Scope, back: int) -> object:
        claim = self.held(scope, back)
        return await self.backend.queue.settle(claim, Effects(), now=later(50), dead=FAILURE)

    async def fail(self, scope: Scope, back: int, retry: int | None) -> None:
        retry_at = None if retry is None else later(retry)
        claim = self.held(scope, back)
        await self.backend.queue.fail(claim, FAILURE, now=later(51), retry_at=retry_at)

    async def postpone(self, scope: Scope, back: int, after: int, more: int) -> None:
        claim, now, retry_at = self.held(scope, back), later(after), later(after + more)
        await self.backend.queue.postpone(claim, FAILURE, now=now, retry_at=retry_at)

    async def release(self, scope: Scope, back: int) -> None:
        await self.backend.queue.release(self.held(scope, back))

    async def retry(self, scope: Scope, name: str) -> object:
        return await self.backend.queue.retry(scope.user, name, now=later(1))

    async def retry_all(self, scope: Scope) -> object:
        return await self.backend.queue.retry_all(scope.user, now=later(1))

    async def job(self, scope: Scope, name: str) -> object:
        return await self.backend.queue.job(scope, name)

    async def jobs(self, scope: Scope | None, *states: State) -> object:
        """Not where the next page begins: numbers have gaps in some backends."""
        user = None if scope is None else scope.user
        page = await self.backend.queue.jobs(states=states, user=user, before=None, limit=3)
        return page.items, page.next is None

    async def depth(self) -> object:
        return await self.backend.queue.depth()

    async def sweep(self) -> object:
        return await self.backend.queue.sweep(before=later(51))

    async def keep_window(self, scope: Scope, session: str, name: str) -> None:
        window = Window((a_turn(name, scope=scope),), upto=name)
        await self.backend.windows.keep(scope, session, window)

    async def window(self, scope: Scope, session: str) -> object:
        return await self.backend.windows.window(scope, session)

    async def forget_windows(self, scope: Scope) -> None:
        await self.backend.windows.forget(scope.user)

    async def turn(self, scope: Scope, name: str) -> object:
        return await self.backend.store.turn(scope, name)

    async def turns(self, scope: Scope, session: str | None, before: int | None) -> object:
        return await self.backend.store.turns(scope, session=session, before=before, limit=2)

    async def erase_turn(self, scope: Scope, name: str) -> None:
        await self.backend.store.erase_turn(scope, name)

    async def add(
        self, *memories: tuple[Scope, str, str, Tier, str | None, str | None, int]
    ) -> object:
        given = [
            replace(
                a_memory(name, text, scope=scope, tier=tier, key=key, after=after),
                supersedes=supersedes,
                metadata={"attribute": text},
            )
            for scope, name, text, tier, key, supersedes, after in memories
        ]
        return await self.backend.store.add(given)

    async def suspect(self, scope: Scope, name: str, text: str, supersedes: str | None) -> object:
        memory = a_memory(name, text, scope=scope, tier=Tier.CORE, key="city")
        given = [replace(memory, supersedes=supersedes, quarantined=True)]
        return await self.backend.store.add(given)

    async def attributed(self, scope: Scope, text: str) -> object:
        return await self.backend.store.attributed(scope, text)

    async def revise(self, scope: Scope, name: str, text: str, tier: Tier, ahead: int) -> None:
        latest = await self.backend.store.memory(scope, name)
        changed = replace(latest, text=text, tier=tier, revision=latest.revision + ahead)
        known = replace(latest.validity, known_from=later(100), known_to=None)
        await self.backend.store.revise(replace(changed, validity=known))

    async def memory(self, scope: Scope, name: str) -> object:
        return await self.backend.store.memory(scope, name)

    async def memories(self, scope: Scope, tiers: frozenset[Tier], before: int | None) -> object:
        return await self.backend.store.memories(scope, tiers=tiers, before=before, limit=2)

    async def erase_memory(self, scope: Scope, name: str) -> None:
        await self.backend.store.erase_memory(scope, name, at=later(9))

    async def stamp(self, scope: Scope) -> object:
        stamp = await self.backend.changes.stamp(scope.user)
        return stamp and (self.epochs.setdefault(stamp.epoch, len(self.epochs)), stamp.version)

    async def since(self, scope: Scope, after: int, more: int) -> object:
        return await self.backend.changes.since(scope.user, after, after + more)

    async def keep_vectors(self, scope: Scope, model: str, *refs: Ref) -> None:
        made = [vectors_for(ref, number, model=model) for number, ref in enumerate(refs)]
        await self.backend.vectors.keep_vectors(scope.user, made)

    async def unembedded(self, model: str, limit: int) -> object:
        return await self.backend.vectors.unembedded(model, limit)

    async def progress(self, model: str) -> object:
        return await self.backend.vectors.progress(model)

    async def keep_segment(self, scope: Scope, after: int, more: int, behind: int) -> object:
        stamp = await self.backend.changes.stamp(scope.user) or Stamp("nobody", 0)
        seen = replace(stamp, version=stamp.version - behind)
        segment = Segment(after, after + more, b"%d-%d" % (after, more))
        return await self.backend.changes.keep_segment(scope.user, seen, segment)

    async def segments(self, scope: Scope) -> object:
        return await self.backend.changes.segments(scope.user)

    async def register(self, scope: Scope, name: str, title: str) -> object:
        return await self.backend.registry.register(Ai(scope.user, name, title, later(0)))

    async def ais(self, scope: Scope) -> object:
        return await self.backend.registry.ais(scope.user)

    async def users(self) -> object:
        return await self.backend.vault.users()

    async def destroy(self, scope: Scope) -> None:
        await self.backend.vault.destroy(scope.user)

    async def reseal(self, scope: Scope) -> object:
        return len(await ended(self.backend.vault.reseal(scope.user))) > 0

    async def rewrap(self) -> object:
        return len(await ended(self.backend.vault.rewrap())) > 0


@dataclass(frozen=True)
class Disagreement:
    step: Step
    answers: Sequence[object]


async def disagreement(backends: Sequence[Backend], script: Sequence[Step]) -> Disagreement | None:
    """The first step of `script` to which not all backends answer the same, if there is one."""
    players = [Player(backend) for backend in backends]
    for player in players:
        await player.forget_everybody()
    for step in script:
        answers = [await player.answer(step) for player in players]
        if any(answer != answers[0] for answer in answers):
            return Disagreement(step, answers)
    return None


scopes = st.sampled_from([Scope("ann"), Scope("ann", "work"), Scope("bob")])
names = st.sampled_from(["a", "b", "c"])
texts = st.sampled_from(["Oslo", "Bergen"])
tiers = st.sampled_from([Tier.CORE, Tier.SEMANTIC])
times = st.integers(0, 3)
versions = st.integers(0, 12)
cursors = st.none() | versions
models = st.sampled_from(["one-model", "other-model"])
refs = st.builds(Ref, st.just(Kind.TURN), names) | st.builds(
    Ref, st.just(Kind.MEMORY), names, st.integers(1, 3)
)
turn = st.tuples(scopes, names, texts, st.sampled_from(["monday", "tuesday"]), times)
keys = st.sampled_from([None, "city"])
memory = st.tuples(scopes, names, texts, tiers, keys, st.none() | names, times)


def step(name: str, *arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Step]:
    return st.tuples(st.just(name), st.tuples(*arguments))


def step_with_several(
    name: str, several: st.SearchStrategy[Any], *arguments: st.SearchStrategy[Any]
) -> st.SearchStrategy[Step]:
    listed = st.lists(several, min_size=1, max_size=4).map(tuple)
    return st.tuples(
        st.just(name), st.builds(lambda one, more: one + more, st.tuples(*arguments), listed)
    )


sessions = st.sampled_from(["monday", "tuesday"])
back = st.sampled_from([0, 0, 0, 1])
somebody = st.none() | scopes
priorities = st.sampled_from(Priority)
jobs: st.SearchStrategy[Step] = st.one_of(
    step_with_several("leave", turn, priorities),
    step_with_several("leave", turn, priorities),
    step("claim", st.integers(0, 9), st.integers(1, 3), somebody),
    step("claim", st.integers(0, 9), st.integers(1, 3), st.none(), st.integers(0, 9)),
    step("heartbeat", scopes, back, st.integers(4, 12)),
    step("stage", scopes, back, names),
    step("settle", scopes, back, st.tuples(names, texts), names),
    step("give_up", scopes, back),
    step("fail", scopes, back, st.none() | st.integers(0, 9)),
    step("postpone", scopes, back, st.integers(0, 5), st.integers(0, 4)),
    step("release", scopes, back),
    step("retry", scopes, names),
    step("retry_all", scopes),
    step("job", scopes, names),
    step_with_several("jobs", st.sampled_from(State), somebody),
    step("depth"),
    step("sweep"),
    step("erase_turn", scopes, names),
    step("destroy", scopes),
    step("keep_window", scopes, sessions, names),
    step("window", scopes, sessions),
    step("forget_windows", scopes),
    step("stamp", scopes),
    step("reseal", scopes),
)
"""What the queue is asked for, and what others do to it meanwhile."""

steps: st.SearchStrategy[Step] = st.one_of(
    step_with_several("record", turn),
    step_with_several("add", memory),
    step("revise", scopes, names, texts, tiers, st.sampled_from([1, 1, 1, 0, 2])),
    step("suspect", scopes, names, texts, st.none() | names),
    step("attributed", scopes, texts),
    step("turn", scopes, names),
    step("memory", scopes, names),
    step("turns", scopes, st.sampled_from([None, "monday"]), cursors),
    step("memories", scopes, st.frozensets(tiers), cursors),
    step("erase_turn", scopes, names),
    step("erase_memory", scopes, names),
    step("stamp", scopes),
    step("since", scopes, versions, versions),
    step_with_several("keep_vectors", refs, scopes, models),
    step("unembedded", models, st.integers(1, 3)),
    step("progress", models),
    step("keep_segment", scopes, versions, st.integers(1, 6), st.sampled_from([0, 0, 1, 3])),
    step("segments", scopes),
    step("register", scopes, names, texts),
    step("ais", scopes),
    step("users"),
    step("destroy", scopes),
    step("reseal", scopes),
    step("rewrap"),
)
scripts = st.lists(steps, min_size=1, max_size=25)
job_scripts = st.lists(jobs, min_size=1, max_size=30)

LOOK_AT_EVERYTHING: list[Step] = [
    step
    for scope in (Scope("ann"), Scope("bob"))
    for step in (
        ("stamp", (scope,)),
        ("since", (scope, 0, 1000)),
        ("segments", (scope,)),
        ("ais", (scope,)),
        ("jobs", (scope, *State)),
        ("claim", (99, 9, scope)),
    )
]
"""How every script ends: whatever was left different shows."""
