"""How long things take, measured turn and turn about so that a busy machine slows all alike."""

import gc
import math
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import numpy as np
import psutil

Case = TypeVar("Case")

WARM_UP = 5
"""First rounds that are not counted, if there are enough."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Median, 95th percentile and minimum, in milliseconds."""

    p50: float
    p95: float
    min: float

    def __truediv__(self, other: "Spread") -> float:
        """How many times the other's median this one's is."""
        return round(self.p50 / other.p50, 3)


def spread(seconds: Sequence[float]) -> Spread:
    p50, p95 = np.percentile(seconds, [50, 95])
    return Spread(*(round(float(value) * 1000, 4) for value in (p50, p95, min(seconds))))


async def alternately(
    cases: Sequence[Case], works: Mapping[str, Callable[[Case], Awaitable[object]]]
) -> dict[str, Spread]:
    """What each work took for the cases, the works taking turns."""
    times: dict[str, list[float]] = {name: [] for name in works}
    with undisturbed():
        for case in cases:
            for name, work in works.items():
                began = perf_counter()
                await work(case)
                times[name].append(perf_counter() - began)
    return {name: spread(warm(each)) for name, each in times.items()}


def warm(seconds: Sequence[float]) -> Sequence[float]:
    return seconds[WARM_UP:] if len(seconds) > 2 * WARM_UP else seconds


@contextmanager
def undisturbed() -> Generator[None]:
    """Without the collector of garbage, which would strike whoever happens to run."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def growth(times: Mapping[int, float]) -> float:
    """The exponent by which time grows with size: 1 is proportional, 0 is not at all."""
    sizes = [math.log(size) for size in times]
    logs = [math.log(time) for time in times.values()]
    return round(float(np.polyfit(sizes, logs, 1)[0]), 3)


def resident() -> float:
    """The memory this process holds, in megabytes."""
    return float(psutil.Process().memory_info().rss) / 1e6


def on_disk(folder: Path) -> float:
    """The size of all files in `folder`, in megabytes."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6
