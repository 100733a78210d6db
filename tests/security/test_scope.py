"""Nobody's rows are touched for somebody else: every statement names its user, and is seen to."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, event
from tests.conformance.backends import Sqlite
from tests.conformance.scripts import Player, Step

from memweaver.adapters.sql.schema import OWNED
from memweaver.domain.job import Priority, State
from memweaver.domain.memory import Tier
from memweaver.testing.conformance.backend import ANN, ANN_AT_WORK, memory_ref, turn_ref

ROOT = Path(__file__).parents[2]

SCRIPT: list[Step] = [
    ("record", ((ANN, "t1", "Oslo", "monday", 0), (ANN, "t2", "Oslo", "monday", 0))),
    ("record", ((ANN, "t1", "Oslo", "monday", 0),)),
    ("add", ((ANN, "m1", "Oslo", Tier.CORE, "city", None, 0),)),
    ("add", ((ANN, "m2", "Bergen", Tier.CORE, "city", "m1", 0),)),
    ("revise", (ANN, "m2", "Rome", Tier.SEMANTIC, 1)),
    ("keep_vectors", (ANN, "model", turn_ref(), memory_ref())),
    ("keep_vectors", (ANN, "other", turn_ref(), memory_ref())),
    ("keep_segment", (ANN, 0, 2, 0)),
    ("segments", (ANN,)),
    ("stamp", (ANN,)),
    ("since", (ANN, 0, 100)),
    ("turn", (ANN_AT_WORK, "t1")),
    ("turns", (ANN, "monday", 100)),
    ("memory", (ANN, "m1")),
    ("memories", (ANN_AT_WORK, frozenset(Tier), 100)),
    ("register", (ANN, "work", "Athena")),
    ("ais", (ANN,)),
    ("leave", (Priority.NORMAL, (ANN, "t3", "Oslo", "monday", 0), (ANN, "t4", "", "monday", 0))),
    ("claim", (1, 1, ANN)),
    ("heartbeat", (ANN, 0, 9)),
    ("stage", (ANN, 0, "semantic")),
    ("release", (ANN, 0)),
    ("claim", (1, 1, ANN)),
    ("fail", (ANN, 0, None)),
    ("retry", (ANN, "t3")),
    ("claim", (1, 1, ANN)),
    ("settle", (ANN, 0, ("m3", "Tea"), "m3")),
    ("claim", (1, 1, ANN)),
    ("give_up", (ANN, 0)),
    ("job", (ANN_AT_WORK, "t3")),
    ("jobs", (ANN, *State)),
    ("keep_window", (ANN, "monday", "t3")),
    ("window", (ANN, "monday")),
    ("forget_windows", (ANN,)),
    ("reseal", (ANN,)),
    ("erase_turn", (ANN, "t4")),
    ("erase_turn", (ANN, "t1")),
    ("record", ((ANN, "t1", "anew", "monday", 0),)),
    ("erase_memory", (ANN, "m1")),
    ("destroy", (ANN,)),
]
"""Every operation that is done for one user."""

UPKEEP: list[Step] = [
    ("unembedded", ("model", 2)),
    ("progress", ("model",)),
    ("users", ()),
    ("claim", (1, 1, None)),
    ("jobs", (None, *State)),
    ("depth", ()),
    ("sweep", ()),
]
"""What looks across users, and is never asked by one."""

TOUCHES = re.compile(
    rf"\b(?:FROM|UPDATE|JOIN)\s+(?:{'|'.join(table.name for table in OWNED)})\b", re.IGNORECASE
)
NAMES_ITS_USER = re.compile(r"WHERE \w+\.owner = 'ann'", re.IGNORECASE)


def unscoped(statements: list[str]) -> Iterator[str]:
    """Those of `statements` that touch rows of users without saying whose."""
    for statement in statements:
        text = " ".join(statement.split())
        if TOUCHES.search(text) and not NAMES_ITS_USER.search(text):
            yield text


@pytest.fixture
def statements() -> Generator[list[str]]:
    """All that SQLite is asked from now on."""
    asked: list[str] = []

    def listen(connection: object, _record: object) -> None:
        connection.set_trace_callback(asked.append)  # type: ignore[attr-defined] # SQLite's

    event.listen(Engine, "connect", listen)
    yield asked
    event.remove(Engine, "connect", listen)


async def test_every_statement_for_a_user_names_that_user(statements: list[str]) -> None:
    async with Sqlite().open_backend() as backend:
        player = Player(backend)
        for step in SCRIPT:
            statements.clear()
            await player.answer(step)
            assert statements, step
            assert list(unscoped(statements)) == [], step


async def test_a_statement_across_users_is_noticed(statements: list[str]) -> None:
    async with Sqlite().open_backend() as backend:
        player = Player(backend)
        for step in UPKEEP:
            statements.clear()
            await player.answer(step)
            assert list(unscoped(statements)) != [], step


MUTANTS = {
    "whose rows": (
        'return table.c.owner == given("user")',
        'return given("user").is_not(None)',
        ("TestTurns", "test_no_turn_crosses_to_another_user"),
    ),
    "which AI's rows to show": (
        "return reading(table).where(table.c.ai == scope.ai)",
        "return reading(table)",
        ("TestTurns", "test_no_turn_crosses_to_another_ai"),
    ),
    "which AI's rows to replace": (
        "return reading(table).where(table.c.ai.is_not_distinct_from(scope.ai))",
        "return reading(table)",
        ("TestMemories", "test_a_core_memory_takes_the_place_of_the_one_with_its_key"),
    ),
}


@pytest.mark.parametrize("forgotten", MUTANTS)
def test_forgetting_a_predicate_turns_a_suite_red(tmp_path: Path, forgotten: str) -> None:
    sound, broken, noticed_by = MUTANTS[forgotten]
    package = tmp_path / "memweaver"
    shutil.copytree(ROOT / "src" / "memweaver", package, ignore=shutil.ignore_patterns("__pyc*"))
    file = package / "adapters" / "sql" / "scoped.py"
    source = file.read_text(encoding="utf-8")
    assert sound in source
    assert said_by_suite(ROOT / "src", *noticed_by) == ""
    file.write_text(source.replace(sound, broken), encoding="utf-8")
    assert "Traceback" in said_by_suite(tmp_path, *noticed_by)


def said_by_suite(sources: Path, suite: str, test: str) -> str:
    """What a test of a suite complains of on SQLite, with the package out of `sources`."""
    program = (
        "import asyncio\n"
        f"from tests.conformance.test_sqlite import {suite}\n"
        "async def run():\n"
        f"    async with {suite}().open_backend() as backend:\n"
        f"        await {suite}().{test}(backend)\n"
        "asyncio.run(run())\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": f"{sources}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    return answer.stderr
