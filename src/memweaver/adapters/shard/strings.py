"""Many strings as one: quick to open, decoded one by one when asked for."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from memweaver.adapters.shard.arrays import Numbers

UTF8 = ("utf-8", "surrogatepass")
"""People's messages may hold half a character, and get it back."""
WORTH_A_BLOCK = 256
"""Fewer strings than these are kept decoded until there are more."""


@dataclass(frozen=True, slots=True)
class Strings:
    """A sequence of strings in one piece of UTF-8."""

    blob: bytes
    ends: Numbers

    @classmethod
    def of(cls, strings: Iterable[str]) -> "Strings":
        encoded = [string.encode(*UTF8) for string in strings]
        ends = np.cumsum([len(one) for one in encoded], dtype=np.int64)
        return cls(b"".join(encoded), ends)

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, place: int) -> str:
        start = self.ends[place - 1] if place else 0
        return str(self.blob[start : self.ends[place]], *UTF8)

    @property
    def nbytes(self) -> int:
        return len(self.blob) + self.ends.nbytes


@dataclass(frozen=True, slots=True)
class StringChain:
    """Blocks of strings one after the other, and the latest ones, not yet worth a block."""

    blocks: tuple[Strings, ...] = ()
    starts: tuple[int, ...] = ()
    settled: int = 0
    latest: tuple[str, ...] = ()

    def __len__(self) -> int:
        return self.settled + len(self.latest)

    def __getitem__(self, place: int) -> str:
        if place >= self.settled:
            return self.latest[place - self.settled]
        block = bisect_right(self.starts, place) - 1
        return self.blocks[block][place - self.starts[block]]

    @property
    def nbytes(self) -> int:
        return sum(block.nbytes for block in self.blocks) + sum(map(len, self.latest))

    def extended(self, strings: Strings) -> "StringChain":
        if len(strings) >= WORTH_A_BLOCK:
            settled = self.with_block(Strings.of(self.latest))
            return settled.with_block(strings)
        latest = (*self.latest, *(strings[place] for place in range(len(strings))))
        if len(latest) >= WORTH_A_BLOCK:
            return self.with_block(Strings.of(latest))
        return StringChain(self.blocks, self.starts, self.settled, latest)

    def taken(self, places: Iterable[int]) -> Strings:
        return Strings.of(self[place] for place in places)

    def with_block(self, block: Strings) -> "StringChain":
        """With `block` in place of the latest strings."""
        if not len(block):
            return self
        starts, settled = (*self.starts, self.settled), self.settled + len(block)
        return StringChain((*self.blocks, block), starts, settled)
