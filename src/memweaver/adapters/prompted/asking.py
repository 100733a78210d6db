"""Asks a model, reads its answer, and has an answer that cannot be read put right once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

from memweaver.adapters.prompted.envelope import Nonce, asked, fresh_nonce, quoted, shortened
from memweaver.adapters.prompted.prompts import prompt
from memweaver.errors import ModelError, ModelOutputInvalid
from memweaver.ports.meter import Meter
from memweaver.ports.models import ChatModel, Completion, Schema

Result = TypeVar("Result")
Read = Callable[[str], Result]
"""Makes something of an answer, or raises `ModelOutputInvalid`."""

LONGEST = 2000
"""Tokens of an unreadable answer that are shown again."""
REPAIR = "repair"


@dataclass(frozen=True, slots=True)
class Repair:
    """How an unreadable answer is put right: in which form, and in which shape."""

    form: str
    schema: Schema


@dataclass(frozen=True, slots=True)
class Asking:
    model: ChatModel
    meter: Meter
    tokens: int
    nonce: Nonce = fresh_nonce

    async def __call__(
        self,
        purpose: str,
        lines: Sequence[str],
        *,
        told: str,
        schema: Schema,
        read: Read[Result],
        repair: Repair,
        read_repaired: Read[Result],
    ) -> Result:
        """What `read` makes of the answer, or `read_repaired` of it put right.

        Raises `ModelError`; there is nothing to put right about an empty answer.
        """
        answer = await self.complete(purpose, told, lines, schema, self.tokens)
        try:
            return self.understood(purpose, answer, read)
        except ModelOutputInvalid:
            if not answer.text.strip():
                raise
        broken, form = quoted(shortened(answer.text, LONGEST)), prompt(REPAIR, repair.form)
        mended = await self.complete(REPAIR, form, broken, repair.schema, self.tokens)
        return self.understood(REPAIR, mended, read_repaired)

    async def complete(
        self, purpose: str, told: str, lines: Sequence[str], schema: Schema | None, tokens: int
    ) -> Completion:
        """One call. Raises `ModelError`."""
        messages, started = asked(told, lines, self.nonce), perf_counter()
        try:
            answer = await self.model.complete(messages, schema=schema, tokens=tokens)
        except ModelError as error:
            self._ended(purpose, error.code)
            raise
        finally:
            seconds = perf_counter() - started
            self.meter.time("model_seconds", seconds, model=self.model.model, purpose=purpose)
        for direction, number in (("in", answer.tokens_in), ("out", answer.tokens_out)):
            labels = {"model": self.model.model, "purpose": purpose, "direction": direction}
            self.meter.count("model_tokens", number, **labels)
        return answer

    def understood(self, purpose: str, answer: Completion, read: Read[Result]) -> Result:
        """What `read` makes of it. Raises `ModelOutputInvalid`."""
        try:
            result = read(answer.text)
        except ModelOutputInvalid as error:
            self._ended(purpose, error.code)
            raise
        self._ended(purpose, "ok")
        return result

    def _ended(self, purpose: str, outcome: str) -> None:
        labels = {"model": self.model.model, "purpose": purpose, "outcome": outcome}
        self.meter.count("model_calls", 1, **labels)
