"""The little Markdown that the pages are made of."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table; a bar inside a cell does not end it."""
    cells = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    rule = ["---"] * len(head)
    return [*(f"| {' | '.join(row)} |" for row in [list(head), rule, *cells]), ""]


def code(text: object) -> str:
    return f"`{text}`"


def sentences(text: str) -> list[str]:
    """A docstring as paragraphs with one sentence on each line."""
    paragraphs = (" ".join(part.split()) for part in text.strip().split("\n\n"))
    lines: list[str] = []
    for paragraph in paragraphs:
        lines += [*paragraph.replace(". ", ".\n").split("\n"), ""]
    return lines
