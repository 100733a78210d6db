"""The layers: what may import what, and that breaking it is noticed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.architecture.project import ROOT

LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")


def lint_imports(project: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [LINT_IMPORTS, "--no-logo", "--no-cache"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project's source, to be spoiled."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_every_contract_is_kept() -> None:
    answer = lint_imports(ROOT)

    assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        (
            "services/recall.py",
            "import memweaver.adapters.memory",
            "The story flows downhill",
        ),
        ("domain/memory.py", "import pydantic", "The core is pure Python"),
        (
            "adapters/memory/__init__.py",
            "import memweaver.adapters.crypto",
            "No adapter knows another adapter",
        ),
        (
            "client/client.py",
            "import memweaver.services",
            "A client knows the server by its wire only",
        ),
        ("utils/__init__.py", "", "The story flows downhill"),
    ],
)
def test_a_broken_contract_is_noticed(copy: Path, file: str, line: str, contract: str) -> None:
    spoiled = copy / "src" / "memweaver" / file
    spoiled.parent.mkdir(exist_ok=True)
    with spoiled.open("a", encoding="utf-8") as source:
        source.write(f"\n{line}\n")

    answer = lint_imports(copy)

    assert answer.returncode == 1, answer.stdout + answer.stderr
    assert f"{contract} BROKEN" in answer.stdout or "missing" in answer.stdout.lower()
