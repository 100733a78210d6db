"""Scopes, tiers and origins."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from memweaver.domain.conversation import Message, Role
from memweaver.domain.memory import ALIASES, Draft, Tier, tiers_named
from memweaver.domain.origin import Authority, Origin, allowed, weakest
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter
from memweaver.errors import InvalidFilter, InvalidInput


@pytest.mark.parametrize("user", ["", " ", "a\x00b", "x" * 257])
def test_a_scope_needs_a_name(user: str) -> None:
    with pytest.raises(InvalidInput, match="`user`"):
        Scope(user)
    with pytest.raises(InvalidInput, match="`ai`"):
        Scope("ann", ai=user)


@pytest.mark.requirement("X1")
def test_every_tier_and_every_alias_is_understood() -> None:
    assert [tiers_named(tier) for tier in Tier] == [(tier,) for tier in Tier]
    assert tiers_named("long_term_memory") == (Tier.SEMANTIC, Tier.CORE, Tier.PROCEDURAL)
    assert tiers_named("personal_logs") == (Tier.REFLECTION,)
    assert not ALIASES.keys() & set(Tier)


def test_an_unknown_tier_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidFilter, match="unknown tier `sematnic`; known are working, core"):
        tiers_named("sematnic")


def test_what_is_derived_has_the_weakest_origin_of_its_sources() -> None:
    assert weakest([Origin.USER, Origin.TOOL, Origin.ASSISTANT]) is Origin.TOOL
    assert weakest([Origin.USER]) is Origin.USER


@pytest.mark.parametrize("origin", list(Origin))
def test_only_the_user_gives_a_memory_more_authority_than_a_fact(origin: Origin) -> None:
    expected = (
        Authority.INSTRUCTION if origin in {Origin.USER, Origin.CONFIRMED} else Authority.FACT
    )
    assert allowed(Authority.INSTRUCTION, origin) is expected


def test_a_message_is_spoken_by_its_name_or_its_role() -> None:
    assert Message(Role.ASSISTANT, "hi").spoken == "Assistant: hi"
    assert Message(Role.USER, "hi", name="Ann").spoken == "Ann: hi"


def untyped(value: object) -> Any:
    """As a caller without a type checker would hand it in."""
    return value


def test_a_word_given_as_text_becomes_what_it_names() -> None:
    assert Message(untyped("user"), "hi").role is Role.USER
    assert Draft("x", tier=untyped("core")).tier is Tier.CORE
    assert Filter(tiers=untyped(["core"])).tiers == frozenset({Tier.CORE})


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: Message(untyped("human"), "hi"),
            "`role` cannot be `human`; known are user",
        ),
        (lambda: Draft("x", tier=untyped("attic")), "`tier` cannot be `attic`"),
        (lambda: Draft("x", origin=untyped("moon")), "`origin` cannot be `moon`"),
        (lambda: Draft("x", authority=untyped("king")), "`authority` cannot be `king`"),
        (lambda: Filter(tiers=untyped(["attic"])), "`tiers` cannot be `attic`"),
        (lambda: Filter(session=""), "`session` must be"),
        (lambda: Filter(as_of=datetime(2020, 1, 1)), "`as_of` has no time zone"),  # noqa: DTZ001 - that is it
        (lambda: Filter(valid_at=datetime(2020, 1, 1)), "`valid_at` has no time zone"),  # noqa: DTZ001 - that is it
    ],
)
def test_a_word_nobody_knows_is_refused_by_name(make: Callable[[], object], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        make()
