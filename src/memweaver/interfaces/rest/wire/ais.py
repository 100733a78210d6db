"""AIs as they travel."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, JsonValue

from memweaver.domain.permissions import AiPermissions, InternetAccess
from memweaver.interfaces.rest.wire.fields import Body, Spelt, Text, Wire
from memweaver.ports.registry import Ai

SHARING: dict[str, JsonValue] = {
    "internet_access": "safe_only",
    "tools": ["calculator"],
    "capabilities": [],
    "notes": "",
    "shares": ["019f2f6e-8d5c-7a51-9d39-3f1c1f0e7d11"],
}
Shares = Annotated[
    list[str] | Literal["all"],
    Field(description="The AIs of yours that may read its memories, or `all`"),
]


class PermissionsBody(Body):
    """What an AI may do; what is left out is as for a new one."""

    model_config = ConfigDict(json_schema_extra={"examples": [SHARING]})

    internet_access: Spelt[InternetAccess] = InternetAccess.SAFE_ONLY
    tools: list[str] = Field(default_factory=list)
    capabilities: list[str] = Field(default_factory=list)
    notes: str = ""
    shares: Shares = Field(default_factory=list)

    def permissions(self) -> AiPermissions:
        return AiPermissions.of(self.model_dump())

    @classmethod
    def of(cls, permissions: AiPermissions) -> "PermissionsBody":
        return cls(**permissions.told())


class NewAi(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Tutor"}]})

    name: Text
    permissions: PermissionsBody = PermissionsBody()


class PermissionsChange(Body):
    """What is to change of what an AI may do; what is left out stays as it is."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"shares": "all"}]})

    internet_access: Spelt[InternetAccess] | None = None
    tools: list[str] | None = None
    capabilities: list[str] | None = None
    notes: str | None = None
    shares: Shares | None = None


class AiChange(Body):
    """What is to change; what is left out stays as it is, also of its permissions."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"permissions": {"shares": "all"}}]})

    name: Text | None = None
    permissions: PermissionsChange | None = None

    def granted(self) -> dict[str, Any]:
        """What is said of its permissions."""
        return self.permissions.model_dump(exclude_none=True) if self.permissions else {}


class AiAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "019f2f6e-9a40-7c02-8f6b-58d2a1c4be37",
                    "name": "Tutor",
                    "created_at": "2026-05-01T09:30:00Z",
                    "permissions": SHARING,
                }
            ]
        }
    )

    id: Annotated[str, Field(description="What other requests name as `ai`")]
    name: str
    created_at: datetime
    permissions: PermissionsBody

    @classmethod
    def of(cls, ai: Ai) -> "AiAnswer":
        return cls(
            id=ai.id,
            name=ai.name,
            created_at=ai.created_at,
            permissions=PermissionsBody.of(ai.permissions),
        )


class AisAnswer(Wire):
    items: Annotated[list[AiAnswer], Field(description="Oldest first")]
