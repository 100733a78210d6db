"""Documents that can be run: every block marked `run` works, and says what the page says."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.architecture.project import ROOT

DOCUMENTS = (
    "README.md",
    "docs/quickstart.md",
    "docs/reference/library.md",
    "docs/howto/client.md",
)
BLOCK = re.compile(
    r"^```(?P<language>sh|python) run(?P<serve> serve)?\n(?P<code>.*?)^```\n"
    r"(?:\n```text\n(?P<says>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)
COMMANDS = {
    "sh": ["bash", "-euo", "pipefail", "-c"],
    "python": [sys.executable, "-W", "error", "-c"],
}
Environment = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Block:
    """Something to run, perhaps beside a server, and the lines its output must contain."""

    language: str
    code: str
    says: tuple[str, ...]
    served: bool


def blocks(text: str) -> list[Block]:
    return [
        Block(
            found["language"],
            found["code"],
            tuple((found["says"] or "").splitlines()),
            served=found["serve"] is not None,
        )
        for found in BLOCK.finditer(text)
    ]


def run(block: Block, folder: Path, environment: Environment) -> None:
    """Run a block; raise if it fails or does not say what it should, in that order."""
    answer = subprocess.run(
        [*COMMANDS[block.language], block.code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert answer.returncode == 0, f"{block.code}\n{answer.stdout}{answer.stderr}"
    position = 0
    for line in block.says:
        position = answer.stdout.find(line, position)
        assert position >= 0, f"{block.code}\ndoes not say: {line}\n{answer.stdout}"


@contextmanager
def server(folder: Path, environment: Environment) -> Iterator[Environment]:
    """A server of its own on a free port; its address and key are in the environment."""
    with subprocess.Popen(
        ["memweaver", "serve", "--port", "0", "--json"],
        cwd=folder,
        env={**environment, "MEMWEAVER_DATA": str(folder / "served")},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            yield {**environment, "URL": told["url"], "KEY": told["api_key"]}
        finally:
            process.terminate()


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    """As a newcomer's: nothing set but where the commands are."""
    commands = Path(sys.executable).parent
    return {"PATH": f"{commands}:{os.environ['PATH']}", "HOME": str(tmp_path)}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_block_runs_and_says_what_the_page_says(
    name: str, tmp_path: Path, environment: Environment
) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed on this machine")
    found = blocks((ROOT / name).read_text(encoding="utf-8"))
    with ExitStack() as stack:
        served: Environment = {}
        for block in found:
            if block.served:
                served = served or stack.enter_context(server(tmp_path, environment))
            run(block, tmp_path, served if block.served else environment)

    assert found != []


def test_every_marked_block_is_found() -> None:
    for name in DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        marked = re.findall(r"^```\w+ run", text, re.MULTILINE)
        assert len(blocks(text)) == len(marked)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("```sh run\nfalse\n```\n", "false"),
        ("```sh run\nfalse | true\n```\n", "false"),
        ("```python run\nraise SystemExit(1)\n```\n", "SystemExit"),
        ("```sh run\necho one\n```\n\n```text\ntwo\n```\n", "does not say: two"),
        ("```sh run\necho b; echo a\n```\n\n```text\na\nb\n```\n", "does not say: b"),
    ],
)
def test_a_block_that_fails_or_says_something_else_is_noticed(
    text: str, fault: str, tmp_path: Path, environment: Environment
) -> None:
    [block] = blocks(text)

    with pytest.raises(AssertionError, match=fault):
        run(block, tmp_path, environment)
