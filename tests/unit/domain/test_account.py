"""What an account must be."""

from datetime import UTC, datetime, timedelta

import pytest

from memweaver.domain.account import (
    Account,
    Role,
    checked_email,
    checked_password,
    confirmed,
)
from memweaver.domain.principal import EVERYTHING, PERSONAL
from memweaver.errors import InvalidInput

NOON = datetime(2026, 5, 1, 12, 0, 0, 500, tzinfo=UTC)


@pytest.mark.requirement("B12")
@pytest.mark.parametrize(
    "text",
    ["", "ada", "@", "ada@", "@example.org", "a@b@c", "a da@b.c", "a\n@b.c", "a@" + "b" * 260],
)
def test_what_is_no_address_is_refused_by_its_field(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"^`email`"):
        checked_email(text)


def test_an_address_is_written_in_one_way() -> None:
    assert checked_email(" Ada@Example.ORG ") == "ada@example.org"


def test_a_password_must_be_long_but_not_endless() -> None:
    with pytest.raises(InvalidInput, match=r"^`password` must have at least 12"):
        checked_password("eleven char")
    with pytest.raises(InvalidInput, match=r"^`password` is longer"):
        checked_password("x" * 1025)
    assert confirmed("twelve chars", "twelve chars") == "twelve chars"


def test_a_password_is_written_twice_alike() -> None:
    with pytest.raises(InvalidInput, match=r"^`confirm`"):
        confirmed("twelve chars", "twelve chart")


def test_only_an_admin_runs_the_house() -> None:
    assert (Role.ADMIN.permissions, Role.MEMBER.permissions) == (EVERYTHING, PERSONAL)


def test_voiding_ends_the_tokens_of_this_very_second() -> None:
    account = Account("ann", "a@b.c", "Ann", NOON, NOON, password="hashed")
    voided = account.voided(NOON)
    assert voided.tokens_from == NOON.replace(microsecond=0) + timedelta(seconds=1)
    assert "hashed" not in repr(account)
    assert voided.standing.tokens_from == voided.tokens_from


def test_what_is_void_stays_so_whichever_change_is_made_first() -> None:
    account = Account("ann", "a@b.c", "Ann", NOON, NOON, password="hashed")
    later = account.disabled(NOON + timedelta(minutes=1))
    changed = later.with_password("other", NOON)
    assert (changed.tokens_from, changed.disabled_at) == (later.tokens_from, later.disabled_at)
    assert changed.disabled(NOON + timedelta(hours=1)) == changed
    assert changed.enabled().disabled_at is None
