"""How a scripted model says something: whole or in pieces, in OpenAI's and in Ollama's dialect."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

CREATED = 1_767_225_600
CREATED_AT = "2026-01-01T00:00:00.123456789Z"
NAME = "chatcmpl-1"
MODELS = ("small", "house/large")
VECTOR = (0.6, 0.8)

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """Words, said one at a time if asked so; or calls of tools, by name and arguments."""

    text: str = "Fine, thank you."
    calls: Sequence[tuple[str, Mapping[str, object]]] = ()

    @property
    def ended(self) -> str:
        return "tool_calls" if self.calls else "stop"

    @property
    def words(self) -> list[str]:
        first, *rest = self.text.split(" ")
        return [word for word in (first, *(f" {word}" for word in rest)) if word]


def usage(reply: Reply) -> dict[str, int]:
    written = len(reply.words)
    return {"prompt_tokens": 40, "completion_tokens": written, "total_tokens": 40 + written}


def openai_events(reply: Reply, asked: Json) -> Iterator[bytes]:
    """The events of `/chat/completions` with `stream`."""
    model = asked.get("model", "small")
    frame = {
        "id": NAME,
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": model,
    }

    def choice(delta: Json, ended: str | None = None) -> bytes:
        told = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": ended}
        return event({**frame, "choices": [told]})

    yield choice({"role": "assistant", "content": ""})
    for word in reply.words:
        yield choice({"content": word})
    for place, call in enumerate(tool_calls(reply)):
        yield choice({"tool_calls": [{"index": place, **call}]})
    yield choice({}, reply.ended)
    if (asked.get("stream_options") or {}).get("include_usage"):
        yield event({**frame, "choices": [], "usage": usage(reply)})
    yield b"data: [DONE]\n\n"


def event(told: Json) -> bytes:
    return b"data: " + json.dumps(told).encode() + b"\n\n"


def tool_calls(reply: Reply) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call_{place}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for place, (name, arguments) in enumerate(reply.calls)
    ]


def openai_whole(reply: Reply, asked: Json) -> Json:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.calls:
        message["tool_calls"] = tool_calls(reply)
    return {
        "id": NAME,
        "object": "chat.completion",
        "created": CREATED,
        "model": asked.get("model", "small"),
        "choices": [{"index": 0, "message": message, "finish_reason": reply.ended}],
        "usage": usage(reply),
    }


def ollama_lines(reply: Reply, asked: Json) -> Iterator[bytes]:
    """The lines of `/api/chat` with `stream`."""
    frame = {"model": asked.get("model", "small"), "created_at": CREATED_AT}
    for word in reply.words:
        yield line({**frame, "message": {"role": "assistant", "content": word}, "done": False})
    yield line({**ollama_whole(reply, asked), "message": ollama_message(reply, "")})


def line(told: Json) -> bytes:
    return json.dumps(told).encode() + b"\n"


def ollama_message(reply: Reply, text: str) -> Json:
    calls = [{"function": {"name": name, "arguments": given}} for name, given in reply.calls]
    return {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}


def ollama_whole(reply: Reply, asked: Json) -> Json:
    return {
        "model": asked.get("model", "small"),
        "created_at": CREATED_AT,
        "message": ollama_message(reply, reply.text),
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": 40,
        "eval_count": len(reply.words),
    }


def listed(path: str) -> Json:
    """The models there are."""
    if path.endswith("/api/tags"):
        return {"models": [{"model": name, "modified_at": CREATED_AT} for name in MODELS]}
    data = [
        {"id": name, "object": "model", "created": CREATED, "owned_by": "house"} for name in MODELS
    ]
    return {"object": "list", "data": data}


def embedded(path: str, asked: Json) -> Json:
    given = asked.get("input", "")
    texts = given if isinstance(given, list) else [given]
    if path.endswith("/api/embed"):
        vectors = [list(VECTOR) for _ in texts]
        return {"model": asked.get("model"), "embeddings": vectors, "prompt_eval_count": 3}
    data = [
        {"object": "embedding", "index": place, "embedding": list(VECTOR)}
        for place in range(len(texts))
    ]
    told = {"prompt_tokens": 3, "total_tokens": 3}
    return {"object": "list", "data": data, "model": asked.get("model"), "usage": told}
