"""What people tell of themselves, and by whose name and clock it is found."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from tests.unit.adapters.rules.finding import found

from memweaver.domain.candidate import Aspect, CandidateKind, Scene
from memweaver.domain.conversation import Message, Role
from memweaver.ports.extract import Extractor
from memweaver.testing.conformance.extractor import MONDAY, said

FACT, LIKING, EVENT = CandidateKind.FACT, CandidateKind.PREFERENCE, CandidateKind.EVENT
ROUTINE, ORDER = CandidateKind.ROUTINE, CandidateKind.INSTRUCTION

TOLD = [
    ("My name is Ann.", "User's name is Ann.", FACT, "name"),
    ("I live in Oslo.", "User lives in Oslo.", FACT, "home"),
    ("I moved to Berlin.", "User moved to Berlin.", FACT, "home"),
    (
        "I work at Siemens as an engineer.",
        "User works at Siemens as an engineer.",
        FACT,
        "employer",
    ),
    ("I have two dogs and a cat.", "User has two dogs and a cat.", FACT, None),
    ("My wife is a nurse.", "User's wife is a nurse.", FACT, None),
    ("I am allergic to peanuts.", "User is allergic to peanuts.", FACT, None),
    ("I love hiking in the mountains.", "User loves hiking in the mountains.", LIKING, None),
    ("I hate coriander.", "User hates coriander.", LIKING, None),
    ("Next Friday I fly to Lyon.", "User flies to Lyon on 2026-11-20.", EVENT, None),
    ("I fly to Lyon on Friday.", "User flies to Lyon on 2026-11-20.", EVENT, None),
    ("I'm seeing Ann on Monday.", "User is seeing Ann on 2026-11-23.", EVENT, None),
    ("I saw Ann on Friday.", "User saw Ann on 2026-11-13.", EVENT, None),
    ("I was in Rome on Friday.", "User was in Rome on 2026-11-13.", EVENT, None),
    (
        "Remember that my flight leaves on Friday at 9.",
        "User's flight leaves on 2026-11-20 at 9.",
        FACT,
        None,
    ),
    (
        "Remember that I left the keys with Ann on Friday.",
        "User left the keys with Ann on 2026-11-13.",
        FACT,
        None,
    ),
    ("My birthday is on May 3rd.", "User's birthday is on May 3rd.", FACT, "birthday"),
    ("I moved to Oslo two weeks ago.", "User lives in Oslo.", FACT, "home"),
    ("I started working at Acme last month.", "User works at Acme.", FACT, "employer"),
    ("I got a new job at Acme.", "User got a new job at Acme.", FACT, "employer"),
    ("I moved from Berlin to Dallas.", "User moved from Berlin to Dallas.", FACT, "home"),
    ("I moved from Berlin to Dallas last week.", "User lives in Dallas.", FACT, "home"),
    ("I moved to Oslo in March.", "User lives in Oslo.", FACT, "home"),
    ("I quit my job.", "User quit their job.", FACT, "employer"),
    ("I lost my job last week.", "User lost their job.", FACT, "employer"),
    ("I got fired.", "User lost their job.", FACT, "employer"),
    ("My name isn't Bob, it's Rob.", "User's name is Rob.", FACT, "name"),
    ("Remember that I live in Oslo.", "User lives in Oslo.", FACT, "home"),
    ("I quit.", "User quit their job.", FACT, "employer"),
    ("My name is Jack but call me Jay.", "User's name is Jack.", FACT, "name"),
    ("My name is Jack but call me Jay.", "User wants to be called Jay.", ORDER, "called"),
    ("My wife is called Anna and my son is Leo.", "User's wife is Anna.", FACT, "wife"),
    ("My wife is called Anna and my son is Leo.", "User's son is Leo.", FACT, "son"),
    ("We are meeting Sarah this Thursday.", "User is meeting Sarah on 2026-11-19.", EVENT, None),
    (
        "Please remember to call mum tomorrow.",
        "Remind User to call mum on 2026-11-17.",
        EVENT,
        None,
    ),
    ("Please remember to always use metric units.", "Always use metric units.", ORDER, None),
    (
        "Don't use emojis when you answer me.",
        "Don't use emojis when you answer me.",
        ORDER,
        None,
    ),
    ("I can't stand cilantro.", "User can not stand cilantro.", LIKING, None),
    ("I prefer dark mode.", "User prefers dark mode.", LIKING, None),
    ("I never eat breakfast.", "User never eats breakfast.", FACT, None),
    ("I'm not married.", "User is not married.", FACT, "marital_status"),
    ("I don't like olives.", "User does not like olives.", LIKING, None),
    ("I love Fridays.", "User loves Fridays.", LIKING, None),
    ("I went to the dentist yesterday.", "User went to the dentist on 2026-11-15.", EVENT, None),
    (
        "My flight is on Friday, December 4.",
        "User's flight is on Friday, December 4.",
        EVENT,
        None,
    ),
    (
        "I have a class on Monday and Wednesday.",
        "User has a class on Monday and Wednesday.",
        ROUTINE,
        None,
    ),
    ("I do yoga on Monday nights.", "User does yoga on Monday nights.", ROUTINE, None),
    (
        "I will be in Rome on Friday and Saturday.",
        "User will be in Rome on 2026-11-20 and on 2026-11-21.",
        EVENT,
        None,
    ),
    (
        "I worked on Monday, Tuesday and Wednesday.",
        "User worked on 2026-11-09, on 2026-11-10 and on 2026-11-11.",
        EVENT,
        None,
    ),
    ("I do yoga on Mondays.", "User does yoga on Mondays.", ROUTINE, None),
    ("Every Monday I swim.", "User swims every Monday.", ROUTINE, None),
    ("I usually run in the morning.", "User usually runs in the morning.", ROUTINE, None),
    ("Always answer in Italian.", "Always answer in Italian.", ORDER, None),
    ("Please call me Ann.", "User wants to be called Ann.", ORDER, "called"),
    ("Remember that I park on level 3.", "User parks on level 3.", FACT, None),
    ("i live in oslo, what about you?", "User lives in oslo.", FACT, "home"),
]


@pytest.mark.parametrize(("sentence", "text", "kind", "attribute"), TOLD, ids=[t[0] for t in TOLD])
async def test_what_people_tell_of_themselves_is_found(
    extractor: Extractor, sentence: str, text: str, kind: CandidateKind, attribute: str | None
) -> None:
    candidates = await found(extractor, sentence)

    assert (text, kind, attribute) in {(one.text, one.kind, one.attribute) for one in candidates}


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        ("My sister Ada moved to Lisbon.", ["User's sister Ada moved to Lisbon."]),
        (
            "I love playing with my two dogs.",
            ["User loves playing with their two dogs.", "User has two dogs."],
        ),
    ],
)
async def test_who_is_told_of_need_not_be_said_to_be_had(
    extractor: Extractor, sentence: str, texts: Sequence[str]
) -> None:
    assert [one.text for one in await found(extractor, sentence)] == texts


async def test_people_are_called_by_their_names(extractor: Extractor) -> None:
    [one] = await found(extractor, Message(Role.USER, "I live in Oslo.", "Caroline"))

    assert (one.text, one.speaker) == ("Caroline lives in Oslo.", "Caroline")


async def test_tomorrow_is_by_the_clock_of_the_speaker(extractor: Extractor) -> None:
    late = MONDAY.replace(hour=23)
    turn = said("Tomorrow I fly to Lyon.", at=late, zone="Asia/Tokyo")
    [one] = await extractor.extract(Scene((turn,), zone="Europe/Rome"), Aspect.EPISODIC)

    assert one.text == "User flies to Lyon on 2026-11-18."
    assert one.valid_from == datetime(2026, 11, 18, tzinfo=ZoneInfo("Asia/Tokyo"))


async def test_an_unknown_zone_gives_way_to_that_of_the_scene(extractor: Extractor) -> None:
    turn = said("Tomorrow I fly to Lyon.", zone="Mars/Olympus")
    [one] = await extractor.extract(Scene((turn,), zone="Europe/Rome"), Aspect.EPISODIC)

    assert one.valid_from == datetime(2026, 11, 17, tzinfo=ZoneInfo("Europe/Rome"))
