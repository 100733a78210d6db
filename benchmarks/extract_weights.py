"""Fits the weights of a language's data file to annotated dialogs, and prints both tables.

    python -m benchmarks.extract_weights DATA

Half of the dialogs is enough to see whether new marks help: `--half 0` fits on the even ones only.
"""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.baselines import Array
from benchmarks.dialogs import Dialog, load
from benchmarks.extract import NEAR, gold_of, heard_in
from benchmarks.results import CACHE
from benchmarks.vectors import cached
from memweaver.adapters.local import open_local
from memweaver.adapters.rules.language import Language, language_named
from memweaver.adapters.rules.parser import Parser
from memweaver.adapters.rules.statements import Heard, Statement, statements
from memweaver.adapters.rules.worth import likely, odds

Doubles = NDArray[np.float64]

RAREST = 6
"""Times a mark must occur to get a weight."""
LEAST = 0.15
"""Weights nearer to nothing are left out."""
STEPS, RATE, PULL = 500, 0.05, 2.0


@dataclass(frozen=True, slots=True)
class Sample:
    heard: Heard
    found: Sequence[Statement]
    right: Sequence[bool]
    told: bool


def fitted(rows: Sequence[frozenset[str]], right: Sequence[bool]) -> Mapping[str, float]:
    """The weight of each mark by logistic regression, drawn towards nothing."""
    often = Counter(mark for row in rows for mark in row)
    names = [mark for mark, times in often.items() if times >= RAREST]
    table = np.array([[1.0, *(float(name in row) for name in names)] for row in rows])
    found = solved(table, np.array(right, float))
    return {"start": float(found[0]), **dict(zip(names, map(float, found[1:]), strict=True))}


def solved(table: Doubles, right: Doubles) -> Doubles:
    """Adam, until it is as good as still."""
    weights, mean, spread = (np.zeros(table.shape[1]) for _ in range(3))
    for step in range(1, STEPS + 1):
        slope = table.T @ (1 / (1 + np.exp(-table @ weights)) - right) + PULL * weights
        slope[0] -= PULL * weights[0]
        mean, spread = 0.9 * mean + 0.1 * slope, 0.999 * spread + 0.001 * slope**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-8)
    return weights


def mood_fitted(
    samples: Sequence[Sample], weights: Mapping[str, float], language: Language
) -> Mapping[str, float]:
    names = [name for name in language.mood if ":" in name]
    rows = [mood_row(sample, weights, names, language) for sample in samples if sample.found]
    found = solved(np.array(rows), np.array([s.told for s in samples if s.found], float))
    return dict(zip(["start", "best", "some", *names], map(float, found), strict=True))


def mood_row(
    sample: Sample, weights: Mapping[str, float], names: Sequence[str], language: Language
) -> list[float]:
    rates = [likely(sum(weights.get(m, 0.0) for m in {*s.marks, "start"})) for s in sample.found]
    some = 1 - float(np.prod([1 - rate for rate in rates]))
    before = sample.heard.before
    texts = {"said": sample.heard.doc.text, "asked": before[-1][0].text if before else ""}
    marks = [(*name.split(":"),) for name in names]
    seen = [float(bool(texts[w]) and language.has(pattern, texts[w])) for w, pattern in marks]
    return [1.0, odds(max(rates)), odds(some), *seen]


async def samples_of(dialogs: Sequence[Dialog], language: Language) -> list[Sample]:
    parser = Parser(language)
    heard = [one for dialog in dialogs for one in heard_in(dialog, parser, language)]
    gold = gold_of(dialogs)
    found = [statements(one, language) for one in heard]
    texts = sorted({s.text for each in found for s in each} | {f for each in gold for f in each})
    async with open_local(None) as embedder:
        with cached(embedder, CACHE / "vectors.db") as vectors:
            at = dict(zip(texts, await vectors.of(texts, "statements"), strict=True))
    return [
        Sample(one, each, [near(s.text, facts, at) for s in each], bool(facts))
        for one, each, facts in zip(heard, found, gold, strict=True)
    ]


def near(text: str, facts: Sequence[str], at: Mapping[str, Array]) -> bool:
    return any(float(at[text] @ at[fact]) >= NEAR for fact in facts)


def table(name: str, weights: Mapping[str, float], least: float) -> str:
    kept = {mark: w for mark, w in weights.items() if abs(w) >= least or ":" not in mark}
    lines = [f'"{mark}" = {round(w, 2)}' for mark, w in sorted(kept.items())]
    return "\n".join([f"[{name}]", *lines, ""])


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.extract_weights", description=__doc__)
    parser.add_argument("data", type=Path, help="dialogs with facts, as JSON lines")
    parser.add_argument("--language", default="english")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only every second dialog")
    given = parser.parse_args(arguments)
    language, dialogs = language_named(given.language), load(given.data)
    dialogs = [d for i, d in enumerate(dialogs) if given.half is None or i % 2 == given.half]
    samples = asyncio.run(samples_of(dialogs, language))
    rows = [s.marks for sample in samples for s in sample.found]
    weights = fitted(rows, [right for sample in samples for right in sample.right])
    print(table("mood", mood_fitted(samples, weights, language), 0.0))
    print(table("weights", weights, LEAST))


if __name__ == "__main__":
    main(sys.argv[1:])
