"""Whether a refusal tells by its time what was wrong: forged tokens, old keys, unknown people.

python -m benchmarks.refusals [--quick]
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.figures import Figure, at_most
from benchmarks.measures.refusing import Refusing, measure
from benchmarks.results import CACHE, RESULTS, describe
from benchmarks.sheets import tell
from benchmarks.tables import screen


@dataclass(frozen=True, slots=True)
class Plan:
    """How often each form is tried; those that hash a password are tried less often."""

    rounds: int = 150
    slow_rounds: int = 100


QUICK = Plan(rounds=2, slow_rounds=1)
"""Just enough to see that everything runs; its figures mean nothing."""


def figures_of(found: Mapping[str, Refusing]) -> list[Figure]:
    return [
        at_most(f"{name}: slowest ÷ fastest refusal (p50)", 1 + one.spread, 1.05)
        for name, one in found.items()
    ]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.refusals", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only see that everything runs")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the result is kept")
    given = parser.parse_args(arguments)
    plan = QUICK if given.quick else Plan()
    CACHE.mkdir(parents=True, exist_ok=True)
    screen.print("Being refused, for every reason there is")
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        found = asyncio.run(measure(Path(folder), plan.rounds, plan.slow_rounds))
    results = {name: asdict(one) for name, one in found.items()}
    tell(describe("refusals", results, figures_of(found), asdict(plan)), given.results)


if __name__ == "__main__":
    main(sys.argv[1:])
