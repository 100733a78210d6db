"""`memweaver worker` as anybody starts it: a process of its own."""

import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

COMMAND = [str(Path(sys.executable).with_name("memweaver")), "worker"]


@contextmanager
def working(
    folder: Path, *options: str, settings: Mapping[str, str] | None = None
) -> Generator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*COMMAND, *options],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), **(settings or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()
