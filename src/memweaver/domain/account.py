"""Somebody who logs in: what an e-mail address and a password must be."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from memweaver.domain.principal import EVERYTHING, HOME, PERSONAL, Permission
from memweaver.errors import InvalidInput

SHORTEST_PASSWORD = 12
LONGEST_PASSWORD = 1024
"""Characters; more would only cost time to hash."""
LONGEST_EMAIL = 254


class Role(StrEnum):
    """What somebody is in the house."""

    ADMIN = "admin"
    MEMBER = "member"

    @property
    def permissions(self) -> frozenset[Permission]:
        return EVERYTHING if self is Role.ADMIN else PERSONAL


@dataclass(frozen=True, slots=True)
class Standing:
    """What is asked with every request. Tokens issued before `tokens_from` are void."""

    organisation: str
    role: Role
    disabled_at: datetime | None
    tokens_from: datetime


@dataclass(frozen=True, slots=True)
class Account:
    """`password` is a hash of it."""

    user: str
    email: str
    name: str
    created_at: datetime
    tokens_from: datetime
    password: str = field(repr=False)
    organisation: str = HOME
    role: Role = Role.MEMBER
    disabled_at: datetime | None = None

    @property
    def standing(self) -> Standing:
        return Standing(self.organisation, self.role, self.disabled_at, self.tokens_from)

    def voided(self, now: datetime) -> "Account":
        """With all tokens void. They tell seconds only, so those of this very second are too.

        What is void already stays so, should `now` be earlier than the `now` of another change.
        """
        after = now.replace(microsecond=0) + timedelta(seconds=1)
        return replace(self, tokens_from=max(self.tokens_from, after))

    def disabled(self, now: datetime) -> "Account":
        """Void and closed, since the first time that it was."""
        return self if self.disabled_at else replace(self.voided(now), disabled_at=now)

    def enabled(self) -> "Account":
        return replace(self, disabled_at=None)

    def with_password(self, hashed: str, now: datetime) -> "Account":
        return replace(self.voided(now), password=hashed)


def checked_email(text: str) -> str:
    """The one way to write it. Raises `InvalidInput`."""
    email = text.strip().casefold()
    local, _, domain = email.partition("@")
    plain = email.isprintable() and " " not in email and len(email) <= LONGEST_EMAIL
    if not (plain and local and domain) or "@" in domain:
        raise InvalidInput("`email` must be an e-mail address such as ada@example.org")
    return email


def checked_password(password: str) -> str:
    """Raises `InvalidInput`."""
    if len(password) < SHORTEST_PASSWORD:
        raise InvalidInput(f"`password` must have at least {SHORTEST_PASSWORD} characters")
    if len(password) > LONGEST_PASSWORD:
        raise InvalidInput(f"`password` is longer than {LONGEST_PASSWORD} characters")
    return password


def confirmed(password: str, again: str) -> str:
    """`password`, if it was written twice alike. Raises `InvalidInput`."""
    if password != again:
        raise InvalidInput("`confirm` is not the same as `password`")
    return checked_password(password)
