"""What a question asks for, read off its words alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from memweaver.domain.dates import PartialDate


class Answer(StrEnum):
    """What kind of answer a question wants."""

    TIME = "time"
    PLACE = "place"
    PERSON = "person"
    NUMBER = "number"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Question:
    """`bare` is the text without the names of known people: that is what is embedded.

    `about` names the known people asked about; `first_person` says that the user asks about
    themselves ("I", "my").
    """

    text: str
    bare: str
    about: frozenset[str]
    first_person: bool
    dates: tuple[PartialDate, ...]
    answer: Answer


def ask(text: str, people: Sequence[str]) -> Question:
    """Read a question put to a memory in which `people` speak."""
    raise NotImplementedError(text, people)
