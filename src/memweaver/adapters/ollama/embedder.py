"""Embeddings from an Ollama server."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager

from memweaver.adapters.http import JSON, Dialect, Endpoint, HttpEmbedder, Retries, open_embedder


class OllamaDialect(Dialect):
    path = "api/embed"

    def __init__(self, model: str) -> None:
        self._model = model
        self.missing = f"run `ollama pull {model}`"

    def question(self, texts: Sequence[str]) -> JSON:
        return {"model": self._model, "input": list(texts), "truncate": True}

    def vectors(self, answer: JSON) -> object:
        return answer["embeddings"]


def open_ollama(
    *,
    url: str = "http://127.0.0.1:11434",
    model: str = "nomic-embed-text",
    dimensions: int = 768,
    timeout: float = 30.0,
    retries: int = 3,
) -> AbstractAsyncContextManager[HttpEmbedder]:
    """Nothing is sent before the first text. Raises `ConfigurationError`."""
    return open_embedder(
        Endpoint(url, timeout),
        OllamaDialect(model),
        model=model,
        dimensions=dimensions,
        retries=Retries(retries),
    )
