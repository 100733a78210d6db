"""What a credential may do, and for which AI."""

import pytest

from memweaver.domain.principal import PERSONAL, Permission, Principal, permissions_named
from memweaver.domain.scope import Scope
from memweaver.errors import Forbidden, NotFound

ANN = Principal("ann", "key-1", PERSONAL)


def test_what_was_not_permitted_is_forbidden_by_name() -> None:
    ANN.must(Permission.READ)

    with pytest.raises(Forbidden, match="admin"):
        ANN.must(Permission.ADMIN)


def test_a_scope_is_always_the_credentials_own() -> None:
    assert ANN.scope() == Scope("ann")
    assert ANN.scope("tutor") == Scope("ann", "tutor")


def test_a_credential_of_one_ai_speaks_for_no_other() -> None:
    bound = Principal("ann", "key-1", ai="tutor")

    assert bound.scope() == bound.scope("tutor") == Scope("ann", "tutor")
    with pytest.raises(NotFound):
        bound.scope("coach")


def test_permissions_are_read_by_name() -> None:
    assert permissions_named(["read", "act"]) == {Permission.READ, Permission.ACT}
    with pytest.raises(ValueError, match="everything"):
        permissions_named(["everything"])
