"""When what a model states holds: by the zone of whoever said it."""

from datetime import UTC, datetime

import pytest
from tests.unit.adapters.prompted.house import a_statement, from_statements

from memweaver.domain.candidate import Aspect, Scene
from memweaver.testing.conformance.extractor import said


@pytest.mark.parametrize(
    ("zone", "written", "since"),
    [
        ("UTC", "2026-11-20", datetime(2026, 11, 20, tzinfo=UTC)),
        ("Europe/Oslo", "2026-11-20", datetime(2026, 11, 19, 23, tzinfo=UTC)),
        ("Europe/Oslo", "2026-11-20T18:30", datetime(2026, 11, 20, 17, 30, tzinfo=UTC)),
        ("Europe/Oslo", "2026-11-20T18:30Z", datetime(2026, 11, 20, 18, 30, tzinfo=UTC)),
        ("UTC", "2026-11", datetime(2026, 11, 1, tzinfo=UTC)),
        ("Nowhere/Atall", "2026", datetime(2026, 1, 1, tzinfo=UTC)),
    ],
)
async def test_times_are_meant_in_the_zone_of_the_speaker(
    zone: str, written: str, since: datetime
) -> None:
    scene = Scene((said("I fly next Friday."),), zone=zone)
    statement = a_statement("User flies.", valid_from=written)
    [candidate] = await from_statements(statement, scene=scene, aspect=Aspect.EPISODIC)
    assert candidate.valid_from == since


@pytest.mark.parametrize(
    ("zone", "stated", "kept"),
    [
        ("UTC", "User sees Giulia next Friday.", "User sees Giulia on 2026-11-20."),
        ("UTC", "User sold a boat yesterday.", "User sold a boat on 2026-11-15."),
        ("Pacific/Auckland", "User flies tomorrow.", "User flies on 2026-11-17."),
        ("Pacific/Honolulu", "User flies tomorrow.", "User flies on 2026-11-16."),
        ("UTC", "User flies on Friday.", "User flies on Friday."),
        ("UTC", "User moved last year.", "User moved last year."),
        ("UTC", "User flies on 2026-11-20.", "User flies on 2026-11-20."),
    ],
)
async def test_a_day_that_a_model_left_relative_is_written_out(
    zone: str, stated: str, kept: str
) -> None:
    scene = Scene((said(stated.replace("User", "I")),), zone=zone)
    [one] = await from_statements(a_statement(stated), scene=scene, aspect=Aspect.EPISODIC)
    assert one.text == kept


async def test_the_first_day_of_all_has_its_turns_too() -> None:
    scene = Scene((said("I live in Oslo.", at=datetime.min.replace(tzinfo=UTC)),), zone="US/Hawaii")
    assert await from_statements(a_statement(), scene=scene)


async def test_the_zone_a_turn_names_goes_before() -> None:
    scene = Scene((said("I fly today.", zone="Asia/Tokyo"),), zone="Europe/Oslo")
    statement = a_statement("User flies.", valid_from="2026-11-20")
    [candidate] = await from_statements(statement, scene=scene, aspect=Aspect.EPISODIC)
    assert candidate.valid_from == datetime(2026, 11, 19, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "until"),
    [
        ("2026-11-20", datetime(2026, 11, 21, tzinfo=UTC)),
        ("2026-11", datetime(2026, 12, 1, tzinfo=UTC)),
        ("2026-12", datetime(2027, 1, 1, tzinfo=UTC)),
        ("2026", datetime(2027, 1, 1, tzinfo=UTC)),
        ("2026-11-20T18:30", datetime(2026, 11, 20, 18, 30, tzinfo=UTC)),
    ],
)
async def test_what_holds_until_a_day_holds_on_that_day(written: str, until: datetime) -> None:
    [candidate] = await from_statements(a_statement(valid_to=written))
    assert candidate.valid_to == until
