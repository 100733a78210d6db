"""Relations: what they say, in words and as data."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memweaver.domain.candidate import Relation
from memweaver.domain.memory import Memory, Tier, Validity
from memweaver.domain.relation import (
    LONGEST_LABEL,
    PREDICATES,
    checked_relation,
    relation_of,
    sentence,
    told,
)
from memweaver.domain.scope import Scope
from memweaver.errors import InvalidInput, UnknownPredicate

MARCO = Relation("Marco", "person", "stakeholder_of", "Project Acme", "project")
NOW = datetime(2026, 5, 1, tzinfo=UTC)


def a_memory(**metadata: object) -> Memory:
    return Memory("m", Scope("ann"), Tier.RELATIONAL, "Tea", Validity(NOW), metadata=metadata)


def test_a_relation_comes_back_from_the_memory_that_keeps_it() -> None:
    assert relation_of(a_memory(**told(MARCO))) == MARCO
    assert sentence(MARCO) == "Marco stakeholder of Project Acme"


@pytest.mark.parametrize("kept", [None, "Marco", {"subject": "Marco"}, {"subject": 1}])
def test_a_memory_that_names_no_ends_tells_something_about_the_user(kept: object) -> None:
    assert relation_of(a_memory(relation=kept)) == Relation(
        "User", "person", "custom", "Tea", "topic"
    )


@pytest.mark.requirement("C14")
def test_only_known_predicates_and_types_are_told_by_hand() -> None:
    for predicate in PREDICATES:
        checked_relation(replace(MARCO, predicate=predicate))
    with pytest.raises(UnknownPredicate):
        checked_relation(replace(MARCO, predicate="loves"))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("subject", " "),
        ("object", "x" * (LONGEST_LABEL + 1)),
        ("subject_type", "cat"),
        ("object_type", ""),
    ],
)
def test_what_cannot_be_is_refused_by_name(field: str, value: str) -> None:
    with pytest.raises(InvalidInput, match=f"`{field}`"):
        checked_relation(replace(MARCO, **{field: value}))
