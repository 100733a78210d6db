"""How soon a turn should be reflected upon, by what it asks for."""

import re

from memweaver.domain.conversation import Role, Said
from memweaver.domain.job import Priority

PRESSING = re.compile(
    r"\b(?:remember|remind(?:er)?|don't forget|do not forget|forget (?:that|what|about)|important"
    r"|urgent(?:ly)?|deadline|asap|from now on|emergency)\b",
    re.IGNORECASE,
)
PLEASANTRY = re.compile(
    r"(?:hi|hello|hey|thanks|thank you|ok|okay|bye|goodbye|good (?:morning|evening|night)|test"
    r"|ping|yes|no|sure|great|cool|lol|ciao|grazie|hola|gracias|bonjour|merci|hallo|danke)[\s!.,?]*",
    re.IGNORECASE,
)


def priority_of(said: Said) -> Priority:
    """High for an explicit wish, low for what is status or small talk from end to end."""
    heard = [message.text.strip() for message in said.messages if message.role is Role.USER]
    if any(PRESSING.search(text) for text in heard):
        return Priority.HIGH
    if all(not text or PLEASANTRY.fullmatch(text) for text in heard):
        return Priority.LOW
    return Priority.NORMAL
