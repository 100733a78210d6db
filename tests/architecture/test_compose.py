"""The Compose file: spelt as it should be, pinned, without secrets, and of settings that exist."""

import re
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.architecture.project import ROOT

from memweaver.app.house_sections import UpstreamSettings
from memweaver.app.settings import load_settings
from memweaver.errors import ConfigurationError

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE_TEXT = (ROOT / "compose.yaml").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load(COMPOSE_TEXT)
NEEDED = {
    "MEMWEAVER_MASTER_KEY": "1:" + b64encode(bytes(range(32))).decode(),
    "POSTGRES_PASSWORD": "8d1f0c52",
    "RABBITMQ_PASSWORD": "8d1f0c53",
    "REDIS_PASSWORD": "8d1f0c54",
}
GIVEN = {"MEMWEAVER_HOSTS": "memory.example", **NEEDED}
CHOSEN = {
    "ADMIN_EMAIL": "ada@example.org",
    "MEMWEAVER_UPSTREAM_URL": "http://model.example:11434",
    "MEMWEAVER_UPSTREAM_API_KEY": "8d1f0c55",
    "MEMWEAVER_UPSTREAM_MODEL": "llama3.2",
    "MEMWEAVER_UPSTREAM_PROTOCOL": "ollama",
}
"""What may be left out; then it is as by default."""
DEFAULTS = {"MEMWEAVER_UPSTREAM_MODEL": "gpt-4o-mini", "MEMWEAVER_UPSTREAM_PROTOCOL": "openai"}
SEVERAL = ("server", "worker")


OURS, THEIRS = ("memweaver", *SEVERAL), ("postgres", "rabbitmq", "redis")
SPELT: Mapping[str, type] = {
    "build": str,
    "image": str,
    "restart": str,
    "init": bool,
    "read_only": bool,
    "tmpfs": list,
    "cap_drop": list,
    "security_opt": list,
    "stop_grace_period": str,
    "profiles": list,
    "environment": dict,
    "ports": list,
    "volumes": list,
    "depends_on": dict,
    "command": list,
    "deploy": dict,
    "hostname": str,
    "healthcheck": dict,
}
"""What a service may say here, and how: the part of the specification of Compose that we use."""
LOOKED_AT = {"test": list, "interval": str, "timeout": str, "retries": int}
PINNED = re.compile(r"[\w./-]+:[\w.-]*\d[\w.-]*")


def compose_faults(text: str) -> list[str]:
    """Everything that is wrong with a Compose file, by name."""
    file = yaml.safe_load(text)
    found = [f"{name} is no part of it" for name in file if name not in TOP and name[:2] != "x-"]
    found += [
        f"{name} is not filled in as it should"
        for whole, name in re.findall(r"(?<!\$)(\$\{?(\w+)[^}\s]*\}?)", text)
        if whole != f"${{{name}:-{DEFAULTS.get(name, '')}}}" or name not in {**GIVEN, **CHOSEN}
    ]
    for name, service in file["services"].items():
        found += [f"{name}: {key} is not spelt so" for key in misspelt_in(service, SPELT)]
        health = service.get("healthcheck", {})
        found += [f"{name}: {key} is not spelt so" for key in misspelt_in(health, LOOKED_AT)]
        if "build" not in service and not PINNED.fullmatch(service["image"]):
            found.append(f"{name}: its image has no version")
        if "build" not in service and not health:
            found.append(f"{name}: is not looked at")
        found += [
            f"{name}: {key} has a secret written into it"
            for key, value in service.get("environment", {}).items()
            if re.search(r"PASS|_KEY$|AUTH", key) and not re.fullmatch(r"\$\{\w+:-\}", value)
        ]
    return found


TOP = ("name", "services", "volumes")


def misspelt_in(part: Mapping[str, Any], spelt: Mapping[str, type]) -> list[str]:
    return [key for key, value in part.items() if type(value) is not spelt.get(key)]


def test_the_compose_file_is_well_formed_pinned_and_without_secrets() -> None:
    assert set(COMPOSE["services"]) == {*OURS, *THEIRS}
    assert compose_faults(COMPOSE_TEXT) == []


@pytest.mark.parametrize(
    ("part", "instead", "fault"),
    [
        ("image: redis:7-alpine", "image: redis:latest", "redis: its image has no version"),
        ("image: redis:7-alpine", "image: redis", "redis: its image has no version"),
        ("read_only: true", "readonly: true", "memweaver: readonly is not spelt so"),
        ("cap_drop: [ALL]", "cap_drop: ALL", "server: cap_drop is not spelt so"),
        ("retries: 12", "retires: 12", "postgres: retires is not spelt so"),
        ("    healthcheck:", "    x:", "postgres: is not looked at"),
        ("volumes:\n  data:", "volume:\n  data:", "volume is no part of it"),
        ("${REDIS_PASSWORD:-}", "${REDIS_PASSWORD:-redis}", "REDIS_PASSWORD is not filled in"),
        ("${MEMWEAVER_HOSTS:-}", "${HOSTS:-}", "HOSTS is not filled in"),
        (":-gpt-4o-mini}", ":-}", "MEMWEAVER_UPSTREAM_MODEL is not filled in"),
        ("_KEY: ${MEMWEAVER_UPSTREAM_API_KEY:-}", "_KEY: x", "UPSTREAM__API_KEY has a secret"),
        ("_PASS: ${RABBITMQ_PASSWORD:-}", "_PASS: guest", "RABBITMQ_DEFAULT_PASS has a secret"),
    ],
)
def test_a_worse_compose_file_is_noticed(part: str, instead: str, fault: str) -> None:
    assert part in COMPOSE_TEXT
    found = compose_faults(COMPOSE_TEXT.replace(part, instead))
    assert any(fault in one for one in found), found


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    monkeypatch.chdir(tmp_path)
    return monkeypatch


def environment(service: str, given: Mapping[str, str]) -> dict[str, str]:
    """The variables of a service as Compose fills them in, with those of the image."""
    image = dict(re.findall(r"(MEMWEAVER_\w+)=(\S+)", DOCKERFILE))
    return image | {
        name: re.sub(r"\$\{(\w+):-([^}]*)\}", lambda it: given.get(it[1]) or it[2], value)
        for name, value in COMPOSE["services"][service]["environment"].items()
    }


@pytest.mark.requirement("D9")
@pytest.mark.parametrize("service", ["memweaver", *SEVERAL])
def test_every_service_starts_with_its_settings(
    service: str, elsewhere: pytest.MonkeyPatch
) -> None:
    for name, value in environment(service, GIVEN).items():
        elsewhere.setenv(name, value)

    settings = load_settings()
    assert settings.store.kind == ("sqlite" if service == "memweaver" else "postgres")
    assert settings.server.hosts == ("memory.example",)


@pytest.mark.parametrize("service", ["memweaver", "server"])
def test_a_model_and_the_first_admin_can_be_named(
    service: str, elsewhere: pytest.MonkeyPatch
) -> None:
    for given in (GIVEN, {**GIVEN, **CHOSEN}):
        for name, value in environment(service, given).items():
            elsewhere.setenv(name, value)
        settings = load_settings()
        asked = (settings.upstream.url, settings.upstream.model, settings.upstream.protocol)
        ordinary = UpstreamSettings()
        if given is GIVEN:
            assert asked == ("", ordinary.model, ordinary.protocol)
            assert settings.access.admin_email == ""
        else:
            assert asked == ("http://model.example:11434", "llama3.2", "ollama")
            assert settings.upstream.api_key.get_secret_value() == "8d1f0c55"
            assert settings.access.admin_email == "ada@example.org"


def test_a_worker_is_told_of_no_model_to_chat_with() -> None:
    assert not [name for name in environment("worker", CHOSEN) if "UPSTREAM" in name]


@pytest.mark.parametrize("service", SEVERAL)
@pytest.mark.parametrize("missing", NEEDED)
def test_no_service_starts_without_a_secret(
    service: str, missing: str, elsewhere: pytest.MonkeyPatch
) -> None:
    for name, value in environment(service, {**GIVEN, missing: ""}).items():
        elsewhere.setenv(name, value)

    with pytest.raises(ConfigurationError):
        load_settings()


def test_compose_opens_ports_on_this_machine_only() -> None:
    ports = [port for one in COMPOSE["services"].values() for port in one.get("ports", [])]

    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


@pytest.mark.requirement("D9")
def test_compose_has_both_set_ups_whole() -> None:
    services: dict[str, Any] = COMPOSE["services"]
    of = {
        profile: {n for n, one in services.items() if profile in one["profiles"]}
        for profile in ("embedded", "distributed")
    }

    assert of == {
        "embedded": {"memweaver"},
        "distributed": {"server", "worker", "postgres", "rabbitmq", "redis"},
    }
    assert services["worker"]["deploy"]["replicas"] == 2
    for name in ("postgres", "rabbitmq", "redis"):
        assert services[name]["healthcheck"]["test"]
        assert services["server"]["depends_on"][name] == {"condition": "service_healthy"}
    used = {v.split(":")[0] for one in services.values() for v in one.get("volumes", [])}
    assert used == set(COMPOSE["volumes"])
    for name in ("memweaver", *SEVERAL):
        assert services[name]["read_only"]
        assert services[name]["cap_drop"] == ["ALL"]
