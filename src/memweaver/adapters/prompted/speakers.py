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
from memweaver.domain.origin import weakest
from memweaver.domain.trust import BY_ROLE

WORD = re.compile(r"\w+")
RUN = re.compile(r"[^\W\d_]+")
SHORTEST = 4
"""Letters below which a word tells little."""
STEM = 4
"""Letters by which the forms of a word are one."""
MOSTLY = 0.5
"""Share of a statement's words below which whoever is named hardly said it."""
FIRST_JOINED = "\u3040"
"""From here on are writings that put no space between words."""
OURS = frozenset({"user", "users", "s"})
"""Words of statements that nobody need have said: "the user's"."""


@dataclass(frozen=True, slots=True)
class Voice:
    """A message, and the words in it that a model was shown."""

    message: Message
    words: frozenset[str]
    little: frozenset[str]

    def called(self, told: str | None) -> bool:
        names = {speaker(self.message).casefold(), self.message.role.value}
        return (told or "").strip().casefold() in names

    def share(self, text: str) -> float:
        """The share of the words of `text` that are in this message."""
        return part(stems(text) - OURS, self.words)

    def shares(self, text: str) -> tuple[float, float]:
        """Of the words that tell something; and, where those are equal, of the little ones."""
        return self.share(text), part(little_words(text) - OURS, self.little)

    def repeats(self, other: "Voice", text: str) -> bool:
        """Whether all that this message has of `text` is in the other one too."""
        return (stems(text) - OURS) & self.words <= other.words


def voices_in(turn: Turn) -> Sequence[Voice]:
    return [voice_of(message) for message in heard(turn)]


def voice_of(message: Message) -> Voice:
    shown = shortened(without_recalled(message.text), LONGEST)
    return Voice(message, stems(shown), little_words(shown))


def said_by(told: str | None, text: str, voices: Sequence[Voice]) -> Message:
    """The message that says it, as far as can be seen."""
    named = [voice for voice in voices if voice.called(told)]
    claimed = nearest(text, named or voices)
    if claimed.message.role is Role.USER and claimed.share(text) < MOSTLY:
        claimed = nearest(text, [claimed, *voices])
    if claimed.message.role is not Role.USER or claimed.shares(text) == (1.0, 1.0):
        return claimed.message
    others = [voice.message for voice in voices if said_as_well(voice, claimed, text)]
    return least_trusted(others) if others else claimed.message


def said_as_well(voice: Voice, user: Voice, text: str) -> bool:
    """Whether `voice` has as much of `text` as the user, so that the user's word is in doubt.

    An assistant that says again what the user said is no source of it; a tool may be.
    """
    match voice.message.role:
        case Role.USER:
            return False
        case Role.ASSISTANT if voice.repeats(user, text):
            return False
        case _:
            return voice.shares(text) >= user.shares(text)


def least_trusted(messages: Sequence[Message]) -> Message:
    """The one of the weakest origin; the first of equals."""
    origin = weakest(BY_ROLE[message.role] for message in messages)
    return next(message for message in messages if BY_ROLE[message.role] is origin)


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


def little_words(text: str) -> frozenset[str]:
    """The words, numbers and names that are too short to have a stem."""
    return frozenset(word for word in WORD.findall(text.casefold()) if not stems(word))


def part(wanted: frozenset[str], there: frozenset[str]) -> float:
    return len(wanted & there) / len(wanted) if wanted else 1.0


def parts(run: str) -> Sequence[str]:
    if run >= FIRST_JOINED:
        return [run[place : place + 2] for place in range(len(run))]
    return [run[:STEM]] if len(run) >= SHORTEST else []
