"""What may be handed in, by table."""

from datetime import UTC, datetime

import pytest

from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.limits import Limits
from memweaver.domain.memory import Correction, Draft, Tier
from memweaver.errors import InvalidInput, TooLarge

LIMITS = Limits(text=20, messages=2, metadata=30, page=10)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
HELLO = Message(Role.USER, "hello")


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        (Said(()), InvalidInput, "`messages` is empty"),
        (Said((HELLO, HELLO, HELLO)), TooLarge, "more than 2 messages"),
        (Said((Message(Role.USER, "x" * 21),)), TooLarge, "21 characters; the limit is 20"),
        (Said((Message(Role.USER, "x", name=" "),)), InvalidInput, "`name`"),
        (Said((HELLO,), session=""), InvalidInput, "`session`"),
        (Said((HELLO,), session="a\nb"), InvalidInput, "`session`"),
        (Said((HELLO,), session="x" * 257), InvalidInput, "longer than 256"),
        (Said((HELLO,), at=NOON.replace(tzinfo=None)), InvalidInput, "`at` has no time zone"),
        (Said((HELLO,), metadata={"a": "x" * 40}), TooLarge, "the limit is 30"),
        (Said((HELLO,), metadata={"a": NOON}), InvalidInput, "plain JSON"),
        (Said((HELLO,), metadata={"a": float("nan")}), InvalidInput, "plain JSON"),
        (Said((HELLO,), metadata={"a": ["\ud800"]}), InvalidInput, "`metadata` has half"),
        (Said((Message(Role.USER, "\udfff"),)), InvalidInput, "`text` has half a character"),
    ],
)
def test_what_cannot_be_recorded_is_refused_by_name(
    said: Said, kind: type[InvalidInput], words: str
) -> None:
    with pytest.raises(kind, match=words):
        LIMITS.check_said(said)


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        (Draft(" "), "`text` is empty"),
        (Draft("x" * 21), "the limit is 20"),
        (Draft("x", tier=Tier.CORE), "core tier needs a `key`"),
        (Draft("x", key="name"), "`key` belongs to the core tier"),
        (Draft("x", importance=1.1), "`importance`"),
        (Draft("x", confidence=-0.1), "`confidence`"),
        (Draft("x", valid_from=NOON, valid_to=NOON), "`valid_to` must be later"),
        (Draft("x", supersedes=""), "`supersedes`"),
        (Draft("x", sources=("a", "b\n")), "`sources`"),
    ],
)
def test_what_cannot_be_a_memory_is_refused_by_name(draft: Draft, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        LIMITS.check_draft(draft)


def test_a_correction_must_correct_something() -> None:
    with pytest.raises(InvalidInput, match="nothing to correct"):
        LIMITS.check_correction(Correction())
    with pytest.raises(InvalidInput, match="delete the memory instead"):
        LIMITS.check_correction(Correction(text=" "))


def test_what_is_within_every_limit_passes() -> None:
    LIMITS.check_said(Said((HELLO, HELLO), at=NOON, metadata={"a": [1, None]}))
    LIMITS.check_draft(Draft("x", tier=Tier.CORE, key="name", valid_from=NOON))
    LIMITS.check_correction(Correction(importance=1.0))
    LIMITS.check_page(10)


@pytest.mark.parametrize("limit", [0, -1, 11])
def test_a_page_has_bounds(limit: int) -> None:
    with pytest.raises(InvalidInput, match="between 1 and 10"):
        LIMITS.check_page(limit)
