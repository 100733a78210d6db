"""Everything dies while it works, and nothing may be lost.

    python -m benchmarks.chaos [--size large] [--seed 7] [--only workers_killed,power_cut]

The last line is JSON; the exit code is 1 if anything was lost, done twice or out of order. The
same seed strikes in the same order, though not in the same microsecond.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from secrets import randbelow

import numpy as np
import pytest

from benchmarks.chaos.scenarios import SCENARIOS
from benchmarks.chaos.sizes import SIZES, Size
from benchmarks.chaos.storm import Outcome
from benchmarks.results import CACHE
from benchmarks.tables import Sheet, screen, show

SEEDS = 2**32
COLUMNS = ("attempted", "acked", "lost", "duplicates", "inversions", "unfinished", "damage")


def run(names: Sequence[str], size: Size, seed: int) -> dict[str, Outcome | None]:
    """What came of each; `None` for what could not be done on this machine."""
    return {name: run_one(name, size, seed) for name in names}


def run_one(name: str, size: Size, seed: int) -> Outcome | None:
    screen.print(f"[bold]{name}[/] (seed {seed})")
    rng = np.random.default_rng([seed, list(SCENARIOS).index(name)])
    # On the project's own disk: a temporary folder may be in memory, where durable means nothing.
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        try:
            return asyncio.run(SCENARIOS[name](Path(folder), size, rng))
        except pytest.skip.Exception as skipped:
            screen.print(f"[bold red]{skipped}[/]")
            return None


def summary(outcomes: Mapping[str, Outcome | None], size: str, seed: int) -> dict[str, object]:
    done = {name: outcome for name, outcome in outcomes.items() if outcome is not None}
    totals: Counter[str] = Counter(dict.fromkeys(COLUMNS, 0))
    for outcome in done.values():
        totals.update(numbers(outcome))
    return {
        **totals,
        "clean": all(outcome.clean for outcome in done.values()),
        "size": size,
        "seed": seed,
        "skipped": [name for name in outcomes if name not in done],
        "scenarios": {name: outcome.as_dict() for name, outcome in done.items()},
    }


def numbers(outcome: Outcome) -> Mapping[str, int]:
    plain = outcome.as_dict()
    return {name: plain[name] for name in (*COLUMNS, *outcome.strikes)}


def sheet(outcomes: Mapping[str, Outcome | None]) -> Sheet:
    rows = [
        [name, *(outcome.as_dict()[column] for column in COLUMNS), struck(outcome)]
        for name, outcome in outcomes.items()
        if outcome is not None
    ]
    return Sheet("Chaos", ["", *COLUMNS, "struck"], rows)


def struck(outcome: Outcome) -> str:
    return ", ".join(f"{value} {name}" for name, value in outcome.strikes.items())


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.chaos", description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="ci", help="how much of everything")
    parser.add_argument("--seed", type=int, default=None, help="strike as in an earlier run")
    parser.add_argument("--only", type=names, default=[*SCENARIOS], help="some of the scenarios")
    given = parser.parse_args(arguments)
    seed = randbelow(SEEDS) if given.seed is None else given.seed
    outcomes = run(given.only, SIZES[given.size], seed)
    found = summary(outcomes, given.size, seed)
    show(sheet(outcomes))
    print(json.dumps(found))
    return 0 if found["clean"] else 1


def names(text: str) -> list[str]:
    chosen = text.split(",")
    if unknown := [name for name in chosen if name not in SCENARIOS]:
        raise argparse.ArgumentTypeError(
            f"unknown: {', '.join(unknown)}; known are {', '.join(SCENARIOS)}"
        )
    return chosen


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
