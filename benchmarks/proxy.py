"""What memory costs a chat that is passed on: time to the first token, and turns a second.

python -m benchmarks.proxy [--quick]
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.figures import Figure, at_least, at_most
from benchmarks.measures.proxied import LIFELIKE, PROMPT, Proxied, measure
from benchmarks.results import CACHE, RESULTS, describe
from benchmarks.sheets import tell
from benchmarks.tables import screen


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured."""

    memories: int = 1000
    rounds: int = 24


QUICK = Plan(memories=60, rounds=1)
"""Just enough to see that everything runs; its figures mean nothing."""
UPSTREAMS = {"prompt": PROMPT, "lifelike": LIFELIKE}
"""The promised figures must be kept with each."""


def figures_of(found: Mapping[str, Proxied]) -> list[Figure]:
    return [figure for name, one in found.items() for figure in figures_with(name, one)]


def figures_with(name: str, found: Proxied) -> list[Figure]:
    p50, p95 = found.growth_p50_over_bare_embedder, found.growth_p95_over_bare_embedder
    return [
        at_most(f"{name}: first token, growth p50 ÷ embedder", p50, 2.5),
        at_most(f"{name}: first token, growth p95 ÷ embedder", p95, 5),
        at_least(f"{name}: turns/s with memory ÷ without", found.turns_over_without_memory, 0.4),
    ]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.proxy", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only see that everything runs")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the result is kept")
    given = parser.parse_args(arguments)
    plan = QUICK if given.quick else Plan()
    CACHE.mkdir(parents=True, exist_ok=True)
    screen.print(f"Chats through the proxy with {plan.memories:,} memories")
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        seen = asyncio.run(
            measure(Path(folder), plan.memories, plan.rounds, list(UPSTREAMS.values()))
        )
    found = dict(zip(UPSTREAMS, seen, strict=True))
    results = {name: asdict(one) for name, one in found.items()}
    tell(describe("proxy", results, figures_of(found), asdict(plan)), given.results)


if __name__ == "__main__":
    main(sys.argv[1:])
