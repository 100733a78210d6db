"""The port to those who log in."""

from abc import abstractmethod
from collections.abc import Sequence
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
    async def replace(self, account: Account) -> None:
        """Keep `account` as it is now; its user stays. Raises `NotFound` and `Conflict`."""
        ...

    @abstractmethod
    async def standing(self, user: str) -> Standing | None:
        """What must be known with every request; `None` of somebody without an account."""
        ...
