"""What a question asks for, read off its words alone."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache
from itertools import chain, islice

from memweaver.domain.dates import PartialDate, Span, dates_named, first_of
from memweaver.domain.relative import dates_counted

WORD = re.compile(r"\b([^\W\d_][\w]+)(?:['\u2019]s\b)?")
NAME = re.compile(r"\w+")
FIRST_PERSON = re.compile(r"\b(?:[Ii]|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself|[Ww]e|[Oo]urs?)\b(?!\.)")
SMALL_WORDS = (
    "what when where which who whom whose why how did does do is are was were has have had can"
    " could will would should shall may might in on at the an during after before my for from by"
    " and or but not if as to of with this that these those"
)
NOT_NAMES = frozenset(SMALL_WORDS.split())
"""Words that begin questions with a capital letter, and small words some people are named like."""
ALIKE = 0.75
"""From this share of letters in order on, two spellings are one name: Muhammad, Muhhamed."""
SHORTEST_MISSPELT = 4
"""Shorter names resemble too many words to be recognised when misspelt."""
MOST_MISSPELT = 32
"""Words of a text that are taken for misspelt names: what has more is pasted, and no question."""
MOST_COMPARED = 2048
"""Pairs of a word and a name compared for one text, of those that could be alike at all.

It takes far more people than talk with anybody to have as many; and recall must not wait for it.
"""


class Answer(StrEnum):
    """What kind of answer a question wants."""

    TIME = "time"
    PLACE = "place"
    PERSON = "person"
    NUMBER = "number"
    ADVICE = "advice"
    """What the person prefers, or once asked to have done always, should shape the answer."""
    ANY = "any"


KINDS = {
    Answer.ADVICE: re.compile(
        r"\b(?:should (?:i|we)|suggest\w*|recommend\w*|advi[cs]e|tips|ideas"
        r"|(?:what|how|which|where) would you|how (?:do|can|could|might) (?:i|we)"
        r"|what are (?:some|the best|good)"
        r"|(?:could|can) you (?:help|explain|show|tell|give))\b",
        re.IGNORECASE,
    ),
    Answer.NUMBER: re.compile(r"\bhow (?:many|much|often|long|old)\b", re.IGNORECASE),
    Answer.TIME: re.compile(
        r"\b(?:when|what (?:date|day|month|year|time)|which (?:date|day|month|year))\b",
        re.IGNORECASE,
    ),
    Answer.PLACE: re.compile(
        r"\b(?:where|which (?:city|country|place)|what (?:city|country|place|state))\b",
        re.IGNORECASE,
    ),
    Answer.PERSON: re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE),
}
"""Read in this order: "how long should I wait for whom" asks for advice."""
COURSE = re.compile(
    r"\b(?:summar(?:y|ies|i[sz]e)|overview|recap|timeline|chronolog\w*|(?:in|the|what) order"
    r"|order (?:in which|of)|sequence of|walk me through|throughout|over time"
    r"|across (?:my|our|all|different|multiple|the (?:conversations|discussions|sessions|chats))"
    r"|how (?:has|have|did) .{0,80}(?:evolve|progress|develop|change)d?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """`bare` is the text without the names of known people: that is what is embedded.

    `about` names the known people asked about; `first_person` says that the user asks about
    themselves ("I", "my"); `course` that the question is how something went over many sessions.
    """

    text: str
    bare: str
    about: frozenset[str]
    first_person: bool
    dates: tuple[PartialDate, ...]
    answer: Answer
    course: bool = False


def ask(text: str, people: Sequence[str]) -> Question:
    """Read a question put to a memory in which `people` speak."""
    about, bare = _names(text, people)
    course = bool(COURSE.search(text))
    return Question(
        text,
        bare,
        about,
        bool(FIRST_PERSON.search(text)),
        dates_named(text),
        _answer(text, course=course),
        course,
    )


def days_asked_for(question: Question, years: Iterable[int], now: datetime) -> Sequence[Span]:
    """The days a question names; a date without a year means that day of each of `years`."""
    named = (
        span
        for partial in question.dates
        for year in ([partial.year] if partial.year else years)
        if (span := partial.days(year))
    )
    return first_of(chain(named, dates_counted(question.text, now)))


def _answer(text: str, *, course: bool) -> Answer:
    """The kind of answer wanted; whoever asks how something went asks for no advice on it."""
    kinds = (kind for kind, asks in KINDS.items() if asks.search(text))
    return next((kind for kind in kinds if not course or kind is not Answer.ADVICE), Answer.ANY)


def _names(text: str, people: Sequence[str]) -> tuple[frozenset[str], str]:
    """Which of `people` a text names, and the text without their names."""
    firsts, others = _parts(people)
    words = list(WORD.finditer(text))
    misspelt = _misspelt((match[1] for match in words), firsts)
    meant, kept, end = set[str](), list[str](), 0
    for match in words:
        named = _named(match[1], firsts, misspelt)
        meant.update(named)
        if named or match[1].lower() in others:
            kept.append(text[end : match.start()])
            end = match.end()
    bare = " ".join("".join([*kept, text[end:]]).split())
    about = frozenset(person for first in meant for person in firsts[first])
    return about, bare if WORD.search(bare) else text


def _parts(people: Sequence[str]) -> tuple[dict[str, list[str]], set[str]]:
    """Who has which first name, and all names that are not first ones, in small letters."""
    firsts, others = dict[str, list[str]](), set[str]()
    for person in people:
        first, *rest = NAME.findall(person.lower()) or [person.lower()]
        firsts.setdefault(first, []).append(person)
        others.update(rest)
    return firsts, others


def _named(
    word: str, firsts: Container[str], misspelt: Mapping[str, Sequence[str]]
) -> Sequence[str]:
    """Which first names a word is; small letters do, unless it is a small word or misspelt."""
    small, capital = word.lower(), word[0].isupper()
    if small in firsts:
        return [small] if capital or small not in NOT_NAMES else []
    return misspelt.get(small, []) if capital else []


def _misspelt(words: Iterable[str], firsts: Mapping[str, object]) -> Mapping[str, Sequence[str]]:
    """Which first names are meant by those of `words` that look like names, but are none."""
    capital = (word for word in words if len(word) >= SHORTEST_MISSPELT and word[0].isupper())
    unknown = (small for word in capital if (small := word.lower()) not in firsts)
    tried = dict.fromkeys(small for small in unknown if small not in NOT_NAMES)
    meant = dict[str, list[str]]()
    for word, first in islice(_likely([*tried][:MOST_MISSPELT], firsts), MOST_COMPARED):
        if _alike(word, first):
            meant.setdefault(word, []).append(first)
    return meant


def _likely(words: Iterable[str], names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The pairs that could be alike: letters that only one of them has are too few to hinder."""
    spelled = [(name, len(name), frozenset(name)) for name in names]
    for word in words:
        letters, length = frozenset(word), len(word)
        for name, size, others in spelled:
            room = (1 - ALIKE) * (length + size)
            if abs(length - size) <= room and len(letters ^ others) <= room:
                yield word, name


@lru_cache(maxsize=2 * MOST_COMPARED)
def _alike(word: str, name: str) -> bool:
    return SequenceMatcher(None, word, name).ratio() >= ALIKE
