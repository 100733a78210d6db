"""Between OpenAI's words for a chat and Ollama's."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

OPTIONS = {
    "temperature": "temperature",
    "top_p": "top_p",
    "seed": "seed",
    "stop": "stop",
    "max_tokens": "num_predict",
    "max_completion_tokens": "num_predict",
    "frequency_penalty": "frequency_penalty",
    "presence_penalty": "presence_penalty",
}
"""Fields that Ollama takes among its options, under these names."""
TRANSLATED = frozenset({*OPTIONS, "messages", "response_format", "stream_options", "options"})
DATA = "base64,"
DEEPEST = 100
"""Levels of a tool's arguments that are passed on: nobody means more, and few could read them."""

Json = Mapping[str, Any]


def question(request: Json) -> dict[str, Any]:
    """A request as `/api/chat` takes it; what has no translation is passed on as it is."""
    asked = {name: value for name, value in request.items() if name not in TRANSLATED}
    asked["messages"] = [message(one) for one in request["messages"]]
    asked["stream"] = request.get("stream") is True
    options = {
        ours: request[name] for name, ours in OPTIONS.items() if request.get(name) is not None
    }
    given = request.get("options") or {}
    if options or given:
        asked["options"] = {**options, **given} if isinstance(given, dict) else given
    match request.get("response_format"):
        case {"type": "json_schema", "json_schema": {"schema": dict(schema)}}:
            asked["format"] = schema
        case {"type": "json_object" | "json_schema"}:
            asked["format"] = "json"
    return asked


def message(given: Json) -> dict[str, Any]:
    """One message: parts become words and pictures, arguments of tools an object."""
    told = {name: value for name, value in given.items() if name not in {"content", "tool_calls"}}
    told["content"] = given.get("content") or ""
    if isinstance(parts := given.get("content"), list):
        texts = [one.get("text", "") for one in parts if isinstance(one, dict) and "text" in one]
        told["content"] = "\n".join(text for text in texts if isinstance(text, str))
        if pictures := [data for one in parts if (data := picture(one))]:
            told["images"] = pictures
    if isinstance(calls := given.get("tool_calls"), list):
        told["tool_calls"] = [call(one) for one in calls]
    return told


def picture(part: object) -> str | None:
    match part:
        case {"image_url": {"url": str(url)}} | {"image_url": str(url)}:
            return url.partition(DATA)[2] or None
        case _:
            return None


def call(given: object) -> object:
    match given:
        case {"function": {"arguments": str(arguments), **function}, **rest}:
            return {**rest, "function": {**function, "arguments": parsed(arguments)}}
        case _:
            return given


def parsed(text: str) -> object:
    """What cannot be read, or not be written again, says nothing."""
    try:
        told: object = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return {} if deeper(told, DEEPEST) else told


def deeper(value: object, most: int) -> bool:
    level = [value]
    for _ in range(most):
        level = [inner for one in level for inner in within(one)]
    return bool(level)


def within(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def completion(answer: Json) -> dict[str, Any]:
    """A whole answer of `/api/chat` as OpenAI's clients read it."""
    said = spoken(answer)
    choice = {"index": 0, "message": said, "finish_reason": ended(answer, bool(calls_in(said)))}
    return {**frame(answer, "chat.completion"), "choices": [choice], "usage": usage(answer)}


class Chunks:
    """The lines of one stream, each as the events that OpenAI's clients wait for."""

    def __init__(self, *, with_usage: bool) -> None:
        self._with_usage = with_usage
        self._first: Json | None = None
        self._called = False

    def events(self, line: Json) -> Sequence[bytes]:
        """A line that tells of a failure is passed on as OpenAI's services do in mid-stream."""
        if isinstance(error := line.get("error"), str):
            return [event({"error": {"message": error, "type": "upstream_error", "code": None}})]
        first = self._first is None
        self._first = self._first or line
        said = spoken(line)
        self._called = self._called or bool(calls_in(said))
        delta = {name: value for name, value in said.items() if value and name != "role"}
        told = [] if not delta and not first else [self._choice({**opening(first), **delta}, None)]
        if line.get("done") is not True:
            return told
        return [*told, self._choice({}, ended(line, self._called)), *self._usage(line), DONE]

    def _choice(self, delta: Json, reason: str | None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return event({**self._frame(), "choices": [choice]})

    def _usage(self, line: Json) -> Sequence[bytes]:
        told = {**self._frame(), "choices": [], "usage": usage(line)}
        return [event(told)] if self._with_usage else []

    def _frame(self) -> dict[str, Any]:
        return frame(self._first or {}, "chat.completion.chunk")


def opening(first: bool) -> dict[str, Any]:  # noqa: FBT001 - one word, asked in one place
    return {"role": "assistant", "content": ""} if first else {}


def event(told: Json) -> bytes:
    return b"data: " + json.dumps(told, separators=(",", ":")).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def spoken(answer: Json) -> dict[str, Any]:
    said = object_of(answer.get("message"))
    told: dict[str, Any] = {"role": "assistant", "content": said.get("content") or ""}
    if said.get("thinking"):
        told["reasoning_content"] = said["thinking"]
    if isinstance(calls := said.get("tool_calls"), list) and calls:
        told["tool_calls"] = [called(number, one) for number, one in enumerate(calls)]
    return told


def called(number: int, given: object) -> dict[str, Any]:
    """A call of a tool. Ollama gives it no name of its own, by which its answer is told apart."""
    one = object_of(given)
    function = object_of(one.get("function"))
    written = json.dumps(function.get("arguments") or {})
    name = one.get("id") or f"call_{named(f'{number} {function} {written}')[:24]}"
    told = {"name": function.get("name", ""), "arguments": written}
    return {"index": number, "id": name, "type": "function", "function": told}


def object_of(given: object) -> Json:
    return given if isinstance(given, dict) else {}


def calls_in(said: Json) -> object:
    return said.get("tool_calls")


def ended(answer: Json, calls: bool) -> str:  # noqa: FBT001 - told by name wherever it is asked
    if calls:
        return "tool_calls"
    return "length" if answer.get("done_reason") == "length" else "stop"


def usage(answer: Json) -> dict[str, int]:
    read, written = (number(answer.get(name)) for name in ("prompt_eval_count", "eval_count"))
    return {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": read + written,
    }


def number(told: object) -> int:
    return told if type(told) is int else 0


def frame(answer: Json, kind: str) -> dict[str, Any]:
    """Ollama names no answer: when it began, to the nanosecond, does as well."""
    at, model = str(answer.get("created_at", "")), answer.get("model", "")
    return {
        "id": f"chatcmpl-{named(f'{at} {model}')}",
        "object": kind,
        "created": seconds(at),
        "model": model,
    }


def named(text: str) -> str:
    """The same name for the same text, which may hold half characters."""
    return uuid5(NAMESPACE_URL, text.encode("utf-8", "replace").decode()).hex


def seconds(at: object) -> int:
    try:
        return int(datetime.fromisoformat(str(at)).timestamp())
    except ValueError:
        return 0


def models(answer: Json) -> dict[str, Any]:
    """What `/api/tags` lists, as `/models` does."""
    given = answer.get("models")
    listed = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    return {
        "object": "list",
        "data": [
            {
                "id": one.get("model") or one.get("name") or "",
                "object": "model",
                "created": seconds(one.get("modified_at", "")),
                "owned_by": "library",
            }
            for one in listed
        ],
    }


def embeddings(answer: Json) -> dict[str, Any]:
    """What `/api/embed` answers, as `/embeddings` does."""
    given = answer.get("embeddings")
    vectors = given if isinstance(given, list) else []
    read = number(answer.get("prompt_eval_count"))
    return {
        "object": "list",
        "model": answer.get("model", ""),
        "data": [
            {"object": "embedding", "index": place, "embedding": vector}
            for place, vector in enumerate(vectors)
        ],
        "usage": {"prompt_tokens": read, "total_tokens": read},
    }
