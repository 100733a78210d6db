"""What the rules' own process is asked and what it answers: a line of JSON each."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from memweaver.domain.candidate import Candidate, Scene


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found; or what `broke`, and where; or what is `missing` on this machine."""

    found: Sequence[Candidate] = ()
    broke: str = ""
    missing: str = ""


QUESTION = TypeAdapter(Scene)
ANSWER = TypeAdapter(Answer)
END = b"\n"
"""Of a line; within JSON it is written otherwise."""
