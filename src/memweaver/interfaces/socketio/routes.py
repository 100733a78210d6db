"""/v1/events/schema: what goes over a socket, for programs that want to check it."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from memweaver.interfaces.door import Reader
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.socketio.wire import SCHEMAS, Heartbeat

router = APIRouter(prefix="/v1/events", tags=["events"])

BY_NAME = {
    side: {name: model.model_json_schema() for name, model in events.items()}
    for side, events in SCHEMAS.items()
}
EXAMPLE: Any = {"send": {"heartbeat": Heartbeat.model_json_schema()}, "receive": {}}


class EventSchemas(BaseModel):
    """The JSON schema of every event by its name, as a client sends or receives it."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    send: dict[str, dict[str, Any]]
    receive: dict[str, dict[str, Any]]


@router.get("/schema")
async def list_schemas(_: Reader, __: Annotated[NoQuery, Query()]) -> EventSchemas:
    """What a client may send by Socket.IO, and what it is told, each as a JSON schema."""
    return EventSchemas(**BY_NAME)
