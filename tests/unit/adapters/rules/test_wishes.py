"""What is to be forgotten or no longer holds, told apart from what is to be kept."""

from collections import Counter

import pytest
from tests.unit.adapters.rules.finding import found

from memweaver.domain.candidate import MOST_CANDIDATES, Wish
from memweaver.ports.extract import Extractor

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
