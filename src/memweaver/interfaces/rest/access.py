"""The one door: an API key becomes a principal, and the principal a scope."""

from typing import Annotated

from fastapi import Depends, Query, Request, Security
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer

from memweaver.domain.scope import Scope
from memweaver.errors import Unauthenticated
from memweaver.interfaces.rest.wire.fields import OfOneAi
from memweaver.services import Services
from memweaver.services.access import Principal

BEARER = HTTPBearer(auto_error=False, description="An API key, as `memweaver serve` shows it")
HEADER = APIKeyHeader(name="X-API-Key", auto_error=False, description="The same API key")


async def services_of(request: Request) -> Services:
    services = request.state.services
    assert isinstance(services, Services)  # noqa: S101 - put there by the one lifespan
    return services


Memweaver = Annotated[Services, Depends(services_of)]


async def authenticated(
    services: Memweaver,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Security(BEARER)],
    header: Annotated[str | None, Security(HEADER)],
) -> Principal:
    """Who asks. Whose memory it is comes from here and from nowhere else."""
    secret = bearer.credentials if bearer else header
    if not secret:
        raise Unauthenticated("a valid API key is needed")
    return await services.access.principal(secret)


Caller = Annotated[Principal, Depends(authenticated)]


async def scope_in_query(caller: Caller, query: Annotated[OfOneAi, Query()]) -> Scope:
    return Scope(caller.user, query.ai)


ScopeInQuery = Annotated[Scope, Depends(scope_in_query)]
"""For requests without a body: the caller, and the AI named in the query if there is one."""
