"""A client for a Memweaver server: `async with MemweaverClient(url, api_key) as client`."""

from memweaver.client.acting import acting_for
from memweaver.client.ai_chat import AIChatClient
from memweaver.client.client import MemweaverClient
from memweaver.client.results import (
    Ai,
    ChatAnswer,
    Event,
    Hit,
    Key,
    Memory,
    Recollection,
    RecordedTurn,
    Reflection,
    Relation,
    Session,
    Turn,
    User,
    Webhook,
)
from memweaver.client.webhooks import verified
from memweaver.domain.conversation import Message, Role
from memweaver.domain.memory import Tier
from memweaver.domain.permissions import AiPermissions
from memweaver.domain.search import Kind

__all__ = [
    "AIChatClient",
    "Ai",
    "AiPermissions",
    "ChatAnswer",
    "Event",
    "Hit",
    "Key",
    "Kind",
    "Memory",
    "MemweaverClient",
    "Message",
    "Recollection",
    "RecordedTurn",
    "Reflection",
    "Relation",
    "Role",
    "Session",
    "Tier",
    "Turn",
    "User",
    "Webhook",
    "acting_for",
    "verified",
]
