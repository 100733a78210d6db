"""What a memory says, and when two say the same."""

from datetime import UTC, datetime

import pytest

from memweaver.domain.memory import Memory, Tier, Validity
from memweaver.domain.scope import Scope

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def words(text: str, key: str | None = None) -> str:
    return Memory("m1", Scope("ann"), Tier.CORE, text, Validity(NOW), key=key).words


@pytest.mark.parametrize(
    "text",
    ["Ann lives in Oslo.", " ann  LIVES in\n\toslo", "Ann lives in Oslo .", "ann lives in oslo"],
)
def test_words_are_the_same_whatever_their_case_spaces_and_final_stop(text: str) -> None:
    assert words(text) == "ann lives in oslo"


@pytest.mark.parametrize("text", ["Ann lives in Oslo?", "Ann lives in. Oslo", "Ann livesin Oslo"])
def test_all_else_makes_other_words(text: str) -> None:
    assert words(text) != "ann lives in oslo"


def test_a_key_belongs_to_what_is_said() -> None:
    assert words("Oslo", key="home") == "home: oslo"
    assert words("Oslo", key="home") != words("Oslo", key="birthplace")
