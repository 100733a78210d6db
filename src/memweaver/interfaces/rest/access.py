"""Which of the caller's memories a request is about."""

from typing import Annotated

from fastapi import Depends, Query

from memweaver.domain.principal import Principal
from memweaver.domain.scope import Scope
from memweaver.errors import Forbidden
from memweaver.interfaces.door import Reader, Writer
from memweaver.interfaces.rest.wire.fields import OfOneAi


async def read_in_query(caller: Reader, query: Annotated[OfOneAi, Query()]) -> Scope:
    return caller.scope(query.ai)


async def written_in_query(caller: Writer, query: Annotated[OfOneAi, Query()]) -> Scope:
    return caller.scope(query.ai)


async def whole(caller: Writer) -> Principal:
    """For what is about all of the user's AIs: a credential for one of them is not enough."""
    if caller.ai is not None:
        raise Forbidden("this credential is for one AI only")
    return caller


Owner = Annotated[Principal, Depends(whole)]

ScopeToRead = Annotated[Scope, Depends(read_in_query)]
"""For requests without a scope in their body: the caller, and the AI named in the query if any."""
ScopeToWrite = Annotated[Scope, Depends(written_in_query)]
"""The same for those that change something."""
