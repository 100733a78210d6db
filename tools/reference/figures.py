"""The figures in the README, from the newest kept result of each benchmark."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.results import RESULTS, Run, latest
from tools.reference.markdown import code, table

README = Path(__file__).parents[2] / "README.md"
PLACE = re.compile(r"(?<=<!-- figures begin -->\n).*?(?=<!-- figures end -->)", re.DOTALL)
BENCHMARKS = ("recall", "speed")


def filled(readme: str, runs: Sequence[Run]) -> str:
    """`readme` with the figures of `runs` in the place marked for them."""
    lines = [line for run in runs for line in section(run)] or ["No result has been kept yet.", ""]
    return PLACE.sub(lambda _: "\n".join(lines), readme)


def section(run: Run) -> Iterator[str]:
    file = f"benchmarks/results/{run.benchmark}-{run.date.replace(':', '')}.json"
    yield from [f"**{run.benchmark.capitalize()}**, from {code(file)}:", ""]
    rows = [(str(one["name"]), f"{one['seen']:g}", str(one["bound"])) for one in run.figures]
    yield from table(("figure", "seen", "promised"), rows)


def newest(folder: Path = RESULTS) -> list[Run]:
    return [run for name in BENCHMARKS if (run := latest(name, folder))]
