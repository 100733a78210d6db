"""What each system finds for the questions of a data set: rankings of utterance ids."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.progress import Progress

import memweaver
from benchmarks import peer
from benchmarks.baselines import Bm25, fused, ranked, ranked_found
from benchmarks.dataset import Conversation, DataSet, Utterance
from benchmarks.metrics import DEPTHS
from benchmarks.tables import progress
from benchmarks.vectors import CachedVectors
from memweaver.app.sections import ReflectorSettings
from memweaver.app.settings import Settings
from memweaver.domain.conversation import Said
from memweaver.domain.scope import Scope
from memweaver.services import Services

LIMIT = max(DEPTHS)

Ranking = Sequence[str]
Rankings = Sequence[Ranking]
"""One ranking for each question of a data set, in order."""


async def ours(data: DataSet) -> Rankings:
    """Memweaver, through its public door, into a fresh memory on disk; a conversation is a user.

    Without reflection: memories woven meanwhile would be found beside the utterances.
    """
    with tempfile.TemporaryDirectory() as folder, progress() as bar:
        settings = Settings(data=Path(folder), reflector=ReflectorSettings(queue_enabled=False))
        async with memweaver.open(settings=settings) as memory:
            names: dict[str, str] = {}
            for conversation in bar.track(data.conversations, description=f"{data.name}: record"):
                names |= await record(memory, conversation)
            await embed(memory, bar, f"{data.name}: embed")
            rankings: list[Ranking] = []
            asking = bar.add_task(f"{data.name}: recall", total=len(data.queries))
            for conversation in data.conversations:
                rankings += await recall(memory, conversation, names)
                bar.advance(asking, len(conversation.queries))
            return rankings


async def embed(memory: Services, bar: Progress, title: str) -> None:
    """Wait until everything is embedded, and show how far it is."""
    task = bar.add_task(title)
    while await memory.embed():
        state = await memory.embed.progress()
        bar.update(task, completed=state.embedded, total=state.total)
    await memory.embed.settled()


async def record(memory: Services, conversation: Conversation) -> Mapping[str, str]:
    """Record a conversation; which turn became of which utterance."""
    said = [said_of(utterance) for utterance in conversation.utterances]
    turns = await memory.record.many(Scope(conversation.id), said)
    return {
        turn.id: utterance.id
        for turn, utterance in zip(turns, conversation.utterances, strict=True)
    }


def said_of(utterance: Utterance) -> Said:
    return Said((utterance.message,), session=utterance.session, at=utterance.at)


async def recall(
    memory: Services, conversation: Conversation, names: Mapping[str, str]
) -> list[Ranking]:
    rankings: list[Ranking] = []
    for query in conversation.queries:
        found = await memory.recall(Scope(conversation.id), query.text, limit=LIMIT)
        rankings.append([names[hit.ref.id] for hit in found.hits])
    return rankings


async def plain(data: DataSet, vectors: CachedVectors) -> dict[str, Rankings]:
    """Cosine, BM25 and their fusion by rank, over the same texts and vectors."""
    found: dict[str, list[Ranking]] = {"cosine": [], "bm25": [], "rrf": []}
    for conversation in data.conversations:
        given = await collection_of(conversation, vectors)
        words = Bm25(given.texts)
        for query, vector in zip(conversation.queries, given.question_vectors, strict=True):
            by_meaning = ranked(given.vectors @ vector)
            by_word = ranked_found(words.scores(query.text))
            found["cosine"].append(named(by_meaning, conversation))
            found["bm25"].append(named(by_word, conversation))
            found["rrf"].append(named(fused([by_meaning, by_word]), conversation))
    return dict(found)


async def peers(data: DataSet, vectors: CachedVectors) -> dict[str, Rankings]:
    """mem0 as it is installed, and with its extra for words."""
    collections = [await collection_of(each, vectors) for each in data.conversations]
    found: dict[str, Rankings] = {}
    for name, words in (("mem0", False), ("mem0+bm25", True)):
        answers = peer.search(collections, words=words, limit=LIMIT, title=f"{data.name}: {name}")
        found[name] = [
            named(places, conversation)
            for conversation, answer in zip(data.conversations, answers, strict=True)
            for places in answer.rankings
        ]
    return found


async def collection_of(conversation: Conversation, vectors: CachedVectors) -> peer.Collection:
    questions = [query.text for query in conversation.queries]
    return peer.Collection(
        texts=conversation.texts,
        vectors=await vectors.of(conversation.texts, f"{conversation.id}: embed"),
        questions=questions,
        question_vectors=await vectors.of(questions, f"{conversation.id}: embed questions"),
    )


def named(places: Sequence[int], conversation: Conversation) -> Ranking:
    return [conversation.utterances[place].id for place in places[:LIMIT]]
