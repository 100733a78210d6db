"""Every command that a page shows is run as it stands, or is in the table of those that cannot be.

Blocks marked `run` are those of `test_documents_run.py`; here is the rest.
"""

import asyncio
import logging
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest
from tests.architecture.project import ROOT
from tests.architecture.test_documents_run import DOCUMENTS, Environment, environment, server
from tests.unit.cli.conftest import Terminal, terminal

from memweaver.app.settings import Settings, load_settings
from memweaver.app.wiring import open_services
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.job import Failure
from memweaver.domain.scope import Scope
from memweaver.errors import ConfigurationError
from memweaver.services import Services

__all__ = ["environment", "terminal"]

PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    + [page for folder in ("docs", "deploy") for page in (ROOT / folder).rglob("*.md")]
)
FENCE = re.compile(
    r"^( *)```(?:sh|bash|shell|console)([^\n]*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL
)
ASSIGNED = re.compile(r"^(?:[A-Z_]+=\S+ )+")
ADDRESS = re.compile(r"(?:http://)?(?:127\.0\.0\.1|localhost):8765")
PASSWORD = "a long sentence nobody guesses"
PATIENCE = 60

CANNOT: Mapping[str, str] = {
    "docker": "needs Docker: test_compose.py and test_deployment.py read what it would",
    "kubectl": "needs a cluster: test_deployment.py reads the manifests",
    "make": "sets up and tests this very project: CI is that",
}
"""Commands that cannot be run here, and why."""


@dataclass(frozen=True)
class Shown:
    """A block of commands, where it is shown, and the first word of each command in it."""

    place: str
    code: str

    @property
    def words(self) -> set[str]:
        whole = re.sub(r"\\\n", " ", self.code)
        lines = [line for line in whole.splitlines() if line and line[0] not in " #}'"]
        return {ASSIGNED.sub("", line).split()[0] for line in lines}

    @property
    def way(self) -> str:
        """How it is run. Raises `LookupError` if nobody knows."""
        for word, way in (*((word, "cannot") for word in CANNOT), ("curl", "asked")):
            if word in self.words:
                return way
        if re.search(r"memweaver (?:serve|worker)\b", self.code):
            return "started"
        for words, way in WAYS:
            if self.words <= words:
                return way
        raise LookupError(f"{self.place}: {sorted(self.words)} are neither run nor excused")


WAYS: tuple[tuple[set[str], str], ...] = (
    ({"memweaver"}, "typed"),
    ({"export", "pip"}, "set"),
    ({"umask", "{", "echo", "sqlite3"}, "shell"),
)


def shown(page: Path) -> Iterator[Shown]:
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if not found[2].startswith(" run"):
            yield Shown(f"{page.relative_to(ROOT)}:{line}", dedent(found[3]))


SHOWN = [one for page in PAGES for one in shown(page)]


def of(way: str) -> pytest.MarkDecorator:
    blocks = [one for one in SHOWN if one.way == way]
    return pytest.mark.parametrize("block", blocks, ids=[one.place for one in blocks])


def test_every_block_is_run_or_excused() -> None:
    assert len(SHOWN) > 40
    assert {one.way for one in SHOWN} == {"cannot", "asked", "started", "typed", "set", "shell"}
    marked = [page for page in PAGES if re.search(r"^```\w+ run", page.read_text(), re.MULTILINE)]
    assert {str(page.relative_to(ROOT)) for page in marked} == set(DOCUMENTS)


@pytest.mark.parametrize("code", ["frobnicate --all\n", "memweaver jobs dead\nrm -rf /\n"])
def test_a_block_that_nobody_runs_is_noticed(code: str) -> None:
    with pytest.raises(LookupError, match="neither run nor excused"):
        _ = Shown("somewhere.md:1", code).way


def test_nothing_is_excused_that_is_not_shown() -> None:
    excused = set().union(*(one.words for one in SHOWN if one.way == "cannot"))

    assert set(CANNOT) <= excused


@dataclass(frozen=True)
class World:
    """A memory in which everything is that the pages speak of, and what it is called there."""

    folder: Path
    names: Mapping[str, str]

    def filled(self, words: list[str]) -> list[str]:
        return [self.names.get(word, word) for word in words]


async def peopled(services: Services) -> Mapping[str, str]:
    """Ann has a key and a turn whose reflection is dead; Bob has an account."""
    ann, at = Scope("ann"), services.access.clock.now
    issued = await services.access.create("ann", "phone")
    bob = await services.accounts.add("bob@example.org", "Bob", PASSWORD)
    turn = await services.record(ann, Said((Message(Role.USER, "I play the cello."),)))
    shift = services.shift
    claim = await shift.queue.claim(now=at(), lease=shift.lease, batch=1)
    assert claim
    failure = Failure("model_refused", "it would not")
    await shift.queue.fail(claim, failure, now=at(), retry_at=None)
    return {"ID": turn.id, "KEY_ID": issued.key.id, "USER": bob.user}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    folder = tmp_path_factory.mktemp("world") / "data"

    async def make() -> Mapping[str, str]:
        async with open_services(Settings(data=folder), working=False) as services:
            return await peopled(services)

    return World(folder, asyncio.run(make()))


@pytest.fixture
def world(template: World, terminal: Terminal) -> Generator[World]:
    """As the template, for one block to change."""
    shutil.copytree(template.folder, terminal.folder / "data")
    yield template
    # The doctor silences the logs of its process for good.
    logging.disable(logging.NOTSET)


@of("typed")
def test_commands_do_what_they_should(block: Shown, world: World, terminal: Terminal) -> None:
    for line in block.code.splitlines():
        words = world.filled(shlex.split(line, comments=True))
        then = "y\n" if "destroy" in words else f"{PASSWORD}\n{PASSWORD}\n"
        ended = terminal.type(*words[1:], then=then)
        assert ended.code == 0, f"{block.place}: {line}\n{ended.said}{ended.complained}"


def exported(block: Shown, folder: Path, environment: Environment) -> Mapping[str, str]:
    """The variables that a block leaves behind; what it installs must be an extra of ours."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = re.findall(r"^pip install 'memweaver\[(\w+)\]'$", block.code, re.MULTILINE)
    assert set(extras) <= set(project["optional-dependencies"])
    exports = re.sub(r"^pip .*$", "", block.code, flags=re.MULTILINE)
    said = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"{exports}\nenv -0"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    ).stdout
    pairs = dict(pair.split("=", 1) for pair in said.split("\0") if pair)
    return {name: value for name, value in pairs.items() if environment.get(name) != value}


def hold(
    block: Shown, folder: Path, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> bool:
    """Whether the settings of a block change something. Raises `ConfigurationError`."""
    monkeypatch.chdir(folder)
    before = load_settings()
    for name, value in exported(block, folder, environment).items():
        monkeypatch.setenv(name, value)
    return load_settings() != before


@of("set")
def test_settings_are_ours_and_hold(
    block: Shown, tmp_path: Path, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hold(block, tmp_path, environment, monkeypatch)


def test_a_setting_that_is_none_of_ours_is_noticed(
    tmp_path: Path, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, misspelt = (Shown("x.md:1", f"export {name}=7\n") for name in ("SEVEN", "MEMWEAVER_X"))

    assert not hold(other, tmp_path, environment, monkeypatch)
    with pytest.raises(ConfigurationError, match="unknown"):
        hold(misspelt, tmp_path, environment, monkeypatch)


@of("started")
def test_servers_and_workers_start(block: Shown, tmp_path: Path, environment: Environment) -> None:
    with subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", block.code],
        cwd=tmp_path,
        env={**environment, "MEMWEAVER_SERVER__PORT": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        text=True,
    ) as process:
        assert process.stdout
        said = []
        for line in process.stdout:
            said.append(line)
            if re.search(r"is listening on|reflects upon", line):
                os.killpg(process.pid, signal.SIGTERM)
    assert any("Memweaver" in line for line in said), "".join(said)


@of("shell")
@pytest.mark.usefixtures("world")
def test_what_a_shell_can_do_is_done(block: Shown, terminal: Terminal) -> None:
    shutil.copytree(terminal.folder / "data", terminal.folder / "memweaver-data")
    subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.code],
        cwd=terminal.folder,
        timeout=PATIENCE,
        check=True,
    )
    made = {file.name for file in terminal.folder.iterdir()} - {"data", "memweaver-data"}
    assert made in ({".env"}, {"memweaver-backup.db"})


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Generator[Environment]:
    """A server for all, as the first admin is to find it; with two AIs of the owner's."""
    commands = Path(sys.executable).parent
    folder = tmp_path_factory.mktemp("served")
    given = {
        "PATH": f"{commands}:{os.environ['PATH']}",
        "HOME": str(folder),
        "ADMIN_EMAIL": "ada@example.org",
    }
    with server(folder, given) as told:
        yield {**told, "COOK": an_ai("Cook", told), "TUTOR": an_ai("Tutor", told)}


def an_ai(name: str, told: Environment) -> str:
    code = f"""curl -s http://127.0.0.1:8765/v1/ais -H "Authorization: Bearer $KEY" \\
      -H "Content-Type: application/json" -d '{{"name": "{name}"}}'"""
    found = re.search(r'"id":\s*"([^"]+)"', ask(code, told))
    assert found
    return found[1]


def ask(code: str, told: Environment) -> str:
    """`-f`: what is refused is a failure here."""
    strict = f"curl() {{ command curl -f --noproxy '*' \"$@\"; }}\n{ADDRESS.sub(told['URL'], code)}"
    answer = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", strict],
        env=told,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert answer.returncode == 0, f"{code}\n{answer.stdout}{answer.stderr}"
    return answer.stdout


@of("asked")
def test_requests_are_answered(block: Shown, served: Environment) -> None:
    assert ask(block.code, served).startswith("{")


def test_a_request_that_is_refused_is_noticed(served: Environment) -> None:
    with pytest.raises(AssertionError, match="nobody"):
        ask("curl -s http://127.0.0.1:8765/v1/nobody", served)
