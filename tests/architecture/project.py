"""The project as the guards see it: its folder, and its files without caches and environments."""

import os
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def files(*folders: str, suffix: str = ".py") -> Iterator[tuple[str, str]]:
    """The name and the text of every file in `folders` whose name ends so."""
    for folder in folders:
        for file in walk(ROOT / folder):
            if file.name.endswith(suffix):
                yield str(file.relative_to(ROOT)), file.read_text(encoding="utf-8")


def walk(folder: Path) -> Iterator[Path]:
    """Every file below `folder`; what begins with a dot is a cache, but for CI's folder."""
    for place, inner, names in os.walk(folder):
        inner[:] = sorted(name for name in inner if name == ".ci" or not name.startswith("."))
        yield from (Path(place) / name for name in sorted(names) if not name.startswith("."))
