"""How a socket is shown our errors: one shape, with the code that every interface uses."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from memweaver.errors import InvalidInput, MemweaverError
from memweaver.interfaces.socketio.wire import Refused

NAMED_FIELD = re.compile(r"`(\w+)`")
"""A refusal by the services begins with the field it is about."""
UNFORESEEN = Refused(code="internal_error", message="something went wrong on this side")


def refusal(error: MemweaverError) -> Refused:
    named = NAMED_FIELD.match(str(error)) if isinstance(error, InvalidInput) else None
    return Refused(code=error.code, message=str(error), field=named[1] if named else None)


def malformed(error: ValidationError) -> Refused:
    """The first thing wrong with a payload, by name, without repeating what was sent."""
    first = error.errors(include_input=False, include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or "payload"
    message = f"`{field}`: {sentence(first)}"
    return Refused(code=InvalidInput.code, message=message, field=field)


def sentence(problem: Mapping[str, Any]) -> str:
    if problem["type"] == "extra_forbidden":
        return "there is no such field here"
    text = str(problem["msg"])
    return text[0].lower() + text[1:]
