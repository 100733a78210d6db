"""The same for sockets: every event that one may send, by everybody, about every AI's room."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import socketio
from socketio.exceptions import ConnectionError as NotConnected
from tests.isolation.matrix import Cell, Which
from tests.isolation.objects import World
from tests.isolation.people import VICTIM, Knocking

from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.principal import ACTING_HEADER, Permission
from memweaver.domain.scope import Scope

PATIENCE = 30


@dataclass(frozen=True)
class Asking:
    """`fill` makes the payload about an AI; `about` says whether it matters whose that is."""

    needs: Permission | None
    fill: Callable[[str], Mapping[str, Any]]
    about: bool = True


EVENTS: Mapping[str, Asking] = {
    "join": Asking(Permission.READ, lambda ai: {"ai_uuid": ai}),
    "leave": Asking(Permission.READ, lambda ai: {"ai_uuid": ai}, about=False),
    "message": Asking(Permission.WRITE, lambda ai: {"ai_uuid": ai, "content": "Hello"}),
    "heartbeat": Asking(None, lambda _: {}, about=False),
}
"""All but `authenticate`, with which every cell begins."""


class Visit:
    """One socket, and all that it hears."""

    def __init__(self) -> None:
        self.client = socketio.AsyncClient(reconnection=False)
        self.heard: list[object] = []
        self._refused: Mapping[str, Any] = {}
        self._gone = asyncio.Event()
        self.client.on("*", lambda *told: self.heard.append(told))
        self.client.on("error", self._refuse)
        self.client.on("disconnect", lambda *_: self._gone.set())

    def _refuse(self, told: Mapping[str, Any]) -> None:
        self._refused = told

    async def entered(self, secret: str | None) -> Mapping[str, Any]:
        return await self.asked("authenticate", {"api_key": secret}) if secret else {}

    async def asked(self, name: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer; of a server that hangs up, its last word."""
        answered: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        await self.client.emit(name, dict(payload), callback=answered.set_result)
        gone = asyncio.ensure_future(self._gone.wait())
        waiting: set[asyncio.Future[Any]] = {answered, gone}
        await asyncio.wait(waiting, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        gone.cancel()
        return answered.result() if answered.done() else self._refused


@dataclass
class SocketMatrix:
    world: World
    url: str
    cells: list[Cell] = field(default_factory=list)

    async def fill(self, people: Sequence[Knocking]) -> None:
        for person in people:
            if ACTING_HEADER in person.headers:
                continue  # a socket has no way to say whom a service acts for
            for name, asking in EVENTS.items():
                await self._row(name, asking, person)

    async def _row(self, name: str, asking: Asking, person: Knocking) -> None:
        absent: Mapping[str, Any] | None = None
        for which in reversed(Which):
            target = await self._target(person, which)
            answer, heard = await self._asked(name, asking, person, target)
            shown = {key: str(value).replace(target, "<target>") for key, value in answer.items()}
            absent = absent or shown
            wrong = verdict(asking, person, which, shown, absent)
            if any(VICTIM in str(one) or self.world.mark(VICTIM) in str(one) for one in heard):
                wrong = "it hears what is somebody else's"
            status = 200 if "code" not in shown else 400
            self.cells.append(Cell(f"socket {name}", person.name, which, status, wrong))

    async def _target(self, person: Knocking, which: Which) -> str:
        if which is Which.MISSING:
            return self.world.new_id()
        owner = VICTIM if which is Which.FOREIGN else person.user
        ai = await self.world.ai(owner)
        if which is Which.DELETED:
            await self.world.drop_ai(owner, ai)
        return ai

    async def _asked(
        self, name: str, asking: Asking, person: Knocking, ai: str
    ) -> tuple[Mapping[str, Any], Sequence[object]]:
        """The answer, and all that was heard while something happened in that room."""
        visit = Visit()
        try:
            await visit.client.connect(self.url, transports=["websocket"], wait_timeout=PATIENCE)
            answer = await visit.entered(secret_of(person))
            if "code" not in answer:
                answer = await visit.asked(name, asking.fill(ai))
            visit.heard.clear()
            await self._happen(VICTIM, ai)
        except NotConnected:
            answer = {"code": "unauthenticated"}
        finally:
            await visit.client.disconnect()
        return answer, visit.heard

    async def _happen(self, user: str, ai: str) -> None:
        said = Said((Message(Role.USER, self.world.mark(user)),))
        await self.world.services.record(Scope(user, ai), said)


def secret_of(person: Knocking) -> str | None:
    bearer = person.headers.get("Authorization", "").removeprefix("Bearer ")
    return person.headers.get("X-API-Key") or bearer or None


def verdict(
    asking: Asking,
    person: Knocking,
    which: Which,
    answer: Mapping[str, Any],
    absent: Mapping[str, Any],
) -> str | None:
    code = answer.get("code")
    if not person.permissions:
        return None if code == "unauthenticated" else f"it lets in anybody: {answer}"
    if asking.needs and asking.needs not in person.permissions:
        return None if code == "forbidden" else f"no permission is needed: {answer}"
    if person.limited:
        return None if code in {None, "not_found"} else f"it failed: {answer}"
    if which is Which.FOREIGN and asking.about and answer != absent:
        return f"foreign is not as missing: {answer} / {absent}"
    good = which is Which.OWN or not asking.about
    return None if (code is None) is good else f"not as it should be: {answer}"
