"""The page of the client, from its methods and what they answer."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from tools.reference.markdown import code, sentences, table

from memweaver.client import MemweaverClient, results

INTRODUCTION = """\
# Client

`memweaver.client.MemweaverClient` asks a server for everything under `/v1`.
[The how-to](../howto/client.md) tells how it is used.
Every method here is asynchronous, or answers one by one and is read with `async for`.
`memweaver.client.blocking.connect` has the same names for programs that do not await.
What goes wrong is raised as one of the [errors](errors.md).
"""

UNSPOKEN = ("close", "server")
"""What is no request."""


def page() -> str:
    lines = [INTRODUCTION]
    client = MemweaverClient()
    lines += ["## `MemweaverClient`", "", *sentences(inspect.getdoc(MemweaverClient) or "")]
    lines += [*methods(client, "client"), ""]
    for name, part in parts(client):
        lines += [f"## `client.{name}`", ""]
        lines += sentences(own_words(part))
        lines += [*methods(part, f"client.{name}"), ""]
    lines += ["## What is answered", "", "Values, which cannot be changed.", ""]
    lines += table(["value", "fields"], values())
    return "\n".join(lines)


def parts(client: MemweaverClient) -> Iterator[tuple[str, object]]:
    for name, part in vars(client).items():
        if not name.startswith("_") and is_dataclass(part):
            yield name, part


def own_words(part: object) -> str:
    """The docstring of a part; of a dataclass without one, not the signature in its place."""
    words = inspect.getdoc(type(part)) or ""
    return "" if words.startswith(f"{type(part).__name__}(") else words


def methods(thing: object, name: str) -> Iterator[str]:
    for method, call in calls(thing):
        yield f"- `{name}.{method}{signature(call)}`"
        yield from (f"  {line}" for line in sentences(inspect.getdoc(call) or "") if line)


def calls(thing: object) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in [*vars(type(thing)), *getattr(thing, "__dict__", {})]:
        call = getattr(thing, name)
        if inspect.ismethod(call) and not name.startswith("_") and name not in UNSPOKEN:
            yield name, call


def signature(call: Callable[..., Any]) -> str:
    """Names and defaults; the types are told by the editor."""
    told = inspect.signature(call)
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in told.parameters.values()]
    return str(told.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def values() -> Iterator[tuple[str, str]]:
    for name in sorted(vars(results)):
        value = getattr(results, name)
        if is_dataclass(value) and value.__module__ == results.__name__:
            yield code(name), ", ".join(code(field.name) for field in fields(value))
