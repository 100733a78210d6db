"""Converse: one message in, one reply out, in a session that remembers what was said before."""

import json
from dataclasses import dataclass, replace
from http import HTTPStatus

from memweaver.domain.chat import text_of
from memweaver.domain.conversation import Turn
from memweaver.domain.principal import Permission
from memweaver.errors import (
    Forbidden,
    MemweaverError,
    ModelBusy,
    ModelOutputInvalid,
    ModelRefused,
)
from memweaver.services.chat import Answer, Chat, Manner
from memweaver.services.sessions import Sessions

LONGEST_NAME = 60
"""Characters of a message that a new session is named by."""


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    session: str


@dataclass(frozen=True, slots=True)
class Converse:
    chat: Chat
    sessions: Sessions
    window: int = 20
    """Turns of the session that the model is told again."""

    async def __call__(self, manner: Manner, message: str, session_id: str | None) -> Reply:
        """To go on with a session is to recall what was said in it, to begin one is to record.

        Raises `Forbidden` where the manner does not allow that, `NotFound` for a session that is
        not there, and what a chat raises. A session that was made for a message without a reply is
        gone, and nothing is recorded of it.
        """
        if session_id is None and not manner.record:
            raise Forbidden(without(Permission.WRITE, "begin a session"))
        if session_id is not None and not manner.recall:
            raise Forbidden(without(Permission.READ, "go on with a session"))
        scope = manner.scope
        if session_id is None:
            session, before = await self.sessions.create(scope, name_of(message)), []
        else:
            session = await self.sessions.session(scope, session_id)
            page = await self.sessions.history(scope, session.id, limit=self.window)
            before = [one for turn in reversed(page.items) for one in messages_in(turn)]
        messages = [*before, {"role": "user", "content": message}]
        try:
            answer = await self.chat({"messages": messages}, replace(manner, session=session.id))
            return Reply(await said_in(answer), session.id)
        except MemweaverError:
            if session_id is None:
                await self.sessions.kept.erase(scope, session.id)
            raise


def without(permission: Permission, undone: str) -> str:
    return f"this credential lacks the permission `{permission}`, so it cannot {undone}"


def name_of(message: str) -> str:
    words = "".join(one if one.isprintable() else " " for one in message[: 2 * LONGEST_NAME])
    return " ".join(words.split())[:LONGEST_NAME] or "Chat"


def messages_in(turn: Turn) -> list[dict[str, str]]:
    return [{"role": one.role.value, "content": one.text} for one in turn.messages]


async def said_in(answer: Answer) -> str:
    """Raises `ModelError` if the model said nothing; then no turn is recorded."""
    try:
        return message_in(answer.status, b"".join([piece async for piece in answer]))
    except MemweaverError:
        answer.discard()
        raise
    finally:
        await answer.aclose()


def message_in(status: int, content: bytes) -> str:
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        raise ModelBusy("the model has too much to do: try again later")
    if status >= HTTPStatus.BAD_REQUEST:
        raise ModelRefused(f"the model answered {status}")
    try:
        return text_of(json.loads(content)["choices"][0]["message"])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ModelOutputInvalid("the model answered with something else than a message") from None
