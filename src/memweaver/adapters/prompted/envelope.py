"""The envelope in which a model is shown what others said.

Its tags carry a random word that nothing inside can know, and every line of what was said is
marked, so that no text can end the envelope, begin a turn or speak as somebody else.
"""

import secrets
import unicodedata
from collections.abc import Callable, Sequence

from memweaver.domain.context import tokens
from memweaver.domain.conversation import Message, Role

Nonce = Callable[[], str]
LEFT_OUT = "[… left out …]"


def fresh_nonce() -> str:
    return secrets.token_hex(8)


def asked(instructions: str, lines: Sequence[str], nonce: Nonce) -> Sequence[Message]:
    """What we say, and then, in an envelope of its own, what others said."""
    word = nonce()
    data = "\n".join([f"<data {word}>", *lines, f"</data {word}>"])
    return [Message(Role.SYSTEM, instructions), Message(Role.USER, data)]


def quoted(text: str) -> Sequence[str]:
    """The lines of `text`, each marked as somebody's words."""
    return [f"| {words}" for line in text.splitlines() if (words := plain(line))]


def plain(line: str) -> str:
    """`line` without the characters that people do not see."""
    return "".join(one if visible(one) else " " for one in line).strip()


def visible(character: str) -> bool:
    """Joiners hold emoji and the words of some languages together; they stay."""
    return character in "\t\u200c\u200d" or unicodedata.category(character)[0] != "C"


def shortened(text: str, most: int) -> str:
    """`text` in at most about `most` tokens: its beginning and its end, if it is longer."""
    length = tokens(text)
    if length <= most:
        return text
    kept = len(text) * most // length
    return f"{text[: kept * 2 // 3]}\n{LEFT_OUT}\n{text[len(text) - kept // 3 :]}"
