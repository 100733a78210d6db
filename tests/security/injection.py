"""Types every payload in every place of a request, and looks at what a database is told to do.

python -m tests.security.injection [--share 7]

The last line is JSON; exit 1 is a find.
"""

import argparse
import json
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pydantic import SecretStr
from rich.console import Console
from rich.progress import track
from sqlalchemy import Engine, event
from tests.security.payloads import DISGUISED
from tests.security.places import Known, Request, requests
from tests.wire.house import House, Visitor, open_house

from memweaver.app import wiring
from memweaver.app.house_sections import AccessSettings
from memweaver.app.sections import PostgresStore, ReflectorSettings, SqliteStore
from memweaver.app.settings import Settings
from memweaver.testing.doubles import HashEmbedder

MARK = "zqx9"
"""Stands in every payload, and in no statement of ours."""
AT_ONCE = 40
"""Payloads that are typed by one visitor."""


@contextmanager
def quick_house(folder: Path, database: str = "") -> Generator[House]:
    """With no model and no worker: what is typed is to be kept, not understood."""
    settings = Settings(
        data=folder,
        store=PostgresStore(url=SecretStr(database), pool=4) if database else SqliteStore(),
        access=AccessSettings(requests_per_minute=0, keys_per_hour=10**9, logins_per_minute=10**9),
        reflector=ReflectorSettings(inside=False),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "open_embedder", lambda _: nullcontext(HashEmbedder()))
        with open_house(settings) as opened:
            yield opened


@contextmanager
def statements() -> Generator[set[str]]:
    """The text of all that is run meanwhile by any engine."""
    seen: set[str] = set()

    def note(_c: object, _cursor: object, statement: str, *_rest: object) -> None:
        seen.add(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def marked(seen: set[str]) -> list[str]:
    """The statements that what was typed became part of."""
    return [statement for statement in seen if MARK in statement]


@dataclass
class Typed:
    """What came of it: how often each status, and which requests failed."""

    statuses: Counter[int] = field(default_factory=Counter[int])
    broken: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])

    def note(self, line: str, status: int) -> None:
        self.statuses[status] += 1
        # For want of a model some must fail: that is 503.
        if status == 429 or (status >= 500 and status != 503):
            self.broken.append((line, status))


def ask(visitor: Visitor, request: Request) -> tuple[str, int]:
    headers = {name.replace("-", "_"): value for name, value in request.headers.items()}
    return request.line, visitor.ask(request.line, request.body, **headers).status_code


def typed(payloads: Sequence[tuple[int, str]], house: House, share: int) -> Typed:
    """Type each of the numbered payloads in every place, or in every `share`th."""
    visitor = house.admin()
    known = Known.of(visitor)
    every = [
        one
        for number, payload in payloads
        for place, one in enumerate(requests(f"{MARK}{payload}", known))
        if (number + place) % share == 0
    ]
    found = Typed()
    with ThreadPoolExecutor(8) as pool:
        for line, status in pool.map(lambda one: ask(visitor, one), every):
            found.note(line, status)
    return found


def whole(folder: Path, share: int) -> dict[str, object]:
    """Every payload in every disguise."""
    numbered = list(enumerate(DISGUISED))
    groups = [numbered[first : first + AT_ONCE] for first in range(0, len(numbered), AT_ONCE)]
    sums = Typed()
    screen = Console(stderr=True)
    with quick_house(folder) as house, statements() as seen:
        for group in track(groups, f"{len(numbered):,} payloads", console=screen):
            found = typed(group, house, share)
            sums.statuses += found.statuses
            sums.broken += found.broken
    for line, status in sums.broken:
        screen.print(status, line, markup=False)
    return {
        "payloads": len(numbered),
        "share": share,
        "requests": sums.statuses.total(),
        "statuses": dict(sorted(sums.statuses.items())),
        "failures": len(sums.broken),
        "statements": len(seen),
        "statements_with_payload": len(marked(seen)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.security.injection")
    parser.add_argument(
        "--share", type=int, default=1, help="type in every so manieth place only (1: in all)"
    )
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        result = whole(Path(folder), chosen.share)
    sys.stdout.write(json.dumps(result) + "\n")
    sys.exit(1 if result["failures"] or result["statements_with_payload"] else 0)


if __name__ == "__main__":
    main()
