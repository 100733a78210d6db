"""Recall: from what is being said to what is worth knowing. No model but the embedder."""

import logging
from asyncio import sleep, timeout
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from memweaver.domain.context import context_block, worth_telling
from memweaver.domain.limits import Limits
from memweaver.domain.memory import Vector
from memweaver.domain.question import Question, ask
from memweaver.domain.scope import Scope
from memweaver.domain.search import EVERYTHING, Filter, Hit
from memweaver.errors import InvalidInput, ModelError
from memweaver.ports.clock import Clock
from memweaver.ports.index import Index
from memweaver.ports.meter import Meter
from memweaver.ports.models import Embedder
from memweaver.services.courtesy import Courtesy
from memweaver.services.reach import Reach

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Recollection:
    """What was found, and the block of text to put before an assistant.

    `by_meaning` is false when the embedder failed and words alone had to do.
    """

    hits: Sequence[Hit]
    context: str
    question: Question
    by_meaning: bool


@dataclass(frozen=True, slots=True)
class Recall:
    index: Index
    embedder: Embedder
    clock: Clock
    limits: Limits
    meter: Meter
    reach: Reach
    courtesy: Courtesy
    limit: int = 10
    budget: int = 1500
    floor: float = 0.5
    patience: float = 5.0

    async def __call__(
        self,
        scope: Scope,
        text: str,
        *,
        where: Filter = EVERYTHING,
        limit: int | None = None,
        budget: int | None = None,
    ) -> Recollection:
        """The records of `scope` that matter for `text`, best first, and their context block.

        Memories that other AIs share with the scope's are among them.
        """
        limit = self.limit if limit is None else limit
        budget = self.budget if budget is None else budget
        self._check(text, limit, budget)
        began = perf_counter()
        with self.courtesy.serving(scope.user):
            await self.courtesy.others_first(scope.user)
            scope = await self.reach(scope)
            people = self.index.people(scope)
            question = ask(text, people)
            vector = await self._meaning(question)
            # Opened last: it is as new as can be, and those who were embedded together share it.
            await self.courtesy.others_first(scope.user)
            shard = await self.index.open(scope, since=began)
            await sleep(0)  # between two steps that take long, whoever waits goes first
            await self.courtesy.others_first(scope.user)
            if shard.people != people:
                question, guess = ask(text, shard.people), question
                # Who gave none just now is not waited for again: a chat has no time for that.
                if vector is not None and question.bare != guess.bare:
                    vector = await self._meaning(question)
            now = self.clock.now()
            hits = await shard.search(question, vector, now=now, where=where, limit=limit)
            await self.courtesy.others_first(scope.user)
        block = context_block(
            worth_telling(hits, self.floor),
            budget=budget,
            nonce=self._nonce(),
        )
        self.meter.time("recall_seconds", perf_counter() - began)
        return Recollection(hits, block, question, by_meaning=vector is not None)

    def _check(self, text: str, limit: int, budget: int) -> None:
        if not text.strip():
            raise InvalidInput("`query` is empty")
        self.limits.check_text("query", text)
        self.limits.check_page(limit)
        if budget < 0:
            raise InvalidInput("`budget` must not be negative")

    async def _meaning(self, question: Question) -> Vector | None:
        """The vector of the question; without one, words must do: recall never fails a chat."""
        try:
            async with timeout(self.patience):
                [vector] = await self.embedder.embed([question.bare])
        except ModelError as error:
            log.warning("recalling by words alone: %s", error.code)
            return None
        except TimeoutError:
            log.warning("recalling by words alone: no vector within %.1f s", self.patience)
            return None
        return vector

    def _nonce(self) -> str:
        return self.clock.new_id()[-12:]
