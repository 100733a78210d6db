"""Models of any service that speaks OpenAI's protocol."""

from memweaver.adapters.openai.chat import open_openai_chat
from memweaver.adapters.openai.embedder import open_openai

__all__ = ["open_openai", "open_openai_chat"]
