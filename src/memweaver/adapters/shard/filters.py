"""Which rows a search may return."""

from datetime import datetime

import numpy as np

from memweaver.adapters.shard import part as parts
from memweaver.adapters.shard.arrays import Flags, Table
from memweaver.adapters.shard.snapshot import Snapshot
from memweaver.adapters.shard.times import to_number
from memweaver.domain.memory import Tier
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter

RECALLED = frozenset(Tier) - {Tier.ARCHIVE}
"""The tiers searched unless others are asked for."""


def in_scope(snapshot: Snapshot, scope: Scope) -> Flags | None:
    """The rows a scope may read, shared memories included; `None` if all are."""
    if scope.ai is None:
        return None
    shared = [snapshot.number_of(ai) for ai in scope.shared]
    memories = snapshot.rows["kind"] == parts.MEMORY
    rows: Flags = written_in(snapshot, scope) | (memories & np.isin(snapshot.rows["ai"], shared))
    return rows


def written_in(snapshot: Snapshot, scope: Scope) -> Flags:
    """The rows written in exactly this scope."""
    ai = parts.NOBODY if scope.ai is None else snapshot.number_of(scope.ai)
    rows: Flags = snapshot.rows["ai"] == ai
    return rows


def allowed(snapshot: Snapshot, where: Filter, now: datetime | None) -> Flags | None:
    """The rows that `where` admits, `None` if all; without a time, also what does not hold now."""
    memories = _memories(snapshot.rows[snapshot.memories], where, now)
    every_turn = where.turns and where.session is None and where.as_of is None
    if every_turn and memories.all():
        return None
    admitted = np.ones(len(snapshot), np.bool_) if every_turn else _turns(snapshot, where)
    admitted[snapshot.memories] = memories
    return admitted


def _turns(snapshot: Snapshot, where: Filter) -> Flags:
    rows = snapshot.rows
    admitted = np.full(len(rows), where.turns)
    if where.session is not None:
        admitted &= rows["session"] == snapshot.number_of(where.session)
    if where.as_of is not None:
        admitted &= rows["known_from"] <= to_number(where.as_of)
    return admitted


def _memories(rows: Table, where: Filter, now: datetime | None) -> Flags:
    """Memories belong to no session: a search within one finds none."""
    if where.session is not None:
        return np.zeros(len(rows), np.bool_)
    tiers = RECALLED if where.tiers is None else where.tiers
    admitted: Flags = np.array([tier in tiers for tier in parts.TIERS])[rows["tier"]]
    if where.as_of is None:
        admitted &= rows["known_to"] == parts.NEVER
    else:
        then = to_number(where.as_of)
        admitted &= (rows["known_from"] <= then) & (then < rows["known_to"])
    if (at := where.valid_at or where.as_of or now) is not None:
        held = to_number(at)
        admitted &= (rows["valid_from"] <= held) & (held < rows["valid_to"])
    return admitted
