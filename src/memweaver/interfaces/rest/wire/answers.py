"""The shapes that answers of every resource share."""

from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import ConfigDict, Field

from memweaver.interfaces.rest.wire.fields import Wire

Item = TypeVar("Item")


class PageAnswer(Wire, Generic[Item]):
    """A piece of a list, newest first."""

    items: list[Item]
    next: Annotated[str | None, Field(description="The `cursor` of the next page, if any")]


class HealthAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"status": "ok", "parts": {"store": {"status": "ok"}}}]}
    )

    status: Literal["ok", "degraded"]
    parts: dict[str, dict[str, Any]]


class ReadyAnswer(Wire):
    model_config = ConfigDict(json_schema_extra={"examples": [{"ready": True, "code": None}]})

    ready: bool
    code: Annotated[str | None, Field(description="Why not")] = None


class ErrorBody(Wire):
    code: str
    message: str
    field: Annotated[str | None, Field(description="What it is about, if a field")] = None


class ErrorAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "error": {
                        "code": "invalid_input",
                        "message": "`sesion`: there is no such field here",
                        "field": "sesion",
                    }
                }
            ]
        }
    )

    error: ErrorBody
