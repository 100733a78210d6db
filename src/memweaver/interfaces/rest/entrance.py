"""`/signup` and `/login`: how somebody without a credential gets one."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, status

from memweaver.domain.account import confirmed
from memweaver.interfaces.door import Memweaver
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.wire.access import (
    CREATED,
    Credentials,
    Done,
    NewAccount,
    TokenAnswer,
)

router = APIRouter(tags=["access"])


@router.post("/signup", status_code=status.HTTP_201_CREATED)
async def sign_up(
    services: Memweaver, request: Request, new: NewAccount, _: Annotated[NoQuery, Query()]
) -> Done:
    """Make the first admin's account, that of `ADMIN_EMAIL`; others' only where it is open."""
    await services.rates.login(address_of(request), new.email)
    password = confirmed(new.password, new.confirm)
    account = await services.accounts.sign_up(new.email, new.name, password)
    await services.audit.note(account.user, "account made", account.user)
    return Done(msg=CREATED)


@router.post("/login")
async def log_in(
    services: Memweaver, request: Request, given: Credentials, _: Annotated[NoQuery, Query()]
) -> TokenAnswer:
    """A token that holds for some hours, unless you log out or change your password."""
    await services.rates.login(address_of(request), given.email)
    entered = await services.accounts.log_in(given.email, given.password)
    return TokenAnswer(token=entered.token, name=entered.account.name)


def address_of(request: Request) -> str:
    return request.client.host if request.client else "nowhere"
