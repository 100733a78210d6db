"""What accepting a turn costs the chat: over HTTP with all else down, from many, with a recall.

python -m benchmarks.accept [--quick]
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, at_least, at_most
from benchmarks.isolation import here, isolated
from benchmarks.measures import accepting, both, crowd
from benchmarks.results import CACHE, RESULTS, describe
from benchmarks.sheets import tell
from benchmarks.tables import screen

ENOUGH = 1000
"""Durable accepts a second that are enough on any disk."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of everything is measured."""

    rounds: int = 25
    seconds: int = 1
    crowd_rounds: int = 5
    records: int = 6400
    memories: int = 600
    turns: int = 200
    isolated: bool = True
    """Each measure in a process of its own."""


QUICK = Plan(
    rounds=1, seconds=1, crowd_rounds=1, records=128, memories=60, turns=20, isolated=False
)
"""Just enough to see that everything runs; its figures mean nothing."""


@dataclass(frozen=True, slots=True)
class Found:
    http: accepting.Accepting
    http_while_embedding: accepting.Accepting
    crowd: crowd.Crowd
    both: both.Both

    def as_dict(self) -> Mapping[str, object]:
        return asdict(self)


def measure(plan: Plan, folder: Path) -> Found:
    run = isolated if plan.isolated else here
    screen.print(f"Accepting over HTTP, {accepting.RATE} turns a second")
    http = run(partial(accepting.measure, folder / "http", plan.rounds, plan.seconds))
    embedding = run(
        partial(accepting.measure, folder / "embedding", plan.rounds, plan.seconds, embedding=True)
    )
    screen.print(f"Accepting from {crowd.WRITERS} writers")
    many = run(partial(crowd.measure, folder / "crowd", plan.records, plan.crowd_rounds))
    screen.print("Recalling for a turn and recording it")
    whole = run(partial(both.measure, folder / "both", plan.memories, plan.turns))
    return Found(http, embedding, many, whole)


def figures_of(found: Found) -> list[Figure]:
    return [
        at_most("accept p99 ÷ bare commit p99", found.http.p99_over_bare_commit, 5),
        crowd_figure(found.crowd),
        at_most("recall and record ÷ bare embedder", found.both.over_bare_embedder, 2.5),
    ]


def crowd_figure(seen: crowd.Crowd) -> Figure:
    """Enough a second, or, on a slow disk, a multiple of what it can without sharing commits."""
    if seen.per_second >= ENOUGH:
        return at_least("accepts/s from 64 writers", seen.per_second, ENOUGH)
    return at_least("64 writers ÷ one commit each", seen.over_one_commit_each, 4)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.accept", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only see that everything runs")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the result is kept")
    given = parser.parse_args(arguments)
    plan = QUICK if given.quick else Plan()
    # On the project's own disk: a temporary folder may be in memory, where durable means nothing.
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        found = measure(plan, Path(folder))
    tell(describe("accept", found.as_dict(), figures_of(found), asdict(plan)), given.results)


if __name__ == "__main__":
    main(sys.argv[1:])
