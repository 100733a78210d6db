"""`/signup` and `/login`: how somebody without a credential gets one."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, status

from memweaver.domain.account import confirmed
from memweaver.errors import Conflict, Forbidden
from memweaver.interfaces.door import Memweaver
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.once import UNNEEDED
from memweaver.interfaces.rest.wire.access import (
    CREATED,
    Credentials,
    Done,
    NewAccount,
    TokenAnswer,
)
from memweaver.interfaces.rest.wire.fields import Idempotency

router = APIRouter(tags=["access"])

AGAIN = Header(
    description="A name of your own for this request: sent again under one, it is answered as "
    "before and not done again, for as long as the account is there and has that password"
)


@router.post("/signup", status_code=status.HTTP_201_CREATED)
async def sign_up(
    services: Memweaver,
    request: Request,
    new: NewAccount,
    _: Annotated[NoQuery, Query()],
    idempotency_key: Annotated[Idempotency | None, AGAIN] = None,
) -> Done:
    """Make the first admin's account, that of `ADMIN_EMAIL`; others' only where it is open."""
    await services.rates.login(address_of(request), new.email)
    password = confirmed(new.password, new.confirm)
    try:
        account = await services.accounts.sign_up(new.email, new.name, password)
    except (Conflict, Forbidden):
        # There is no user yet whose key it could be: that it comes again is told by the account.
        if idempotency_key is None or not await services.accounts.has_signed_up(
            new.email, new.name, password
        ):
            raise
    else:
        await services.audit.note(account.user, "account made", account.user)
    return Done(msg=CREATED)


@router.post("/login")
async def log_in(
    services: Memweaver,
    request: Request,
    given: Credentials,
    _: Annotated[NoQuery, Query()],
    _key: Annotated[Idempotency | None, UNNEEDED] = None,
) -> TokenAnswer:
    """A token that holds for some hours, unless you log out or change your password."""
    await services.rates.login(address_of(request), given.email)
    entered = await services.accounts.log_in(given.email, given.password)
    return TokenAnswer(token=entered.token, name=entered.account.name)


def address_of(request: Request) -> str:
    return request.client.host if request.client else "nowhere"
