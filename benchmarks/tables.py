"""Results as people read them: tables on the screen, progress beside them."""

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from benchmarks.figures import Figure

screen = Console(stderr=True)
"""Everything for people goes here; the other stream is for the one line programs read."""


def progress() -> Progress:
    """A bar for each piece of work, on the screen only."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=screen,
    )


def show(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    table = Table(title=title, title_justify="left")
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place == 0 else "right")
    for row in rows:
        table.add_row(*(cell(value) for value in row))
    screen.print(table)


def show_figures(figures: Sequence[Figure]) -> None:
    rows = [figure.as_dict() for figure in figures]
    show("Figures promised", ["figure", "seen", "bound", ""], map(figure_row, rows))


def figure_row(figure: Mapping[str, object]) -> list[object]:
    return [figure["name"], figure["seen"], figure["bound"], "kept" if figure["kept"] else "MISSED"]


def cell(value: object) -> str:
    """A number with as many digits as it deserves."""
    if not isinstance(value, float):
        return f"{value:,}" if isinstance(value, int) else str(value)
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 100 else f"{value:.3f}"
