"""Chat: hear, recall, let the model answer, record. Memory may fail; the chat goes on."""

import asyncio
import logging
from asyncio import timeout
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from hashlib import sha256
from time import perf_counter
from typing import TypeVar

from memweaver.background import Aside
from memweaver.domain.chat import (
    STEERING,
    Heard,
    Request,
    cost_of,
    cost_of_vectors,
    forces_a_call,
    heard,
    passed_on,
    read_in,
    reminded,
)
from memweaver.domain.context import tokens
from memweaver.domain.conversation import Message, Metadata, Role, Said, Turn
from memweaver.domain.listening import Spoken, listener_for
from memweaver.domain.rate import window_of
from memweaver.domain.scope import Scope
from memweaver.errors import Conflict, MemweaverError, NotFound
from memweaver.ports.meter import Meter
from memweaver.ports.upstream import Passage, Upstream
from memweaver.services.rates import Quota, Reserved
from memweaver.services.recall import Recall
from memweaver.services.record import Record, record_id

Result = TypeVar("Result")
log = logging.getLogger(__name__)

FAILED = 400
"""Where HTTP's failures begin."""
BROKE_OFF = "broke_off"
"""In a turn's metadata: the answer is what was said until the listener left or the model failed."""
AGAIN = timedelta(hours=1)
"""For how long the same conversation, sent once more, is tried again rather than held again."""
CUT = "cut"
"""In a turn's metadata: something was longer than a turn may hold."""


@dataclass(frozen=True, slots=True)
class Manner:
    """Whose conversation it is, and what memory has to do with it.

    `idempotency` is the caller's own name for the request, under which a turn is recorded once.
    """

    scope: Scope
    session: str = "default"
    recall: bool = True
    record: bool = True
    idempotency: str | None = None


@dataclass(frozen=True, slots=True)
class Chat:
    upstream: Upstream
    recall: Recall
    record: Record
    quota: Quota
    meter: Meter
    patience: float = 10.0
    """Seconds that an answer waits for memory, before it and after it."""
    aside: Aside = field(default_factory=Aside)

    async def __call__(self, request: Request, manner: Manner) -> "Answer":
        """The model's answer on its way, for whoever asked to read and to close.

        Raises `InvalidInput`, `Conflict` if the manner's `idempotency` stands for other words,
        `RateLimited` if the user has spent all, and what the upstream raises; never because memory
        fails.
        """
        began = perf_counter()
        said = heard(request)
        if said is None or said.errand:
            manner = replace(manner, recall=False, record=False)
        passed = passed_on(request, self.upstream.model)
        if said and manner.record and manner.idempotency:
            await self._refuse_other_words(manner.idempotency, said, manner.scope)
        reserved = await self.quota.reserve(manner.scope.user, cost_of(passed))
        async with self._given_back(reserved):
            if said and manner.recall and (context := await self._recalled(said, manner.scope)):
                passed = reminded(passed, said.place, context)
            passage = await self._answered(passed)
        return Answer(self, passage, manner, said, Asked(began, passed, reserved))

    async def embeddings(self, request: Request, user: str) -> Passage:
        """The answer to a request for embeddings, which costs what it is estimated to.

        Raises `RateLimited` if the user has spent all, and what the upstream raises.
        """
        asked = {name: value for name, value in request.items() if name not in STEERING}
        reserved = await self.quota.reserve(user, cost_of_vectors(asked))
        async with self._given_back(reserved):
            passage = await self.upstream.embeddings(asked)
        if passage.status >= FAILED:
            await self._settle(reserved, 0)
        return passage

    @asynccontextmanager
    async def _given_back(self, reserved: Reserved) -> AsyncGenerator[None]:
        """What comes to nothing costs nothing."""
        try:
            yield
        except BaseException:
            await self._settle(reserved, 0)
            raise

    async def _settle(self, reserved: Reserved, tokens: int) -> None:
        """A cost that cannot be counted stays as estimated: no answer and no turn is lost by it."""
        await self._or_nothing(self.quota.settle(reserved, tokens), self._unsettled)

    async def settled(self) -> None:
        """Return when every turn so far is recorded, also of those who have left."""
        await self.aside.settled()

    async def _recalled(self, said: Heard, scope: Scope) -> str:
        recalling = self.recall(scope, self._fitting(said.text))
        found = await self._or_nothing(recalling, self._unrecalled)
        return found.context if found else ""

    async def _refuse_other_words(self, name: str, said: Heard, scope: Scope) -> None:
        """Raises `Conflict` if a turn is recorded under `name` in which another thing was said."""
        kept = await self._or_nothing(self._kept(scope, name), self._unrecorded)
        if kept and asked_in(kept) != self._fitting(said.text):
            raise Conflict("this `Idempotency-Key` stands for another message: take a new one")

    async def _or_nothing(
        self, work: Awaitable[Result], failed: Callable[[str], None]
    ) -> Result | None:
        """What `work` comes to; what fails beside a chat never fails it."""
        try:
            async with timeout(self.patience):
                return await work
        except MemweaverError as error:
            failed(error.code)
        except TimeoutError:
            failed("timeout")
        except Exception:
            log.exception("something failed beside a chat", extra={"action": "chat_aside_failed"})
            failed("unforeseen")
        return None

    async def _answered(self, passed: Mapping[str, object]) -> Passage:
        try:
            return await self.upstream.chat(passed)
        except MemweaverError as error:
            self._called(error.code)
            raise

    def note(self, spoken: Spoken, status: int) -> None:
        """Count an answer and its tokens."""
        self._called("ok" if status < FAILED else str(status))
        for direction, count in (("in", spoken.tokens_in), ("out", spoken.tokens_out)):
            self.meter.count(
                "model_tokens",
                count,
                model=self.upstream.model,
                purpose="chat",
                direction=direction,
            )

    async def end(self, ended: "Ended") -> None:
        """Record a turn, whatever becomes of whoever waits, who waits no longer than is fit."""
        work = self.aside(self._end(ended))
        await asyncio.wait([work], timeout=self.patience)

    async def _end(self, ended: "Ended") -> None:
        await self._settle(ended.reserved, ended.tokens)
        if ended.said:
            await self._keep(ended, ended.said)

    async def _keep(self, ended: "Ended", said: Heard) -> None:
        manner = ended.manner
        try:
            turn = self._turn(manner.session, said.text, ended.text, whole=ended.whole)
            name = manner.idempotency or await self._name(manner, said)
            await self.record(manner.scope, turn, idempotency=name and named(name))
        except Conflict:
            pass  # recorded before, with another answer: tried again, or asked for anew
        except MemweaverError as error:
            self._unrecorded(error.code)
        except Exception:
            log.exception("recording a chat failed", extra={"action": "chat_record_failed"})
            self._unrecorded("unforeseen")

    async def _name(self, manner: Manner, said: Heard) -> str | None:
        """The same for a conversation that is sent again within `AGAIN`, and then another one.

        It holds the number of the present stretch of time, or of the one before if the turn was
        recorded in that and not long ago.
        """
        if said.turn is None:
            return None
        now = self.record.clock.now()
        number = window_of(now, AGAIN)
        former, present = (f"{manner.session}\n{said.turn}\n{n}" for n in (number - 1, number))
        kept = await self._kept(manner.scope, former)
        return former if kept and now - kept.recorded_at < AGAIN else present

    async def _kept(self, scope: Scope, name: str) -> Turn | None:
        try:
            return await self.record.store.turn(scope, record_id(scope, named(name)))
        except NotFound:
            return None

    def _turn(self, session: str, asked: str, answered: str, *, whole: bool) -> Said:
        texts = {Role.USER: asked, Role.ASSISTANT: answered}
        fitting = {role: self._fitting(text) for role, text in texts.items()}
        marks: Metadata = {
            name: True
            for name, holds in ((BROKE_OFF, not whole), (CUT, len_of(fitting) < len_of(texts)))
            if holds
        }
        messages = tuple(Message(role, text) for role, text in fitting.items() if text.strip())
        return Said(messages, session, metadata=marks)

    def _fitting(self, text: str) -> str:
        """As much of `text` as memory takes, without half characters."""
        return text[: self.record.limits.text].encode("utf-8", "replace").decode()

    def _unrecalled(self, code: str) -> None:
        log.warning("a chat went on without memory: %s", code, extra={"action": "chat_unrecalled"})
        self.meter.count("chat_recall_failed", code=code)

    def _unrecorded(self, code: str) -> None:
        log.warning("a chat was not recorded: %s", code, extra={"action": "chat_unrecorded"})
        self.meter.count("chat_record_failed", code=code)

    def _unsettled(self, code: str) -> None:
        log.warning("a chat's cost was not counted: %s", code, extra={"action": "chat_unsettled"})

    def _called(self, outcome: str) -> None:
        self.meter.count("model_calls", model=self.upstream.model, purpose="chat", outcome=outcome)


@dataclass(frozen=True, slots=True)
class Asked:
    """When, what, and the tokens set aside for it."""

    at: float
    request: Request
    reserved: Reserved


@dataclass(frozen=True, slots=True)
class Ended:
    """An answer that is over: what it has cost, and what is to be recorded, if anything is."""

    manner: Manner
    reserved: Reserved
    said: Heard | None
    text: str
    tokens: int
    whole: bool


class Answer(Passage):
    """An answer that is listened to while it passes. Once it is closed, the turn is recorded."""

    def __init__(
        self, chat: Chat, passage: Passage, manner: Manner, said: Heard | None, asked: Asked
    ) -> None:
        self._chat = chat
        self._passage = passage
        self._manner = manner
        self._said = said
        self._asked = asked
        self._listener = listener_for(passage.headers.get("content-type", ""))
        self._begun = False
        self._whole = False
        self._broken = False
        self._closed = False

    @property
    def status(self) -> int:
        return self._passage.status

    @property
    def headers(self) -> Mapping[str, str]:
        return self._passage.headers

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        try:
            async for piece in self._passage:
                if not self._begun:
                    self._time("first")
                    self._begun = True
                self._listener.hear(piece)
                yield piece
        except MemweaverError:
            self._broken = True
            raise
        self._whole = True

    def discard(self) -> None:
        """Record nothing of it: whoever asked was told nothing, and will ask again."""
        self._said = None

    async def aclose(self) -> None:
        """Stop the model, then record. Whoever is cancelled here leaves nothing undone."""
        if self._closed:
            return
        self._closed = True
        self._listener.end()
        self._time("whole")
        self._chat.note(self._listener.spoken, self.status)
        try:
            await self._passage.aclose()
        finally:
            await self._chat.end(self._ended(self._listener.spoken))

    def _ended(self, spoken: Spoken) -> Ended:
        """A turn in which tools are called goes on when they have answered: it is recorded then.

        Where a call is forced, as for an answer in a given shape, it may be the end: it is
        recorded at once, and nothing more if it goes on, for it has the same name then.

        Whoever leaves, or asks for no usage, is not told the tokens: they are estimated, also of
        an answer that is not understood. What gets no answer costs nothing. Neither is recorded,
        for it will be sent again.
        """
        reserved = self._asked.reserved
        left = not self._whole and not self._broken
        if self.status >= FAILED or not (left or self._begun):
            return Ended(self._manner, reserved, None, "", 0, self._whole)
        told = spoken.tokens_in + spoken.tokens_out
        cost = told or read_in(self._asked.request) + tokens(spoken.text)
        answered = left or spoken.text or spoken.ended or spoken.calls
        goes_on = spoken.calls and not forces_a_call(self._asked.request)
        said = self._said if self._manner.record and answered and not goes_on else None
        # Clients leave at the last event, whenever the connection is closed.
        whole = self._whole or spoken.ended is not None
        return Ended(self._manner, reserved, said, spoken.text, cost, whole)

    def _time(self, stage: str) -> None:
        self._chat.meter.time("chat_seconds", perf_counter() - self._asked.at, stage=stage)


def named(name: str) -> str:
    """A name that a turn may be recorded under: session names may be long, and hold anything."""
    return f"chat {sha256(name.encode('utf-8', 'replace')).hexdigest()}"


def asked_in(turn: Turn) -> str:
    return next((one.text for one in turn.messages if one.role is Role.USER), "")


def len_of(texts: Mapping[Role, str]) -> int:
    return sum(map(len, texts.values()))
