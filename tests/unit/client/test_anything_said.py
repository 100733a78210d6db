"""Whatever a caller says in the types of a method, the server's description accepts."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy
from tests.unit.client.calls import CALLS, SHARING, Call
from tests.unit.client.described import described
from tests.unit.client.test_operations import asked, faults

from memweaver.client import Message
from memweaver.client.asking import NOWHERE
from memweaver.domain.conversation import Role
from memweaver.domain.event import EventKind
from memweaver.domain.job import State
from memweaver.domain.memory import ALIASES, Tier
from memweaver.domain.origin import Authority
from memweaver.domain.permissions import AiPermissions, InternetAccess
from memweaver.domain.principal import PERSONAL

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
NAME = TEXT.filter(lambda text: text not in NOWHERE)
"""Of something in a path, where a dot is no name of anything."""
NAMES = st.lists(st.text("abc-", min_size=1), max_size=3).map(tuple)
TIER = st.sampled_from([*Tier, *ALIASES])
VALUE = st.none() | st.booleans() | st.integers() | TEXT | st.lists(TEXT, max_size=3)

BY_NAME: dict[str, SearchStrategy[Any]] = {
    "tier": TIER,
    "tiers": st.lists(TIER, max_size=3),
    "permissions": st.lists(st.sampled_from(sorted(PERSONAL)), max_size=3),
    "kinds": st.lists(st.sampled_from(EventKind), max_size=3),
    "states": st.lists(st.sampled_from(State), max_size=3),
    "role": st.sampled_from(["admin", "member"]),
}
"""What is said in words that are few."""
BY_KIND: dict[type, SearchStrategy[Any]] = {
    str: TEXT,
    bool: st.booleans(),
    int: st.integers(1, 10**6),
    float: st.floats(0, 1),
    datetime: st.datetimes(timezones=st.just(UTC)),
    dict: st.dictionaries(TEXT, VALUE, max_size=3),
    list: st.lists(TEXT, max_size=3),
    AiPermissions: st.builds(
        AiPermissions,
        st.sampled_from(InternetAccess),
        NAMES,
        notes=TEXT,
        shares=st.just("all") | NAMES,
    ),
    Authority: st.sampled_from(Authority),
    Message: st.builds(Message, st.sampled_from(Role), TEXT, st.none() | TEXT),
}


def another(call: Call) -> SearchStrategy[Call]:
    """The same call, in which other things of the same kinds are said, or some not at all."""
    args = st.tuples(
        *(NAME if isinstance(value, str) else BY_KIND[type(value)] for value in call.args)
    )
    kwargs = st.fixed_dictionaries(
        {},
        optional={
            name: BY_NAME[name] if name in BY_NAME and value != SHARING else BY_KIND[type(value)]
            for name, value in call.kwargs.items()
        },
    )
    return st.builds(lambda *given: replace(call, args=given[0], kwargs=given[1]), args, kwargs)


@pytest.mark.parametrize("name", [name for name, call in CALLS.items() if call.kwargs])
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_what_is_sent_is_what_the_description_accepts_whatever_is_said(
    name: str, data: DataObject
) -> None:
    operation = described()[name]
    call = data.draw(another(CALLS[name]))

    request, _ = anyio.run(asked, operation, call)

    assert faults(operation, request) == []
