"""What travels over /auth/me/memory."""

from pydantic import ConfigDict, RootModel

from memweaver.interfaces.rest.wire.fields import Body, Text, Wire


class CoreAnswer(RootModel[dict[str, str]]):
    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Ann", "home": "Oslo"}]})


class CoreValue(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"value": "Oslo"}]})

    value: Text


class EntryAnswer(Wire):
    model_config = ConfigDict(json_schema_extra={"examples": [{"key": "home", "value": "Oslo"}]})

    key: str
    value: str
