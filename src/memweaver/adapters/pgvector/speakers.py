"""Who speaks in a scope. Names are not kept here: each is read off one record, once."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import BigInteger, Connection, bindparam, func, select
from sqlalchemy.dialects.postgresql import ARRAY

from memweaver.adapters.pgvector.blind import Blind
from memweaver.adapters.pgvector.filters import owned
from memweaver.adapters.pgvector.rows import BY_USER
from memweaver.adapters.pgvector.schema import records
from memweaver.domain.conversation import Role
from memweaver.domain.scope import Scope
from memweaver.domain.search import Kind, Ref
from memweaver.ports.changes import Changes

NAMELESS = frozenset(role.value.capitalize() for role in Role)
"""What speakers are called who have no name."""


BY_A_USER = records.c.flags.bitwise_and(BY_USER) != 0
SAID = [records.c[name] for name in ("kind", "id", "revision", "ordinal", "seat", "speaker")]


@dataclass(frozen=True, slots=True)
class Speakers:
    """`named` has the number of everybody with a name; `users` counts who speaks as the user."""

    named: Mapping[str, int]
    users: int


NOBODY = Speakers({}, 0)


@dataclass(frozen=True, slots=True)
class Voice:
    """A speaker's number, and one message of theirs."""

    number: int
    by_user: bool
    ref: Ref
    ordinal: int


def voices(connection: Connection, scope: Scope) -> Sequence[Voice]:
    heard = (
        select(func.min(records.c.seat).label("seat"), func.bool_or(BY_A_USER).label("by_user"))
        .where(owned(scope), records.c.speaker.is_not(None))
        .group_by(records.c.speaker)
    )
    users = {row.seat: row.by_user for row in connection.execute(heard)}
    seats = records.c.seat == func.any(bindparam("seats", sorted(users), ARRAY(BigInteger)))
    return [
        Voice(row.speaker, users[row.seat], Ref(Kind(row.kind), row.id, row.revision), row.ordinal)
        for row in connection.execute(select(*SAID).where(owned(scope), seats))
    ]


async def speakers(
    changes: Changes, scope: Scope, blind: Blind, heard: Collection[Voice]
) -> Speakers:
    """Everybody of `heard`, by name. Whose record was erased meanwhile is left out."""
    nameless = {blind.name("speaker", name) for name in NAMELESS}
    unknown = [voice for voice in heard if voice.number not in nameless]
    turns = {}
    if unknown:
        delta = await changes.records(scope.user, {voice.ref for voice in unknown})
        turns = {turn.id: turn for turn in delta.turns}
    named = {
        turns[voice.ref.id].messages[voice.ordinal].speaker: voice.number
        for voice in unknown
        if voice.ref.id in turns
    }
    return Speakers(named, sum(voice.by_user for voice in heard))
