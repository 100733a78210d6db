"""All that one storage technology offers, opened together."""

from dataclasses import dataclass

from memweaver.ports.access import AccessStore
from memweaver.ports.accounts import AccountStore
from memweaver.ports.audit import Audit
from memweaver.ports.changes import Changes
from memweaver.ports.events import EventLog
from memweaver.ports.keys import Vault
from memweaver.ports.queue import Queue
from memweaver.ports.registry import AiRegistry
from memweaver.ports.replies import Replies
from memweaver.ports.secrets import SecretStore
from memweaver.ports.sessions import Sessions
from memweaver.ports.store import Store
from memweaver.ports.vectors import VectorStore
from memweaver.ports.webhooks import WebhookStore
from memweaver.ports.windows import Windows


@dataclass(frozen=True, slots=True)
class Backend:
    store: Store
    queue: Queue
    windows: Windows
    changes: Changes
    vectors: VectorStore
    vault: Vault
    access: AccessStore
    registry: AiRegistry
    events: EventLog
    webhooks: WebhookStore
    accounts: AccountStore
    secrets: SecretStore
    audit: Audit
    sessions: Sessions
    replies: Replies
