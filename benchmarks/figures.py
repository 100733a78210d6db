"""The figures this project promises, each a number seen beside the bound it must keep."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """`seen` must be at least, or at most, `bound`."""

    name: str
    seen: float
    bound: float
    at_least: bool

    @property
    def kept(self) -> bool:
        return self.seen >= self.bound if self.at_least else self.seen <= self.bound

    def as_dict(self) -> Mapping[str, object]:
        return {
            "name": self.name,
            "seen": round(self.seen, 4),
            "bound": f"{'≥' if self.at_least else '≤'} {self.bound:g}",
            "kept": self.kept,
        }


def at_least(name: str, seen: float, bound: float) -> Figure:
    return Figure(name, seen, bound, at_least=True)


def at_most(name: str, seen: float, bound: float) -> Figure:
    return Figure(name, seen, bound, at_least=False)
