"""Everything that can be configured, and the only module that reads the environment."""

import os
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal

from dotenv import dotenv_values
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PositiveFloat,
    PositiveInt,
    SecretStr,
    ValidationError,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from memweaver.domain.limits import Limits
from memweaver.errors import ConfigurationError

PREFIX = "MEMWEAVER_"
ENV_FILE = ".env"
LIMITS = Limits()


def from_literal(name: str) -> Callable[[], SecretStr]:
    """A default taken from a variable that other programs name the same way."""

    def read() -> SecretStr:
        return SecretStr(os.environ.get(name, ""))

    return read


def kind_or(default: str) -> BeforeValidator:
    """Let a section be given without its `kind` when it keeps the default one."""

    def chosen(given: object) -> object:
        if isinstance(given, dict) and "kind" not in given:
            return {"kind": default, **given}
        return given

    return BeforeValidator(chosen)


class Section(BaseModel):
    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, hide_input_in_errors=True
    )


class SqliteStore(Section):
    """One SQLite file: no server, durable, the default."""

    kind: Literal["sqlite"] = "sqlite"
    path: Path | None = None
    """The database file; `memweaver.db` in the data folder if not given."""
    migrate: bool = True
    """Bring the schema up to date at start."""


class PostgresStore(Section):
    """A Postgres server, for several machines."""

    kind: Literal["postgres"] = "postgres"
    url: SecretStr = Field(default_factory=from_literal("POSTGRES_URL"))
    """Where it is, as `postgresql://user:password@host/database`; or by `POSTGRES_URL`."""
    pool: PositiveInt = 10
    """Connections kept open by one process."""
    migrate: bool = True
    """Bring the schema up to date at start."""


class InMemoryStore(Section):
    """Nothing is kept after the process ends; for tests and for trying things out."""

    kind: Literal["memory"] = "memory"


class FileKeys(Section):
    """Master keys in a file that only its owner may read, made at first start."""

    kind: Literal["file"] = "file"
    path: Path | None = None
    """The key file; `master.key` in the data folder if not given."""


class EnvironmentKeys(Section):
    """Master keys given from outside, by a secret manager."""

    kind: Literal["environment"] = "environment"
    master_key: SecretStr
    """`VERSION:BASE64` pairs, newest first, separated by commas, or one BASE64 of 32 bytes."""


class LocalEmbedderSettings(Section):
    """A small model on this machine's processor: no key, no download."""

    kind: Literal["local"] = "local"
    path: Path | None = None
    """A folder with `model.onnx` and `tokenizer.json`; the packaged model if not given."""


class OpenAIEmbedderSettings(Section):
    """Any service that speaks the OpenAI protocol."""

    kind: Literal["openai"] = "openai"
    url: str = "https://api.openai.com/v1"
    """Where it is, without `/embeddings`."""
    model: str = "text-embedding-3-small"
    """The model's name there."""
    dimensions: PositiveInt = 1536
    """The length of its vectors."""
    api_key: SecretStr = Field(default_factory=from_literal("OPENAI_API_KEY"))
    """The key for it; or by `OPENAI_API_KEY`."""
    timeout: PositiveFloat = 10.0
    """Seconds one request may take."""
    retries: int = Field(default=3, ge=0)
    """Further tries after a failure that may pass."""


class OllamaEmbedderSettings(Section):
    """An Ollama server."""

    kind: Literal["ollama"] = "ollama"
    url: str = "http://127.0.0.1:11434"
    """Where it is."""
    model: str = "nomic-embed-text"
    """The model's name there."""
    dimensions: PositiveInt = 768
    """The length of its vectors."""
    timeout: PositiveFloat = 30.0
    """Seconds one request may take."""
    retries: int = Field(default=3, ge=0)
    """Further tries after a failure that may pass."""


class ShardIndexSettings(Section):
    """Exact search in this process's memory over sealed segments, the default."""

    kind: Literal["shard"] = "shard"
    megabytes: PositiveInt = 1024
    """Memory for open shards; the least recently used are closed beyond it."""


class PgvectorIndexSettings(Section):
    """Search in Postgres by pgvector, for the very large. Its vectors are not sealed."""

    kind: Literal["pgvector"] = "pgvector"
    method: Literal["exact", "ivfflat", "hnsw"] = "hnsw"
    """How the nearest are found."""


class RecallSettings(Section):
    """How recall behaves when the caller does not say."""

    language: str = "english"
    """The language whose word endings and stop words are known, as PyStemmer calls it."""
    limit: PositiveInt = 10
    """Records found."""
    budget: PositiveInt = 1500
    """Tokens of the context block."""
    floor: float = Field(default=0.5, ge=0, le=1)
    """Share of the best score below which a record found is left out of the context block."""
    patience: PositiveFloat = 5.0
    """Seconds to wait for the question's vector before words alone must do."""


class ServerSettings(Section):
    """Where `memweaver serve` listens."""

    host: str = "127.0.0.1"
    """The address to listen on."""
    port: int = Field(default=8765, ge=0, le=65535)
    """The port to listen on; 0 takes a free one."""
    behind_tls: bool = False
    """Says that a proxy in front speaks TLS; without it only loopback addresses are served."""
    body: PositiveInt = 1_048_576
    """Bytes of the largest request."""


class LimitSettings(Section):
    """How much may be handed in at once."""

    text: PositiveInt = LIMITS.text
    """Characters of one message, memory or question."""
    messages: PositiveInt = LIMITS.messages
    """Messages of one turn."""
    metadata: PositiveInt = LIMITS.metadata
    """Characters of metadata, written as JSON."""
    page: PositiveInt = LIMITS.page
    """Records of one page or one search."""


class LogSettings(Section):
    """What is said about what happens; never what people said."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    """The least important line that is written."""
    format: Literal["auto", "console", "json"] = "auto"
    """Coloured lines for people, JSON for machines; by default whichever reads along."""


StoreSettings = Annotated[
    Annotated[SqliteStore | PostgresStore | InMemoryStore, Field(discriminator="kind")],
    kind_or("sqlite"),
]
KeySettings = Annotated[
    Annotated[FileKeys | EnvironmentKeys, Field(discriminator="kind")], kind_or("file")
]
EmbedderSettings = Annotated[
    Annotated[
        LocalEmbedderSettings | OpenAIEmbedderSettings | OllamaEmbedderSettings,
        Field(discriminator="kind"),
    ],
    kind_or("local"),
]
IndexSettings = Annotated[
    Annotated[ShardIndexSettings | PgvectorIndexSettings, Field(discriminator="kind")],
    kind_or("shard"),
]


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


def loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
