"""Everything that can be configured, and the only module that reads the environment."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal
from zoneinfo import available_timezones

from dotenv import dotenv_values
from pydantic import (
    Field,
    ValidationError,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from memweaver.app.house_sections import (
    AccessSettings,
    EventSettings,
    ServerSettings,
    TraceSettings,
    UpstreamSettings,
)
from memweaver.app.sections import (
    ENV_FILE,
    PREFIX,
    EmbedderSettings,
    ExtractorSettings,
    FileKeys,
    IndexSettings,
    KeySettings,
    LimitSettings,
    LocalEmbedderSettings,
    LogSettings,
    RabbitMQSettings,
    RecallSettings,
    RedisSettings,
    ReflectorSettings,
    RuleExtractorSettings,
    ShardIndexSettings,
    SqliteStore,
    StoreSettings,
    WorkingSettings,
)
from memweaver.app.unsafe import (
    unsafe_keys,
    unsafe_neighbours,
    unsafe_server,
    unsafe_store,
)
from memweaver.domain.account import checked_email
from memweaver.errors import ConfigurationError, InvalidInput

SHORTEST_SECRET = 32
FEWEST_CHARACTERS = 8
"""Different ones, in a secret that is not just a few of them again and again."""
OF_EXAMPLES = ("secret", "changeme", "changethis", "password", "example", "memweaver", "jwtkey")
"""Nothing random has these words in it."""


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
    access: AccessSettings = Field(default_factory=AccessSettings)
    """Who may come in, and how often."""
    upstream: UpstreamSettings = Field(default_factory=UpstreamSettings)
    """The chat model that `/v1/chat/completions` passes requests on to."""
    events: EventSettings = EventSettings()
    """What is told about what happens, by Socket.IO and webhooks."""
    trace: TraceSettings = TraceSettings()
    """Traces by OpenTelemetry."""
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
    check_access(settings)
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
    for sentence in unsafe(settings):
        raise ConfigurationError(sentence)


def unsafe(settings: Settings) -> Iterator[str]:
    yield from unsafe_server(settings.server)
    yield from unsafe_keys(settings.keys)
    yield from unsafe_store(settings.store, settings.index)
    yield from unsafe_neighbours(settings.redis, settings.rabbitmq)


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


def check_access(settings: Settings) -> None:
    """Raises `ConfigurationError`."""
    secret = settings.access.token_secret.get_secret_value()
    if secret and weak(secret):
        raise ConfigurationError(
            f"{PREFIX}ACCESS__TOKEN_SECRET (or JWT_SECRET_KEY) can be guessed: give "
            f"{SHORTEST_SECRET} random characters or more, as `openssl rand -hex 32` makes them, "
            "or leave it out, and one is made"
        )
    try:
        if settings.access.admin_email:
            checked_email(settings.access.admin_email)
    except InvalidInput as error:
        raise ConfigurationError(
            f"{PREFIX}ACCESS__ADMIN_EMAIL (or ADMIN_EMAIL) must be an e-mail address"
        ) from error


def weak(secret: str) -> bool:
    """Whether it is short, hardly varied, or has the words of an example in it."""
    letters = "".join(character for character in secret.casefold() if character.isalnum())
    short = len(secret) < SHORTEST_SECRET or len(set(secret)) < FEWEST_CHARACTERS
    return short or any(words in letters for words in OF_EXAMPLES)
