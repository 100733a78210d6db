"""What the rules' own process is asked and what it answers: a line of JSON each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from pydantic import TypeAdapter, ValidationError

from memweaver.domain.candidate import Candidate, Scene
from memweaver.domain.conversation import Metadata, Turn
from memweaver.domain.memory import Memory
from memweaver.errors import ModelOutputInvalid


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found; or what `broke`, and where; or what is `missing` on this machine."""

    found: Sequence[Candidate] = ()
    broke: str = ""
    missing: str = ""


END = b"\n"
"""Of a line; within JSON it is written otherwise."""
READ = ("timezone",)
"""Of what callers have written on a turn, what the rules look at."""


@cache
def scenes() -> TypeAdapter[Scene]:
    """Made when first needed, which takes a tenth of a second."""
    return TypeAdapter(Scene)


@cache
def answers() -> TypeAdapter[Answer]:
    return TypeAdapter(Answer)


def question(scene: Scene) -> bytes:
    """As much of `scene` as the rules look at: what else hangs on it may be long or odd."""
    lean = replace(
        scene,
        turns=tuple(map(bare_turn, scene.turns)),
        before=tuple(map(bare_turn, scene.before)),
        core=tuple(map(bare_memory, scene.core)),
        known=tuple(map(bare_memory, scene.known)),
        episodes=(),
    )
    return scenes().dump_json(lean) + END


def bare_turn(turn: Turn) -> Turn:
    kept: Metadata = {name: str(turn.metadata[name]) for name in READ if name in turn.metadata}
    return replace(turn, metadata=kept)


def bare_memory(memory: Memory) -> Memory:
    return replace(memory, metadata={})


def asked(line: bytes) -> Scene:
    return scenes().validate_json(line)


def told(answer: Answer) -> bytes:
    return answers().dump_json(answer) + END


def heard(line: bytes) -> Answer:
    """Raises `ModelOutputInvalid`, without the words of what cannot be read."""
    try:
        return answers().validate_json(line)
    except ValidationError:
        raise ModelOutputInvalid("the process of the rules gave no answer") from None
