"""How fast it records, recalls and opens, beside the limit of the machine and beside mem0.

    python -m benchmarks.speed [--sizes 600,10000,100000] [--peers] [--quick]

Texts and vectors are made up (`synthetic.py`), so that a hundred thousand need no model; only the
measure of the whole recall embeds for real. Everything is on disk and sealed.
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, at_least, at_most
from benchmarks.isolation import here, isolated
from benchmarks.measures import opening, peer_search, reads, users, whole, writes
from benchmarks.results import CACHE, RESULTS, describe
from benchmarks.sheets import tell
from benchmarks.tables import screen
from benchmarks.timing import growth

ORDINARY, LARGE, LARGEST = 600, 10_000, 100_000
"""Memories of an ordinary user, of one with a long history, and of the largest that is promised."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of everything is measured."""

    sizes: tuple[int, ...] = (ORDINARY, LARGE, LARGEST)
    records: int = 2000
    rounds: int = 9
    questions: int = 200
    openings: int = 25
    users: int = 1000
    memories_each: int = 600
    isolated: bool = True
    """Each measure in a process of its own."""


QUICK = Plan(
    sizes=(60, 300),
    records=64,
    rounds=1,
    questions=20,
    openings=3,
    users=4,
    memories_each=30,
    isolated=False,
)
"""Just enough to see that everything runs; its figures mean nothing."""


@dataclass(frozen=True, slots=True)
class Found:
    writes: writes.Writes
    loaded: Mapping[int, reads.Loaded]
    resident_mb: Mapping[int, float]
    recall: Mapping[int, reads.Reads]
    whole: whole.Whole
    opening: opening.Opening
    users_loaded: reads.Loaded
    users: users.Users
    peer: peer_search.PeerSearch | None

    @property
    def growth(self) -> Mapping[str, float]:
        """The exponents by which recall and the plain scan grow with the number of memories."""
        return {
            "recall": growth({size: each.recall.p50 for size, each in self.recall.items()}),
            "scan": growth({size: each.scan.p50 for size, each in self.recall.items()}),
        }

    def as_dict(self) -> Mapping[str, object]:
        """As it is kept: JSON knows only strings as names."""
        plain = asdict(self)
        for name in ("loaded", "resident_mb", "recall"):
            plain[name] = {str(size): each for size, each in plain[name].items()}
        return {**plain, "growth_exponent": self.growth}


def measure(plan: Plan, folder: Path, *, peers: bool) -> Found:
    """Everything in turn."""
    run = isolated if plan.isolated else here
    screen.print("Recording, durably")
    written = run(partial(writes.measure, folder / "writes", plan.records, plan.rounds))
    loaded, held, read = {}, {}, {}
    for size in plan.sizes:
        place = folder / str(size)
        loaded[size] = run(partial(reads.fill, place, size))
        held[size] = run(partial(reads.held, place))
        read[size] = run(partial(reads.measure, place, size, plan.questions))
    size = LARGE if LARGE in plan.sizes else max(plan.sizes)
    opened = run(partial(opening.measure, folder / str(size), size, plan.openings))
    felt = run(partial(whole.measure, folder / "whole", min(plan.sizes), plan.questions))
    crowd = (folder / "users", plan.users, plan.memories_each)
    users_loaded = run(partial(users.fill, *crowd))
    met = run(partial(users.measure, *crowd))
    peer = peer_search.measure(read[size], plan.questions) if peers else None
    return Found(written, loaded, held, read, felt, opened, users_loaded, met, peer)


def figures_of(found: Found) -> list[Figure]:
    """What was promised about the sizes that were measured."""
    grouped = found.writes.many_writers_over_one_commit_each
    figures = [at_least("32 writers ÷ one commit each", grouped, 4)]
    for size, times in ((LARGE, 4), (LARGEST, 2)):
        if size in found.recall:
            figures.append(
                at_most(f"recall ÷ scan at {size:,}", found.recall[size].over_scan, times)
            )
    if found.whole.memories == ORDINARY:
        name = f"share of recall but the embedder at {ORDINARY}"
        figures.append(at_most(name, found.whole.rest_share, 0.30))
    if found.opening.memories == LARGE:
        cold = found.opening
        figures.append(at_most(f"cold opening ÷ bare read at {LARGE:,}", cold.over_bare_read, 5))
        name = f"building from text ÷ cold opening at {LARGE:,}"
        figures.append(at_least(name, cold.faster_than_from_text, 20))
    if found.peer and found.peer.memories == LARGE:
        figures.append(at_least(f"mem0 ÷ recall at {LARGE:,}", found.peer.over_memweaver, 20))
    return figures


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.speed", description=__doc__)
    parser.add_argument("--sizes", type=sizes, help="memories in one user, as 600,10000")
    parser.add_argument("--peers", action="store_true", help="also mem0, in its own environment")
    parser.add_argument("--quick", action="store_true", help="only see that everything runs")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where the memories lie")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the result is kept")
    given = parser.parse_args(arguments)
    plan = QUICK if given.quick else Plan()
    plan = replace(plan, sizes=given.sizes) if given.sizes else plan
    # On the project's own disk: a temporary folder may be in memory, where durable means nothing.
    given.cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=given.cache) as folder:
        found = measure(plan, Path(folder), peers=given.peers)
    tell(describe("speed", found.as_dict(), figures_of(found), asdict(plan)), given.results)


def sizes(text: str) -> tuple[int, ...]:
    return tuple(sorted(int(part) for part in text.split(",")))


if __name__ == "__main__":
    main(sys.argv[1:])
