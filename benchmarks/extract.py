"""How well memories are found in what people say, beside a naive way.

    python -m benchmarks.extract DATA [--turns N] [--model URL]

DATA are dialogs as JSON lines, each turn with the facts that people found in it.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from benchmarks.dataset import BadData
from benchmarks.dialogs import Dialog, load, naive, third_person
from benchmarks.figures import Figure, at_least
from benchmarks.results import CACHE, RESULTS, describe, keep
from benchmarks.tables import progress, screen
from benchmarks.vectors import CachedVectors, cached
from memweaver.adapters.local import open_local
from memweaver.adapters.openai.chat import open_openai_chat
from memweaver.adapters.prompted import Asking, PromptedExtractor
from memweaver.adapters.rules import open_rules
from memweaver.adapters.rules.language import Language
from memweaver.adapters.rules.parser import Parser
from memweaver.adapters.rules.statements import Heard
from memweaver.domain.candidate import Aspect, Scene
from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.scope import Scope
from memweaver.errors import ModelError
from memweaver.ports.extract import Extractor
from memweaver.testing.doubles import Tally

NEAR = 0.70
"""The cosine from which two texts tell the same."""
BEFORE = 3
"""Turns before one that it is understood by."""
WHEN = datetime(2026, 1, 15, 12, tzinfo=UTC)

OURS = "memweaver"

Texts = Sequence[Sequence[str]]
"""For each turn, the memories found in it."""


@dataclass(frozen=True, slots=True)
class Given:
    """The chat model to measure, if any."""

    url: str | None
    name: str


@dataclass(frozen=True, slots=True)
class Scores:
    precision: float
    recall: float
    f1: float
    quiet: float
    """The share of turns without facts in which nothing is found."""

    def as_dict(self) -> Mapping[str, float]:
        names = ("precision", "recall", "f1", "quiet")
        return {name: round(getattr(self, name), 4) for name in names}


def turns_of(dialog: Dialog, place: int) -> list[Turn]:
    """The turn at `place` and those before it; who speaks there is the user, the other is not."""
    speaker = dialog.utterances[place].speaker
    first = max(0, place - BEFORE)
    return [
        Turn(
            id=f"{dialog.id}-{first + offset}",
            scope=Scope("someone"),
            session="default",
            at=WHEN,
            recorded_at=WHEN,
            messages=(Message(role_of(each.speaker, speaker), each.text),),
        )
        for offset, each in enumerate(dialog.utterances[first : place + 1])
    ]


def role_of(who: str, speaker: str) -> Role:
    return Role.USER if who == speaker else Role.ASSISTANT


def heard_in(dialog: Dialog, parser: Parser, language: Language) -> list[Heard]:
    """Each turn as the rules hear it, for fitting them."""
    docs = parser.parsed([each.text for each in dialog.utterances])
    speakers = [each.speaker for each in dialog.utterances]
    return [
        Heard(
            doc,
            language.user,
            [(docs[i], speakers[i] == speakers[at]) for i in range(max(0, at - BEFORE), at)],
        )
        for at, doc in enumerate(docs)
    ]


def gold_of(dialogs: Sequence[Dialog]) -> Texts:
    """The annotated facts of each turn, in the third person."""
    return [
        [third_person(fact) for fact in each.facts]
        for dialog in dialogs
        for each in dialog.utterances
    ]


def naive_of(dialogs: Sequence[Dialog]) -> Texts:
    return [
        [third_person(sentence) for sentence in naive(each.text)]
        for dialog in dialogs
        for each in dialog.utterances
    ]


async def found_by(extractor: Extractor, dialogs: Sequence[Dialog]) -> tuple[Texts, Counter[str]]:
    """What the extractor finds in each turn, all aspects together, and the errors it ended in."""
    found, errors = list[list[str]](), Counter[str]()
    with progress() as bar:
        total = sum(len(each.utterances) for each in dialogs)
        task = bar.add_task(f"extracting by {extractor.name}", total=total)
        for dialog in dialogs:
            for place in range(len(dialog.utterances)):
                *before, turn = turns_of(dialog, place)
                scene = Scene((turn,), before=tuple(before))
                found.append(await memories_of(scene, extractor, errors))
                bar.advance(task)
    return found, errors


async def memories_of(scene: Scene, extractor: Extractor, errors: Counter[str]) -> list[str]:
    found = list[str]()
    for aspect in Aspect:
        try:
            found += [one.text for one in await extractor.extract(scene, aspect)]
        except ModelError as error:
            errors[error.code] += 1
    return list(dict.fromkeys(found))


async def scored(found: Texts, gold: Texts, vectors: CachedVectors) -> Scores:
    texts = sorted({text for group in (*found, *gold) for text in group})
    at = dict(zip(texts, await vectors.of(texts, "embedding"), strict=True))
    right = caught = 0
    for mine, facts in zip(found, gold, strict=True):
        if mine and facts:
            near = np.stack([at[x] for x in mine]) @ np.stack([at[x] for x in facts]).T >= NEAR
            right, caught = right + int(near.any(1).sum()), caught + int(near.any(0).sum())
    precision, recall = right / max(sum(map(len, found)), 1), caught / max(sum(map(len, gold)), 1)
    silent = [not mine for mine, facts in zip(found, gold, strict=True) if not facts]
    f1 = 2 * precision * recall / ((precision + recall) or 1.0)
    return Scores(precision, recall, f1, sum(silent) / max(len(silent), 1))


@asynccontextmanager
async def opened(given: Given) -> AsyncGenerator[Mapping[str, Extractor]]:
    """The rules; with a model, that under our name and the rules beside it."""
    async with AsyncExitStack() as stack:
        rules = await stack.enter_async_context(open_rules("english", apart=False))
        if given.url is None:
            yield {OURS: rules}
            return
        chat = open_openai_chat(url=given.url, model=given.name, timeout=300.0)
        asking = Asking(await stack.enter_async_context(chat), Tally(), tokens=512)
        yield {OURS: PromptedExtractor(asking), "rules": rules}


async def run(
    dialogs: Sequence[Dialog], given: Given, cache: Path
) -> tuple[Mapping[str, Scores], Mapping[str, int]]:
    """The scores of each way, and how often which error came of the first."""
    gold, plain = gold_of(dialogs), naive_of(dialogs)
    async with opened(given) as extractors, open_local(None) as embedder:
        found = {name: await found_by(each, dialogs) for name, each in extractors.items()}
        texts = {name: each for name, (each, _) in found.items()} | {"naive": plain}
        with cached(embedder, cache / "vectors.db") as vectors:
            scores = {name: await scored(each, gold, vectors) for name, each in texts.items()}
    return scores, found[OURS][1]


def first_turns(dialogs: Sequence[Dialog], most: int | None) -> list[Dialog]:
    """As many whole dialogs as it takes for `most` turns, the last one cut."""
    kept, left = list[Dialog](), most
    for dialog in dialogs:
        if left is not None and left <= 0:
            break
        kept.append(Dialog(dialog.id, dialog.utterances[:left]))
        left = None if left is None else left - len(dialog.utterances)
    return kept


def figures_of(found: Mapping[str, Scores]) -> list[Figure]:
    ours, plain = found[OURS], found["naive"]
    return [
        at_least("extraction precision", ours.precision, 0.60),
        at_least("extraction F1 ÷ naive", ours.f1 / (plain.f1 or 1.0), 1.2),
        at_least("turns without facts that leave nothing", ours.quiet, 0.85),
    ]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.extract", description=__doc__)
    parser.add_argument("data", type=Path, help="dialogs with facts, as JSON lines")
    parser.add_argument("--turns", type=int, help="only so many turns")
    parser.add_argument("--model", help="a service that speaks the OpenAI protocol, by its URL")
    parser.add_argument("--model-name", default="default", help="the model's name there")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where vectors are kept")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the result is kept")
    given = parser.parse_args(arguments)
    try:
        dialogs = first_turns(load(given.data), given.turns)
        model = Given(given.model, given.model_name)
        found, errors = asyncio.run(run(dialogs, model, given.cache))
    except BadData as error:
        parser.error(str(error))
    results: dict[str, object] = {name: scores.as_dict() for name, scores in found.items()}
    if given.model:
        results["errors"] = dict(errors)
    figures = figures_of(found)
    for figure in figures:
        screen.print(f"{figure.name}: {figure.as_dict()['seen']} ({figure.as_dict()['bound']})")
    settings = {
        "extractor": given.model_name if given.model else "rules",
        "near": NEAR,
        "turns": sum(len(each.utterances) for each in dialogs),
    }
    screen.print(f"Kept as {keep(describe('extract', results, figures, settings), given.results)}")
    print(json.dumps(results))


if __name__ == "__main__":
    main(sys.argv[1:])
