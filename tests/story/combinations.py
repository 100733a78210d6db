"""Every store with every doorbell and every place for windows, in the words of the environment."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import pytest
from tests.servers.postgres import Postgres
from tests.servers.private import Private
from tests.servers.rabbitmq import rabbitmq_url

STORES = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))
BELLS = ("polling", "notify", pytest.param("rabbitmq", marks=pytest.mark.rabbitmq))
WINDOWS = ("ram", pytest.param("redis", marks=pytest.mark.redis))

OFTEN, HARDLY_EVER = "0.2", "600"
"""Seconds between looking for work: where nothing rings, and where only the bell can explain it."""
NOBODY = "amqp://guest:guest@127.0.0.1:9/"
"""A broker that is named and away: workers poll, whatever else could ring."""
NUMBERS = count(1)

Environment = Mapping[str, str]


@dataclass(frozen=True)
class Combination:
    store: str
    bell: str
    environment: Environment
    """What a user would set, for the server and the worker alike."""

    @property
    def apart(self) -> bool:
        """Whether a worker of its own process does the work.

        SQLite has no NOTIFY, and no setting asks it for one: without RabbitMQ its bell is heard
        within one process, so there the worker is the server's own.
        """
        return not (self.store == "sqlite" and self.bell == "notify")

    @property
    def rings(self) -> bool:
        return self.bell != "polling"

    @property
    def away(self) -> bool:
        """Whether the doorbell is one that is named and away."""
        return self.environment.get("RABBITMQ_URL") == NOBODY


def combined(
    request: pytest.FixtureRequest, folder: Path, store: str, bell: str, windows: str
) -> Combination:
    """A database, a queue and a place for windows in which nothing is yet."""
    environment = {
        "MEMWEAVER_DATA": str(folder),
        "MEMWEAVER_LOG__LEVEL": "error",  # nobody empties the pipe it writes to
        **store_settings(request, store),
        **bell_settings(request, store, bell),
        **window_settings(request, windows),
    }
    combination = Combination(store, bell, environment)
    inside = str(not combination.apart).lower()
    return replace(combination, environment={**environment, "MEMWEAVER_REFLECTOR__INSIDE": inside})


def store_settings(request: pytest.FixtureRequest, store: str) -> Environment:
    if store == "sqlite":
        return {}
    server: Postgres = request.getfixturevalue("postgres")
    return {
        "MEMWEAVER_STORE__KIND": "postgres",
        "POSTGRES_URL": server.url(server.new_database()),
    }


def bell_settings(request: pytest.FixtureRequest, store: str, bell: str) -> Environment:
    if bell == "polling":
        away = {"RABBITMQ_URL": NOBODY} if store == "postgres" else {}
        return {"MEMWEAVER_REFLECTOR__POLL": OFTEN, **away}
    broker = rabbitmq_settings(request) if bell == "rabbitmq" else {}
    return {"MEMWEAVER_REFLECTOR__POLL": HARDLY_EVER, **broker}


def rabbitmq_settings(request: pytest.FixtureRequest) -> Environment:
    number = next(NUMBERS)
    return {
        "RABBITMQ_URL": rabbitmq_url(request.getfixturevalue("rabbitmq")),
        "RABBITMQ_EXCHANGE": f"combination_{number}_exchange",
        "RABBITMQ_QUEUE": f"combination_{number}_queue",
    }


def window_settings(request: pytest.FixtureRequest, windows: str) -> Environment:
    if windows == "ram":
        return {}
    server: Private = request.getfixturevalue("redis")
    return {"REDIS_URL": f"redis://127.0.0.1:{server.port}/{next(NUMBERS) % 16}"}
