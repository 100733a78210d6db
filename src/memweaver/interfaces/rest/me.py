"""`/v1/me`: who the caller is, and the end of a login."""

from typing import Annotated

from fastapi import APIRouter, Query, status

from memweaver.domain.account import confirmed
from memweaver.errors import NotFound
from memweaver.interfaces.door import Caller, KeyHolder, Memweaver, Presented
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.once import ONCE, ONCE_SECRETLY, OnceRoute
from memweaver.interfaces.rest.wire.access import MeAnswer, NewPassword, TokenAnswer

router = APIRouter(prefix="/v1/me", tags=["access"], route_class=OnceRoute)


@router.get("")
async def read_me(services: Memweaver, caller: Caller, _: Annotated[NoQuery, Query()]) -> MeAnswer:
    """Whom your credential stands for, and what it may do."""
    try:
        account = await services.accounts.account(caller.user)
    except NotFound:
        account = None
    return MeAnswer.of(caller, account)


@router.post("/password", dependencies=[ONCE_SECRETLY])
async def change_password(
    services: Memweaver, caller: KeyHolder, new: NewPassword, _: Annotated[NoQuery, Query()]
) -> TokenAnswer:
    """Change your password: every token of before is void, and here is a new one."""
    await services.rates.login(caller.credential, caller.user)
    password = confirmed(new.password, new.confirm)
    entered = await services.accounts.change_password(caller.user, new.current, password)
    await services.audit.note(caller, "password changed", caller.user)
    return TokenAnswer(token=entered.token, name=entered.account.name)


@router.post("/logout", status_code=status.HTTP_204_NO_CONTENT, dependencies=[ONCE])
async def log_out(
    services: Memweaver, _caller: Caller, secret: Presented, _: Annotated[NoQuery, Query()]
) -> None:
    """End the token that this request carries."""
    await services.accounts.logins.revoke(secret)
