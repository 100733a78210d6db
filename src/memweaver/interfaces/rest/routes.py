"""Every route, in the order in which the documentation shows them."""

from fastapi import APIRouter

from memweaver.interfaces.rest import health, memories, recall, turns
from memweaver.interfaces.rest.wire.answers import ErrorAnswer

router = APIRouter(
    responses={"default": {"model": ErrorAnswer, "description": "What went wrong, in one shape"}}
)
router.include_router(turns.router)
router.include_router(memories.router)
router.include_router(recall.router)
router.include_router(health.router)
