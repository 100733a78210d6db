import io
import json
import logging
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memweaver.cli import main


@dataclass(frozen=True)
class Ended:
    code: int
    said: str
    complained: str

    @property
    def json(self) -> Any:
        return json.loads(self.said)


@dataclass(frozen=True)
class Terminal:
    """Types commands into a folder of its own."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    capture: pytest.CaptureFixture[str]

    def type(self, *words: str, then: str = "") -> Ended:
        """Run a command; `then` is what is typed when it asks something."""
        self.monkeypatch.setattr(sys, "argv", ["memweaver", *words])
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(then))
        self.capture.readouterr()
        with pytest.raises(SystemExit) as ending:
            main()
        written = self.capture.readouterr()
        return Ended(int(ending.value.code or 0), written.out, written.err)

    def json(self, *words: str) -> Any:
        """What a command that succeeds answers to a program."""
        ended = self.type(*words, "--json")
        assert (ended.code, ended.complained) == (0, "")
        return ended.json


@pytest.fixture
def terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Generator[Terminal]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEMWEAVER_DATA", str(tmp_path / "data"))
    root = logging.getLogger()
    before = root.handlers, root.level
    yield Terminal(tmp_path, monkeypatch, capsys)
    root.handlers, root.level = before
