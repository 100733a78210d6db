"""A request for a chat completion: what in it is for us, who said what, and where memory goes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from json import dumps
from typing import Any

from memweaver.domain.context import tokens
from memweaver.domain.front_ends import on_whose_behalf, own_words
from memweaver.domain.listening import MOST_TOKENS
from memweaver.domain.parts import TEXTS, text_of_parts
from memweaver.errors import InvalidInput

OURS = frozenset({"ai_uuid", "ai_name"})
"""Fields that say something to this program, and nothing to a model."""
STEERING = frozenset({"base_url", "api_base", "api_key"})
"""Fields by which some programs let a caller choose where a key is sent. Nobody may here."""
PREFIX = "memweaver_"
"""How fields of `metadata` begin that are for this program."""
LONGEST_ID = 64
USUAL = 256
"""Tokens that an answer is taken to have before it is known, if the request sets no limit."""

Request = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Heard:
    """What a person said in a request: the last user message, and where it stands.

    `text` is without what a front end put around it. `errand` names what the front end wants for
    itself, if it does. `turn` is the same for every request about the same message of one
    conversation: tried again, or going on after a tool has answered. There is none while a
    conversation is not sent along, for then the same words may well have been said twice; but
    where a call is forced there is one, for the turn may end with it or go on.
    """

    place: int
    text: str
    errand: str | None
    turn: str | None


def messages_of(request: Request) -> Sequence[Mapping[str, Any]]:
    """Raises `InvalidInput`, which names the field."""
    messages = request.get("messages")
    if not isinstance(messages, list) or not messages:
        raise InvalidInput("`messages` must be a list of messages, with at least one")
    if not all(isinstance(message, dict) for message in messages):
        raise InvalidInput("`messages` must hold objects with a `role` and a `content`")
    for place, message in enumerate(messages):
        if not isinstance(message.get("role", ""), str):
            raise InvalidInput(f"`messages[{place}].role` must be a string")
    return messages


def heard(request: Request) -> Heard | None:
    """`None` if no person said anything. Raises `InvalidInput`."""
    messages = messages_of(request)
    places = [place for place, one in enumerate(messages) if one.get("role") == "user"]
    if not places or not (said := text_of(messages[places[-1]])).strip():
        return None
    place = places[-1]
    system = next((text_of(one) for one in messages if one.get("role") == "system"), "")
    metadata = request.get("metadata")
    task = metadata.get("task") if isinstance(metadata, dict) else None
    errand = on_whose_behalf(system, said, task)
    told = any(message.get("role") == "assistant" for message in messages)
    turn = turn_of(messages, place) if told or forces_a_call(request) else None
    return Heard(place, own_words(said), errand, turn)


def forces_a_call(request: Request) -> bool:
    """Whether the model must call a tool: then its call may be all the answer that is wanted."""
    for choice in (request.get("tool_choice"), request.get("function_call")):
        match choice:
            case "required" | {"function": _} | {"name": _}:
                return True
    return False


def turn_of(messages: Sequence[Mapping[str, Any]], place: int) -> str:
    mark = sha256()
    for message in messages[: place + 1]:
        if message.get("role") in {"user", "assistant"}:
            told = f"{message['role']}\n{text_of(message)}\n{shown_in(message)}\n"
            mark.update(told.encode("utf-8", "replace"))
    return mark.hexdigest()[:LONGEST_ID]


def shown_in(message: Mapping[str, Any]) -> str:
    """The parts of a message that are no words: the same may be asked about two pictures.

    Not all parts: clients mark those with words for a cache, in one round and not in the next.
    """
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    return dumps([part for part in parts if not is_words(part)], sort_keys=True)


def is_words(part: object) -> bool:
    match part:
        case {"type": str(kind)}:
            return kind in TEXTS
        case _:
            return False


def text_of(message: Mapping[str, Any]) -> str:
    """The words of a message; whatever is no text and no list of parts says nothing."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    try:
        return text_of_parts(content) if isinstance(content, list) else ""
    except InvalidInput:
        return ""


def cost_of(request: Request) -> int:
    """About how many tokens a chat will cost: what is read, and what may be written."""
    written = (request.get(name) for name in ("max_completion_tokens", "max_tokens"))
    most = next((count for count in written if type(count) is int and count > 0), USUAL)
    return read_in(request) + min(most, MOST_TOKENS)


def read_in(request: Request) -> int:
    """About how many tokens a chat is to read; what is no text costs nothing here."""
    return sum(tokens(text_of(message)) for message in messages_of(request))


def cost_of_vectors(request: Request) -> int:
    """About how many tokens are to be embedded: of a text, of several, or as they are counted."""
    given = request.get("input")
    parts = given if isinstance(given, list) else [given]
    return sum(
        tokens(part) if isinstance(part, str) else len(part) if isinstance(part, list) else 1
        for part in parts
    )


def passed_on(request: Request, model: str) -> dict[str, Any]:
    """The request as the model gets it: without what is ours, every other field untouched."""
    passed = {name: value for name, value in request.items() if name not in OURS | STEERING}
    if not passed.get("model"):
        passed["model"] = model
    if isinstance(metadata := passed.get("metadata"), dict):
        passed["metadata"] = {
            name: value for name, value in metadata.items() if not name.startswith(PREFIX)
        }
        if metadata and not passed["metadata"]:
            del passed["metadata"]
    return passed


def reminded(request: dict[str, Any], place: int, context: str) -> dict[str, Any]:
    """The request with `context` before the words of the message at `place`, in the same message.

    Not a message of its own: many models want user and assistant to take turns, and the system's
    voice would make orders out of notes.
    """
    messages = list(request["messages"])
    message = messages[place]
    content = message["content"]
    if isinstance(content, str):
        content = f"{context}\n\n{content}"
    else:
        content = [{"type": "text", "text": context}, *content]
    messages[place] = {**message, "content": content}
    return {**request, "messages": messages}
