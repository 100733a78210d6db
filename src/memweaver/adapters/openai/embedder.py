"""Embeddings from any service that speaks OpenAI's protocol."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager

from memweaver.adapters.http import JSON, Dialect, Endpoint, HttpEmbedder, Retries, open_embedder

SHORTENING = "text-embedding-3"
"""Models whose name begins so make vectors of the length asked for; others refuse to be asked."""


class OpenAIDialect(Dialect):
    path = "embeddings"
    missing = "check the model's name and the URL, which ends with /v1 as a rule"

    def __init__(self, model: str, dimensions: int) -> None:
        self._asked: JSON = {"model": model, "encoding_format": "float"}
        if model.startswith(SHORTENING):
            self._asked["dimensions"] = dimensions

    def question(self, texts: Sequence[str]) -> JSON:
        return {**self._asked, "input": list(texts)}

    def vectors(self, answer: JSON) -> object:
        match answer:
            case {"data": [*items]}:
                placed = dict(map(place_and_vector, items))
                return [placed[place] for place in range(len(items))]
            case _:
                raise ValueError


def place_and_vector(item: object) -> tuple[int, object]:
    match item:
        case {"index": int(place), "embedding": vector}:
            return place, vector
        case _:
            raise ValueError


def open_openai(
    *,
    url: str = "https://api.openai.com/v1",
    model: str = "text-embedding-3-small",
    dimensions: int = 1536,
    api_key: str = "",
    proxy: str = "",
    timeout: float = 10.0,
    retries: int = 3,
) -> AbstractAsyncContextManager[HttpEmbedder]:
    """Nothing is sent before the first text. Raises `ConfigurationError`."""
    return open_embedder(
        Endpoint(url, timeout, api_key, proxy),
        OpenAIDialect(model, dimensions),
        model=model,
        dimensions=dimensions,
        retries=Retries(retries),
    )
