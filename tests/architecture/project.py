"""The project as the guards see it: its folder, and its files without caches and environments."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def files(*folders: str, suffix: str = ".py") -> Iterator[tuple[str, str]]:
    """The name and the text of every file in `folders` whose name ends so."""
    for folder in folders:
        for file in sorted((ROOT / folder).rglob(f"*{suffix}")):
            name = file.relative_to(ROOT)
            if not any(part.startswith(".") for part in name.parts):
                yield str(name), file.read_text(encoding="utf-8")
