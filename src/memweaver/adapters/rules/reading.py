"""What of a message is looked at: the speaker's own words, and not too many of them."""

import re

MOST_CHARACTERS = 8_000
"""Of one message; whoever writes more pastes rather than tells."""
LONGEST_SENTENCE = 600
"""Characters looked at of one sentence: parsing takes ever longer without a full stop."""
LONGEST_WORD = 100
"""Characters; longer ones are addresses or data, and left out."""
LEAST_LETTERS = 0.6
"""The share of letters and blanks below which a text is data."""
BLOCK = re.compile(r"<memory (?P<nonce>[^>\s]+)>.*?(?:</memory (?P=nonce)>|\Z)", re.DOTALL)
"""A context block of ours, as `domain.context` delimits it."""
CODE = re.compile(r"```.*?(?:```|\Z)|^>.*?$", re.DOTALL | re.MULTILINE)
QUOTED = re.compile(r"\"[^\"]*\"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»")
FIRST = re.compile(
    r"\b(?:I|me|my|we|you|io|mi|mio|mia|vivo|abito|lavoro|sono|ho|odio|detesto|yo|trabajo|soy"
    r"|tengo|je|j'\w+|mon|ma|ich|mich|mir|meine?)\b",
    re.IGNORECASE,
)
"""The first person in the languages there are rules for; some leave its pronoun out."""
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]+")
LINES = re.compile(r"(?<![.!?:;,])\s*\n\s*")


def own_words(text: str) -> str:
    """`text` without what was recalled into it, code and quotations; "" if it is no prose."""
    text = BLOCK.sub(" ", text)[:MOST_CHARACTERS]
    text = CODE.sub(" ", text).replace("\u2019", "'")
    text = CONTROL.sub(" ", QUOTED.sub(unless_said, text))
    words = LINES.sub(". ", text.strip()).split()
    text = " ".join(word for word in words if len(word) <= LONGEST_WORD)
    return text if prose(text) else ""


def unless_said(quoted: re.Match[str]) -> str:
    """A title in quotation marks; somebody's words have a first person in them and are left out."""
    return " " if FIRST.search(quoted[0]) else quoted[0]


def prose(text: str) -> bool:
    plain = sum(character.isalpha() or character == " " for character in text)
    return bool(text) and plain >= LEAST_LETTERS * len(text)
