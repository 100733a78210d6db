"""The ladder by which a model's answer is read, from what it should be down to what it may be.

The whole is JSON → a fenced block is → something in brackets is, mended if need be → whole objects
are picked out of what is broken. Thoughts before the answer are no part of it. A list that is
empty is an answer: there is nothing. No list is none.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from memweaver.adapters.prompted.brackets import Piece, pieces
from memweaver.adapters.prompted.mending import loaded, parsed
from memweaver.errors import ModelOutputInvalid

Item = Mapping[str, object]

LONGEST = 64 * 1024
"""Characters of the longest answer that is looked at; what was asked for is far shorter."""

WRAPPERS = ("memories", "candidates", "operations", "items", "results", "facts")
"""What models call the list when they put it into an object."""

THINKING, THOUGHT, FENCE = "<think>", "</think>", "```"


def items_in(answer: str, marks: Collection[str]) -> Sequence[Item]:
    """The objects that the answer lists; what has one of `marks` is one of them.

    Raises `ModelOutputInvalid`, which quotes nothing.
    """
    if len(answer) > LONGEST:
        raise ModelOutputInvalid(f"the model's answer has more than {LONGEST} characters")
    text = spoken(answer)
    for rung in (whole, fenced, among_prose, in_pieces):
        found = rung(text, marks)
        if found is not None:
            return found
    raise ModelOutputInvalid("the model's answer has no JSON in it that can be read")


def spoken(answer: str) -> str:
    """The answer without what the model thought aloud before it."""
    if answer.lstrip().startswith(THINKING):
        return answer.partition(THOUGHT)[2]
    place = answer.find(THOUGHT)
    if place < 0 or any(piece.start < place < piece.end for piece in pieces(answer).whole):
        return answer
    return answer[place + len(THOUGHT) :]


def whole(text: str, marks: Collection[str]) -> Sequence[Item] | None:
    try:
        return listed(loaded(text), marks)
    except ValueError:
        return None


def fenced(text: str, marks: Collection[str]) -> Sequence[Item] | None:
    blocks = (among_prose(block, marks) for block in text.split(FENCE)[1::2])
    return next((found for found in blocks if found is not None), None)


def among_prose(text: str, marks: Collection[str]) -> Sequence[Item] | None:
    """The first list; all objects, if they come one after another; nothing, if it says so."""
    read = [(piece, reading(piece, text, marks)) for piece in pieces(text).whole]
    full = [(text[piece.start], found) for piece, found in read if found]
    if not full:
        empty = any(found is not None and stands_alone(piece, text) for piece, found in read)
        return [] if empty else None
    bracket, first = full[0]
    return first if bracket == "[" else in_pieces(text, marks)


def in_pieces(text: str, marks: Collection[str]) -> Sequence[Item] | None:
    """Every whole object that can be read, however broken the rest is; at least one."""
    return list(salvaged(pieces(text).all, text, marks)) or None


def salvaged(outer: Sequence[Piece], text: str, marks: Collection[str]) -> Iterator[Item]:
    for piece in outer:
        found = reading(piece, text, marks)
        yield from found or salvaged(piece.within, text, marks)


def reading(piece: Piece, text: str, marks: Collection[str]) -> Sequence[Item] | None:
    try:
        return listed(parsed(text[piece.start : piece.end]), marks)
    except ValueError:
        return None


def stands_alone(piece: Piece, text: str) -> bool:
    """Whether an empty list is meant as one, and not as part of a word such as `names[]`."""
    before = text[max(0, piece.start - 1) : piece.start]
    after = text[piece.end : piece.end + 1]
    return not (before.isalnum() or after.isalnum() or before in ("_", ")"))


def listed(value: object, marks: Collection[str]) -> Sequence[Item] | None:
    """The objects in a list, in an object around it, or the one object; `None` if it is neither."""
    match value:
        case []:
            return []
        case [*items]:
            objects = [item for item in items if isinstance(item, dict)]
            return objects if any(marked(item, marks) for item in objects) else None
        case dict():
            return unwrapped(value, marks)
        case _:
            return None


def unwrapped(value: Item, marks: Collection[str]) -> Sequence[Item] | None:
    for name in WRAPPERS:
        if name in value:
            inner = value[name]
            return listed([inner] if isinstance(inner, dict) else inner, marks)
    if marked(value, marks):
        return [value]
    match list(value.values()):
        case [[*items]]:
            return listed(items, marks)
        case _:
            return None


def marked(item: Item, marks: Collection[str]) -> bool:
    return any(mark in item for mark in marks)
