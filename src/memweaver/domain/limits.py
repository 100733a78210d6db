"""How much may be handed in at once. Over a limit is refused, never cut in silence."""

import json
from dataclasses import dataclass
from datetime import datetime

from memweaver.domain.conversation import Metadata, Said
from memweaver.domain.memory import Correction, Draft, Tier
from memweaver.domain.scope import checked_name
from memweaver.errors import InvalidInput, TooLarge

FURTHEST = 2**63
"""As far as a database counts."""


@dataclass(frozen=True, slots=True)
class Limits:
    text: int = 64_000
    """Characters of one message, memory or question."""
    messages: int = 64
    """Messages of one turn."""
    metadata: int = 16_384
    """Characters of metadata, written as JSON."""
    page: int = 200
    """Records of one page or one search."""

    def check_said(self, said: Said) -> None:
        """Raises `InvalidInput`, which names the field."""
        checked_name("session", said.session)
        if not said.messages:
            raise InvalidInput("`messages` is empty; a turn has at least one message")
        if len(said.messages) > self.messages:
            raise TooLarge(f"`messages` has more than {self.messages} messages")
        for message in said.messages:
            self.check_text("text", message.text)
            if message.name is not None:
                checked_name("name", message.name)
        check_time("at", said.at)
        self.check_metadata(said.metadata)

    def check_draft(self, draft: Draft) -> None:
        """Raises `InvalidInput`, which names the field."""
        if not draft.text.strip():
            raise InvalidInput("`text` is empty; a memory says something")
        if (draft.tier is Tier.CORE) != (draft.key is not None):
            raise InvalidInput("`key` belongs to the core tier, and the core tier needs a `key`")
        if draft.supersedes is not None:
            checked_name("supersedes", draft.supersedes)
        for source in draft.sources:
            checked_name("sources", source)
        self._check_fields(draft)

    def check_correction(self, correction: Correction) -> None:
        """Raises `InvalidInput`, which names the field."""
        if correction == Correction():
            raise InvalidInput("nothing to correct; give at least one field")
        if correction.text is not None and not correction.text.strip():
            raise InvalidInput("`text` is empty; delete the memory instead")
        self._check_fields(correction)

    def _check_fields(self, given: Draft | Correction) -> None:
        self.check_text("text", given.text or "")
        if given.key is not None:
            checked_name("key", given.key)
        check_share("importance", given.importance)
        check_share("confidence", given.confidence)
        check_time("valid_from", given.valid_from)
        check_time("valid_to", given.valid_to)
        check_window(given.valid_from, given.valid_to)
        self.check_metadata(given.metadata or {})

    def check_text(self, field: str, text: str) -> None:
        if len(text) > self.text:
            raise TooLarge(f"`{field}` has {len(text)} characters; the limit is {self.text}")
        check_whole(field, text)

    def check_metadata(self, metadata: Metadata) -> None:
        if not metadata:
            return
        try:
            written = json.dumps(metadata, allow_nan=False, ensure_ascii=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidInput(f"`metadata` must be plain JSON: {error}") from error
        check_whole("metadata", written)
        if len(written) > self.metadata:
            raise TooLarge(
                f"`metadata` has {len(written)} characters; the limit is {self.metadata}"
            )

    def check_page(self, limit: int, before: int | None = None) -> None:
        if not 1 <= limit <= self.page:
            raise InvalidInput(f"`limit` must be between 1 and {self.page}")
        if before is not None and not 0 <= before < FURTHEST:
            raise InvalidInput("`before` is not what a page has answered with")


def check_whole(field: str, text: str) -> None:
    """Python and JSON can hold half a character, which no disk and no model can take."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidInput(f"`{field}` has half a character (an unpaired surrogate)") from None


def check_share(field: str, value: float | None) -> None:
    if value is not None and not 0.0 <= value <= 1.0:
        raise InvalidInput(f"`{field}` must be between 0 and 1")


def check_time(field: str, value: datetime | None) -> None:
    if value is not None and value.tzinfo is None:
        raise InvalidInput(f"`{field}` has no time zone")


def check_window(valid_from: datetime | None, valid_to: datetime | None) -> None:
    if valid_from and valid_to and valid_from >= valid_to:
        raise InvalidInput("`valid_to` must be later than `valid_from`")
