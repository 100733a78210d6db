"""Chat models of an Ollama server."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager

from memweaver.adapters.http import (
    JSON,
    ChatDialect,
    Endpoint,
    HttpChat,
    Retries,
    open_chat,
    used,
)
from memweaver.ports.models import Completion, Schema

CONTEXT = 8192
"""Tokens that a question and its answer take at most. Ollama's own default is smaller than our
longest question, and it would cut the beginning off in silence."""


class OllamaChatDialect(ChatDialect):
    path = "api/chat"

    def __init__(self, model: str) -> None:
        self._model = model
        self.missing = f"run `ollama pull {model}`"

    def question(self, messages: Sequence[Mapping[str, str]], tokens: int) -> JSON:
        return {
            "model": self._model,
            "messages": list(messages),
            "stream": False,
            "options": {"temperature": 0, "num_predict": tokens, "num_ctx": CONTEXT},
        }

    def formats(self, schema: Schema) -> Sequence[JSON]:
        return [{"format": schema}, {"format": "json"}, {}]

    def completion(self, answer: JSON) -> Completion:
        match answer:
            case {"message": {"content": str(text)}}:
                finished = answer.get("done_reason") != "length"
            case _:
                raise ValueError
        read, written = used(answer, "prompt_eval_count", "eval_count")
        return Completion(text, finished=finished, tokens_in=read, tokens_out=written)


def open_ollama_chat(
    *,
    url: str = "http://127.0.0.1:11434",
    model: str = "qwen2.5",
    timeout: float = 120.0,
    retries: int = 1,
) -> AbstractAsyncContextManager[HttpChat]:
    """Nothing is sent before the first message. Raises `ConfigurationError`."""
    return open_chat(
        Endpoint(url, timeout),
        OllamaChatDialect(model),
        model=model,
        retries=Retries(retries),
    )
