"""A disk that notes what is written and when it is synced, and what a power cut leaves of it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import numpy as np

Name = apsw.URIFilename | str | None
"""What SQLite calls a file; temporary ones have no name."""

SECTOR = 512
"""Bytes that are written whole or not at all."""


@dataclass(frozen=True, slots=True)
class Write:
    file: str
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    file: str
    size: int


@dataclass(frozen=True, slots=True)
class Sync:
    file: str


@dataclass(frozen=True, slots=True)
class Answered:
    """Somebody was told that these rows are kept: `turns/<id>`, `memories/<id>`."""

    rows: frozenset[str]


Deed = Write | Truncate | Sync | Answered


class NotingFile(apsw.VFSFile):
    def __init__(self, base: str, name: Name, flags: list[int], deeds: list[Deed]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or "unnamed"
        self._file = Path(path).name
        self._deeds = deeds
        super().__init__(base, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - as SQLite calls it
        self._deeds.append(Write(self._file, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - as SQLite calls it
        self._deeds.append(Truncate(self._file, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802 - as SQLite calls it
        self._deeds.append(Sync(self._file))
        super().xSync(flags)


class NotingDisk(apsw.VFS):
    """The usual one, but that it notes all deeds. Usable as a VFS under its own name."""

    NAME = "noting"

    def __init__(self) -> None:
        self.deeds: list[Deed] = []
        super().__init__(self.NAME, "")

    def xOpen(self, name: Name, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - as SQLite calls it
        return NotingFile("", name, flags, self.deeds)


@dataclass(slots=True)
class Platter:
    """What is on disk for sure, and what may be or not, as the deeds go by."""

    synced: dict[str, bytearray]
    pending: dict[str, list[Write | Truncate]] = field(default_factory=lambda: defaultdict(list))
    answered: set[str] = field(default_factory=set)

    def do(self, deed: Deed) -> None:
        match deed:
            case Answered(rows):
                self.answered |= rows
            case Sync(file):
                content = self.synced.setdefault(file, bytearray())
                for one in self.pending.pop(file, []):
                    apply(content, one)
            case Write(file) | Truncate(file):
                self.pending[file].append(deed)

    def after_cut(self, rng: np.random.Generator) -> Mapping[str, bytes]:
        """The files as they may be found: of what was not synced any sectors, or none, or all."""
        files = {name: bytearray(content) for name, content in self.synced.items()}
        share = float(rng.choice([0.0, 0.5, 0.9, 1.0]))
        for name, deeds in self.pending.items():
            content = files.setdefault(name, bytearray())
            for part in torn(deeds):
                if rng.random() < share:
                    apply(content, part)
        return {name: bytes(content) for name, content in files.items()}


def torn(deeds: Sequence[Write | Truncate]) -> Iterator[Write | Truncate]:
    for deed in deeds:
        if isinstance(deed, Truncate):
            yield deed
            continue
        for start in range(0, len(deed.data), SECTOR):
            yield Write(deed.file, deed.offset + start, deed.data[start : start + SECTOR])


def apply(content: bytearray, deed: Write | Truncate) -> None:
    if isinstance(deed, Truncate):
        del content[deed.size :]
        return
    missing = deed.offset - len(content)
    content.extend(bytes(max(0, missing)))
    content[deed.offset : deed.offset + len(deed.data)] = deed.data
