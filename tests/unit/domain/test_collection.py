"""The four collections of an AI."""

import pytest

from memweaver.domain.collection import (
    MEMORY_TYPES,
    collection_name,
    collection_names,
    importance,
    tiers_of,
)
from memweaver.errors import InvalidFilter


@pytest.mark.requirement("B4")
@pytest.mark.parametrize(
    ("name", "spelt"),
    [("assistant", "assistant"), ("Assistant AI", "Assistant_AI"), ("a \t", "a_")],
)
def test_a_collection_is_named_after_its_type_and_its_ai(name: str, spelt: str) -> None:
    assert collection_name("working_memory", "1234", name) == f"working_memory_1234_{spelt}"
    assert list(collection_names("1234", name)) == list(MEMORY_TYPES)


@pytest.mark.requirement("B3")
def test_an_unknown_type_is_refused_by_the_name_of_its_field() -> None:
    assert all(tiers_of(name) for name in MEMORY_TYPES)
    with pytest.raises(InvalidFilter, match="`to_memory_type` `core`"):
        tiers_of("core", "to_memory_type")


@pytest.mark.requirement("X5")
def test_importance_may_be_a_word() -> None:
    assert importance({"importance": "high"}) == 0.9
    assert importance({"importance": "who knows"}) == importance({}) == 0.5
