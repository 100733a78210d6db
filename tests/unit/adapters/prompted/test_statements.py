"""What one statement of a model becomes: a candidate, or nothing if any of it is wrong."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from tests.unit.adapters.prompted.house import a_statement, extracted, from_statements

from memweaver.domain.candidate import Aspect, Candidate, CandidateKind, Relation, Scene, Wish
from memweaver.domain.memory import Tier
from memweaver.domain.origin import Authority
from memweaver.errors import ModelOutputInvalid
from memweaver.testing.conformance.extractor import said


@pytest.mark.requirement("C9")
async def test_a_statement_with_all_its_fields_becomes_a_candidate() -> None:
    statement = a_statement(
        kind="fact",
        tier="core",
        wish="keep",
        key="Home",
        attribute="home",
        relation=None,
        valid_from="2025",
        valid_to=None,
        importance=0.8,
        confidence=0.9,
    )
    assert await from_statements(statement) == [
        Candidate(
            text="User lives in Oslo.",
            kind=CandidateKind.FACT,
            tier=Tier.CORE,
            source="t1",
            speaker="user",
            key="home",
            attribute="home",
            importance=0.8,
            confidence=0.9,
            valid_from=datetime(2025, 1, 1, tzinfo=ZoneInfo("UTC")),
        )
    ]


@pytest.mark.requirement("C11", "C18")
async def test_a_relation_has_its_ends_and_a_core_entry_beside_it() -> None:
    ends = {
        "subject": "Giulia",
        "subject_type": "person",
        "predicate": "CFO of",
        "object": "User",
        "object_type": "person",
    }
    text = "Giulia is User's CFO."
    scene = Scene((said("my CFO is Giulia"),))
    relation, core = await from_statements(
        a_statement(text, kind="relation", tier="relational", relation=ends),
        a_statement(text, kind="fact", tier="core", key="cfo"),
        scene=scene,
    )
    assert relation.tier is Tier.RELATIONAL
    assert relation.relation == Relation("Giulia", "person", "cfo_of", "User", "person")
    assert (core.tier, core.key, core.relation) == (Tier.CORE, "cfo", None)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, {"kind": CandidateKind.FACT, "tier": Tier.SEMANTIC, "wish": Wish.KEEP}),
        ({"kind": "Preference"}, {"authority": Authority.PREFERENCE}),
        ({"type": "fact"}, {"kind": CandidateKind.FACT}),
        ({"tier": "associative"}, {"tier": Tier.SEMANTIC}),
        ({"target_tier": "core", "key": "home"}, {"tier": Tier.CORE, "key": "home"}),
        ({"tier": "core", "attribute": "home"}, {"tier": Tier.CORE, "key": "home"}),
        ({"tier": "core"}, {"tier": Tier.SEMANTIC, "key": None}),
        ({"key": "home"}, {"tier": Tier.SEMANTIC, "key": None}),
        ({"attribute": "Favourite Colour"}, {"attribute": "favourite_colour"}),
        ({"attribute": "null", "valid_to": "none"}, {"attribute": None, "valid_to": None}),
        ({"wish": None}, {"wish": Wish.KEEP}),
        ({"wish": "NEW"}, {"wish": Wish.KEEP}),
        ({"operation": "DELETE"}, {"wish": Wish.FORGET}),
        ({"intent": "negate"}, {"wish": Wish.NEGATE}),
        ({"importance": "high"}, {"importance": 0.9}),
        ({"importance": "Medium"}, {"importance": 0.6}),
        ({"importance": "low"}, {"importance": 0.3}),
        ({"importance": "0.4", "confidence": 1}, {"importance": 0.4, "confidence": 1.0}),
        ({"turn": "1"}, {"source": "t1"}),
        ({"unheard_of": [1]}, {"source": "t1"}),
    ],
    ids=str,
)
@pytest.mark.requirement("X2", "X5")
async def test_other_words_are_understood(
    fields: Mapping[str, Any], expected: Mapping[str, object]
) -> None:
    [candidate] = await from_statements(a_statement(**fields))
    assert {name: getattr(candidate, name) for name in expected} == expected


WRONG = [
    {"turn": 2},
    {"turn": 0},
    {"turn": None},
    {"turn": "soon"},
    {"text": ""},
    {"text": " \x00 "},
    {"text": 7},
    {"kind": "rumour"},
    {"kind": "relation", "relation": None},
    {"kind": "relation", "relation": {"subject": "Ann"}},
    {"kind": "relation", "relation": "Ann knows Bob"},
    {"tier": "archive"},
    {"tier": "attic"},
    {"wish": "obey"},
    {"importance": 7},
    {"importance": float("nan")},
    {"confidence": -0.1},
    {"confidence": "sure"},
    {"attribute": "x" * 65},
    {"valid_from": "next Friday"},
    {"valid_from": "2026-13"},
    {"valid_to": "9999"},
    {"valid_from": "0001-01-01T00:00+14:00"},
    {"valid_from": "2026", "valid_to": "2025"},
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
async def test_a_wrong_entry_is_dropped_by_itself(wrong: Mapping[str, object]) -> None:
    right = a_statement("User likes tea.")
    found = await from_statements({**a_statement(), **wrong}, right)
    assert [one.text for one in found] == ["User likes tea."]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
async def test_nothing_but_wrong_entries_is_a_failure(wrong: Mapping[str, object]) -> None:
    answer = {"memories": [{**a_statement(), **wrong}]}
    with pytest.raises(ModelOutputInvalid):
        await extracted(answer, answer)


@pytest.mark.parametrize(
    ("aspect", "kind", "tier"),
    [
        (Aspect.EPISODIC, CandidateKind.EVENT, Tier.EPISODIC),
        (Aspect.SEMANTIC, CandidateKind.FACT, Tier.SEMANTIC),
        (Aspect.PROCEDURAL, CandidateKind.ROUTINE, Tier.PROCEDURAL),
    ],
)
async def test_each_aspect_has_kinds_and_a_tier_of_its_own(
    aspect: Aspect, kind: CandidateKind, tier: Tier
) -> None:
    every = [a_statement(f"User {one}.", kind=one.value) for one in CandidateKind]
    relation = {"subject": "Ann", "predicate": "knows", "object": "Bob"}
    stated = [a_statement("User lives."), *({**one, "relation": relation} for one in every)]
    found = await from_statements(*stated, aspect=aspect)
    assert (found[0].kind, found[0].tier) == (kind, tier)
    others = [other for other in Aspect if other is not aspect]
    for other in others:
        elsewhere = {one.kind for one in await from_statements(*stated, aspect=other)}
        assert elsewhere.isdisjoint({one.kind for one in found})
