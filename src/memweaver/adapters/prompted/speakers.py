"""Who said a statement: the model's word for it, checked against the words of the turn.

Whoever plants text in a tool's answer may have a model say that it was the user who said so.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memweaver.adapters.prompted.envelope import shortened
from memweaver.adapters.prompted.recalled import without_recalled
from memweaver.adapters.prompted.showing import LONGEST, heard, speaker
from memweaver.domain.conversation import Message, Role, Turn

RUN = re.compile(r"[^\W\d_]+")
SHORTEST = 4
"""Letters below which a word tells little."""
STEM = 4
"""Letters by which the forms of a word are one."""
MOSTLY = 0.5
"""Share of a statement's words from which the user said it, whoever said it too."""
FIRST_JOINED = "\u3040"
"""From here on are writings that put no space between words."""
OURS = frozenset({"user", "users"})


@dataclass(frozen=True, slots=True)
class Voice:
    """A message, and the words in it that a model was shown."""

    message: Message
    words: frozenset[str]

    def called(self, told: str | None) -> bool:
        names = {speaker(self.message).casefold(), self.message.role.value}
        return (told or "").strip().casefold() in names

    def share(self, text: str) -> float:
        """The share of the words of `text` that are in this message."""
        stated = stems(text) - OURS
        return len(stated & self.words) / len(stated) if stated else 1.0


def voices_in(turn: Turn) -> Sequence[Voice]:
    return [
        Voice(message, stems(shortened(without_recalled(message.text), LONGEST)))
        for message in heard(turn)
    ]


def said_by(told: str | None, text: str, voices: Sequence[Voice]) -> Message:
    """The message that says it, as far as can be seen."""
    named = [voice for voice in voices if voice.called(told)]
    claimed = nearest(text, named or voices)
    if claimed.message.role is Role.USER and claimed.share(text) < MOSTLY:
        claimed = nearest(text, [claimed, *voices])
    return claimed.message


def where_said(text: str, cited: int, voices: Mapping[int, Sequence[Voice]]) -> int:
    """The number of the turn that says it: the one cited, unless it is plainly another's words.

    Else what the assistant said in one turn would be the user's word by citing the next.
    """

    def share(number: int) -> float:
        return max((voice.share(text) for voice in voices[number]), default=0.0)

    if share(cited) >= MOSTLY:
        return cited
    best = max(voices, key=share)
    return best if share(best) >= MOSTLY else cited


def nearest(text: str, voices: Sequence[Voice]) -> Voice:
    """The one with most of the words of `text`; the first of equals."""
    return max(voices, key=lambda voice: voice.share(text))


def stems(text: str) -> frozenset[str]:
    return frozenset(stem for run in RUN.findall(text.casefold()) for stem in parts(run))


def parts(run: str) -> Sequence[str]:
    if run >= FIRST_JOINED:
        return [run[place : place + 2] for place in range(len(run))]
    return [run[:STEM]] if len(run) >= SHORTEST else []
