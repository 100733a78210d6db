"""Everything that can be configured, and the only module that reads the environment."""

import os
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Literal
from zoneinfo import available_timezones

from dotenv import dotenv_values
from pydantic import (
    Field,
    ValidationError,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from memweaver.app.sections import (
    EmbedderSettings,
    ExtractorSettings,
    FileKeys,
    IndexSettings,
    KeySettings,
    LimitSettings,
    LocalEmbedderSettings,
    LogSettings,
    PgvectorIndexSettings,
    PostgresStore,
    RabbitMQSettings,
    RecallSettings,
    RedisSettings,
    ReflectorSettings,
    RuleExtractorSettings,
    ServerSettings,
    ShardIndexSettings,
    SqliteStore,
    StoreSettings,
    WorkingSettings,
)
from memweaver.errors import ConfigurationError

PREFIX = "MEMWEAVER_"
ENV_FILE = ".env"


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        env_file=ENV_FILE,
        frozen=True,
        extra="ignore",
        use_attribute_docstrings=True,
        hide_input_in_errors=True,
    )

    data: Path = Path("memweaver-data")
    """The folder for the database and the key file, made at first start."""
    store: StoreSettings = SqliteStore()
    """Where turns and memories live."""
    keys: KeySettings = FileKeys()
    """Where master keys come from."""
    cipher: Literal["aes-gcm", "fernet"] = "aes-gcm"
    """What new rows are sealed with; rows sealed with the other one stay readable."""
    embedder: EmbedderSettings = LocalEmbedderSettings()
    """What turns text into vectors."""
    index: IndexSettings = ShardIndexSettings()
    """What finds them."""
    recall: RecallSettings = RecallSettings()
    """How recall behaves when the caller does not say."""
    extractor: ExtractorSettings = RuleExtractorSettings()
    """What finds in a turn what is worth remembering."""
    reflector: ReflectorSettings = Field(default_factory=ReflectorSettings)
    """How turns are reflected upon in the background."""
    working: WorkingSettings = WorkingSettings()
    """Working memory: the recent turns of a session."""
    rabbitmq: RabbitMQSettings = Field(default_factory=RabbitMQSettings)
    """RabbitMQ as the doorbell between servers and workers."""
    redis: RedisSettings = Field(default_factory=RedisSettings)
    """Redis for working memory that several servers share."""
    server: ServerSettings = ServerSettings()
    """Where `memweaver serve` listens."""
    limits: LimitSettings = LimitSettings()
    """How much may be handed in at once."""
    log: LogSettings = LogSettings()
    """What is written about what happens."""


def load_settings() -> Settings:
    """Read the environment and `.env`; whatever is wrong is one sentence naming the setting.

    Raises:
        ConfigurationError: also for a name nobody knows: a misspelt one is not a default.
    """
    given = {**dotenv_values(ENV_FILE), **os.environ}
    if unknown := unknown_names(given):
        raise ConfigurationError(f"unknown settings: {', '.join(unknown)}")
    try:
        settings = Settings()
    except ValidationError as error:
        raise ConfigurationError(explained(error)) from error
    refuse_unsafe(settings)
    check_page(settings)
    check_zone(settings)
    return settings


def unknown_names(given: Mapping[str, str | None]) -> list[str]:
    ours = (name for name in given if name.upper().startswith(PREFIX))
    known = Settings.model_fields
    return [name for name in ours if name[len(PREFIX) :].split("__")[0].lower() not in known]


def explained(error: ValidationError) -> str:
    """What is wrong with which variable, without the values, which may be secret."""
    return "; ".join(
        f"{variable(one['loc'])}: {one['msg']}"
        for one in error.errors(include_input=False, include_url=False)
    )


def variable(place: tuple[int | str, ...]) -> str:
    """The name of the variable behind a place in the settings; a section's kind is not in it."""
    section, *rest = (str(part).upper() for part in place)
    return PREFIX + "__".join([section, *rest[-1:]])


def refuse_unsafe(settings: Settings) -> None:
    """Raises `ConfigurationError` for what would work, but put people at risk."""
    if not settings.server.behind_tls and not loopback(settings.server.host):
        raise ConfigurationError(
            f"refusing to listen on {settings.server.host} without TLS: put a proxy that speaks "
            f"TLS in front and set {PREFIX}SERVER__BEHIND_TLS=true"
        )
    if isinstance(settings.store, PostgresStore) and not settings.store.url.get_secret_value():
        raise ConfigurationError(f"set {PREFIX}STORE__URL (or POSTGRES_URL) to use Postgres")
    if isinstance(settings.index, PgvectorIndexSettings) and settings.store.kind != "postgres":
        raise ConfigurationError(f"{PREFIX}INDEX__KIND=pgvector needs {PREFIX}STORE__KIND=postgres")


def check_page(settings: Settings) -> None:
    """Raises `ConfigurationError`."""
    if settings.recall.limit > settings.limits.page:
        raise ConfigurationError(
            f"{PREFIX}RECALL__LIMIT is above {PREFIX}LIMITS__PAGE: lower the one or raise the other"
        )


def check_zone(settings: Settings) -> None:
    """Raises `ConfigurationError`."""
    if settings.reflector.zone not in available_timezones():
        raise ConfigurationError(
            f"{PREFIX}REFLECTOR__ZONE is not a time zone: name one such as Europe/Rome"
        )


def loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
