"""What commands say: tables and lines for people, JSON for programs."""

import json
import sys
from collections.abc import AsyncIterator, Sequence
from datetime import datetime

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from memweaver.ports.keys import Rotation

PIPE_WIDTH = 160
"""Columns of a table that no terminal shows."""


def console() -> Console:
    return Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)


def say(text: str) -> None:
    """A line for people, exactly as it is."""
    console().print(text, markup=False, soft_wrap=True)


def say_json(value: BaseModel | dict[str, object]) -> None:
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    sys.stdout.write(json.dumps(plain, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def say_table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table whose last column takes what room is left."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head, overflow="fold", no_wrap=head != heads[-1])
    for row in rows:
        table.add_row(*(escape(str(cell)) for cell in row))
    console().print(table)


def say_fields(fields: dict[str, object]) -> None:
    """One record, a line for each field that has a value."""
    width = max(map(len, fields))
    for name, value in fields.items():
        if value not in (None, "", [], {}):
            say(f"{name:<{width}}  {value}")


def when(moment: datetime | None) -> str:
    """A time as people here read it."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}" if moment else ""


def sure(question: str, *, yes: bool) -> None:
    """Ends the command unless the person says yes, here or by `--yes`."""
    if not yes:
        typer.confirm(question, abort=True)


def progress_bar() -> Progress:
    """Shown on standard error, so that an answer in JSON stays one."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


async def follow(title: str, steps: AsyncIterator[Rotation]) -> int:
    """Show how far a rotation is until it is done; how many things it was about."""
    total = 0
    with progress_bar() as bar:
        task = bar.add_task(title, total=None)
        async for step in steps:
            total = step.total
            bar.update(task, completed=step.done, total=step.total)
    return total
