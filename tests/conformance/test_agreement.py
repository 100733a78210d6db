"""Whatever is done, in the process, on SQLite and on Postgres, the answers are the same."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack

import pytest
from hypothesis import HealthCheck, given, settings
from tests.conformance.backends import InMemory, OnPostgres, Sqlite
from tests.conformance.scripts import LOOK_AT_EVERYTHING, Step, disagreement, job_scripts, scripts
from tests.servers.postgres import Postgres

from memweaver.adapters.sql import erasing, lanes, memories, staging
from memweaver.domain.job import Priority
from memweaver.domain.memory import Tier
from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import ANN

pytestmark = pytest.mark.postgres


@pytest.fixture
async def backends(postgres: Postgres) -> AsyncGenerator[Sequence[Backend]]:
    on_postgres = OnPostgres()
    on_postgres.server = postgres
    async with AsyncExitStack() as stack:
        kinds = (InMemory(), Sqlite(), on_postgres)
        yield [await stack.enter_async_context(kind.open_backend()) for kind in kinds]


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(script=scripts)
async def test_every_backend_answers_the_same(
    backends: Sequence[Backend], script: list[Step]
) -> None:
    assert await disagreement(backends, [*script, *LOOK_AT_EVERYTHING]) is None


@pytest.mark.requirement("D13", "X6")
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(script=job_scripts)
async def test_every_queue_answers_the_same(
    backends: Sequence[Backend], script: list[Step]
) -> None:
    assert await disagreement(backends, [*script, *LOOK_AT_EVERYTHING]) is None


CORE_TWICE: list[Step] = [
    ("add", ((ANN, "a", "Oslo", Tier.CORE, "city", None, 0),)),
    ("add", ((ANN, "b", "Bergen", Tier.CORE, "city", None, 1),)),
]
ERASED_SEGMENT: list[Step] = [
    ("record", ((ANN, "a", "Oslo", "monday", 0),)),
    ("keep_segment", (ANN, 0, 1, 0)),
    ("erase_turn", (ANN, "a")),
]
ERASED_JOB: list[Step] = [
    ("leave", (Priority.NORMAL, (ANN, "a", "Oslo", "monday", 0))),
    ("erase_turn", (ANN, "a")),
]
RETRIED: list[Step] = [
    ("leave", (Priority.NORMAL, (ANN, "a", "Oslo", "monday", 0), (ANN, "b", "Oslo", "monday", 0))),
    ("claim", (1, 2, ANN)),
    ("stage", (ANN, 0, "semantic")),
    ("fail", (ANN, 0, None)),
    ("retry", (ANN, "a")),
]


@pytest.mark.parametrize(
    ("module", "name", "script"),
    [
        (memories, "take_places", CORE_TWICE),
        (erasing, "drop_segments", ERASED_SEGMENT),
        (erasing, "bury", ERASED_SEGMENT),
        (lanes, "leave", ERASED_JOB),
        (lanes, "reckon", RETRIED),
        (staging, "part", RETRIED),
    ],
)
async def test_a_backend_that_forgets_a_rule_is_noticed(
    backends: Sequence[Backend],
    monkeypatch: pytest.MonkeyPatch,
    module: object,
    name: str,
    script: list[Step],
) -> None:
    assert await disagreement(backends, [*script, *LOOK_AT_EVERYTHING]) is None
    monkeypatch.setattr(module, name, lambda *_: None)
    assert await disagreement(backends, [*script, *LOOK_AT_EVERYTHING]) is not None
