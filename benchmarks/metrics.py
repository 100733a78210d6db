"""How well a ranking finds the evidence of a question."""

import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from statistics import fmean

from benchmarks.dataset import Query

DEPTHS = (5, 10, 20, 50)
"""How many of the best hits are looked at."""
GAIN_DEPTH = 10
"""The depth at which the order of hits is judged too."""

Scores = dict[str, float]


def recall_at(depth: int, ranking: Sequence[str], evidence: AbstractSet[str]) -> float:
    """The share of the evidence found among the first `depth` hits."""
    return len(evidence & set(ranking[:depth])) / len(evidence)


def hit_at(depth: int, ranking: Sequence[str], evidence: AbstractSet[str]) -> float:
    """Whether any evidence is found among the first `depth` hits."""
    return float(not evidence.isdisjoint(ranking[:depth]))


def ndcg_at(depth: int, ranking: Sequence[str], evidence: AbstractSet[str]) -> float:
    """The discounted gain of the order, as a share of that of the best possible order."""
    seen = sum(gain(rank) for rank, name in enumerate(ranking[:depth]) if name in evidence)
    return seen / sum(gain(rank) for rank in range(min(depth, len(evidence))))


def gain(rank: int) -> float:
    return 1 / math.log2(rank + 2)


def scores_of(ranking: Sequence[str], evidence: AbstractSet[str]) -> Scores:
    return {
        **{f"recall@{depth}": recall_at(depth, ranking, evidence) for depth in DEPTHS},
        **{f"hit@{depth}": hit_at(depth, ranking, evidence) for depth in DEPTHS},
        f"ndcg@{GAIN_DEPTH}": ndcg_at(GAIN_DEPTH, ranking, evidence),
    }


def mean(many: Iterable[Scores]) -> Scores:
    """The mean of each score, rounded to what a table needs, and of how many questions."""
    rows = list(many)
    names = rows[0] if rows else ()
    return {
        "questions": len(rows),
        **{name: round(fmean(row[name] for row in rows), 4) for name in names},
    }


@dataclass(frozen=True, slots=True)
class Summary:
    """The means over the counted questions, and over the questions of each type."""

    overall: Scores
    by_type: Mapping[str, Scores]
    apart: Sequence[str]
    """The types that are not counted."""

    def as_dict(self) -> dict[str, object]:
        return {
            **self.overall,
            **{f"{kind}_recall@10": self.by_type[kind]["recall@10"] for kind in self.apart},
            "by_type": dict(self.by_type),
        }


def summary(queries: Sequence[Query], rankings: Sequence[Sequence[str]]) -> Summary:
    scored = [
        (query, scores_of(ranking, query.evidence))
        for query, ranking in zip(queries, rankings, strict=True)
    ]
    kinds = sorted({query.type for query in queries})
    return Summary(
        overall=mean(scores for query, scores in scored if query.counted),
        by_type={
            kind: mean(scores for query, scores in scored if query.type == kind) for kind in kinds
        },
        apart=sorted({query.type for query in queries if not query.counted}),
    )
