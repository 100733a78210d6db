"""`make isolation`: the whole trial; its last line is JSON, its exit code 1 if anything leaked."""

import asyncio
import json
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

from rich.console import Console
from tests.isolation.trial import searched, tried

screen = Console(stderr=True)


async def run(people: int, searches: int) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as matrix, tempfile.TemporaryDirectory() as choir:
        screen.print("everybody tries every operation on everything …")
        trial = await tried(Path(matrix))
        for cell in trial.leaks:
            screen.print(f"[bold red]{cell.operation}[/] {cell.person}, {cell.which}: {cell.leak}")
        screen.print(f"{people:,} people search {searches:,} times …")
        found = await searched(Path(choir), people=people, searches=searches)
    return {
        "cells": len(trial.cells),
        "leaks": len(trial.leaks),
        "unlisted": len(trial.unlisted),
        "operations": len({cell.operation for cell in trial.cells}),
        "people": dict(Counter(cell.person for cell in trial.cells)),
        "searches": searches,
        "own_hits": found.own,
        "foreign_hits": len(found.foreign),
    }


def main() -> None:
    warnings.simplefilter("ignore")
    result = asyncio.run(run(people=1000, searches=5000))
    sys.stdout.write(json.dumps(result) + "\n")
    sys.exit(1 if result["leaks"] or result["unlisted"] or result["foreign_hits"] else 0)


if __name__ == "__main__":
    main()
