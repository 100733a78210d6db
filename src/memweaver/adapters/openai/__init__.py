"""Models of any service that speaks OpenAI's protocol."""

from memweaver.adapters.openai.chat import open_openai_chat
from memweaver.adapters.openai.embedder import open_openai
from memweaver.adapters.openai.upstream import open_openai_upstream

__all__ = ["open_openai", "open_openai_chat", "open_openai_upstream"]
