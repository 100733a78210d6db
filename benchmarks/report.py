"""Writes `docs/benchmarks.md` from the newest result of each benchmark.

python -m benchmarks.report
"""

from collections.abc import Mapping
from pathlib import Path

from benchmarks.results import RESULTS, Run, latest
from benchmarks.sheets import sheets_of
from benchmarks.tables import markdown

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
METHOD = Path(__file__).parent / "method.md"
TITLES = {
    "recall": "Recall",
    "speed": "Speed",
    "extract": "Extraction",
    "accept": "Accepting",
    "reflect": "Reflecting",
    "proxy": "Chatting",
    "refusals": "Refusing",
    "neighbours": "Neighbours",
}


def page(results: Path = RESULTS) -> str:
    """The whole page: how it is measured, then each benchmark that was run."""
    runs = [run for name in TITLES if (run := latest(name, results))]
    return "\n".join([METHOD.read_text(encoding="utf-8"), *map(section, runs)])


def section(run: Run) -> str:
    tables = "\n".join(markdown(sheet) for sheet in sheets_of(run))
    return f"## {TITLES[run.benchmark]}\n\n{circumstances(run)}\n{tables}"


def circumstances(run: Run) -> str:
    """When, on what and with what it was measured."""
    return (
        f"{run.date}, commit `{run.commit}`; {named(run.machine)}; {named(run.versions)}.\n"
        f"Settings: {named(run.settings)}.\n"
    )


def named(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {shown(value)}" for name, value in values.items())


def shown(value: object) -> str:
    if isinstance(value, Mapping):
        return f"({named(value)})"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
