"""Every route, in the order in which the documentation shows them."""

from typing import Any

from fastapi import APIRouter

from memweaver.interfaces.rest import health, memories, metrics, recall, reflections, turns
from memweaver.interfaces.rest.wire.answers import ErrorAnswer

FAILURES: dict[int | str, dict[str, Any]] = {
    "default": {"model": ErrorAnswer, "description": "What went wrong, in one shape"}
}

watching = APIRouter(responses=FAILURES)
"""For whoever runs it, also where nothing else is served."""
watching.include_router(health.router)
watching.include_router(metrics.router)

router = APIRouter(responses=FAILURES)
router.include_router(turns.router)
router.include_router(reflections.router)
router.include_router(memories.router)
router.include_router(recall.router)
router.include_router(watching)
