"""Power cuts: whatever was acknowledged is in every image of the disk that a cut can leave.

The real store and queue do a piece of work on SQLite, and every statement of their writer is noted,
with the moments at which somebody is answered. The same statements, under the same settings, then
run on a disk that notes what is written and synced (`disk.py`), and the power is cut everywhere.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import apsw
import numpy as np
from sqlalchemy import Engine

from benchmarks.chaos.disk import Answered, Deed, NotingDisk, Platter
from benchmarks.chaos.house import House, Mind, open_house
from benchmarks.chaos.storm import settings_for
from benchmarks.chaos.traffic import Traffic
from benchmarks.tables import progress
from memweaver import background
from memweaver.adapters.sql import sqlite, writer
from memweaver.adapters.sql.prepared import driver_of
from memweaver.app.opening import DATABASE
from memweaver.background import Answers, tell
from memweaver.domain.conversation import Turn
from memweaver.domain.memory import Memory

Step = str | Answered
"""A statement of the writer, or an answer to who waits for it."""

CHECKPOINT = 40
"""Pages of the log before they are moved into the file: often, as cuts there are the worst."""


@dataclass(frozen=True, slots=True)
class Cuts:
    """What so many images of the disk have in them.

    `lost` are acknowledged rows that are not there, `halves` transactions that are there in part,
    `damaged` images that SQLite itself finds broken.
    """

    images: int
    acked: int
    lost: int
    halves: int
    damaged: int

    @property
    def clean(self) -> bool:
        return not (self.lost or self.halves or self.damaged)


async def cut(
    folder: Path,
    images: int,
    rng: np.random.Generator,
    *,
    turns: int = 60,
    pragmas: Mapping[str, str] = sqlite.PRAGMAS,
) -> Cuts:
    """Spread so many cuts evenly over all that is written for so many turns."""
    steps: list[Step] = []
    async with open_house(settings_for(folder), Mind()) as house:
        pass
    start = (folder / DATABASE).read_bytes()
    with noted(steps):
        async with open_house(settings_for(folder), Mind()) as house:
            await lived(house, turns)
    deeds = replayed(steps, start, pragmas)
    return judged(start, deeds, images, rng)


async def lived(house: House, turns: int) -> None:
    """Record, side by side and one by one, and reflect in between."""
    traffic = Traffic(users=5)
    while traffic.attempted < turns:
        await asyncio.gather(*(traffic.one(house.services) for _ in range(4)))
        await traffic.one(house.services)
        while await house.services.shift() is not None:
            pass


@contextmanager
def noted(steps: list[Step]) -> Generator[None]:
    """Note what the writer does, in its order, whoever runs it."""
    make = writer.Writer.__init__

    def made(self: writer.Writer, engine: Engine, committed: Callable[[int], None]) -> None:
        make(self, engine, committed)
        driver_of(self._connection).set_trace_callback(steps.append)

    def told(jobs: Sequence[writer.Job[Any]], answers: Answers) -> None:
        steps.append(Answered(frozenset(rows_in(answers))))
        tell(jobs, answers)

    with patch.object(writer.Writer, "__init__", made), patch.object(background, "tell", told):
        yield


def rows_in(answers: Sequence[Any]) -> Iterator[str]:
    """The rows that these answers say are kept."""
    for answer in answers:
        for result in answer.args:
            for one in result if isinstance(result, list) else []:
                if isinstance(one, Turn):
                    yield f"turns/{one.id}"
                elif isinstance(one, Memory):
                    yield f"memories/{one.id}"


def replayed(steps: Sequence[Step], start: bytes, pragmas: Mapping[str, str]) -> Sequence[Deed]:
    """What the disk is asked to do when these statements run on it."""
    disk = NotingDisk()
    with TemporaryDirectory() as folder:
        file = Path(folder) / DATABASE
        file.write_bytes(start)
        connection = apsw.Connection(str(file), vfs=NotingDisk.NAME)
        # In one process, where this disk offers no shared memory; what is written is the same.
        settings = {"locking_mode": "exclusive", **pragmas, "wal_autocheckpoint": CHECKPOINT}
        for name, value in settings.items():
            connection.execute(f"PRAGMA {name} = {value}").fetchall()
        for step in steps:
            if isinstance(step, Answered):
                disk.deeds.append(step)
            else:
                connection.execute(step).fetchall()
        deeds = list(disk.deeds)
        connection.close()
    disk.unregister()
    return deeds


def judged(start: bytes, deeds: Sequence[Deed], images: int, rng: np.random.Generator) -> Cuts:
    platter = Platter({DATABASE: bytearray(start)})
    each = np.bincount(np.linspace(0, len(deeds) - 1, images).astype(int), minlength=len(deeds))
    lost = halves = damaged = 0
    with progress() as bar, TemporaryDirectory() as folder:
        for deed, cuts in bar.track(zip(deeds, each, strict=True), len(deeds), description="cuts"):
            platter.do(deed)
            for _ in range(cuts):
                found = examined(Path(folder), platter.after_cut(rng), platter.answered)
                lost, halves, damaged = lost + found[0], halves + found[1], damaged + found[2]
    return Cuts(images, len(platter.answered), lost, halves, damaged)


def examined(folder: Path, files: Mapping[str, bytes], answered: set[str]) -> tuple[int, int, int]:
    """Rows lost, transactions that are there in part, and whether the image is damaged."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    try:
        with closing(sqlite3.connect(folder / DATABASE)) as connection:
            (sound,) = connection.execute("PRAGMA integrity_check").fetchone()
            return (
                len(answered - set(rows(connection))),
                halves(connection),
                int(sound != "ok"),
            )
    except sqlite3.DatabaseError:
        return 0, 0, 1
    finally:
        for file in folder.iterdir():
            file.unlink()


def rows(connection: sqlite3.Connection) -> Iterator[str]:
    for table in ("turns", "memories"):
        yield from (f"{table}/{name}" for (name,) in connection.execute(f"SELECT id FROM {table}"))


def halves(connection: sqlite3.Connection) -> int:
    """Turns without a job, and jobs that are done without a memory, or memories without one."""
    [(idle,)] = connection.execute(
        "SELECT count(*) FROM turns WHERE id NOT IN (SELECT id FROM jobs)"
    )
    [(done,)] = connection.execute("SELECT count(*) FROM jobs WHERE state = 'done'")
    [(remembered,)] = connection.execute("SELECT count(*) FROM memories")
    return int(idle) + abs(int(done) - int(remembered))
