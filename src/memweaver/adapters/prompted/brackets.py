"""Finds what is in brackets in a text: JSON among prose, whole or in pieces, in one pass."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

OPENING = re.compile(r"[\[{]")
INSIDE = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
"""A string, also one that is cut off by the end, or a bracket."""

PAIRS = {"]": "[", "}": "{"}
DEEPEST = 16
"""Nesting beyond which nothing is an answer of ours."""


@dataclass(slots=True)
class Piece:
    """From a bracket to behind the one that closes it, and the pieces inside."""

    start: int
    end: int = -1
    within: list["Piece"] = field(default_factory=list["Piece"])


@dataclass(frozen=True, slots=True)
class Pieces:
    """`whole` are the outermost, in order; `orphans` stand in brackets that nobody closes."""

    whole: list[Piece] = field(default_factory=list[Piece])
    orphans: list[Piece] = field(default_factory=list[Piece])

    @property
    def all(self) -> Sequence[Piece]:
        return sorted([*self.whole, *self.orphans], key=lambda piece: piece.start)


def pieces(text: str) -> Pieces:
    found, opened = Pieces(), list[Piece]()
    place = 0
    while token := (INSIDE if opened else OPENING).search(text, place):
        place = token.end()
        if token[0] in PAIRS.values():
            opened.append(Piece(token.start()))
        elif token[0] in PAIRS and text[opened[-1].start] == PAIRS[token[0]]:
            piece = opened.pop()
            piece.end = place
            (opened[-1].within if opened else found.whole).append(piece)
        elif token[0] in PAIRS:
            give_up(opened, found)
        if len(opened) > DEEPEST:
            give_up(opened, found)
    give_up(opened, found)
    return found


def give_up(opened: list[Piece], found: Pieces) -> None:
    """Nobody closes these any more: what was whole inside of them stands for itself."""
    for piece in opened:
        found.orphans.extend(piece.within)
    opened.clear()
