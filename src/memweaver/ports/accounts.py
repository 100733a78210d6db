"""The port to those who log in."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol

from memweaver.domain.account import Account, Standing


class AccountStore(Protocol):
    """Keeps accounts; names, addresses and hashes of passwords sealed under the house's key."""

    @abstractmethod
    async def add(self, account: Account) -> None:
        """Raises `Conflict` if the user has an account, or another one has the e-mail address."""
        ...

    @abstractmethod
    async def by_email(self, email: str) -> Account | None:
        """Disabled ones too."""
        ...

    @abstractmethod
    async def account(self, user: str) -> Account:
        """Raises `NotFound`."""
        ...

    @abstractmethod
    async def accounts(self, organisation: str | None = None) -> Sequence[Account]:
        """All, or those of one organisation, oldest first."""
        ...

    @abstractmethod
    async def change(self, user: str, to: Callable[[Account], Account]) -> Account:
        """Keep what `to` makes of the account, and answer it; the user stays the same.

        `to` is given the account as it is at that moment, and nobody else changes it until that is
        kept. It may be asked more than once. What it raises is raised, and changes nothing.

        Raises:
            NotFound: the user has no account.
            Conflict: another one has the e-mail address.
        """
        ...

    @abstractmethod
    async def standing(self, user: str) -> Standing | None:
        """What must be known with every request; `None` of somebody without an account."""
        ...
