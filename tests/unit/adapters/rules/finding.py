"""What an extractor finds in one turn."""

from collections.abc import Sequence

from memweaver.domain.candidate import Candidate, Scene
from memweaver.domain.conversation import Message
from memweaver.ports.extract import Extractor
from memweaver.testing.conformance.extractor import everything, said


async def found(extractor: Extractor, *messages: Message | str) -> Sequence[Candidate]:
    return await everything(extractor, Scene((said(*messages),)))
