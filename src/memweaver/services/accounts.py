"""Accounts: who may log in, made by signing up or by an admin."""

from collections.abc import Sequence
from dataclasses import dataclass
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
        """Raises `Conflict` for an address that is taken where signing up is open.

        Elsewhere raises `Forbidden`, in the same words and after the same work whoever asks: so
        neither tells the admin's address.
        """
        email = checked_email(email)
        checked_name("name", name)
        checked_password(password)
        admin = self.admin_email and checked_email(self.admin_email)
        if self.signup is SignUp.OPEN:
            user, role = (OWNER, Role.ADMIN) if email == admin else (None, Role.MEMBER)
            return await self.add(email, name, password, user=user, role=role)
        if not admin or await self._is_taken(admin) or email != admin:
            raise not_open()
        return await self.add_admin(email, name, password)

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
            password=await self._hashed(password),
            organisation=checked_name("organisation", organisation),
            role=role,
        )
        await self.store.add(account)
        return account

    async def log_in(self, email: str, password: str) -> LoggedIn:
        """Raises `Unauthenticated`, for any reason in the same words and after the same work."""
        account = await self._opened(email, password)
        if account is None:
            raise Unauthenticated("the e-mail address or the password is wrong")
        return LoggedIn(await self.logins.issue(account), account)

    async def has_signed_up(self, email: str, name: str, password: str) -> bool:
        """Whether the account is there already, for who has its password; after the same work.

        Raises `Conflict` if it has another name, for them alone.
        """
        account = await self._opened(email, password)
        if account is not None and account.name != name:
            raise Conflict("the account is there already, under another name")
        return account is not None

    async def change_password(self, user: str, current: str, password: str) -> LoggedIn:
        """All tokens of before are void.

        Raises `Unauthenticated` if `current` is wrong, or if the account was disabled or given
        another password while this one was hashed.
        """
        account = await self.store.account(user)
        if not await self.passwords.matches(current, account.password):
            raise Unauthenticated("`current` is not the password")
        hashed, now = await self._hashed(password), self.clock.now()

        def changed(found: Account) -> Account:
            if found.disabled_at is not None or found.password != account.password:
                raise Unauthenticated("the account was changed meanwhile: log in again")
            return found.with_password(hashed, now)

        kept = await self.store.change(user, changed)
        return LoggedIn(await self.logins.issue(kept), kept)

    async def reset_password(self, user: str, password: str) -> Account:
        """For who forgot it; all tokens of before are void. Raises `NotFound`."""
        await self.store.account(user)
        hashed, now = await self._hashed(password), self.clock.now()
        return await self.store.change(user, lambda found: found.with_password(hashed, now))

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
        await self.account(user, organisation)
        now = self.clock.now()
        return await self.store.change(user, lambda found: found.disabled(now))

    async def enable(self, user: str, organisation: str | None = None) -> Account:
        """Let `user` in again. Raises `NotFound`."""
        await self.account(user, organisation)
        return await self.store.change(user, Account.enabled)

    async def _opened(self, email: str, password: str) -> Account | None:
        """The account that the password opens; after the same work if there is none."""
        email = email.strip().casefold()
        account = await self.store.by_email(email)
        matches = await self.passwords.matches(password, account.password if account else None)
        # Read again: it may have been disabled or given another password while this was compared.
        latest = await self.store.by_email(email)
        if account is None or not matches or latest is None or not same_entry(account, latest):
            return None
        return latest

    async def _is_taken(self, admin: str) -> bool:
        """Whether nobody can become the first admin by that address any more."""
        if await self.store.standing(OWNER) is not None:
            return True
        return await self.store.by_email(admin) is not None

    async def _hashed(self, password: str) -> str:
        return await self.passwords.hashed(checked_password(password))


def same_entry(before: Account, latest: Account) -> bool:
    """Whether who could come in by the password of before still can."""
    return latest.disabled_at is None and latest.password == before.password


def not_open() -> Forbidden:
    return Forbidden("signing up is not open here: ask an admin for an account")
