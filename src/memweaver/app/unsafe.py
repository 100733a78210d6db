"""What would start, but put people at risk: refused, each by a sentence that says what to do."""

from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from memweaver.app.house_sections import ServerSettings
from memweaver.app.sections import (
    PREFIX,
    EnvironmentKeys,
    IndexSettings,
    KeySettings,
    PgvectorIndexSettings,
    PostgresStore,
    RabbitMQSettings,
    RedisSettings,
    StoreSettings,
)

KNOWN = frozenset(
    {"changeme", "change-me", "default", "example", "guest", "memweaver", "password", "postgres"}
    | {"rabbitmq", "redis", "root", "secret", "test", "admin", "123456", "umbranet"}
)
"""Passwords that everybody tries first."""


def unsafe_server(server: ServerSettings) -> Iterator[str]:
    if not server.behind_tls and not loopback(server.host):
        yield (
            f"refusing to listen on {server.host} without TLS: put a proxy that speaks "
            f"TLS in front and set {PREFIX}SERVER__BEHIND_TLS=true"
        )
    for name in ("hosts", "origins", "proxies"):
        if any("*" in one for one in getattr(server, name)):
            yield f"{PREFIX}SERVER__{name.upper()} must name them one by one: `*` lets in everybody"
    for origin in server.origins:
        if urlsplit(origin).scheme not in {"http", "https"} or not urlsplit(origin).netloc:
            yield f"{PREFIX}SERVER__ORIGINS must look like https://chat.example"


def unsafe_keys(keys: KeySettings) -> Iterator[str]:
    if isinstance(keys, EnvironmentKeys) and not keys.master_key.get_secret_value().strip():
        yield (
            f"set {PREFIX}KEYS__MASTER_KEY, or leave out {PREFIX}KEYS__KIND for a key file "
            "that is made by itself"
        )


def unsafe_store(store: StoreSettings, index: IndexSettings) -> Iterator[str]:
    if isinstance(store, PostgresStore):
        url = store.url.get_secret_value()
        if not url:
            yield f"set {PREFIX}STORE__URL (or POSTGRES_URL) to use Postgres"
        elif open_to_all(url):
            yield f"{PREFIX}STORE__URL (or POSTGRES_URL) {LETS_IN_ANYBODY}"
    elif isinstance(index, PgvectorIndexSettings):
        yield f"{PREFIX}INDEX__KIND=pgvector needs {PREFIX}STORE__KIND=postgres"


def unsafe_neighbours(redis: RedisSettings, rabbitmq: RabbitMQSettings) -> Iterator[str]:
    """Servers on other machines that let in anybody, or whoever knows the usual password."""
    if open_to_all(redis.url.get_secret_value()):
        yield f"{PREFIX}REDIS__URL (or REDIS_URL) {LETS_IN_ANYBODY}"
    if open_to_all(rabbitmq.url.get_secret_value(), rabbitmq.password.get_secret_value()):
        yield f"{PREFIX}RABBITMQ__URL (or RABBITMQ_URL) {LETS_IN_ANYBODY}"


LETS_IN_ANYBODY = (
    "names another machine without a password, or with one that everybody tries first: "
    "give that server a password of its own and put it into the address"
)


def open_to_all(url: str, password: str = "") -> bool:
    """Whether a server elsewhere is spoken to without a password worth the name."""
    try:
        parts = urlsplit(url)
        elsewhere = bool(parts.hostname) and not loopback(parts.hostname or "")
        given = parts.password or password
    except ValueError:
        # Not an address: whoever opens it says so.
        return False
    return elsewhere and (not given or known(given)) and "passfile=" not in parts.query


def known(secret: str) -> bool:
    return secret.lower() in KNOWN or set(secret) <= {"x"}


def loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
