"""From settings to services. Reads top to bottom; opens what it closes."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path

from memweaver.adapters.crypto import EnvironmentMasterKeys, FileMasterKeys, open_cipher
from memweaver.adapters.local import open_local
from memweaver.adapters.memory import open_memory
from memweaver.adapters.ollama import open_ollama
from memweaver.adapters.openai import open_openai
from memweaver.adapters.pgvector import open_pgvector
from memweaver.adapters.shard import ShardIndex
from memweaver.adapters.shard.words import Words
from memweaver.adapters.sql import open_sql, sqlite_url
from memweaver.adapters.system import SystemClock
from memweaver.app.background import beside
from memweaver.app.settings import (
    EmbedderSettings,
    EnvironmentKeys,
    FileKeys,
    InMemoryStore,
    LocalEmbedderSettings,
    OllamaEmbedderSettings,
    OpenAIEmbedderSettings,
    PgvectorIndexSettings,
    PostgresStore,
    Settings,
    ShardIndexSettings,
    SqliteStore,
)
from memweaver.domain.limits import Limits
from memweaver.errors import ConfigurationError
from memweaver.ports.backend import Backend
from memweaver.ports.clock import Clock
from memweaver.ports.index import Index
from memweaver.ports.keys import MasterKeys
from memweaver.ports.models import Embedder
from memweaver.services import Services
from memweaver.services.access import Access
from memweaver.services.ais import Ais
from memweaver.services.curate import Curate
from memweaver.services.embed import Embed
from memweaver.services.health import Health
from memweaver.services.keys import Keys
from memweaver.services.maintain import Maintain
from memweaver.services.recall import Recall
from memweaver.services.record import Record

DATABASE = "memweaver.db"


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncGenerator[Services]:
    """Open everything `settings` name, keep the background work going, close it all in the end."""
    async with AsyncExitStack() as stack:
        master_keys = open_master_keys(settings)
        backend = await stack.enter_async_context(open_backend(settings, master_keys))
        embedder = await stack.enter_async_context(open_embedder(settings.embedder))
        index = await stack.enter_async_context(open_index(settings, backend, embedder))
        services = build_services(
            settings,
            clock=SystemClock(),
            master_keys=master_keys,
            backend=backend,
            embedder=embedder,
            index=index,
        )
        await stack.enter_async_context(beside(services.maintain.run()))
        yield services


def build_services(
    settings: Settings,
    *,
    clock: Clock,
    master_keys: MasterKeys,
    backend: Backend,
    embedder: Embedder,
    index: Index,
) -> Services:
    limits = Limits(**settings.limits.model_dump())
    embed = Embed(embedder, backend.vectors)
    maintain = Maintain(embed, index)
    return Services(
        record=Record(backend.store, maintain, clock, limits),
        recall=Recall(
            index,
            embedder,
            clock,
            limits,
            limit=settings.recall.limit,
            budget=settings.recall.budget,
            floor=settings.recall.floor,
            patience=settings.recall.patience,
        ),
        curate=Curate(backend.store, maintain, clock, limits, index),
        embed=embed,
        maintain=maintain,
        keys=Keys(master_keys, backend.vault, index),
        access=Access(backend.access, clock),
        ais=Ais(backend.registry, clock),
        health=Health(backend.vectors, embedder, index, maintain),
    )


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
