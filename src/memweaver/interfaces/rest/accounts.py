"""`/v1/users`: the accounts of an admin's organisation."""

from typing import Annotated

from fastapi import APIRouter, Query, status

from memweaver.domain.principal import HOME, Principal
from memweaver.errors import Forbidden, InvalidInput
from memweaver.interfaces.door import Admin, Memweaver, Registrar
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.once import ONCE, OnceRoute
from memweaver.interfaces.rest.wire.access import NewUser, UserAnswer, UserChange, UsersAnswer

router = APIRouter(prefix="/v1/users", tags=["access"], route_class=OnceRoute)


@router.post("", status_code=status.HTTP_201_CREATED, dependencies=[ONCE])
async def make_user(
    services: Memweaver, caller: Registrar, new: NewUser, _: Annotated[NoQuery, Query()]
) -> UserAnswer:
    """Make an account for somebody, in your own organisation or, from home, in another."""
    await services.rates.key(caller.user)
    account = await services.accounts.add(
        new.email,
        new.name,
        new.password,
        organisation=organisation_for(caller, new.organisation),
        role=new.role,
    )
    await services.audit.note(caller, "account made", account.user)
    return UserAnswer.of(account)


@router.get("")
async def list_users(
    services: Memweaver, caller: Admin, _: Annotated[NoQuery, Query()]
) -> UsersAnswer:
    """The accounts of your organisation, oldest first."""
    accounts = await services.accounts.all(caller.organisation)
    return UsersAnswer(items=[UserAnswer.of(account) for account in accounts])


@router.get("/{user}")
async def read_user(
    services: Memweaver, caller: Admin, user: str, _: Annotated[NoQuery, Query()]
) -> UserAnswer:
    """One account of your organisation."""
    return UserAnswer.of(await services.accounts.account(user, caller.organisation))


@router.patch("/{user}")
async def change_user(
    services: Memweaver,
    caller: Registrar,
    user: str,
    change: UserChange,
    _: Annotated[NoQuery, Query()],
) -> UserAnswer:
    """Disable an account, with its tokens and keys, or let it in again."""
    if user == caller.user:
        raise InvalidInput("`disabled`: nobody locks out themselves; another admin can")
    apply = services.accounts.disable if change.disabled else services.accounts.enable
    account = await apply(user, caller.organisation)
    action = "account disabled" if change.disabled else "account enabled"
    await services.audit.note(caller, action, user)
    return UserAnswer.of(account)


def organisation_for(caller: Principal, wanted: str | None) -> str:
    """Raises `Forbidden`."""
    if wanted is None or wanted == caller.organisation:
        return caller.organisation
    if caller.organisation != HOME:
        raise Forbidden("you can make accounts in your own organisation only")
    return wanted
