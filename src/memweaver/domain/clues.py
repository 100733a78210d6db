"""What a statement could be an answer to, read off its words alone."""

import re

from memweaver.domain.question import Answer

TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|week|weekend|month|year|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august"
    r"|september|october|november|december|morning|recently|since|20\d\d|\d+(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)
PLACE = re.compile(
    r"\b(?:in|at|to|from|near|around|visit(?:ed)?|trip|travel\w*|went)\b (?:the )?[A-Z]"
)
NUMBER = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twice|once|couple|several|dozen"
    r"|both)\b",
    re.IGNORECASE,
)
PERSON = re.compile(
    r"(?<=[a-z,] )[A-Z][a-z]+"
    r"|\b(?i:mom|mother|dad|father|sister|brother|friends?|wife|husband|son|daughter|kids|family"
    r"|boss|colleague|coworker|partner|girlfriend|boyfriend|aunt|uncle|cousin|grandma|grandpa"
    r"|neighbou?r)\b"
)
PREFERENCE = re.compile(
    r"\b(?:prefer\w*|always|never|(?:i|we) (?:really |also )?(?:like|love|hate|dislike|enjoy)"
    r"|favou?rite|(?:i|we) want you to|please (?:always|don't|do not)|make sure to|from now on"
    r"|(?:i'd|i would|we'd) rather|avoid)\b",
    re.IGNORECASE,
)
LONGEST_PREFERENCE = 600
"""Characters; whoever writes more says "always" and "never" without meaning a preference."""

CLUES = {
    Answer.TIME: TIME,
    Answer.PLACE: PLACE,
    Answer.NUMBER: NUMBER,
    Answer.PERSON: PERSON,
    Answer.ADVICE: PREFERENCE,
}


def answers_to(text: str) -> frozenset[Answer]:
    """The kinds of question that `text` could help to answer."""
    kinds = (kind for kind, clue in CLUES.items() if clue.search(text))
    return frozenset(
        kind for kind in kinds if kind is not Answer.ADVICE or len(text) <= LONGEST_PREFERENCE
    )


def is_question(text: str) -> bool:
    return text.rstrip().endswith("?")
