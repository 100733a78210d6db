"""Models of an Ollama server."""

from memweaver.adapters.ollama.embedder import open_ollama

__all__ = ["open_ollama"]
