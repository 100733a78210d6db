"""What operators deploy: linted, and made of settings, routes and figures that exist."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import Counter, Gauge
from tests.architecture.project import ROOT
from tests.architecture.test_compose import GIVEN
from tools.serving_lock import LOCK, SERVING, needed, serving

from memweaver.app.metrics import FIGURES, PREFIX
from memweaver.app.settings import load_settings

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
NOTES = (ROOT / "deploy" / "kubernetes.md").read_text(encoding="utf-8")
BOARD = json.loads((ROOT / "deploy" / "grafana" / "memweaver.json").read_text(encoding="utf-8"))
ALERTS = yaml.safe_load((ROOT / "deploy" / "prometheus" / "alerts.yml").read_text(encoding="utf-8"))


def lint(dockerfile: str) -> str:
    hadolint = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    assert hadolint, "hadolint is missing: run `make setup`"
    return subprocess.run(
        [hadolint, "-"], input=dockerfile, capture_output=True, text=True, check=False, timeout=60
    ).stdout


def test_the_linter_finds_nothing_in_the_dockerfile() -> None:
    assert lint(DOCKERFILE) == ""


def test_the_linter_would_find_something() -> None:
    assert "DL3007" in lint(DOCKERFILE.replace("python:3.11-slim-bookworm", "python:latest"))


LOCKED = [
    "--no-cache-dir --no-deps --require-hashes --requirement requirements-serve.lock",
    "--no-cache-dir --no-deps --no-build-isolation .",
]


def installs(dockerfile: str) -> list[str]:
    joined = re.sub(r"\s*\\\n\s*", " ", dockerfile)
    return [one.split(" &&")[0].strip() for one in re.findall(r"pip install (.*)", joined)]


def test_the_image_has_the_locked_packages_that_a_server_needs() -> None:
    lock, kept = (LOCK.read_text(encoding="utf-8"), SERVING.read_text(encoding="utf-8"))

    assert kept == serving(lock, needed()), "run `make lock`, or `python -m tools.serving_lock`"
    assert not re.search(r"^(?:pytest|ruff|mypy|hypothesis)==", kept, re.MULTILINE)


def faults(dockerfile: str) -> list[str]:
    """What a linter does not know to be wrong here."""
    last = dockerfile.rsplit("FROM ", maxsplit=1)[-1]
    sources = re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile, re.MULTILINE)
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    wanted = [
        (bool(re.search(r"^USER [1-9]\d+:[1-9]\d+$", last, re.MULTILINE)), "runs as root"),
        ("HEALTHCHECK" in last and "/ready" in last, "is not looked at"),
        ("STOPSIGNAL SIGTERM" in last, "is not told to stop"),
        (installs(dockerfile) == LOCKED, "takes what is not locked"),
        (set(re.findall(r"://([^/:]+)", dockerfile)) <= {"127.0.0.1"}, "names a host"),
        (not re.search(r"PASSWORD|SECRET|KEY", dockerfile), "holds a secret"),
    ]
    names = " ".join(sources).split()
    missing = [f"{name} is not sent" for name in names if f"!{name}" not in ignored]
    return [fault for well, fault in wanted if not well] + missing


def test_the_image_is_small_safe_and_made_from_the_lock() -> None:
    assert faults(DOCKERFILE) == []


@pytest.mark.parametrize(
    ("part", "instead", "fault"),
    [
        ("USER 10001:10001", "USER root", "runs as root"),
        ("HEALTHCHECK", "# HEALTH", "is not looked at"),
        ("STOPSIGNAL SIGTERM", "STOPSIGNAL SIGKILL", "is not told to stop"),
        (" --require-hashes", "", "takes what is not locked"),
        ("COPY src ./src", "COPY tests ./tests", "tests is not sent"),
        ("MEMWEAVER_DATA=/data", "MEMWEAVER_KEYS__MASTER_KEY=x", "holds a secret"),
    ],
)
def test_a_worse_image_is_noticed(part: str, instead: str, fault: str) -> None:
    assert fault in faults(DOCKERFILE.replace(part, instead))


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    monkeypatch.chdir(tmp_path)
    return monkeypatch


def manifests() -> Iterator[dict[str, Any]]:
    for block in re.findall(r"^```yaml\n(.*?)^```", NOTES, re.MULTILINE | re.DOTALL):
        yield from yaml.safe_load_all(block)


def test_the_manifests_have_settings_and_routes_that_exist(
    elsewhere: pytest.MonkeyPatch,
) -> None:
    found = {(one["kind"], one["metadata"]["name"]): one for one in manifests()}
    assert set(found) == {
        ("Deployment", "memweaver-server"),
        ("Deployment", "memweaver-worker"),
        ("Service", "memweaver"),
    }
    secrets = dict.fromkeys(re.findall(r"--from-literal=(\w+)=", NOTES), "")
    secrets |= {
        "MEMWEAVER_KEYS__MASTER_KEY": GIVEN["MEMWEAVER_MASTER_KEY"],
        "POSTGRES_URL": "postgresql://memweaver:8d1f0c52@postgres/memweaver",
    }
    for (kind, _), one in found.items():
        if kind == "Deployment":
            [container] = one["spec"]["template"]["spec"]["containers"]
            given = {entry["name"]: entry["value"] for entry in container["env"]}
            for name, value in {**secrets, **given}.items():
                elsewhere.setenv(name, value)
            assert load_settings().store.kind == "postgres"
            assert container["readinessProbe"]["httpGet"]["path"] == "/ready"
            assert container["securityContext"]["readOnlyRootFilesystem"]
            assert one["spec"]["template"]["spec"]["securityContext"]["runAsNonRoot"]


def expressions() -> list[str]:
    drawn = [target["expr"] for panel in BOARD["panels"] for target in panel.get("targets", [])]
    return drawn + [rule["expr"] for group in ALERTS["groups"] for rule in group["rules"]]


def series() -> set[str]:
    """Every name under which Prometheus keeps a figure of ours."""
    return {
        f"{PREFIX}{name}{ending}"
        for name, one in FIGURES.items()
        for ending in (
            ["_total"]
            if one.kind is Counter
            else [""]
            if one.kind is Gauge
            else ["_bucket", "_count"]
        )
    }


def used(expression: str) -> set[str]:
    return set(re.findall(rf"{PREFIX}\w+", expression))


@pytest.mark.requirement("D11")
def test_dashboard_and_alerts_watch_what_there_is_and_all_of_it() -> None:
    watched = set().union(*map(used, expressions()))

    assert watched - series() == set()
    unseen = [
        name for name in FIGURES if not any(one.startswith(f"{PREFIX}{name}") for one in watched)
    ]
    assert unseen == []


@pytest.mark.requirement("D11")
def test_what_the_requirements_want_alerts_for_has_one() -> None:
    names = {rule["alert"] for group in ALERTS["groups"] for rule in group["rules"]}

    assert names >= {
        *("MemweaverBacklog", "MemweaverReflectionFails", "MemweaverRecallSlow", "MemweaverDown"),
        *("MemweaverQueueUnreadable", "MemweaverModelFails"),
    }


def misspelt(expression: str) -> bool:
    """Whether brackets do not match, a range is missing or a label is none of the figure's."""
    rest = re.sub(r'"[^"]*"', "", expression)
    while (less := re.sub(r"\([^()\[\]{}]*\)|\[\d+[smh]\]|\{[\w=!~, ]*\}", "", rest)) != rest:
        rest = less
    if re.search(r"[()\[\]{}]", rest):
        return True
    if re.search(r"\b(?:rate|increase)\((?!\w+(?:\{[^}]*\})?\[\d+[smh]\]\))", expression):
        return True
    for name, labels in re.findall(rf"{PREFIX}(\w+)\{{([^}}]*)\}}", expression):
        figure = next(one for key, one in FIGURES.items() if name.startswith(key))
        if set(re.findall(r"(\w+)\s*[=!]", labels)) - set(figure.labels):
            return True
    return False


@pytest.mark.parametrize("expression", expressions())
def test_every_expression_is_well_formed(expression: str) -> None:
    assert not misspelt(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "sum(rate(memweaver_turns_recorded_total[5m])",
        "rate(memweaver_turns_recorded_total)",
        'memweaver_queue_jobs{stat="dead"} > 0',
        "rate(memweaver_turns_recorded_total[5x])",
    ],
)
def test_a_misspelt_expression_is_noticed(expression: str) -> None:
    assert misspelt(expression)
