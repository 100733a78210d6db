"""Models of an Ollama server."""

from memweaver.adapters.ollama.chat import open_ollama_chat
from memweaver.adapters.ollama.embedder import open_ollama
from memweaver.adapters.ollama.upstream import open_ollama_upstream

__all__ = ["open_ollama", "open_ollama_chat", "open_ollama_upstream"]
