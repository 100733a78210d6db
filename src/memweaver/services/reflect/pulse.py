"""Whether the models are well: they are asked something that nobody could choke on."""

import asyncio
from dataclasses import dataclass

from memweaver.domain.candidate import Aspect, Scene
from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.scope import Scope
from memweaver.errors import ModelError, ModelOutputInvalid
from memweaver.ports.clock import Clock
from memweaver.ports.extract import Extractor
from memweaver.ports.models import Embedder

HARMLESS = "My cat is called Minka."


@dataclass(frozen=True, slots=True)
class Pulse:
    extractor: Extractor
    embedder: Embedder
    clock: Clock
    patience: float

    async def __call__(self) -> bool:
        """Whether both answer, be it nonsense."""
        try:
            async with asyncio.timeout(self.patience):
                await self.embedder.embed([HARMLESS])
                await self.extractor.extract(self._scene(), Aspect.SEMANTIC)
        except ModelOutputInvalid:
            return True
        except (ModelError, TimeoutError):
            return False
        return True

    def _scene(self) -> Scene:
        now, said = self.clock.now(), (Message(Role.USER, HARMLESS),)
        return Scene((Turn("pulse", Scope("nobody"), "pulse", now, now, said),))
