"""Accounts, logins and keys on the wire."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, JsonValue

from memweaver.domain.account import Account, Role
from memweaver.domain.principal import HOME, Permission, Principal, permissions_named
from memweaver.interfaces.rest.wire.fields import AiName, Body, Moment, Spelt, Text, Wire
from memweaver.ports.access import ApiKey
from memweaver.ports.audit import Deed
from memweaver.services.access import Issued

Password = Annotated[str, Field(min_length=1, json_schema_extra={"format": "password"})]

ADA = {
    "name": "Ada",
    "email": "ada@example.org",
    "password": "a long sentence nobody guesses",
}

Grantable = Literal["read", "write", "chat", "keys", "admin"]
"""What a key may be made for here: acting for others needs a realm, which an operator gives."""

KEY: dict[str, JsonValue] = {
    "id": "019f2f6e-9a40-7c02-8f6b-58d2a1c4be37",
    "label": "laptop",
    "permissions": ["read", "write"],
    "ai": None,
    "realm": None,
    "created_at": "2026-05-01T09:30:00Z",
    "expires_at": None,
    "revoked_at": None,
}


class NewAccount(Body):
    """Who signs up; the password twice, as people mistype."""

    model_config = ConfigDict(json_schema_extra={"examples": [{**ADA, "confirm": ADA["password"]}]})

    name: Text
    email: Text
    password: Password
    confirm: Password


class Done(Wire):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"msg": "User created successfully"}]}
    )

    msg: str


class Credentials(Body):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"email": ADA["email"], "password": ADA["password"]}]}
    )

    email: Text
    password: Password


class TokenAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"token": "eyJhbGciOi...", "name": "Ada"}]}
    )

    token: Annotated[str, Field(description="Send it as `Authorization: Bearer`")]
    name: str


class NewPassword(Body):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "current": ADA["password"],
                    "password": "another sentence as long",
                    "confirm": "another sentence as long",
                }
            ]
        }
    )

    current: Password
    password: Password
    confirm: Password


class MeAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "user": "ada",
                    "organisation": HOME,
                    "permissions": ["chat", "read", "write"],
                    "ai": None,
                    "name": "Ada",
                    "email": "ada@example.org",
                }
            ]
        }
    )

    user: str
    organisation: str
    permissions: list[Permission]
    ai: Annotated[str | None, Field(description="The only AI that the credential is for")]
    name: str | None = None
    email: str | None = None

    @classmethod
    def of(cls, caller: Principal, account: Account | None) -> "MeAnswer":
        return cls(
            user=caller.user,
            organisation=caller.organisation,
            permissions=sorted(caller.permissions),
            ai=caller.ai,
            name=account.name if account else None,
            email=account.email if account else None,
        )


class NewKey(Body):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"label": "laptop", "permissions": ["read", "write"]}]}
    )

    label: Text
    permissions: Annotated[
        list[Grantable] | None,
        Field(description="By default read, write and chat, as far as you have them"),
    ] = None
    ai: AiName = None
    expires_at: Annotated[Moment | None, Field(description="For ever if not given")] = None

    def wanted(self) -> frozenset[Permission] | None:
        return None if self.permissions is None else permissions_named(self.permissions)


class KeyAnswer(Wire):
    model_config = ConfigDict(json_schema_extra={"examples": [KEY]})

    id: str
    label: str
    permissions: list[Permission]
    ai: str | None
    realm: Annotated[str | None, Field(description="Of a service's key: whom it acts for")]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None

    @classmethod
    def of(cls, key: ApiKey) -> "KeyAnswer":
        return cls(
            id=key.id,
            label=key.label,
            permissions=sorted(key.permissions),
            ai=key.ai,
            realm=key.realm,
            created_at=key.created_at,
            expires_at=key.expires_at,
            revoked_at=key.revoked_at,
        )


class KeysAnswer(Wire):
    items: list[KeyAnswer]


class IssuedKey(Wire):
    model_config = ConfigDict(json_schema_extra={"examples": [{"key": KEY, "secret": "mw_..."}]})

    key: KeyAnswer
    secret: Annotated[str, Field(description="Shown only this once")]

    @classmethod
    def of(cls, issued: Issued) -> "IssuedKey":
        return cls(key=KeyAnswer.of(issued.key), secret=issued.secret)


class NewUser(Body):
    """An account that an admin makes for somebody."""

    model_config = ConfigDict(json_schema_extra={"examples": [{**ADA}]})

    name: Text
    email: Text
    password: Password
    role: Spelt[Role] = Role.MEMBER
    organisation: Annotated[
        str | None,
        Field(description=f"Yours if not given; another only if yours is {HOME!r}"),
    ] = None


class UserChange(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"disabled": True}]})

    disabled: bool


class UserAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "user": "ada",
                    "name": "Ada",
                    "email": "ada@example.org",
                    "organisation": HOME,
                    "role": "member",
                    "created_at": "2026-05-01T09:30:00Z",
                    "disabled_at": None,
                }
            ]
        }
    )

    user: str
    name: str
    email: str
    organisation: str
    role: Role
    created_at: datetime
    disabled_at: datetime | None

    @classmethod
    def of(cls, account: Account) -> "UserAnswer":
        return cls(
            user=account.user,
            name=account.name,
            email=account.email,
            organisation=account.organisation,
            role=account.role,
            created_at=account.created_at,
            disabled_at=account.disabled_at,
        )


class UsersAnswer(Wire):
    items: list[UserAnswer]


class AuditQuery(Wire):
    limit: Annotated[int, Field(ge=1, le=1000)] = 100


class DeedAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "at": "2026-05-01T09:30:00Z",
                    "actor": "ada",
                    "action": "key made",
                    "subject": "019f2f6e-9a40-7c02-8f6b-58d2a1c4be37",
                }
            ]
        }
    )

    at: datetime
    actor: str
    action: str
    subject: str

    @classmethod
    def of(cls, deed: Deed) -> "DeedAnswer":
        return cls(at=deed.at, actor=deed.actor, action=deed.action, subject=deed.subject)


class AuditAnswer(Wire):
    items: list[DeedAnswer]


CREATED: Literal["User created successfully"] = "User created successfully"
