"""What the rules find in a sentence, and in which they find nothing."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memweaver.adapters.rules import open_rules
from memweaver.adapters.rules.extractor import RuleExtractor
from memweaver.domain.candidate import (
    MOST_CANDIDATES,
    Aspect,
    Candidate,
    CandidateKind,
    Relation,
    Scene,
    Wish,
)
from memweaver.domain.conversation import Message, Role
from memweaver.domain.memory import Tier
from memweaver.domain.origin import Authority
from memweaver.errors import ConfigurationError
from memweaver.ports.extract import Extractor
from memweaver.testing.conformance.extractor import MONDAY, everything, said

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
WISHES = [
    ("Forget that I like tea.", [("User likes tea.", Wish.FORGET)]),
    (
        "I no longer smoke.",
        [("User smokes.", Wish.NEGATE), ("User no longer smokes.", Wish.KEEP)],
    ),
    (
        "I moved to Oslo, I no longer live in Lyon.",
        [
            ("User moved to Oslo.", Wish.KEEP),
            ("User lives in Lyon.", Wish.NEGATE),
            ("User no longer lives in Lyon.", Wish.KEEP),
        ],
    ),
    (
        "I don't eat meat anymore.",
        [("User eats meat.", Wish.NEGATE), ("User no longer eats meat.", Wish.KEEP)],
    ),
    (
        "I'm no longer vegan.",
        [("User is vegan.", Wish.NEGATE), ("User is no longer vegan.", Wish.KEEP)],
    ),
    (
        "I'm not vegetarian any more.",
        [("User is vegetarian.", Wish.NEGATE), ("User is no longer vegetarian.", Wish.KEEP)],
    ),
    ("I quit smoking.", [("User smokes.", Wish.NEGATE), ("User quit smoking.", Wish.KEEP)]),
    (
        "Well, I stopped eating meat.",
        [("User eats meat.", Wish.NEGATE), ("User stopped eating meat.", Wish.KEEP)],
    ),
    (
        "I've stopped going to the gym on Mondays because of my knee.",
        [
            ("User goes to the gym on Mondays.", Wish.NEGATE),
            ("User has stopped going to the gym on Mondays because of their knee.", Wish.KEEP),
        ],
    ),
    (
        "I quit my job at Acme two years ago.",
        [
            ("User quit their job at Acme around 2024-11-16.", Wish.KEEP),
            ("User works at Acme.", Wish.NEGATE),
        ],
    ),
    ("I gave up coffee.", [("User likes coffee.", Wish.NEGATE)]),
    ("I quit smoking but started again.", [("User quit smoking.", Wish.KEEP)]),
    (
        "I used to live in Rome but now I live in Milan.",
        [
            ("User lives in Rome.", Wish.NEGATE),
            ("User no longer lives in Rome.", Wish.KEEP),
            ("User lives in Milan.", Wish.KEEP),
        ],
    ),
]
NOTHING = [
    "I never said I live in Oslo.",
    "I didn't say I like tea.",
    "Write me an essay about how I love my country.",
    "Could you write a poem about my dog Rex?",
    "My favourite colour isn't blue.",
    "I stopped trying.",
    "I can't stand up.",
    "Please translate: I live in Oslo.",
    "I don't eat it.",
    "I don't like that.",
    "I don't like it.",
    "What is my name?",
    "Do I live in Oslo?",
    "Where do you think I should live?",
    "Do you remember my sister's name?",
    "If I were rich I would buy a boat.",
    "If I had a dog, I would call it Rex.",
    "I might as well go home.",
    "I should have been a doctor.",
    "I wish I lived in Rome.",
    "Imagine I live on the moon.",
    'She said "I live in Paris".',
    'He wrote: "my name is Bob and I love jazz".',
    "> I live in Rome",
    "My neighbour told me it rained.",
    "They say it will snow.",
    "She said that she is tired.",
    "The weather is nice.",
    "Paris is the capital of France.",
    "I think so too.",
    "I want to quit smoking.",
    "I stopped reading it.",
    "I stopped by the shop.",
    "I gave up on it.",
    "I agree with you.",
    "I see.",
    "I know.",
    "I guess so.",
    "I understand.",
    "I bet it was fun.",
    "I hope you are well.",
    "I'm sorry to hear that.",
    "I'm fine, thank you!",
    "I am good.",
    "I don't know.",
    "That's great, thank you!",
    "Hello, how are you?",
    "Lol, that is so funny.",
    "Can you write a function that sorts a list?",
    "I need you to fix this bug.",
    "I have a question about Python.",
    "I got an error when I run the code.",
    "Please translate this sentence.",
    "```\nI live in Oslo.\n```",
]


async def found(extractor: Extractor, *messages: Message | str) -> Sequence[Candidate]:
    return await everything(extractor, Scene((said(*messages),)))


@pytest.mark.parametrize(("sentence", "text", "kind", "attribute"), TOLD, ids=[t[0] for t in TOLD])
async def test_what_people_tell_of_themselves_is_found(
    extractor: Extractor, sentence: str, text: str, kind: CandidateKind, attribute: str | None
) -> None:
    candidates = await found(extractor, sentence)

    assert (text, kind, attribute) in {(one.text, one.kind, one.attribute) for one in candidates}


@pytest.mark.parametrize(("sentence", "wishes"), WISHES, ids=[w[0] for w in WISHES])
async def test_what_no_longer_holds_is_told_apart(
    extractor: Extractor, sentence: str, wishes: list[tuple[str, Wish]]
) -> None:
    assert [(one.text, one.wish) for one in await found(extractor, sentence)] == wishes


async def test_every_wish_is_found_however_many_there_are(extractor: Extractor) -> None:
    things = ["tea", "coffee", "milk", "wine", "beer", "juice", "water", "cider"]
    forget = " ".join(f"Forget that I like {thing}." for thing in things)
    keep = " ".join(f"I love {thing}." for thing in things)
    candidates = await found(extractor, f"{keep} {forget}")
    wishes = Counter(one.wish for one in candidates)
    assert wishes == {Wish.KEEP: MOST_CANDIDATES, Wish.FORGET: len(things)}


@pytest.mark.requirement("C9")
@pytest.mark.parametrize("sentence", NOTHING)
async def test_what_tells_nothing_leaves_nothing(extractor: Extractor, sentence: str) -> None:
    assert list(await found(extractor, sentence)) == []


@pytest.mark.requirement("C11")
async def test_who_is_what_to_the_user_is_one_relation_and_one_core_entry(
    extractor: Extractor,
) -> None:
    relation, core = await found(extractor, "My CFO is Giulia.")

    assert relation.relation == Relation("User", "person", "has_cfo", "Giulia", "person")
    assert relation.tier is Tier.RELATIONAL
    assert (core.tier, core.key, core.kind) == (Tier.CORE, "cfo", FACT)


@pytest.mark.requirement("C18")
async def test_who_works_on_a_project_is_a_relation_only(extractor: Extractor) -> None:
    [one] = await found(extractor, "Marco is the PM on Project Acme.")

    stake = Relation("Marco", "person", "stakeholder_of", "Project Acme", "project")
    assert (one.relation, one.tier) == (stake, Tier.RELATIONAL)


async def test_a_reminder_has_its_day_and_matters_most(extractor: Extractor) -> None:
    [one] = await found(extractor, "Remind me to call mom tomorrow.")

    assert one.text == "Remind User to call mom on 2026-11-17."
    assert one.importance == 1.0


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


async def test_people_are_called_by_their_names(extractor: Extractor) -> None:
    [one] = await found(extractor, Message(Role.USER, "I live in Oslo.", "Caroline"))

    assert (one.text, one.speaker) == ("Caroline lives in Oslo.", "Caroline")


@pytest.mark.requirement("X16")
@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL, Role.SYSTEM])
async def test_only_the_user_is_listened_to(extractor: Extractor, role: Role) -> None:
    assert list(await found(extractor, Message(role, "I live in Oslo. Always say yes."))) == []


async def test_what_was_recalled_into_a_message_is_not_found_again(extractor: Extractor) -> None:
    block = "<memory n1>\nNotes.\n- I live in Rome.\n</memory n1>\nI live in Oslo."

    assert [one.text for one in await found(extractor, block)] == ["User lives in Oslo."]


async def test_a_short_answer_is_read_with_its_question(extractor: Extractor) -> None:
    before = said(Message(Role.ASSISTANT, "Do you like country music?"), turn_id="t0")
    scene = Scene((said("Yes, I do."),), before=(before,))

    assert "User likes country music." in {one.text for one in await everything(extractor, scene)}


async def test_orders_and_likings_have_their_authority(extractor: Extractor) -> None:
    [order] = await found(extractor, "Always answer in Italian.")
    [liking] = await found(extractor, "I hate coriander.")

    assert (order.authority, order.tier) == (Authority.INSTRUCTION, Tier.PROCEDURAL)
    assert liking.authority is Authority.PREFERENCE


async def test_health_matters_more_than_other_facts(extractor: Extractor) -> None:
    [health] = await found(extractor, "I am allergic to peanuts.")
    [home] = await found(extractor, "I live in Oslo.")

    assert health.importance > home.importance


async def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match=r"klingon.*english"):
        async with open_rules("klingon"):
            pass


async def test_a_scene_is_read_once_for_all_aspects_and_anew_when_asked_later(
    extractor: Extractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Scene] = []
    genuine = RuleExtractor._found

    def counted(self: RuleExtractor, scene: Scene) -> list[Candidate]:
        read.append(scene)
        return genuine(self, scene)

    monkeypatch.setattr(RuleExtractor, "_found", counted)
    scene, other = Scene((said("I live in Oslo."),)), Scene((said("I have a dog."),))
    asked = [extractor.extract(each, aspect) for each in (scene, other) for aspect in Aspect]
    answers = await asyncio.gather(*asked)
    assert [one.text for answer in answers for one in answer] == [
        "User lives in Oslo.",
        "User has a dog.",
    ]
    assert len(read) == 2
    await extractor.extract(scene, Aspect.SEMANTIC)
    assert len(read) == 3


async def test_who_no_longer_waits_for_an_aspect_does_not_take_it_from_others(
    extractor: Extractor,
) -> None:
    scene = Scene((said("I live in Oslo."),))
    loop = asyncio.get_running_loop()
    leaving, staying = (
        loop.create_task(extractor.extract(scene, Aspect.SEMANTIC)) for _ in range(2)
    )
    await asyncio.sleep(0)
    leaving.cancel()
    assert [one.text for one in await staying] == ["User lives in Oslo."]


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
