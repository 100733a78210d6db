"""Chat models of any service that speaks OpenAI's protocol."""

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
from memweaver.errors import ModelRefused
from memweaver.ports.models import Completion, Schema

THINKING = ("o1", "o3", "o4", "gpt-5")
"""Models whose name begins so refuse a temperature, and call the limit of tokens otherwise."""


class OpenAIChatDialect(ChatDialect):
    path = "chat/completions"
    missing = "check the model's name and the URL, which ends with /v1 as a rule"

    def __init__(self, model: str) -> None:
        self._model = model
        self._thinks = model.startswith(THINKING)

    def question(self, messages: Sequence[Mapping[str, str]], tokens: int) -> JSON:
        question: JSON = {"model": self._model, "messages": list(messages), "stream": False}
        if self._thinks:
            return {**question, "max_completion_tokens": tokens}
        return {**question, "max_tokens": tokens, "temperature": 0}

    def formats(self, schema: Schema) -> Sequence[JSON]:
        named = {"name": schema.get("title", "answer"), "strict": True, "schema": schema}
        by_schema = {"type": "json_schema", "json_schema": named}
        return [
            {"response_format": by_schema},
            {"response_format": {"type": "json_object"}},
            {},
        ]

    def completion(self, answer: JSON) -> Completion:
        match answer:
            case {"choices": [{"message": dict(message), **choice}, *_]}:
                ended = choice.get("finish_reason")
            case _:
                raise ValueError
        if message.get("refusal") or ended == "content_filter":
            raise ModelRefused(f"the model {self._model} refused to answer to this")
        text = message.get("content") or ""
        if not isinstance(text, str):
            raise TypeError
        usage = answer.get("usage")
        read, written = used(usage, "prompt_tokens", "completion_tokens")
        return Completion(text, finished=ended != "length", tokens_in=read, tokens_out=written)


def open_openai_chat(
    *,
    url: str = "https://api.openai.com/v1",
    model: str = "gpt-4o-mini",
    api_key: str = "",
    proxy: str = "",
    timeout: float = 60.0,
    retries: int = 1,
) -> AbstractAsyncContextManager[HttpChat]:
    """Nothing is sent before the first message. Raises `ConfigurationError`."""
    return open_chat(
        Endpoint(url, timeout, api_key, proxy),
        OpenAIChatDialect(model),
        model=model,
        retries=Retries(retries),
    )
