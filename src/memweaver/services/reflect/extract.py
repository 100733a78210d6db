"""Extraction of every aspect at once; what one has found is kept though another fails."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from memweaver.domain.candidate import Aspect, Candidate, Scene
from memweaver.errors import ModelError, ModelUnavailable
from memweaver.ports.extract import Extractor
from memweaver.ports.meter import Meter
from memweaver.ports.queue import Claim, Settling
from memweaver.services.reflect.staged import packed, unpacked

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """What each aspect gave, and why the others gave nothing."""

    candidates: Sequence[Candidate]
    failures: Mapping[Aspect, ModelError]


@dataclass(frozen=True, slots=True)
class Extraction:
    extractor: Extractor
    queue: Settling
    meter: Meter
    patience: float

    async def __call__(self, claim: Claim, scene: Scene) -> Found:
        """Only a model's failure is told apart by aspect; any other is raised."""
        answers = await asyncio.gather(
            *(self._aspect(claim, scene, aspect) for aspect in Aspect), return_exceptions=True
        )
        candidates: list[Candidate] = []
        failures: dict[Aspect, ModelError] = {}
        for aspect, answer in zip(Aspect, answers, strict=True):
            if isinstance(answer, ModelError):
                failures[aspect] = answer
            elif isinstance(answer, BaseException):
                raise answer
            else:
                candidates += answer
        return Found(candidates, failures)

    async def _aspect(self, claim: Claim, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        if staged := claim.staged.get(aspect):
            return unpacked(staged)
        began = perf_counter()
        try:
            async with asyncio.timeout(self.patience):
                found = await self.extractor.extract(scene, aspect)
        except TimeoutError:
            raise ModelUnavailable(
                f"{self.extractor.name} gave no answer within {self.patience:.0f} s"
            ) from None
        self.meter.time("reflection_seconds", perf_counter() - began, stage=f"extract_{aspect}")
        if not self.extractor.repeatable:
            await self.queue.stage(claim, aspect, packed(found))
        return found
