"""How a scene is shown to a model: turns and memories under small numbers, never under ids."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from memweaver.adapters.prompted.envelope import quoted, shortened
from memweaver.adapters.prompted.recalled import without_recalled
from memweaver.adapters.prompted.times import day_in
from memweaver.domain.candidate import Scene
from memweaver.domain.context import tokens
from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.memory import Memory

TOGETHER = 3000
"""Tokens of new turns shown in one question."""
EARLIER = 4
"""Turns shown before them."""
LONGEST, LONGEST_BEFORE, LONGEST_KNOWN = 1500, 150, 80
"""Tokens shown of one message, of one before, and of a memory."""

Numbered = Mapping[int, Turn]


def portions(scene: Scene) -> Sequence[Numbered]:
    """The turns in which somebody says something, under their numbers, as many as go together."""
    said: list[dict[int, Turn]] = []
    room = 0
    for number, turn in enumerate(scene.turns, 1):
        length = tokens("\n".join(turn_lines("turn", turn, scene.zone, LONGEST)))
        if not length:
            continue
        if length > room:
            said.append({})
            room = TOGETHER
        said[-1][number] = turn
        room -= length
    return said


def scene_lines(scene: Scene, portion: Numbered) -> Sequence[str]:
    """What a model is shown in order to extract from the turns of `portion`."""
    earlier = [*scene.before, *scene.turns[: min(portion) - 1]][-EARLIER:]
    before = [
        line for turn in earlier for line in turn_lines("said", turn, scene.zone, LONGEST_BEFORE)
    ]
    turns = [
        line
        for number, turn in portion.items()
        for line in turn_lines(f"turn {number}, said", turn, scene.zone, LONGEST)
    ]
    return [*known_lines(scene), *(["BEFORE"] if before else []), *before, "TURNS", *turns]


def known_lines(scene: Scene) -> Iterator[str]:
    known = {one.id: one for one in (*scene.core, *scene.episodes, *scene.known)}
    if known:
        yield "KNOWN"
    yield from memory_lines("known", known.values())


def memory_lines(word: str, memories: Iterable[Memory]) -> Iterator[str]:
    for number, memory in enumerate(memories, 1):
        since = memory.validity.valid_from or memory.validity.known_from
        yield f"{word} {number}, {memory.tier}, from {since:%Y-%m-%d}"
        yield from quoted(shortened(memory.spoken, LONGEST_KNOWN))


def turn_lines(heading: str, turn: Turn, zone: str, longest: int) -> Sequence[str]:
    """The day, then who said what; no line at all if nobody said anything."""
    lines: list[str] = []
    for message in heard(turn):
        if said := quoted(shortened(without_recalled(message.text), longest)):
            lines += [f"speaker: {speaker(message)}", *said]
    return [f"{heading} on {day_of(turn, zone)}", *lines] if lines else []


def heard(turn: Turn) -> Sequence[Message]:
    """Without what the operator configured."""
    return [message for message in turn.messages if message.role is not Role.SYSTEM]


def speaker(message: Message) -> str:
    return message.name or message.role.value


def day_of(turn: Turn, zone: str) -> str:
    return day_in(zone_of(turn, zone), turn.at)


def zone_of(turn: Turn, zone: str) -> ZoneInfo:
    """The zone that the turn names, or else `zone`."""
    for name in (turn.metadata.get("timezone"), zone):
        try:
            return ZoneInfo(str(name))
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    return ZoneInfo("UTC")
