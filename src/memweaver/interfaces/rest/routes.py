"""Every route, in the order in which the documentation shows them."""

from typing import Any

from fastapi import APIRouter

from memweaver.interfaces.rest import (
    accounts,
    ais,
    audit,
    chat,
    entrance,
    events,
    forget,
    health,
    jobs,
    keys,
    me,
    memories,
    metrics,
    recall,
    reflections,
    relations,
    sessions,
    turns,
    webhooks,
)
from memweaver.interfaces.rest.compat import chats, collections, handshake, own_memory
from memweaver.interfaces.rest.wire.answers import ErrorAnswer

FAILURES: dict[int | str, dict[str, Any]] = {
    "default": {"model": ErrorAnswer, "description": "What went wrong, in one shape"}
}

watching = APIRouter(responses=FAILURES)
"""For whoever runs it, also where nothing else is served."""
watching.include_router(health.router)
watching.include_router(metrics.router)

router = APIRouter(responses=FAILURES)
router.include_router(entrance.router)
router.include_router(me.router)
router.include_router(keys.router)
router.include_router(accounts.router)
router.include_router(audit.router)
router.include_router(turns.router)
router.include_router(reflections.router)
router.include_router(memories.router)
router.include_router(relations.router)
router.include_router(recall.router)
router.include_router(sessions.router)
router.include_router(ais.router)
router.include_router(forget.router)
router.include_router(jobs.router)
router.include_router(handshake.router)
router.include_router(collections.router)
router.include_router(chats.router)
router.include_router(own_memory.router)
router.include_router(chat.router)
router.include_router(events.router)
router.include_router(webhooks.router)
router.include_router(watching)
