"""A summary without a model: the sentences that tell most, in their order."""

import re
from collections.abc import Sequence

from memweaver.adapters.rules.reading import own_words
from memweaver.domain.context import tokens
from memweaver.domain.conversation import Message, Role, Turn
from memweaver.ports.extract import Summariser

END = re.compile(r"(?<=[.!?])\s+|\n+")
TELLING = re.compile(r"\d|(?<=[a-z,] )[A-Z]|\b(?:I|my|we|our)\b")
"""Numbers, names and the first person: what a later turn may come back to."""
SPEAKERS = frozenset({Role.USER, Role.ASSISTANT})


class RuleSummariser(Summariser):
    async def summary(self, before: str, turns: Sequence[Turn], tokens: int) -> str:
        said = [line for turn in turns for message in turn.messages for line in lines(message)]
        return within([*before.splitlines(), *said], tokens)


def lines(message: Message) -> list[str]:
    """The sentences of a message, each with its speaker, without its questions."""
    if message.role not in SPEAKERS:
        return []
    found = END.split(own_words(message.text))
    return [f"{message.speaker}: {each}" for each in found if each and not each.endswith("?")]


def within(said: Sequence[str], budget: int) -> str:
    """The most telling lines that fit; of equally telling ones the later."""
    places = range(len(said))
    kept = set[int]()
    for place in sorted(places, key=lambda one: (telling(said[one]), one), reverse=True):
        cost = tokens(said[place] + "\n")
        if cost <= budget and said[place] not in {said[one] for one in kept}:
            budget -= cost
            kept.add(place)
    return "\n".join(said[place] for place in sorted(kept))


def telling(line: str) -> int:
    return min(len(TELLING.findall(line)), 4)
