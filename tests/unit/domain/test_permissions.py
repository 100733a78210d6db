"""What an AI may do: data, checked where it is made."""

import pytest

from memweaver.domain.permissions import (
    EVERYBODY,
    LONGEST_NOTES,
    MOST,
    ORDINARY,
    AiPermissions,
    InternetAccess,
)
from memweaver.errors import InvalidInput


@pytest.mark.requirement("B19")
def test_what_an_ai_may_do_comes_back_as_it_was() -> None:
    several = AiPermissions(InternetAccess.FULL, ("a", "b"), ("vision",), "Be kind.", ("home",))
    for permissions in (ORDINARY, several, AiPermissions(shares=EVERYBODY)):
        assert AiPermissions.of(permissions.told()) == permissions
    assert AiPermissions.of({}) == ORDINARY


def test_an_ai_shares_with_those_it_names_or_with_all() -> None:
    assert not ORDINARY.shared_with("work")
    assert AiPermissions(shares=("work",)).shared_with("work")
    assert not AiPermissions(shares=("workshop",)).shared_with("work")
    assert AiPermissions(shares=EVERYBODY).shared_with("work")
    assert AiPermissions.of({"shares": [EVERYBODY]}).shares == EVERYBODY


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("internet_access", "always"),
        ("tools", "all"),
        ("tools", [""]),
        ("capabilities", ["a\nb"]),
        ("shares", "some"),
        ("shares", ["x"] * (MOST + 1)),
        ("notes", "x" * (LONGEST_NOTES + 1)),
    ],
)
def test_what_cannot_be_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=f"`{field}`"):
        AiPermissions.of({field: value})


def test_a_name_given_twice_counts_once() -> None:
    assert AiPermissions.of({"tools": ["a", "b", "a"]}).tools == ("a", "b")
