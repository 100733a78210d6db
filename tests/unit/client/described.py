"""What the server says of itself: its operations, the shapes they take and those they answer."""

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from fastapi import FastAPI

from memweaver.app.server import build_server
from memweaver.app.settings import Settings
from memweaver.services import Services

Schema = Mapping[str, Any]
MODERN = "/v1/"


@dataclass(frozen=True)
class Operation:
    """`name` is its method and path."""

    name: str
    told: Schema
    components: Schema

    @property
    def queries(self) -> set[str]:
        return self.named("query")

    def named(self, place: str) -> set[str]:
        """The parameters that stand in a place of the request."""
        given = self.told.get("parameters", ())
        return {parameter["name"] for parameter in given if parameter["in"] == place}

    @property
    def body(self) -> Schema | None:
        """The shape of what it takes."""
        if "requestBody" not in self.told:
            return None
        shape = self.told["requestBody"]["content"]["application/json"]["schema"]
        return {**self.resolved(shape), "components": self.components}

    def answer(self) -> tuple[int, object]:
        """A status that means success, and something of the shape that comes with it."""
        status = next(code for code in self.told["responses"] if code.startswith("2"))
        content = self.told["responses"][status].get("content", {})
        if "application/json" not in content:
            return int(status), None
        return int(status), self.sample(content["application/json"]["schema"])

    def resolved(self, shape: Schema) -> Schema:
        if "$ref" not in shape:
            return shape
        return cast("Schema", self.components["schemas"][shape["$ref"].split("/")[-1]])

    def sample(self, shape: Schema) -> Any:
        """Something that has the shape, with all that it may have."""
        match self.resolved(shape):
            case {"anyOf": [first, *_]}:
                return self.sample(first)
            case {"type": "object", "properties": fields}:
                return {name: self.sample(field) for name, field in fields.items()}
            case {"type": "object", **rest}:
                inner = rest.get("additionalProperties")
                return {"one": self.sample(inner)} if isinstance(inner, dict) else {}
            case {"type": "array", **rest}:
                return [self.sample(rest.get("items", {}))]
            case plain:
                return sample_of_plain(plain)


PLAIN = {"string": "some", "integer": 3, "number": 0.5, "boolean": True}


def sample_of_plain(shape: Schema) -> Any:
    match shape:
        case {"const": value} | {"enum": [value, *_]}:
            return value
        case {"format": "date-time"}:
            return "2026-05-01T09:31:00Z"
        case _:
            return PLAIN[shape.get("type", "string")]


def operations(server: FastAPI, under: str = MODERN) -> Iterator[Operation]:
    told = server.openapi()
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            if path.startswith(under):
                yield Operation(f"{method.upper()} {path}", operation, told.get("components", {}))


@cache
def described() -> Mapping[str, Operation]:
    """The operations under `/v1` by name."""
    server = build_server(Settings(), nullcontext(cast("Services", None)))
    return {operation.name: operation for operation in operations(server)}
