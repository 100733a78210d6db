"""Candidates as bytes: what an extraction found, kept for a later attempt at the same jobs."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from memweaver.domain.candidate import Candidate, CandidateKind, Relation, Wish
from memweaver.domain.memory import Tier
from memweaver.domain.origin import Authority


def packed(candidates: Sequence[Candidate]) -> bytes:
    return json.dumps([asdict(one) for one in candidates], default=datetime.isoformat).encode()


def unpacked(staged: bytes) -> Sequence[Candidate]:
    return [candidate(one) for one in json.loads(staged)]


def candidate(given: dict[str, Any]) -> Candidate:
    relation = given["relation"]
    return Candidate(
        **{
            **given,
            "kind": CandidateKind(given["kind"]),
            "tier": Tier(given["tier"]),
            "wish": Wish(given["wish"]),
            "authority": Authority(given["authority"]),
            "relation": None if relation is None else Relation(**relation),
            "valid_from": time(given["valid_from"]),
            "valid_to": time(given["valid_to"]),
        }
    )


def time(given: str | None) -> datetime | None:
    return None if given is None else datetime.fromisoformat(given)
