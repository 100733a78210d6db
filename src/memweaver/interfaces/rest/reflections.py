"""/v1/reflections: how far the reflection of a turn is."""

from fastapi import APIRouter

from memweaver.interfaces.door import Memweaver
from memweaver.interfaces.rest.access import ScopeToRead
from memweaver.interfaces.rest.wire.reflections import ReflectionAnswer

router = APIRouter(prefix="/v1/reflections", tags=["reflections"])


@router.get("/{job_id}")
async def read_reflection(services: Memweaver, scope: ScopeToRead, job_id: str) -> ReflectionAnswer:
    """Whether a turn has been reflected upon; `job_id` is `reflection` of the recorded turn.

    A job that is done can be asked for some days more, a dead one until it is tried again.
    """
    return ReflectionAnswer.of(await services.jobs.job(scope, job_id))
