"""Results as people read them: tables on the screen and in Markdown, and progress."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

screen = Console(stderr=True, width=None if sys.stderr.isatty() else 160)
"""Everything for people goes here; the other stream is for the one line programs read."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table, wherever it is shown."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]


def progress() -> Progress:
    """A bar for each piece of work, on the screen only."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=screen,
    )


def show(sheet: Sheet) -> None:
    table = Table(title=sheet.title, title_justify="left")
    for place, column in enumerate(sheet.columns):
        table.add_column(column, justify="right" if place else "left")
    for row in sheet.rows:
        table.add_row(*map(cell, row))
    screen.print(table)


def markdown(sheet: Sheet) -> str:
    lines = [
        f"**{sheet.title}**",
        "",
        row_of(sheet.columns),
        "|---|" + "--:|" * (len(sheet.columns) - 1),
        *(row_of([cell(value) for value in row]) for row in sheet.rows),
    ]
    return "\n".join(lines) + "\n"


def row_of(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def cell(value: object) -> str:
    """A number with as many digits as it deserves."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 100 else f"{value:.3f}"
