"""Extraction by a scripted model, with what it was asked at hand."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from memweaver.adapters.prompted import Asking, PromptedExtractor
from memweaver.domain.candidate import Aspect, Candidate, Scene
from memweaver.testing.conformance.extractor import said
from memweaver.testing.doubles import Answer, ScriptedModel, Tally

SNAPSHOTS = Path(__file__).with_name("snapshots")
OSLO = said("I live in Oslo.")


def a_statement(text: str = "User lives in Oslo.", **fields: object) -> Mapping[str, object]:
    return {"turn": 1, "speaker": "user", "text": text, **fields}


def asking(model: ScriptedModel, meter: Tally | None = None) -> Asking:
    return Asking(model, meter or Tally(), tokens=1024, nonce=lambda: "5ca1ab1e")


async def extracted(
    *answers: Answer, scene: Scene | None = None, aspect: Aspect = Aspect.SEMANTIC
) -> Sequence[Candidate]:
    extractor = PromptedExtractor(asking(ScriptedModel(*answers)))
    return await extractor.extract(scene or Scene((OSLO,)), aspect)


async def from_statements(
    *statements: Mapping[str, object],
    scene: Scene | None = None,
    aspect: Aspect = Aspect.SEMANTIC,
) -> Sequence[Candidate]:
    return await extracted({"memories": list(statements)}, scene=scene, aspect=aspect)
