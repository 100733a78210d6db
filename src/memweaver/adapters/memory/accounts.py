"""The `AccountStore` port in the process."""

from collections.abc import Callable, Sequence

from memweaver.adapters.memory.state import State
from memweaver.domain.account import Account, Standing
from memweaver.domain.scope import HOUSE
from memweaver.errors import Conflict, NotFound
from memweaver.ports.accounts import AccountStore


class InMemoryAccounts(AccountStore):
    def __init__(self, state: State) -> None:
        self._state = state
        self._accounts = state.accounts

    async def add(self, account: Account) -> None:
        if account.user in self._accounts:
            raise Conflict("there is an account of that name or e-mail address already")
        await self._refuse_taken(account)
        self._state.begun(HOUSE)
        self._accounts[account.user] = account

    async def by_email(self, email: str) -> Account | None:
        return next((one for one in self._accounts.values() if one.email == email), None)

    async def account(self, user: str) -> Account:
        if user not in self._accounts:
            raise NotFound(f"there is no account {user!r}")
        return self._accounts[user]

    async def accounts(self, organisation: str | None = None) -> Sequence[Account]:
        theirs = (
            one for one in self._accounts.values() if organisation in (None, one.organisation)
        )
        return sorted(theirs, key=lambda one: (one.created_at, one.user))

    async def change(self, user: str, to: Callable[[Account], Account]) -> Account:
        changed = to(await self.account(user))
        await self._refuse_taken(changed)
        self._accounts[user] = changed
        return changed

    async def standing(self, user: str) -> Standing | None:
        account = self._accounts.get(user)
        return account.standing if account else None

    async def _refuse_taken(self, account: Account) -> None:
        other = await self.by_email(account.email)
        if other is not None and other.user != account.user:
            raise Conflict("there is an account of that name or e-mail address already")
