"""`client.me`, `client.keys`, `client.users`: who may come in, and what for."""

from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass
from datetime import datetime

from memweaver.client.connection import Connection
from memweaver.client.results import IssuedKey, Key, Login, Me, User


@dataclass(frozen=True, slots=True)
class Myself:
    server: Connection

    async def read(self) -> Me:
        """Whom the credential stands for, and what it may do."""
        return await self.server.ask(Me, "GET /v1/me")

    async def change_password(self, current: str, new: str) -> Login:
        """Every token of before is void; the answer has a new one."""
        body = {"current": current, "password": new, "confirm": new}
        return await self.server.ask(Login, "POST /v1/me/password", body=body)

    async def log_out(self) -> None:
        """End the token that this client uses."""
        await self.server.tell("POST /v1/me/logout")


@dataclass(frozen=True, slots=True)
class Keys:
    server: Connection

    async def create(
        self,
        label: str,
        *,
        permissions: Iterable[str] | None = None,
        ai: str | None = None,
        expires_at: datetime | None = None,
    ) -> IssuedKey:
        """A new key of yours, with no more permissions than you have; its secret is shown once."""
        return await self.server.ask(
            IssuedKey,
            "POST /v1/keys",
            body={
                "label": label,
                "permissions": None if permissions is None else list(permissions),
                "ai": ai,
                "expires_at": expires_at,
            },
        )

    def all(self) -> AsyncGenerator[Key]:
        """Your keys, oldest first, revoked ones too."""
        return self.server.each(Key, "GET /v1/keys")

    async def revoke(self, key_id: str) -> None:
        """End one of your keys, from now on."""
        await self.server.tell("DELETE /v1/keys/{}", key_id)


@dataclass(frozen=True, slots=True)
class Users:
    """For admins: the accounts of their organisation."""

    server: Connection

    async def create(
        self,
        email: str,
        name: str,
        password: str,
        *,
        role: str | None = None,
        organisation: str | None = None,
    ) -> User:
        """Make an account for somebody."""
        return await self.server.ask(
            User,
            "POST /v1/users",
            body={
                "email": email,
                "name": name,
                "password": password,
                "role": role,
                "organisation": organisation,
            },
        )

    def all(self) -> AsyncGenerator[User]:
        """Oldest first."""
        return self.server.each(User, "GET /v1/users")

    async def read(self, user: str) -> User:
        return await self.server.ask(User, "GET /v1/users/{}", user)

    async def disable(self, user: str) -> User:
        """Lock somebody out, with all tokens and keys."""
        return await self._change(user, disabled=True)

    async def enable(self, user: str) -> User:
        return await self._change(user, disabled=False)

    async def _change(self, user: str, *, disabled: bool) -> User:
        body = {"disabled": disabled}
        return await self.server.ask(User, "PATCH /v1/users/{}", user, body=body)
