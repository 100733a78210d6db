"""How fast turns are reflected upon, with a model that takes 200 ms for its answer.

python -m benchmarks.reflect [--workers 2] [--concurrency 3] [--quick]
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, at_least, at_most
from benchmarks.isolation import here
from benchmarks.measures import backlog, quiet
from benchmarks.results import CACHE, RESULTS, describe
from benchmarks.sheets import tell
from benchmarks.tables import screen

LATENCY = 0.2
"""Seconds of the scripted model; its three aspects are asked side by side."""
FLAT = 1.1
"""How much more memory the end of a backlog may take than its first tenth."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of everything is measured."""

    workers: int = 2
    concurrency: int = 3
    jobs: int = 600
    backlog: int = 10_000
    users: int = 200
    turns: int = 20


QUICK = Plan(jobs=30, backlog=60, users=6, turns=2)
"""Just enough to see that everything runs; its figures mean nothing."""


@dataclass(frozen=True, slots=True)
class Found:
    throughput: backlog.Throughput
    memory: backlog.Memory
    quiet: quiet.Quiet

    def as_dict(self) -> Mapping[str, object]:
        return asdict(self)


def measure(plan: Plan, folder: Path) -> Found:
    """The workers are processes of their own in any case."""
    crowd = (plan.jobs, plan.workers, plan.concurrency, LATENCY)
    screen.print(f"{plan.workers} workers, {plan.concurrency} users at a time in each")
    throughput = here(partial(backlog.throughput, folder / "throughput", *crowd))
    screen.print(f"A backlog of {plan.backlog:,} jobs")
    memory = here(partial(backlog.memory, folder / "memory", plan.backlog, plan.users))
    screen.print("A quiet system")
    still = here(partial(quiet.measure, folder / "quiet", plan.turns, LATENCY))
    return Found(throughput, memory, still)


def figures_of(found: Found) -> list[Figure]:
    return [
        at_least("jobs/s ÷ what the model allows", found.throughput.share, 0.8),
        at_most("memory at the end of a backlog ÷ at a tenth", found.memory.growth, FLAT),
        at_most("seconds to reflect, quiet, slowest", found.quiet.slowest, 2),
    ]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.reflect", description=__doc__)
    parser.add_argument("--workers", type=int, default=Plan().workers, help="processes")
    parser.add_argument("--concurrency", type=int, default=Plan().concurrency, help="users in each")
    parser.add_argument("--quick", action="store_true", help="only see that everything runs")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the result is kept")
    given = parser.parse_args(arguments)
    plan = replace(
        QUICK if given.quick else Plan(), workers=given.workers, concurrency=given.concurrency
    )
    # On the project's own disk: a temporary folder may be in memory, where durable means nothing.
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        found = measure(plan, Path(folder))
    tell(describe("reflect", found.as_dict(), figures_of(found), asdict(plan)), given.results)


if __name__ == "__main__":
    main(sys.argv[1:])
