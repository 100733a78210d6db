"""What a quiet user notices of one who sends fifty times as much, and of a thousand who dawdle.

python -m benchmarks.neighbours [--quick]
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.figures import Figure, at_most
from benchmarks.measures.neighbouring import ELSEWHERE, ORDINARY, Beside, measure
from benchmarks.results import CACHE, RESULTS, describe
from benchmarks.sheets import tell
from benchmarks.tables import screen


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured; `slow` is how many dawdle."""

    memories: int = 500
    rounds: int = 6
    seconds: float = 10
    slow: int = 1000


QUICK = Plan(memories=30, rounds=1, seconds=1, slow=20)
"""Just enough to see that everything runs; its figures mean nothing."""


def figures_of(found: Mapping[str, Beside]) -> list[Figure]:
    """Of those who bother the quiet one's own server; how the others compare is only shown."""
    bothering = {name: one for name, one in found.items() if name not in {ORDINARY, ELSEWHERE}}
    return [figure for name, one in bothering.items() for figure in figures_beside(name, one)]


def figures_beside(name: str, found: Beside) -> list[Figure]:
    return [
        at_most(f"{name}: recall p99 ÷ alone", found.recall_over_alone, 2),
        at_most(f"{name}: record p99 ÷ alone", found.record_over_alone, 2),
        at_most(f"{name}: server grown by MB", found.grown_mb, 100),
    ]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.neighbours", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only see that everything runs")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the result is kept")
    given = parser.parse_args(arguments)
    plan = QUICK if given.quick else Plan()
    CACHE.mkdir(parents=True, exist_ok=True)
    screen.print("Quiet beside a noisy neighbour, and beside slow ones")
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        found = asyncio.run(
            measure(Path(folder), plan.memories, plan.rounds, plan.seconds, plan.slow)
        )
    results = {name: asdict(one) for name, one in found.items()}
    tell(describe("neighbours", results, figures_of(found), asdict(plan)), given.results)


if __name__ == "__main__":
    main(sys.argv[1:])
