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
from benchmarks.measures.neighbouring import NOISY, ORDINARY, Beside, measure
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
    """Of those in the quiet one's own server; what others do to the machine is no promise.

    A noisy neighbour is one who sends fifty times what they sent before: what that moves is
    measured from there. The slow ones were nobody before.
    """
    noisy, ordinary, slow = found[NOISY], found[ORDINARY], found["slow"]
    recall, record = noisy.recall_p99 / ordinary.recall_p99, noisy.record_p99 / ordinary.record_p99
    return [
        at_most("noisy: recall p99 ÷ ordinary", round(recall, 2), 2),
        at_most("noisy: record p99 ÷ ordinary", round(record, 2), 2),
        at_most("noisy: server grown by MB", noisy.grown_mb, 100),
        at_most("slow: recall p99 ÷ alone", slow.recall_over_alone, 2),
        at_most("slow: record p99 ÷ alone", slow.record_over_alone, 2),
        at_most("slow: server grown by MB", slow.grown_mb, 100),
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
