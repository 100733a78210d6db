"""Unsafe starts: whatever is missing or false in the settings closes the door, never opens it."""

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from pydantic import BaseModel

from memweaver.app.house_sections import AccessSettings, ServerSettings
from memweaver.app.sections import InMemoryStore
from memweaver.app.server import build_server
from memweaver.app.settings import Settings, load_settings
from memweaver.app.unsafe import open_to_all
from memweaver.errors import ConfigurationError

KEY = "1:" + b64encode(bytes(range(32))).decode()
POSTGRES = {"MEMWEAVER_STORE__KIND": "postgres"}
REFUSED: Mapping[str, tuple[dict[str, str], str]] = {
    "a public address": ({"MEMWEAVER_SERVER__HOST": "0.0.0.0"}, "SERVER__BEHIND_TLS"),
    "every origin": ({"MEMWEAVER_SERVER__ORIGINS": "*"}, "one by one"),
    "many origins": (
        {"MEMWEAVER_SERVER__ORIGINS": "https://a.example, https://*.example"},
        "one by one",
    ),
    "an origin that is none": ({"MEMWEAVER_SERVER__ORIGINS": "chat.example"}, "look like"),
    "every name": ({"MEMWEAVER_SERVER__HOSTS": "*"}, "one by one"),
    "every proxy": ({"MEMWEAVER_SERVER__PROXIES": "*"}, "one by one"),
    "an empty master key": (
        {"MEMWEAVER_KEYS__KIND": "environment", "MEMWEAVER_KEYS__MASTER_KEY": " "},
        "set MEMWEAVER_KEYS__MASTER_KEY",
    ),
    "no master key": ({"MEMWEAVER_KEYS__KIND": "environment"}, "KEYS__MASTER_KEY"),
    "no Postgres": (POSTGRES, "set MEMWEAVER_STORE__URL"),
    "an open Postgres": ({**POSTGRES, "POSTGRES_URL": "postgresql://db.example/m"}, "a password"),
    "a usual Postgres": (
        {**POSTGRES, "POSTGRES_URL": "postgresql://m:postgres@db.example/m"},
        "everybody tries first",
    ),
    "an open Redis": ({"REDIS_URL": "redis://cache.example/0"}, "REDIS_URL"),
    "an open RabbitMQ": ({"RABBITMQ_URL": "amqp://broker.example/"}, "RABBITMQ_URL"),
    "a guest at RabbitMQ": ({"RABBITMQ_URL": "amqp://guest:guest@broker.example/"}, "RABBITMQ_URL"),
    "a usual password": (
        {"RABBITMQ_URL": "amqp://m@broker.example/", "RABBITMQ_PASSWORD": "changeme"},
        "RABBITMQ_URL",
    ),
}
FALSE = ("", "0", "-1", "false", "none", "null", "*", "[]", '["*"]', "{}", "\u00e9")
"""What a broken deployment may leave where a value should be."""


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("POSTGRES_URL", "REDIS_URL", "RABBITMQ_URL", "RABBITMQ_PASSWORD"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_unsafe_is_refused_by_a_sentence_that_says_what_to_do(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, words = REFUSED[case]
    for name, value in given.items():
        monkeypatch.setenv(name, value)

    with pytest.raises(ConfigurationError, match=words) as caught:
        load_settings()
    assert "\n" not in str(caught.value)
    for secret in ("changeme", "guest:guest", "m:postgres"):
        assert secret not in str(caught.value)


def test_what_is_safe_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        **POSTGRES,
        "MEMWEAVER_SERVER__HOST": "0.0.0.0",
        "MEMWEAVER_SERVER__BEHIND_TLS": "true",
        "MEMWEAVER_SERVER__HOSTS": "memory.example,memory",
        "MEMWEAVER_SERVER__ORIGINS": "https://chat.example",
        "MEMWEAVER_KEYS__KIND": "environment",
        "MEMWEAVER_KEYS__MASTER_KEY": KEY,
        "JWT_SECRET_KEY": "kq3Vd0mZ8s7Xc1Lw5Rb9Tf2Yh6Jn4Pg0",
        "POSTGRES_URL": "postgresql://m:8d1f0c@db.example/m",
        "REDIS_URL": "rediss://:8d1f0c@cache.example/0",
        "RABBITMQ_URL": "amqps://m@broker.example/",
        "RABBITMQ_PASSWORD": "8d1f0c",
    }.items():
        monkeypatch.setenv(name, value)

    assert load_settings().server.hosts == ("memory.example", "memory")


def settable(model: type[BaseModel] = Settings, before: str = "MEMWEAVER_") -> list[str]:
    """The variable of every setting there is, of the default kind of each section."""
    names = []
    chosen = Settings.model_construct()
    for name in model.model_fields:
        section = getattr(chosen, name, None) if model is Settings else None
        if isinstance(section, BaseModel):
            names += settable(type(section), f"{before}{name.upper()}__")
        else:
            names.append(before + name.upper())
    return names


@pytest.mark.parametrize("name", [one for one in settable() if one != "MEMWEAVER_DATA"])
def test_a_false_setting_refuses_or_denies_and_never_opens(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMWEAVER_STORE__KIND", "memory")
    for value in FALSE:
        monkeypatch.setenv(name, value)
        try:
            settings = load_settings()
        except ConfigurationError:
            continue
        assert doors(settings.server, settings.access.model_dump_json()) == {401}, value


@cache
def doors(server: ServerSettings, access: str) -> set[int]:
    """How a stranger is answered at routes that belong to somebody."""
    settings = Settings(
        store=InMemoryStore(), server=server, access=AccessSettings.model_validate_json(access)
    )
    routes = [("GET", "/v1/turns"), ("POST", "/v1/recall"), ("GET", "/metrics")]
    with TestClient(build_server(settings), base_url="http://localhost") as client:
        return {client.request(*route).status_code for route in routes}


@pytest.mark.parametrize(
    ("url", "is_open"),
    [
        ("", False),
        ("redis://127.0.0.1/0", False),
        ("redis://localhost/0", False),
        ("redis://[::1]/0", False),
        ("unix:///run/redis.sock", False),
        ("redis://[broken/0", False),
        ("redis://cache.example/0", True),
        ("redis://:@cache.example/0", True),
        ("redis://:redis@cache.example/0", True),
        ("redis://:8d1f0c@cache.example/0", False),
        ("postgresql://m@db.example/m?passfile=/run/secrets/pgpass", False),
    ],
)
def test_a_server_elsewhere_needs_a_password(url: str, is_open: bool) -> None:  # noqa: FBT001 - a table
    assert open_to_all(url) is is_open
