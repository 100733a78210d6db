"""The matrix: operations by people by objects, each cell a request and a verdict."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import reduce

from httpx import AsyncClient, Response
from tests.isolation.objects import Kind, World
from tests.isolation.operations import Operation
from tests.isolation.people import NORTH, VICTIM, Knocking

UNKNOWN, FORBIDDEN, FAILED = 401, 403, 500


class Which(StrEnum):
    """Whose object a request is about."""

    OWN = "own"
    FOREIGN = "foreign"
    DELETED = "deleted"
    MISSING = "missing"


@dataclass(frozen=True)
class Cell:
    operation: str
    person: str
    which: Which
    status: int
    leak: str | None = None
    """What is wrong with it; nothing, if nothing is."""


@dataclass
class Matrix:
    world: World
    client: AsyncClient
    cells: list[Cell] = field(default_factory=list)

    @property
    def leaks(self) -> Sequence[Cell]:
        return [cell for cell in self.cells if cell.leak]

    async def fill(self, operations: Mapping[str, Operation], people: Sequence[Knocking]) -> None:
        for name, operation in operations.items():
            for person in people:
                async for cell in self._row(name, operation, person):
                    self.cells.append(cell)

    async def _row(self, name: str, operation: Operation, person: Knocking) -> AsyncIterator[Cell]:
        """What one person gets from one operation, for every object; missing ones first."""
        absent: Answer | None = None
        kind = self.world.kinds[operation.about]
        for which in reversed(Which):
            if which is Which.DELETED and kind.remove is None:
                continue
            answer, touched = await self._ask(name, operation, person, which)
            absent = absent or answer
            wrong = touched or self._wrong(operation, person, which, answer, absent)
            yield Cell(name, person.name, which, answer.status, wrong)

    async def _ask(
        self, name: str, operation: Operation, person: Knocking, which: Which
    ) -> tuple["Answer", str | None]:
        kind = self.world.kinds[operation.about]
        owner = VICTIM if which is Which.FOREIGN else person.user
        target = await self._target(kind, owner, which)
        before = await kind.state(owner, target) if which is Which.FOREIGN else None
        answer = await self._sent(name, operation, person, target)
        changed = which is Which.FOREIGN and await kind.state(owner, target) != before
        if changed and not runs(person, operation):
            return answer, "something of somebody else's was changed"
        return answer, None

    async def _target(self, kind: Kind, owner: str, which: Which) -> str:
        if which is Which.MISSING:
            return self.world.new_id()
        target = await kind.make(owner)
        if which is Which.DELETED and kind.remove:
            await kind.remove(owner, target)
        return target

    async def _sent(
        self, name: str, operation: Operation, person: Knocking, target: str
    ) -> "Answer":
        method, route = name.split(" ", 1)
        response = await self.client.request(
            method,
            operation.path(route, target),
            params=operation.query(target),
            headers={**person.headers, **operation.headers(target)},
            json=operation.body(target),
        )
        return Answer.of(response, target)

    def _wrong(
        self,
        operation: Operation,
        person: Knocking,
        which: Which,
        answer: "Answer",
        absent: "Answer",
    ) -> str | None:
        """What an answer should not be, in a few words; nothing if it is as it should be."""
        ours = runs(person, operation)
        if not ours and any(self.world.mark(user) in answer.text for user in hidden_from(person)):
            return "it tells what is somebody else's"
        if not person.permissions:
            right = answer == absent and answer.status == UNKNOWN
            return unless(right, "it lets in anybody", answer)
        if operation.needed - person.permissions:
            right = answer == absent and answer.status == FORBIDDEN
            return unless(right, "no permission is needed", answer)
        if which is Which.FOREIGN and not (ours or operation.differs or answer == absent):
            return f"foreign is not as missing: {answer.text[:150]} / {absent.text[:150]}"
        own = which is Which.OWN or (ours and which is Which.FOREIGN)
        return self._refused(operation, person, answer, own=own)

    def _refused(
        self, operation: Operation, person: Knocking, answer: "Answer", *, own: bool
    ) -> str | None:
        if person.limited:
            return unless(answer.status < FAILED, "it failed", answer)
        if own or not operation.named:
            return unless(answer.status in operation.good, "it refuses the owner", answer)
        return unless(answer.status == operation.refused, "there is none, and yet", answer)


def runs(person: Knocking, operation: Operation) -> bool:
    """Whether it is about accounts, and these are of the organisation that `person` runs."""
    return operation.about == "account" and person.runs == NORTH


def hidden_from(person: Knocking) -> Sequence[str]:
    return [VICTIM, person.user] if person.limited else [VICTIM]


def unless(right: bool, wrong: str, answer: "Answer") -> str | None:  # noqa: FBT001 - a verdict
    return None if right else f"{wrong}: {answer.status} {answer.text[:200]}"


@dataclass(frozen=True)
class Answer:
    """What came back, without what the caller said and without what differs every time."""

    status: int
    text: str

    @classmethod
    def of(cls, response: Response, target: str) -> "Answer":
        shown = {name: response.headers[name] for name in KEPT if name in response.headers}
        names = [target, *target.split("~")]
        text = reduce(lambda text, name: text.replace(name, "<target>"), names, response.text)
        return cls(response.status_code, f"{json.dumps(shown)} {text}")


KEPT = ("content-type", "www-authenticate", "location", "etag")
