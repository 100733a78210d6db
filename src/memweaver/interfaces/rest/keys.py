"""`/v1/keys`: the caller's API keys."""

from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from memweaver.interfaces.door import KeyHolder, Memweaver
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.once import ONCE_SECRETLY, OnceRoute
from memweaver.interfaces.rest.wire.access import IssuedKey, KeyAnswer, KeysAnswer, NewKey

router = APIRouter(prefix="/v1/keys", tags=["access"], route_class=OnceRoute)


@router.post("", status_code=status.HTTP_201_CREATED, dependencies=[ONCE_SECRETLY])
async def make_key(
    services: Memweaver,
    caller: KeyHolder,
    new: NewKey,
    response: Response,
    _: Annotated[NoQuery, Query()],
) -> IssuedKey:
    """A new key; its secret is in this answer and nowhere else."""
    await services.rates.key(caller.user)
    if new.ai is not None:
        caller.may_speak_for(new.ai)
        await services.ais.must_know(caller.user, new.ai)
    issued = await services.access.create_own(
        caller, new.label, permissions=new.wanted(), ai=new.ai, expires_at=new.expires_at
    )
    await services.audit.note(caller, "key made", issued.key.id)
    response.headers["Cache-Control"] = "no-store"
    return IssuedKey.of(issued)


@router.get("")
async def list_keys(
    services: Memweaver, caller: KeyHolder, _: Annotated[NoQuery, Query()]
) -> KeysAnswer:
    """Your keys, oldest first, revoked ones too; never the secrets.

    A key for one AI is shown those for the same AI only, and ends no other.
    """
    keys = await services.access.own_keys(caller)
    return KeysAnswer(items=[KeyAnswer.of(key) for key in keys])


@router.delete("/{key_id}", status_code=status.HTTP_204_NO_CONTENT)
async def revoke_key(
    services: Memweaver, caller: KeyHolder, key_id: str, _: Annotated[NoQuery, Query()]
) -> None:
    """End one of your keys, from now on."""
    if await services.access.revoke_own(caller, key_id):
        await services.audit.note(caller, "key revoked", key_id)
