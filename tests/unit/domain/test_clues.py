"""What statements could answer, by table."""

import pytest

from memweaver.domain.clues import LONGEST_PREFERENCE, answers_to, is_question
from memweaver.domain.question import Answer


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("We met last week", {Answer.TIME}),
        ("on the 3rd", {Answer.TIME}),
        ("I went to Oslo", {Answer.PLACE, Answer.PERSON}),
        ("I have two cats", {Answer.NUMBER}),
        ("My sister called", {Answer.PERSON}),
        ("then Tom came", {Answer.PERSON}),
        ("I prefer tea", {Answer.ADVICE}),
        ("We really love hiking", {Answer.ADVICE}),
        ("Always answer briefly", {Answer.ADVICE}),
        ("Hello", set()),
    ],
)
def test_a_statement_could_answer(text: str, kinds: set[Answer]) -> None:
    assert answers_to(text) == kinds


def test_whoever_writes_at_length_states_no_preference() -> None:
    assert Answer.ADVICE not in answers_to("I prefer tea. " + "x" * LONGEST_PREFERENCE)


@pytest.mark.parametrize(("text", "asks"), [("Why? ", True), ("Why? So.", False), ("", False)])
def test_a_question_ends_as_one(text: str, asks: bool) -> None:  # noqa: FBT001 a table's column
    assert is_question(text) is asks
