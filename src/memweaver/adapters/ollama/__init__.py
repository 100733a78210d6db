"""Models of an Ollama server."""

from memweaver.adapters.ollama.chat import open_ollama_chat
from memweaver.adapters.ollama.embedder import open_ollama

__all__ = ["open_ollama", "open_ollama_chat"]
