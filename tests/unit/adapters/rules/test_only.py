"""What the rules find in a sentence, and nothing beside it."""

import pytest

from memweaver.domain.candidate import Scene
from memweaver.ports.extract import Extractor
from memweaver.testing.conformance.extractor import everything, said

ONLY = [
    ("I don't play the cello well.", ["User does not play the cello well."]),
    ("My favourite colour isn't blue, it's green.", ["User's favourite colour is green."]),
    ("My boss is no longer Peter, it's Maria now.", ["User's boss is Maria."]),
    ("I moved to the back row yesterday.", ["User moved to the back row on 2026-11-15."]),
    ("I quit the gym.", ["User quit the gym."]),
    ("I quit my job two years ago.", ["User quit their job around 2024-11-16."]),
    ("I sold my car.", ["User sold their car."]),
    ("I gave away my piano.", ["User gave away their piano."]),
    ("I broke up with my girlfriend.", ["User broke up with their girlfriend."]),
    ("I divorced my husband last year.", ["User divorced their husband in 2025."]),
    ("I lost my dog.", []),
    ("My cat died.", ["User's cat died."]),
    (
        "My cat passed away last week.",
        ["User's cat passed away between 2026-11-09 and 2026-11-15."],
    ),
    (
        "I sold my house and bought a flat for my wife.",
        ["User sold their house.", "User bought a flat for their wife.", "User has a wife."],
    ),
    ("I gave up gluten in January.", ["User gave up gluten in January.", "User likes gluten."]),
    ("I stopped drinking for January.", ["User stopped drinking for January."]),
    ("I'm allergic to peanuts and shellfish.", ["User is allergic to peanuts and shellfish."]),
    ("I'm vegetarian.", ["User is vegetarian."]),
    ("I smoke.", ["User smokes."]),
    ("I don't eat meat.", ["User does not eat meat."]),
    ("I can't eat gluten.", ["User can not eat gluten."]),
]


@pytest.mark.requirement("C9")
@pytest.mark.parametrize(("sentence", "texts"), ONLY, ids=[one[0] for one in ONLY])
async def test_a_sentence_leaves_what_it_says_and_no_more(
    extractor: Extractor, sentence: str, texts: list[str]
) -> None:
    found = await everything(extractor, Scene((said(sentence),)))

    assert list(dict.fromkeys(one.text for one in found)) == texts
