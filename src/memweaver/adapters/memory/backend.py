"""Every port that stores, over what is in the process."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from memweaver.adapters.memory.access import InMemoryAccess
from memweaver.adapters.memory.accounts import InMemoryAccounts
from memweaver.adapters.memory.audit import InMemoryAudit
from memweaver.adapters.memory.changes import InMemoryChanges
from memweaver.adapters.memory.events import InMemoryEventLog
from memweaver.adapters.memory.queue import InMemoryQueue
from memweaver.adapters.memory.registry import InMemoryRegistry
from memweaver.adapters.memory.replies import InMemoryReplies
from memweaver.adapters.memory.secrets import InMemorySecrets
from memweaver.adapters.memory.sessions import InMemorySessions
from memweaver.adapters.memory.state import State
from memweaver.adapters.memory.store import InMemoryStore
from memweaver.adapters.memory.vault import InMemoryVault
from memweaver.adapters.memory.vectors import InMemoryVectors
from memweaver.adapters.memory.webhooks import InMemoryWebhooks
from memweaver.adapters.memory.windows import InMemoryWindows
from memweaver.ports.backend import Backend


@asynccontextmanager
async def open_memory() -> AsyncGenerator[Backend]:
    """An empty backend that is gone when it is closed."""
    state = State()
    yield Backend(
        store=InMemoryStore(state),
        queue=InMemoryQueue(state),
        windows=InMemoryWindows(state),
        changes=InMemoryChanges(state),
        vectors=InMemoryVectors(state),
        vault=InMemoryVault(state),
        access=InMemoryAccess(state),
        registry=InMemoryRegistry(state),
        events=InMemoryEventLog(state),
        webhooks=InMemoryWebhooks(state),
        accounts=InMemoryAccounts(state),
        secrets=InMemorySecrets(state),
        audit=InMemoryAudit(state),
        sessions=InMemorySessions(state),
        replies=InMemoryReplies(state),
    )
