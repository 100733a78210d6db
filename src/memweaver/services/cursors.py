"""Cursors: where somebody goes on, as a text that is good for them and their question only."""

from dataclasses import dataclass
from hashlib import sha256

from memweaver.domain.event import Cursor, cursor_from
from memweaver.domain.scope import Scope
from memweaver.errors import InvalidInput
from memweaver.services.signing import Signing

PURPOSE = "cursor"


@dataclass(frozen=True, slots=True)
class Cursors:
    signing: Signing

    async def signed(self, question: str, place: str) -> str:
        """`question` says who asks, and what."""
        return await self.signing.sign(PURPOSE, f"{digest(question)} {place}")

    async def opened(self, question: str, cursor: str) -> str:
        """The place that was signed for the same question. Raises `InvalidInput`."""
        try:
            asked, _, place = (await self.signing.opened(PURPOSE, cursor)).partition(" ")
        except InvalidInput as error:
            raise of_another_question() from error
        if asked != digest(question):
            raise of_another_question()
        return place

    async def told(self, scope: Scope, cursor: Cursor) -> str:
        """Up to where the events of `scope` were told, whichever way they are."""
        return await self.signed(events_of(scope), str(cursor))

    async def heard(self, scope: Scope, cursor: str) -> Cursor:
        """Raises `InvalidInput`."""
        return cursor_from(await self.opened(events_of(scope), cursor))


def events_of(scope: Scope) -> str:
    return repr(("events", scope.user, scope.ai))


def digest(question: str) -> str:
    return sha256(question.encode("utf-8", "surrogatepass")).hexdigest()


def of_another_question() -> InvalidInput:
    return InvalidInput("`cursor` is not one that was given out for this question")
