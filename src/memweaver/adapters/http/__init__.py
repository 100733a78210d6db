"""What the adapters to models over HTTP share: one request, its failures, and trying again."""

from memweaver.adapters.http.answers import JSON, used
from memweaver.adapters.http.chat import ChatDialect, HttpChat, open_chat
from memweaver.adapters.http.courier import open_courier
from memweaver.adapters.http.embedder import Dialect, HttpEmbedder, open_embedder
from memweaver.adapters.http.endpoint import Endpoint
from memweaver.adapters.http.passing import HttpPassage, Line, WholePassage, open_line
from memweaver.adapters.http.retries import Retries

__all__ = [
    "JSON",
    "ChatDialect",
    "Dialect",
    "Endpoint",
    "HttpChat",
    "HttpEmbedder",
    "HttpPassage",
    "Line",
    "Retries",
    "WholePassage",
    "open_chat",
    "open_courier",
    "open_embedder",
    "open_line",
    "used",
]
