"""OpenAI's own client for Node, installed into a folder of its own."""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from tests.proxy.house import Guest
from tests.servers.private import absent

from memweaver.testing.speaking import MODELS, VECTOR

PROGRAM = Path(__file__).with_name("node_client.mjs")
VERSION = "6.1.0"
PATIENCE = 120


@pytest.fixture(scope="session")
def node_folder() -> Path:
    """Kept between runs: what was installed once need not be fetched again."""
    if not (shutil.which("npm") and shutil.which("node")):
        absent("node", "npm or node is not installed")
    folder = Path(tempfile.gettempdir()) / f"memweaver-node-openai-{VERSION}"
    if not (folder / "node_modules" / "openai" / "package.json").exists():
        folder.mkdir(exist_ok=True)
        installed = subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--silent", f"openai@{VERSION}"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        if installed.returncode:
            absent("node", "the package openai could not be installed by npm")
    shutil.copy(PROGRAM, folder / PROGRAM.name)
    return folder


def test_the_client_for_node(guest: Guest, node_folder: Path) -> None:
    ran = subprocess.run(
        ["node", PROGRAM.name, guest.base_url, guest.secret],
        cwd=node_folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {
        "said": "Fine, thank you.",
        "streamed": "Fine, thank you.",
        "tokens": 43,
        "models": [*MODELS],
        "vector": list(VECTOR),
        "refused": {"missing": True, "stranger": True},
    }
    assert guest.said() == [["Hello", "Fine, thank you."]] * 2
