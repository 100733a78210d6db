"""Who a valid credential stands for, and what it may do."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memweaver.domain.scope import Scope
from memweaver.errors import Forbidden, NotFound

HOME = "home"
"""The organisation of whoever belongs to no other."""
OWNER = "owner"
"""The user made at first start, and the first admin."""


ACTING_HEADER = "X-Memweaver-User"
"""By which a service says, signed, for whom it acts."""


class Permission(StrEnum):
    """What a credential may be good for."""

    READ = "read"
    """Read and recall what is remembered."""
    WRITE = "write"
    """Record, correct, move and erase."""
    CHAT = "chat"
    """Talk to the model behind the proxy, which may cost money."""
    KEYS = "keys"
    """Make and revoke the user's own keys and webhooks, with no more than it has itself."""
    ADMIN = "admin"
    """Run the house: accounts of the same organisation, jobs, figures. Nobody's memories."""
    ACT = "act"
    """Act for end users of its realm, named by a signed header."""


PERSONAL = frozenset({Permission.READ, Permission.WRITE, Permission.CHAT, Permission.KEYS})
"""What a person may do about the own memory."""
EVERYTHING = PERSONAL | {Permission.ADMIN}


@dataclass(frozen=True, slots=True)
class Principal:
    """`credential` is the id of the key or token; `ai` the only AI it may speak for, if one."""

    user: str
    credential: str
    permissions: frozenset[Permission] = EVERYTHING
    organisation: str = HOME
    ai: str | None = None
    expires_at: datetime | None = None
    """Until when its key holds, if that ends."""

    def must(self, permission: Permission) -> None:
        """Raises `Forbidden`."""
        if Permission.ACT in self.permissions:
            raise Forbidden(f"this key acts for others only: say for whom by {ACTING_HEADER}")
        if permission not in self.permissions:
            raise Forbidden(f"this credential lacks the permission `{permission}`")

    def may_speak_for(self, ai: str | None) -> None:
        """Raises `NotFound` for an AI that the credential is not for."""
        if self.ai is not None and ai not in {None, self.ai}:
            raise NotFound(f"there is no AI {ai!r}")

    def scope(self, ai: str | None = None) -> Scope:
        """The scope asked for. Raises `NotFound` for an AI that the credential is not for."""
        self.may_speak_for(ai)
        return Scope(self.user, self.ai if ai is None else ai)


def permissions_named(names: Iterable[str]) -> frozenset[Permission]:
    """Raises `ValueError` for a name that is none."""
    return frozenset(Permission(name) for name in names)
