"""The page of every route, from the description the server gives of itself."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tools.reference.markdown import code, table

from memweaver.app.sections import InMemoryStore
from memweaver.app.server import build_server
from memweaver.app.settings import Settings

INTRODUCTION = """\
# REST

The server listens on `http://127.0.0.1:8765` unless [settings](settings.md) say otherwise.
`/docs` shows these routes to try out, `/openapi.json` describes them to programs.
Every route needs an API key or a token from `/login`, but for {open}, and the two that describe.
It is sent as `Authorization: Bearer mw_…` or as `X-API-Key: mw_…`.
Whose memory it is follows from the key alone; `ai` narrows it to one of the user's AIs.
A field or query that is not known is refused with 400 and named.
So is a wrong type in a body: `"5"` and `true` are no numbers, and a time is text in ISO 8601.
Lists are newest first; `next` of an answer is the `cursor` of the next request.
Errors have one shape, see [errors](errors.md).
"""

Schema = Mapping[str, Any]


def described() -> Schema:
    """What the server says of itself. Nothing is opened for it."""
    return build_server(Settings(store=InMemoryStore())).openapi()


def page() -> str:
    server = described()
    lines = [INTRODUCTION.format(open=", ".join(map(code, without_a_key(server))))]
    for path, methods in server["paths"].items():
        for method, route in methods.items():
            lines += show_route(f"{method.upper()} {path}", route)
    lines += ["## Shapes", ""]
    for name, schema in sorted(server["components"]["schemas"].items()):
        lines += show_shape(name, schema)
    return "\n".join(lines)


def without_a_key(server: Schema) -> list[str]:
    return [
        path
        for path, methods in server["paths"].items()
        if any("security" not in route for route in methods.values())
    ]


def show_route(title: str, route: Schema) -> Iterator[str]:
    yield from [f"## `{title}`", "", route.get("description", route["summary"] + "."), ""]
    if parameters := route.get("parameters"):
        rows = (
            (code(one["name"]), one["in"], show_type(one["schema"]), one.get("description", ""))
            for one in parameters
        )
        yield from table(("parameter", "in", "value", "meaning"), rows)
    if body := route.get("requestBody"):
        yield from [f"Body: {content(body)}.", ""]
    for status, answer in route["responses"].items():
        if status.isdigit():
            yield from [f"Answers {status}: {content(answer)}{headers(answer)}.", ""]


def headers(answer: Schema) -> str:
    named = ", ".join(map(code, answer.get("headers", ())))
    return f", with {named}" if named else ""


def content(part: Schema) -> str:
    media = part.get("content")
    if not media:
        return "nothing"
    [(kind, shape), *_] = media.items()
    return show_type(shape["schema"]) if kind == "application/json" else code(kind)


def show_shape(name: str, schema: Schema) -> Iterator[str]:
    yield from [f"### {name}", ""]
    if words := schema.get("description"):
        yield from [" ".join(words.split()), ""]
    if values := schema.get("enum"):
        yield from ["One of " + ", ".join(code(value) for value in values) + ".", ""]
    if fields := schema.get("properties"):
        needed = schema.get("required", ())
        rows = (
            (
                code(field),
                show_type(one),
                default(one, needed=field in needed),
                one.get("description", ""),
            )
            for field, one in fields.items()
        )
        yield from table(("field", "value", "default", "meaning"), rows)


def default(field: Schema, *, needed: bool) -> str:
    if needed:
        return "required"
    value = field.get("default")
    return code(json.dumps(value)) if value or value is False else ""


def show_type(schema: Schema) -> str:
    if reference := schema.get("$ref"):
        name = reference.rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    if choices := schema.get("anyOf"):
        return " or ".join(show_type(one) for one in choices if one.get("type") != "null")
    if schema.get("type") == "array":
        return f"list of {show_type(schema.get('items', {}))}"
    if values := schema.get("enum"):
        return ", ".join(code(value) for value in values)
    names = {
        "string": "text",
        "integer": "number",
        "number": "number",
        "object": "object",
        "boolean": "true or false",
    }
    kind = names.get(schema.get("type", ""), "any JSON")
    return "time" if schema.get("format") == "date-time" else kind
