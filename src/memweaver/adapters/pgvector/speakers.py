"""Who speaks in a scope. Names are not kept here: each is read off one record, once."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from memweaver.adapters.pgvector.filters import owned
from memweaver.adapters.pgvector.rows import BY_USER, numbered
from memweaver.adapters.pgvector.schema import records
from memweaver.domain.conversation import Role
from memweaver.domain.scope import Scope
from memweaver.domain.search import Kind, Ref
from memweaver.ports.changes import Changes

NAMELESS = frozenset(role.value.capitalize() for role in Role)
"""What speakers are called who have no name."""


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
    one = func.min(records.c.number)
    heard = (
        select(
            one.label("number"), func.bool_or(records.c.flags.op("&")(BY_USER) != 0).label("user")
        )
        .where(owned(scope), records.c.speaker.is_not(None))
        .group_by(records.c.speaker)
        .subquery()
    )
    statement = select(records, heard.c.user).join(heard, records.c.number == heard.c.number)
    return [
        Voice(row.speaker, row.user, Ref(Kind(row.kind), row.id, row.revision), row.ordinal)
        for row in connection.execute(statement)
    ]


async def speakers(changes: Changes, scope: Scope, heard: Collection[Voice]) -> Speakers:
    """Everybody of `heard`, by name. Whose record was erased meanwhile is left out."""
    nameless = {numbered(scope.user, "speaker", name) for name in NAMELESS}
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
