"""Extraction by a chat model."""

import re
from collections.abc import Sequence

from memweaver.adapters.prompted.asking import Asking, Repair
from memweaver.adapters.prompted.prompts import prompt
from memweaver.adapters.prompted.reading import Reading, capped
from memweaver.adapters.prompted.schemas import memories_schema, repair_schema
from memweaver.adapters.prompted.showing import Numbered, portions, scene_lines
from memweaver.domain.candidate import Aspect, Candidate, Scene
from memweaver.errors import ModelOutputInvalid
from memweaver.ports.extract import Extractor

SAYS_NOTHING = re.compile(r'"nothing"\s*:\s*true')


class PromptedExtractor(Extractor):
    """One call for each aspect and each portion of turns; none where nobody says anything."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    @property
    def name(self) -> str:
        return self._asking.model.model

    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        found: list[Candidate] = []
        for portion in portions(scene):
            found += await self._from(scene, portion, aspect)
        return capped(found)

    async def _from(self, scene: Scene, portion: Numbered, aspect: Aspect) -> Sequence[Candidate]:
        reading = Reading(scene, portion, aspect)

        def read_repaired(answer: str) -> Sequence[Candidate]:
            """Who puts an answer right must say that it said "nothing", or it may have failed."""
            found = reading(answer)
            if not found and not SAYS_NOTHING.search(answer):
                raise ModelOutputInvalid(f"the answer of {self.name} cannot be put right")
            return found

        return await self._asking(
            aspect.value,
            scene_lines(scene, portion),
            told=prompt("extract", aspect.value),
            schema=memories_schema(aspect, len(portion)),
            read=reading,
            repair=Repair("repair_memories", repair_schema(aspect, len(portion))),
            read_repaired=read_repaired,
        )
