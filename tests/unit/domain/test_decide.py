"""Deciding: a table of what is known, what is said, and what is done about it."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memweaver.domain.candidate import Candidate, CandidateKind, Wish
from memweaver.domain.decide import (
    Near,
    admissible,
    confirms,
    decide,
    respectful,
    spared,
    timely,
    without_model,
)
from memweaver.domain.decision import Action, Decision
from memweaver.domain.memory import Memory, Tier, Validity
from memweaver.domain.origin import Origin
from memweaver.domain.scope import Scope

MAY = datetime(2026, 5, 1, tzinfo=UTC)


def known(text: str, cosine: float, *, tier: Tier = Tier.SEMANTIC, **more: object) -> Near:
    memory = Memory("m", Scope("ann"), tier, text, Validity(MAY))
    return Near(replace(memory, **more), cosine)  # type: ignore[arg-type]  # tables are short


def said(text: str, **more: object) -> Candidate:
    candidate = Candidate(text, CandidateKind.FACT, Tier.SEMANTIC, "t1")
    return replace(candidate, **more)  # type: ignore[arg-type]  # tables are short


OSLO = known("User lives in Oslo.", 0.8, metadata={"attribute": "home"})

TABLE = [
    # nothing near: no model is asked
    (said("User has a dog."), [], Action.ADD, "nothing_near"),
    (said("User has a dog."), [known("User likes tea.", 0.2)], Action.ADD, "nothing_near"),
    # the same, in other spelling, or nearly
    (said("user LIKES  tea"), [known("User likes tea.", 1.0)], Action.NOOP, "same_words"),
    (
        said("User really likes tea."),
        [known("User likes tea very much.", 0.97)],
        Action.NOOP,
        "near_duplicate",
    ),
    (
        said("User has three dogs."),
        [known("User has two dogs.", 0.98)],
        Action.REPLACE,
        "detail_changed",
    ),
    (
        said("User does not like tea."),
        [known("User does like tea.", 0.96)],
        Action.REPLACE,
        "detail_changed",
    ),
    (
        said("User does not like green tea."),
        [known("User does like tea, green or black.", 0.96)],
        Action.ADD,
        "distinct",
    ),
    (
        said("User met Bob in Rome.", kind=CandidateKind.EVENT),
        [known("User met Ann in Rome.", 0.96)],
        Action.ADD,
        "another_event",
    ),
    # what can have but one value
    (said("User lives in Lyon.", attribute="home"), [OSLO], Action.REPLACE, "single_valued"),
    (said("User works in Lyon.", attribute="work"), [OSLO], None, ""),
    (
        said("Giulia", tier=Tier.CORE, key="cfo"),
        [known("Marta", 0.4, tier=Tier.CORE, key="cfo")],
        Action.REPLACE,
        "single_valued",
    ),
    (
        said("Giulia", tier=Tier.CORE, key="cfo"),
        [known("Giulia", 0.9, tier=Tier.CORE, key="ceo")],
        Action.ADD,
        "nothing_near",
    ),
    # a relation and the fact it comes from stand beside each other
    (
        said("User's CFO is Giulia.", tier=Tier.RELATIONAL),
        [known("User's CFO is Giulia.", 1.0)],
        Action.ADD,
        "nothing_near",
    ),
    # wishes
    (
        said("User likes tea.", wish=Wish.FORGET),
        [known("User likes green tea.", 0.8)],
        Action.DELETE,
        "asked_to_forget",
    ),
    (
        said("User smokes.", wish=Wish.NEGATE),
        [known("User smokes.", 1.0)],
        Action.DELETE,
        "no_longer",
    ),
    (
        said("User smokes.", wish=Wish.NEGATE),
        [known("User swims.", 0.3)],
        Action.NOOP,
        "nothing_to_remove",
    ),
    (said("User smokes.", wish=Wish.FORGET), [], Action.NOOP, "nothing_to_remove"),
    # what tells of the end does not end by it
    (
        said("User eats meat.", wish=Wish.NEGATE),
        [known("User stopped eating meat.", 0.85), known("User does not eat meat.", 0.84)],
        Action.NOOP,
        "nothing_to_remove",
    ),
    (
        said("User has a car.", wish=Wish.NEGATE),
        [known("User sold their car.", 0.85)],
        Action.NOOP,
        "nothing_to_remove",
    ),
    (
        said("User eats meat.", wish=Wish.FORGET),
        [known("User does not eat meat.", 0.84)],
        Action.DELETE,
        "asked_to_forget",
    ),
    (
        said("User lives in Lyon.", wish=Wish.NEGATE),
        [known("User lives in Oslo.", 0.9)],
        Action.NOOP,
        "nothing_to_remove",
    ),
    (
        said("User likes tea.", wish=Wish.FORGET),
        [known("User enjoys coffee.", 0.7), known("User likes green tea.", 0.65)],
        Action.DELETE,
        "asked_to_forget",
    ),
    (
        said("User is a smoker.", wish=Wish.NEGATE),
        [known("User smokes.", 0.82)],
        Action.DELETE,
        "no_longer",
    ),
    # in between, somebody else decides
    (said("User likes green tea."), [known("User likes tea.", 0.85)], None, ""),
]


@pytest.mark.requirement("C10", "C13", "X9")
@pytest.mark.parametrize(("candidate", "near", "action", "because"), TABLE)
def test_the_clear_cases_are_decided_without_a_model(
    candidate: Candidate, near: list[Near], action: Action | None, because: str
) -> None:
    decision = decide(candidate, near)
    assert (decision and decision.action, decision.because if decision else "") == (action, because)


def test_a_nearer_core_entry_of_another_key_is_no_duplicate() -> None:
    near = [known("Giulia", 0.99, tier=Tier.CORE, key="ceo")]
    decision = decide(said("Giulia", tier=Tier.CORE, key="cfo"), near)
    assert decision
    assert decision.action is Action.ADD


@pytest.mark.parametrize(
    ("new", "old", "action"),
    [
        ("User likes tea.", "User likes green tea in the morning.", Action.NOOP),
        ("User likes green tea in the morning.", "User likes tea.", Action.UPDATE),
        ("User does not like tea.", "User likes tea.", Action.REPLACE),
        ("User likes coffee from Kenya.", "User likes tea from Japan.", Action.ADD),
        # a denial says nothing about what it only resembles
        ("User does not like Berlin.", "User lives in Berlin.", Action.ADD),
        ("User does not like green tea.", "User does like tea.", Action.ADD),
        ("User does like tea.", "User does not like green tea.", Action.ADD),
        ("User is not allergic to nuts.", "User is allergic to nuts and eggs.", Action.ADD),
        ("User is not allergic to nuts and eggs.", "User is allergic to nuts.", Action.ADD),
        # nor does it say more by saying it of less
        ("User does not like green tea.", "User does not like tea.", Action.ADD),
        ("User does not like tea.", "User does not like green tea.", Action.ADD),
        ("User does not really like tea.", "User does not like tea.", Action.NOOP),
    ],
)
def test_without_a_model_words_decide(new: str, old: str, action: Action) -> None:
    decision = without_model(said(new), [known(old, 0.85)])
    assert decision.action is action
    assert decision.text == (new if action is Action.UPDATE else None)


def test_what_says_more_in_another_tier_is_a_memory_of_its_own() -> None:
    near = [known("User runs.", 0.85, tier=Tier.PROCEDURAL)]
    assert without_model(said("User runs in Oslo."), near).action is Action.ADD


@pytest.mark.requirement("C13")
def test_a_model_may_decide_about_what_it_was_shown_only() -> None:
    near = [known("User likes tea.", 0.85)]
    wild = Decision(Action.UPDATE, "model", "somebody-else", "text")
    assert admissible(wild, said("User likes coffee beans."), near).action is Action.ADD


@pytest.mark.requirement("X2")
def test_a_model_deletes_nothing_that_nobody_asked_to_delete() -> None:
    near = [known("User likes tea.", 0.85)]
    decision = Decision(Action.DELETE, "model", "m")
    assert admissible(decision, said("User is off tea."), near).action is Action.REPLACE
    wished = said("User likes tea.", wish=Wish.NEGATE)
    assert admissible(decision, wished, near).action is Action.DELETE


def test_an_update_to_nothing_is_no_update() -> None:
    near = [known("User likes tea.", 0.85)]
    empty = Decision(Action.UPDATE, "model", "m", " ")
    assert admissible(empty, said("User likes coffee beans."), near).action is Action.ADD
    whole = replace(empty, text="User likes tea and coffee.")
    assert admissible(whole, said("User likes coffee beans."), near) == whole


@pytest.mark.parametrize("action", [Action.ADD, Action.NOOP])
def test_a_model_may_always_add_or_leave_it(action: Action) -> None:
    decision = Decision(action, "model")
    assert admissible(decision, said("User swims."), []) == decision


@pytest.mark.parametrize(
    ("action", "result"),
    [
        (Action.REPLACE, Action.ADD),
        (Action.UPDATE, Action.ADD),
        (Action.DELETE, Action.NOOP),
        (Action.NOOP, Action.NOOP),
    ],
)
def test_an_assistant_does_not_change_what_the_user_said(action: Action, result: Action) -> None:
    near = [known("User likes tea.", 0.85)]
    decision = Decision(action, "model", "m", "text")
    assert respectful(decision, Origin.ASSISTANT, near).action is result
    assert respectful(decision, Origin.USER, near) == decision


@pytest.mark.parametrize(("deletions", "kept"), [(3, 3), (4, 4), (5, 0)])
def test_a_wave_of_deletions_is_a_mistake(deletions: int, kept: int) -> None:
    decisions = [Decision(Action.DELETE, "no_longer", str(n)) for n in range(deletions)]
    decisions += [Decision(Action.ADD, "nothing_near")] * (7 - deletions)
    left = [one for one in spared(decisions) if one.action is Action.DELETE]
    assert len(left) == kept
    assert len(spared(decisions)) == 7


@pytest.mark.requirement("X2")
def test_what_somebody_asked_to_forget_is_no_wave() -> None:
    asked = [Decision(Action.DELETE, "asked_to_forget", str(n)) for n in range(7)]
    assert spared(asked) == asked
    ended = [Decision(Action.DELETE, "no_longer", f"e{n}") for n in range(6)]
    left = [one for one in spared([*asked, *ended]) if one.action is Action.DELETE]
    assert left == asked
    few = [*asked, *ended[:5]]
    assert spared(few) == few


def test_few_decisions_are_never_a_wave() -> None:
    decisions = [Decision(Action.DELETE, "no_longer", str(n)) for n in range(5)]
    assert spared(decisions) == decisions


@pytest.mark.parametrize("action", [Action.UPDATE, Action.REPLACE, Action.DELETE])
def test_what_was_said_earlier_does_not_change_what_was_said_later(action: Action) -> None:
    told = {"said_at": "2026-05-02T00:00:00+00:00"}
    near = [known("User lives in Paris.", 0.8, metadata=told)]
    decision = Decision(action, "single_valued", "m")
    assert timely(decision, MAY, near) == Decision(Action.NOOP, "outdated", "m")
    assert timely(decision, MAY.replace(day=2), near) == decision


def test_without_that_time_a_memory_was_said_when_it_became_known() -> None:
    near = [known("User lives in Paris.", 0.8)]
    decision = Decision(Action.DELETE, "no_longer", "m")
    assert timely(decision, MAY.replace(year=2025), near).action is Action.NOOP
    assert timely(decision, MAY, near) == decision
    adding = Decision(Action.ADD, "nothing_near")
    assert timely(adding, MAY.replace(year=2025), near) == adding


def test_only_a_stronger_origin_confirms() -> None:
    [heard] = [known("User swims.", 1.0, origin=Origin.ASSISTANT)]
    assert confirms(Origin.USER, heard.memory)
    assert not confirms(Origin.ASSISTANT, heard.memory)
    assert not confirms(Origin.TOOL, heard.memory)
