"""Opens what the settings name, one function for each port."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from memweaver.adapters.crypto import EnvironmentMasterKeys, FileMasterKeys, open_cipher
from memweaver.adapters.http import open_courier
from memweaver.adapters.local import open_local
from memweaver.adapters.memory import open_memory
from memweaver.adapters.memory.counter import InMemoryCounter
from memweaver.adapters.memory.doorbell import InMemoryDoorbell
from memweaver.adapters.memory.near import NearWindows
from memweaver.adapters.memory.upstream import Nowhere
from memweaver.adapters.ollama import open_ollama, open_ollama_chat, open_ollama_upstream
from memweaver.adapters.openai import open_openai, open_openai_chat, open_openai_upstream
from memweaver.adapters.pgvector import open_pgvector
from memweaver.adapters.postgres_bell import open_postgres_bell
from memweaver.adapters.prompted import (
    Asking,
    PromptedDecider,
    PromptedExtractor,
    PromptedSummariser,
)
from memweaver.adapters.rabbitmq import open_rabbitmq
from memweaver.adapters.redis import open_redis, open_redis_counter
from memweaver.adapters.rules import RuleSummariser, open_rules
from memweaver.adapters.shard import ShardIndex
from memweaver.adapters.shard.words import Words
from memweaver.adapters.sql import open_sql, sqlite_url
from memweaver.app.house_sections import EventSettings, UpstreamSettings
from memweaver.app.nearest import NearestCounter
from memweaver.app.sections import (
    EmbedderSettings,
    EnvironmentKeys,
    FileKeys,
    InMemoryStore,
    LocalEmbedderSettings,
    OllamaEmbedderSettings,
    OllamaExtractorSettings,
    OpenAIEmbedderSettings,
    OpenAIExtractorSettings,
    PgvectorIndexSettings,
    PostgresStore,
    RuleExtractorSettings,
    ShardIndexSettings,
    SqliteStore,
)
from memweaver.app.settings import Settings
from memweaver.app.tracing import traced_chat
from memweaver.errors import ConfigurationError
from memweaver.ports.backend import Backend
from memweaver.ports.counter import Counter
from memweaver.ports.doorbell import Doorbell
from memweaver.ports.extract import Decider, Extractor, Summariser
from memweaver.ports.index import Index
from memweaver.ports.keys import MasterKeys
from memweaver.ports.meter import Meter
from memweaver.ports.models import Embedder
from memweaver.ports.upstream import Upstream
from memweaver.ports.webhooks import Courier
from memweaver.ports.windows import Windows

DATABASE = "memweaver.db"


@dataclass(frozen=True, slots=True)
class Minds:
    """What finds memories in what was said, decides about them and sums up."""

    extractor: Extractor
    decider: Decider | None
    summariser: Summariser


def open_master_keys(settings: Settings) -> MasterKeys:
    match settings.keys:
        case FileKeys(path=path):
            file = path or data_folder(settings) / "master.key"
            return FileMasterKeys(file)
        case EnvironmentKeys(master_key=text):
            return EnvironmentMasterKeys(text.get_secret_value())


def open_backend(
    settings: Settings, master_keys: MasterKeys
) -> AbstractAsyncContextManager[Backend]:
    cipher = open_cipher(settings.cipher)
    match settings.store:
        case SqliteStore(path=path, migrate=migrate):
            url = sqlite_url(path or data_folder(settings) / DATABASE)
            return open_sql(url, cipher, master_keys, migrate=migrate)
        case PostgresStore(url=url, pool=pool, migrate=migrate):
            secret = url.get_secret_value()
            return open_sql(secret, cipher, master_keys, pool=pool, migrate=migrate)
        case InMemoryStore():
            return open_memory()


def open_embedder(settings: EmbedderSettings) -> AbstractAsyncContextManager[Embedder]:
    match settings:
        case LocalEmbedderSettings(path=path):
            return open_local(path)
        case OpenAIEmbedderSettings():
            return open_openai(
                url=settings.url,
                model=settings.model,
                dimensions=settings.dimensions,
                api_key=settings.api_key.get_secret_value(),
                proxy=settings.proxy.get_secret_value(),
                timeout=settings.timeout,
                retries=settings.retries,
            )
        case OllamaEmbedderSettings():
            return open_ollama(
                url=settings.url,
                model=settings.model,
                dimensions=settings.dimensions,
                timeout=settings.timeout,
                retries=settings.retries,
            )


@asynccontextmanager
async def open_index(
    settings: Settings, backend: Backend, embedder: Embedder
) -> AsyncGenerator[Index]:
    match settings.index:
        case ShardIndexSettings(megabytes=megabytes):
            yield ShardIndex(
                backend.changes,
                embedder.model,
                language=settings.recall.language,
                budget_bytes=megabytes * 1_000_000,
            )
        case PgvectorIndexSettings(method=method):
            store = postgres_store(settings)
            async with open_pgvector(
                store.url.get_secret_value(),
                backend.changes,
                embedder.model,
                embedder.dimensions,
                method=method,
                words=Words(settings.recall.language),
                pool=store.pool,
                migrate=store.migrate,
            ) as index:
                yield index


@asynccontextmanager
async def open_minds(chosen: Settings, meter: Meter) -> AsyncGenerator[Minds]:
    settings, zone = chosen.extractor, chosen.reflector.zone
    match settings:
        case RuleExtractorSettings(language=language, apart=apart):
            async with open_rules(language, apart=apart) as rules:
                yield Minds(rules, None, RuleSummariser())
        case OpenAIExtractorSettings():
            async with open_openai_chat(
                url=settings.url,
                model=settings.model,
                api_key=settings.api_key.get_secret_value(),
                proxy=settings.proxy.get_secret_value(),
                timeout=settings.timeout,
                retries=settings.retries,
            ) as chat:
                yield prompted(Asking(traced_chat(chat, meter), meter, settings.tokens), zone)
        case OllamaExtractorSettings():
            async with open_ollama_chat(
                url=settings.url,
                model=settings.model,
                timeout=settings.timeout,
                retries=settings.retries,
            ) as chat:
                yield prompted(Asking(traced_chat(chat, meter), meter, settings.tokens), zone)


def prompted(asking: Asking, zone: str) -> Minds:
    return Minds(
        PromptedExtractor(asking), PromptedDecider(asking), PromptedSummariser(asking, zone)
    )


def open_upstream(settings: UpstreamSettings) -> AbstractAsyncContextManager[Upstream]:
    if not settings.url:
        return nullcontext(Nowhere())
    if settings.protocol == "ollama":
        return open_ollama_upstream(
            url=settings.url, model=settings.model, patience=settings.timeout
        )
    return open_openai_upstream(
        url=settings.url,
        model=settings.model,
        api_key=settings.api_key.get_secret_value(),
        proxy=settings.proxy.get_secret_value(),
        patience=settings.timeout,
    )


def open_doorbell(settings: Settings) -> AbstractAsyncContextManager[Doorbell]:
    """RabbitMQ if it is named, else the database's own, else within this process."""
    rabbitmq = settings.rabbitmq
    if url := rabbitmq.url.get_secret_value():
        return open_rabbitmq(
            url,
            rabbitmq.password.get_secret_value(),
            rabbitmq.exchange,
            rabbitmq.queue,
            prefetch=2 * settings.reflector.workers,
        )
    if isinstance(settings.store, PostgresStore):
        return open_postgres_bell(settings.store.url.get_secret_value())
    return nullcontext(InMemoryDoorbell())


def open_windows(settings: Settings, backend: Backend) -> AbstractAsyncContextManager[Windows]:
    """Redis if it is named, else within this process."""
    if url := settings.redis.url.get_secret_value():
        ttl = timedelta(days=settings.redis.ttl_days)
        return open_redis(url, open_cipher(settings.cipher), backend.changes, ttl)
    return nullcontext(NearWindows())


def open_carrying(settings: EventSettings) -> AbstractAsyncContextManager[Courier]:
    return open_courier(settings.webhook_timeout, settings.webhook_hosts)


@asynccontextmanager
async def open_counter(settings: Settings) -> AsyncGenerator[Counter]:
    """Redis if it is named, and within this process while that is away; else within it only."""
    own = InMemoryCounter()
    if url := settings.redis.url.get_secret_value():
        async with open_redis_counter(url) as shared:
            yield NearestCounter(shared, own)
    else:
        yield own


def postgres_store(settings: Settings) -> PostgresStore:
    """The database that the pgvector index shares with the store. Raises `ConfigurationError`."""
    if not isinstance(settings.store, PostgresStore):
        raise ConfigurationError("the index of kind pgvector needs the store of kind postgres")
    return settings.store


def data_folder(settings: Settings) -> Path:
    """The data folder, which only its owner may look into. Raises `ConfigurationError`."""
    try:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(
            f"the data folder {settings.data} cannot be made ({error.strerror}): "
            "set MEMWEAVER_DATA to a folder that you may write to"
        ) from error
    return settings.data
