"""mem0 on its embedded vector store, with the same texts and vectors, its embedding free too."""

from dataclasses import dataclass

from benchmarks import peer
from benchmarks.measures.reads import BEST, Reads
from benchmarks.synthetic import ScriptedEmbedder, talk
from benchmarks.timing import Spread, spread, warm


@dataclass(frozen=True, slots=True)
class PeerSearch:
    """By meaning only, as mem0 is installed: with its extra for words it is slower still."""

    memories: int
    added_per_second: float
    search: Spread
    over_memweaver: float


def measure(reads: Reads, questions: int) -> PeerSearch:
    given = talk(reads.memories, questions, seed=reads.memories)
    embedder = ScriptedEmbedder()
    collection = peer.Collection(
        given.texts, embedder.rows(given.texts), given.questions, embedder.rows(given.questions)
    )
    title = f"mem0: add and search {reads.memories:,}"
    [answer] = peer.search([collection], words=False, limit=BEST, title=title)
    found = spread(warm(answer.search_seconds))
    return PeerSearch(
        reads.memories,
        added_per_second=round(reads.memories / answer.add_seconds),
        search=found,
        over_memweaver=found / reads.recall,
    )
