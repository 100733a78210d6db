"""All reference pages that are written from the code."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from tools.reference import client, commands, errors, events, ports, rest, settings

FOLDER = Path(__file__).parents[2] / "docs" / "reference"
NOTICE = "<!-- Written from the code by `make docs`: change the code instead. -->\n\n"
WRITERS: Mapping[str, Callable[[], str]] = {
    "client.md": client.page,
    "commands.md": commands.page,
    "errors.md": errors.page,
    "events.md": events.page,
    "ports.md": ports.page,
    "rest.md": rest.page,
    "settings.md": settings.page,
}


def pages() -> dict[str, str]:
    """The name and the text of each page."""
    return {name: NOTICE + tidy(write()) for name, write in WRITERS.items()}


def tidy(text: str) -> str:
    """No more than one empty line, and one newline at the end."""
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
