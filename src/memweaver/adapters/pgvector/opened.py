"""From rows to hits: what was said is opened from the store, as this index keeps no texts."""

from collections.abc import Sequence

from memweaver.adapters.pgvector.recipe import Scored
from memweaver.adapters.pgvector.rows import memory_ref, turn_ref
from memweaver.domain.conversation import Turn
from memweaver.domain.memory import Memory
from memweaver.domain.search import Hit, Ref
from memweaver.domain.trust import BY_ROLE
from memweaver.ports.changes import Changes


async def opened(changes: Changes, user: str, best: Sequence[Scored]) -> Sequence[Hit]:
    """The hits with their texts, in the same order. What was erased meanwhile is left out."""
    delta = await changes.records(user, {one.found.ref for one in best})
    there: dict[Ref, Turn | Memory] = {turn_ref(turn): turn for turn in delta.turns}
    there |= {memory_ref(memory): memory for memory in delta.memories}
    return [_hit(one, there[one.found.ref]) for one in best if one.found.ref in there]


def _hit(one: Scored, record: Turn | Memory) -> Hit:
    if isinstance(record, Turn):
        return _of_turn(one, record)
    return _of_memory(one, record)


def _of_turn(one: Scored, turn: Turn) -> Hit:
    message = turn.messages[one.found.ordinal]
    return Hit(
        ref=one.found.ref,
        text=message.text,
        at=turn.at,
        score=one.score,
        ordinal=one.found.ordinal,
        speaker=message.speaker,
        session=turn.session,
        origin=BY_ROLE[message.role],
        cosine=one.found.cosine,
        explanation=one.explanation,
    )


def _of_memory(one: Scored, memory: Memory) -> Hit:
    return Hit(
        ref=one.found.ref,
        text=memory.text,
        at=memory.validity.valid_from or memory.validity.known_from,
        score=one.score,
        tier=memory.tier,
        origin=memory.origin,
        cosine=one.found.cosine,
        explanation=one.explanation,
    )
