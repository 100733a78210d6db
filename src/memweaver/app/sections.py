"""The sections of the settings: what can be chosen for each part, and its defaults."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from dotenv import dotenv_values
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    SecretStr,
)
from pydantic_core import PydanticCustomError
from pydantic_settings import NoDecode

from memweaver.domain.limits import Limits

PREFIX = "MEMWEAVER_"
ENV_FILE = ".env"
LIMITS = Limits()
ADDRESS = re.compile(r"\[[0-9a-f.]*:[0-9a-f:.]*\]", re.IGNORECASE)
"""Of IPv6, as a URL has it."""
NOT_IN_A_NAME = re.compile(r"""[\[\]"'\s]""")


def from_literal(name: str) -> Callable[[], SecretStr]:
    """A default taken from a variable that other programs name the same way."""

    def read() -> SecretStr:
        return SecretStr(named_literally(name) or "")

    return read


def literal(name: str, default: str) -> Any:
    """A field whose default is taken from a variable that the requirements name literally."""
    return Field(default_factory=lambda: named_literally(name, default), validate_default=True)


def named_literally(name: str, default: str | None = None) -> str | None:
    """The environment comes before `.env`, as for every setting."""
    return {**dotenv_values(ENV_FILE), **os.environ}.get(name, default)


def kind_or(default: str) -> BeforeValidator:
    """Let a section be given without its `kind` when it keeps the default one."""

    def chosen(given: object) -> object:
        if isinstance(given, dict) and "kind" not in given:
            return {"kind": default, **given}
        return given

    return BeforeValidator(chosen)


def listed(given: object) -> object:
    """Let a list be written with commas, and in no other way: it would name nothing."""
    if not isinstance(given, str):
        return given
    names = [one.strip() for one in given.split(",") if one.strip()]
    if any(NOT_IN_A_NAME.search(ADDRESS.sub("", name)) for name in names):
        raise PydanticCustomError("names", "write the names as they are, separated by commas")
    return names


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(listed)]
"""Names separated by commas."""


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
    proxy: SecretStr = SecretStr("")
    """The HTTP proxy to reach it through; none is taken from the environment."""
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


class RuleExtractorSettings(Section):
    """Rules on this machine: no key, no model to call, the default."""

    kind: Literal["rules"] = "rules"
    language: str = "english"
    """The language whose rules are applied."""
    apart: bool = True
    """Whether they have a process of their own. Without, they are a thread of this one, where
    whoever waits for an answer waits for them as well: for programs that are frozen into a file."""


class OpenAIExtractorSettings(Section):
    """A chat model of any service that speaks the OpenAI protocol."""

    kind: Literal["openai"] = "openai"
    url: str = "https://api.openai.com/v1"
    """Where it is, without `/chat/completions`."""
    model: str = "gpt-4o-mini"
    """The model's name there."""
    api_key: SecretStr = Field(default_factory=from_literal("OPENAI_API_KEY"))
    """The key for it; or by `OPENAI_API_KEY`."""
    proxy: SecretStr = SecretStr("")
    """The HTTP proxy to reach it through; none is taken from the environment."""
    timeout: PositiveFloat = 60.0
    """Seconds one request may take."""
    retries: int = Field(default=1, ge=0)
    """Further tries at once after a failure that may pass; the job itself is tried again later."""
    tokens: PositiveInt = 1024
    """Tokens of the longest answer."""


class OllamaExtractorSettings(Section):
    """A chat model of an Ollama server."""

    kind: Literal["ollama"] = "ollama"
    url: str = "http://127.0.0.1:11434"
    """Where it is."""
    model: str = "qwen2.5"
    """The model's name there."""
    timeout: PositiveFloat = 120.0
    """Seconds one request may take."""
    retries: int = Field(default=1, ge=0)
    """Further tries at once after a failure that may pass; the job itself is tried again later."""
    tokens: PositiveInt = 1024
    """Tokens of the longest answer."""


class ReflectorSettings(Section):
    """How turns are reflected upon in the background."""

    inside: bool = True
    """Workers run inside `memweaver serve`; off where `memweaver worker` runs elsewhere."""
    workers: PositiveInt = literal("REFLECTOR_WORKERS", "3")
    """Users reflected upon at a time by one process; or by `REFLECTOR_WORKERS`."""
    batch_size: PositiveInt = literal("REFLECTOR_BATCH_SIZE", "10")
    """Waiting turns of one user taken together; or by `REFLECTOR_BATCH_SIZE`."""
    max_retries: NonNegativeInt = literal("REFLECTOR_MAX_RETRIES", "3")
    """Further attempts after a failure that is no outage; or by `REFLECTOR_MAX_RETRIES`."""
    retry_delay: NonNegativeFloat = literal("REFLECTOR_RETRY_DELAY", "30")
    """Seconds before the first of them, doubled each time; or by `REFLECTOR_RETRY_DELAY`."""
    outage: NonNegativeFloat = 86_400.0
    """Seconds for which an outage of a model or the database is waited out."""
    longest_wait: PositiveFloat = 600.0
    """Seconds a user waits behind others of higher priority."""
    lease: float = Field(default=10.0, ge=0.1)
    """Seconds after which another worker takes over from one that gives no sign of life."""
    poll: float = Field(default=1.0, gt=0)
    """Seconds between looking for work that no doorbell told of."""
    timeout: PositiveFloat = 300.0
    """Seconds one attempt may take."""
    keep_days: PositiveInt = 7
    """Days for which the state of a job that is done can be asked for."""
    fast_mode: bool = literal("MEMORY_FAST_MODE", "true")
    """Off, a turn is reflected upon before its recording is answered; or by `MEMORY_FAST_MODE`."""
    queue_enabled: bool = literal("REFLECTION_QUEUE_ENABLED", "true")
    """Off, turns are kept and recalled but not reflected upon; or by `REFLECTION_QUEUE_ENABLED`."""
    zone: str = "UTC"
    """The time zone of turns whose metadata name none under `timezone`."""


class RabbitMQSettings(Section):
    """RabbitMQ as the doorbell between servers and workers, if `url` is given."""

    url: SecretStr = Field(default_factory=from_literal("RABBITMQ_URL"))
    """Where it is, as `amqp://user:password@host/`; or by `RABBITMQ_URL`."""
    password: SecretStr = Field(default_factory=from_literal("RABBITMQ_PASSWORD"))
    """Its password where the url has none; or by `RABBITMQ_PASSWORD`."""
    exchange: str = literal("RABBITMQ_EXCHANGE", "memory_reflection_exchange")
    """The exchange that jobs are announced at; or by `RABBITMQ_EXCHANGE`."""
    queue: str = literal("RABBITMQ_QUEUE", "memory_reflection_queue")
    """The queue that workers listen at; or by `RABBITMQ_QUEUE`."""


class RedisSettings(Section):
    """Redis for working memory that several servers share, if `url` is given."""

    url: SecretStr = Field(default_factory=from_literal("REDIS_URL"))
    """Where it is, as `redis://:password@host:6379/0`; or by `REDIS_URL`."""
    ttl_days: PositiveInt = 7
    """Days after which a session that nobody continues is let go from there."""


class WorkingSettings(Section):
    """Working memory: the recent turns of a session."""

    budget: PositiveInt = 2000
    """Tokens of the recent turns."""
    summary: PositiveInt = 500
    """Tokens of the summary of the turns before them."""


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

ExtractorSettings = Annotated[
    Annotated[
        RuleExtractorSettings | OpenAIExtractorSettings | OllamaExtractorSettings,
        Field(discriminator="kind"),
    ],
    kind_or("rules"),
]
