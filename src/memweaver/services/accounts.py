"""Accounts: who may log in, made by signing up or by an admin."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from memweaver.domain.account import Account, Role, checked_email, checked_password
from memweaver.domain.principal import HOME, OWNER
from memweaver.domain.scope import checked_name, checked_user
from memweaver.errors import Conflict, Forbidden, NotFound, Unauthenticated
from memweaver.ports.accounts import AccountStore
from memweaver.ports.clock import Clock
from memweaver.ports.tokens import Passwords
from memweaver.services.tokens import Logins


class SignUp(StrEnum):
    """Who may make an account by themselves."""

    ADMIN = "admin"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class LoggedIn:
    token: str
    account: Account


@dataclass(frozen=True, slots=True)
class Accounts:
    """`admin_email` is whose account is the first admin's; `""` if nobody's."""

    store: AccountStore
    passwords: Passwords
    logins: Logins
    clock: Clock
    admin_email: str = ""
    signup: SignUp = SignUp.ADMIN

    async def sign_up(self, email: str, name: str, password: str) -> Account:
        """Raises `Forbidden`, in the same words whoever else asks; `Conflict` where it is open."""
        email = checked_email(email)
        checked_password(password)
        if self.admin_email and email == checked_email(self.admin_email):
            return await self.add_admin(email, name, password)
        if self.signup is not SignUp.OPEN:
            raise not_open()
        return await self.add(email, name, password)

    async def add_admin(self, email: str, name: str, password: str) -> Account:
        """The first admin, to whom belongs what was kept before. Raises `Forbidden`."""
        try:
            return await self.add(email, name, password, user=OWNER, role=Role.ADMIN)
        except Conflict as error:
            raise not_open() from error

    async def add(
        self,
        email: str,
        name: str,
        password: str,
        *,
        user: str | None = None,
        organisation: str = HOME,
        role: Role = Role.MEMBER,
    ) -> Account:
        """Raises `Conflict` if the user or the e-mail address has an account."""
        now = self.clock.now()
        account = Account(
            user=checked_user(self.clock.new_id() if user is None else user),
            email=checked_email(email),
            name=checked_name("name", name),
            created_at=now,
            tokens_from=now.replace(microsecond=0),
            password=await self.passwords.hashed(checked_password(password)),
            organisation=checked_name("organisation", organisation),
            role=role,
        )
        await self.store.add(account)
        return account

    async def log_in(self, email: str, password: str) -> LoggedIn:
        """Raises `Unauthenticated`, for any reason in the same words and after the same work."""
        account = await self.store.by_email(email.strip().casefold())
        matches = await self.passwords.matches(password, account.password if account else None)
        if account is None or not matches or account.disabled_at is not None:
            raise Unauthenticated("the e-mail address or the password is wrong")
        return LoggedIn(await self.logins.issue(account), account)

    async def change_password(self, user: str, current: str, password: str) -> LoggedIn:
        """All tokens of before are void. Raises `Unauthenticated` if `current` is wrong."""
        account = await self.store.account(user)
        if not await self.passwords.matches(current, account.password):
            raise Unauthenticated("`current` is not the password")
        changed = await self._with_password(account, password)
        return LoggedIn(await self.logins.issue(changed), changed)

    async def reset_password(self, user: str, password: str) -> Account:
        """For who forgot it; all tokens of before are void. Raises `NotFound`."""
        return await self._with_password(await self.store.account(user), password)

    async def user_of(self, name: str) -> str:
        """The user whose account has the e-mail address `name`; if none has, `name` is it."""
        account = await self.store.by_email(name.strip().casefold())
        return account.user if account else name

    async def account(self, user: str, organisation: str | None = None) -> Account:
        """Raises `NotFound`, also for one of another organisation."""
        account = await self.store.account(user)
        if organisation not in (None, account.organisation):
            raise NotFound(f"there is no account {user!r}")
        return account

    async def all(self, organisation: str | None = None) -> Sequence[Account]:
        return await self.store.accounts(organisation)

    async def disable(self, user: str, organisation: str | None = None) -> Account:
        """Nobody comes in as `user` any more, by token or key. Raises `NotFound`."""
        account = await self.account(user, organisation)
        if account.disabled_at is None:
            now = self.clock.now()
            account = replace(account.voided(now), disabled_at=now)
            await self.store.replace(account)
        return account

    async def enable(self, user: str, organisation: str | None = None) -> Account:
        """Let `user` in again. Raises `NotFound`."""
        account = replace(await self.account(user, organisation), disabled_at=None)
        await self.store.replace(account)
        return account

    async def _with_password(self, account: Account, password: str) -> Account:
        hashed = await self.passwords.hashed(checked_password(password))
        changed = replace(account.voided(self.clock.now()), password=hashed)
        await self.store.replace(changed)
        return changed


def not_open() -> Forbidden:
    return Forbidden("signing up is not open here: ask an admin for an account")
