"""How much of the evidence is recalled, beside the plain ways to search and beside mem0.

    python -m benchmarks.recall DATA [--peers]

DATA is a file or a folder of files with conversations, questions and evidence.
"""

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks import systems
from benchmarks.dataset import BadData, DataSet, load
from benchmarks.figures import Figure, at_least
from benchmarks.metrics import Summary, summary
from benchmarks.results import CACHE, RESULTS, describe
from benchmarks.sheets import tell
from benchmarks.vectors import CachedVectors, cached
from memweaver.app.opening import open_embedder
from memweaver.app.settings import load_settings
from memweaver.domain.ranking import RECIPE

PROMISED: Mapping[str, Mapping[str, float]] = {
    "locomo": {"recall@10": 0.80, "adversarial_recall@10": 0.80},
    "realtalk": {"recall@10": 0.58},
    "beam": {"recall@10": 0.60},
}
"""What recall must reach on each data set."""
OVER_RRF = 1.25
"""How many times the recall of rank fusion it must reach on each data set."""

Summaries = Mapping[str, Summary]


async def measure(data: DataSet, vectors: CachedVectors, *, peers: bool) -> Summaries:
    """The summary of each system over one data set."""
    found = {"memweaver": await systems.ours(data), **await systems.plain(data, vectors)}
    if peers:
        found |= await systems.peers(data, vectors)
    return {name: summary(data.queries, rankings) for name, rankings in found.items()}


def figures_of(name: str, summaries: Summaries) -> list[Figure]:
    seen = summaries["memweaver"].as_dict()
    promised = [
        at_least(f"{name} {score}", float(str(seen[score])), bound)
        for score, bound in PROMISED.get(name, {}).items()
        if score in seen
    ]
    return [
        *promised,
        at_least(f"{name} recall@10 ÷ RRF", ratio(summaries, "rrf"), OVER_RRF),
        at_least(f"{name} recall@10 ÷ cosine", ratio(summaries, "cosine"), 1.0),
    ]


def ratio(summaries: Summaries, other: str) -> float:
    ours, theirs = (summaries[name].overall["recall@10"] for name in ("memweaver", other))
    return ours / theirs if theirs else float("inf")


async def run(
    sets: Sequence[DataSet], cache: Path, *, peers: bool
) -> tuple[str, Mapping[str, Summaries]]:
    """The embedder's model, and what was found on each data set."""
    found: dict[str, Summaries] = {}
    async with open_embedder(load_settings().embedder) as embedder:
        with cached(embedder, cache / "vectors.db") as vectors:
            for data in sets:
                found[data.name] = await measure(data, vectors, peers=peers)
    return embedder.model, found


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.recall", description=__doc__)
    parser.add_argument("data", type=Path, help="a data set, or a folder of them")
    parser.add_argument("--peers", action="store_true", help="also mem0, in its own environment")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where vectors are kept")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the result is kept")
    given = parser.parse_args(arguments)
    try:
        sets = load(given.data)
    except BadData as error:
        parser.error(str(error))
    model, found = asyncio.run(run(sets, given.cache, peers=given.peers))
    figures = [figure for name, each in found.items() for figure in figures_of(name, each)]
    settings = {"model": model, "weights": asdict(RECIPE)}
    tell(describe("recall", as_results(found), figures, settings), given.results)


def as_results(found: Mapping[str, Summaries]) -> Mapping[str, object]:
    return {
        name: {system: each.as_dict() for system, each in summaries.items()}
        for name, summaries in found.items()
    }


if __name__ == "__main__":
    main(sys.argv[1:])
