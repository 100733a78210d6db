"""Which day is meant by what people say."""

from datetime import UTC, datetime

import pytest

from memweaver.domain.candidate import CandidateKind, Scene
from memweaver.ports.extract import Extractor
from memweaver.testing.conformance.extractor import everything, said

DATED = [
    ("My sister Ada moved to Lisbon in March.", (2026, 3, 1)),
    ("My daughter starts school in September.", (2027, 9, 1)),
    ("I saw the doctor on May 3rd.", (2026, 5, 3)),
    ("I fly to Oslo on May 3rd.", (2027, 5, 3)),
    ("I have worked at Acme since March.", (2026, 3, 1)),
    ("I study at Bocconi since March.", (2026, 3, 1)),
    ("My wedding is planned for June.", (2027, 6, 1)),
    ("I've got a ticket to Rome for March 3.", (2027, 3, 3)),
    ("My flight is on Friday, December 4.", (2026, 12, 4)),
    ("My flight is on Friday the 4th of December.", (2026, 12, 4)),
    ("I fly to Oslo on Friday, 3 May.", (2027, 5, 3)),
    ("I booked a flight to Rome for May 3rd.", (2027, 5, 3)),
    ("My flight is on Friday at 9.", (2026, 11, 20)),
]


@pytest.mark.parametrize(("sentence", "day"), DATED, ids=[d[0] for d in DATED])
async def test_the_tense_tells_which_day_is_meant(
    extractor: Extractor, sentence: str, day: tuple[int, int, int]
) -> None:
    found = await everything(extractor, Scene((said(sentence),)))
    events = [one for one in found if one.kind is CandidateKind.EVENT]

    assert [one.valid_from for one in events] == [datetime(*day, tzinfo=UTC)]


FIRST, LAST = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, tzinfo=UTC)


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/Lima"])
@pytest.mark.parametrize(
    ("sentence", "at"),
    [("I went to Rome yesterday.", FIRST), ("I fly to Rome tomorrow.", LAST)],
)
async def test_a_day_beyond_the_calendar_is_no_date(
    extractor: Extractor, sentence: str, at: datetime, zone: str
) -> None:
    turn = said(sentence, at=at, zone=zone)

    assert {one.valid_from for one in await everything(extractor, Scene((turn,)))} <= {None}


async def test_a_day_that_began_before_the_calendar_is_no_date(extractor: Extractor) -> None:
    turn = said("Remind me to call mum today.", at=FIRST, zone="Asia/Tokyo")
    [one] = await everything(extractor, Scene((turn,)))

    assert one.valid_from is None
