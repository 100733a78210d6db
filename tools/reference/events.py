"""The page of everything that goes over a socket, from the shapes on the wire."""

import json
from collections.abc import Iterator

from memweaver.interfaces.socketio import SCHEMAS

TITLES = {"send": "What a client sends", "receive": "What a client is told"}


def page() -> str:
    return "\n".join(lines())


def lines() -> Iterator[str]:
    yield "# Events by Socket.IO\n"
    yield "At `/socket.io`, namespace `/`."
    yield "How to use it is told in [hear what happens](../howto/events.md)."
    yield "What is sent is also acknowledged: with what is told, or with what an `error` says."
    yield "What is not listed here is answered with an `error` too; nothing is sent as bytes.\n"
    for side, events in SCHEMAS.items():
        yield f"## {TITLES[side]}\n"
        for name, model in events.items():
            schema = model.model_json_schema()
            schema.pop("description", None)
            yield f"### `{name}`\n"
            yield " ".join((model.__dict__.get("__doc__") or "").split()) + "\n"
            yield f"```json\n{json.dumps(schema, indent=2)}\n```\n"
