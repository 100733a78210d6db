"""What questions ask for, by table."""

from datetime import UTC, date, datetime
from difflib import SequenceMatcher
from itertools import islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from memweaver.domain import question as module
from memweaver.domain.dates import MOST, PartialDate
from memweaver.domain.question import (
    ALIKE,
    MOST_COMPARED,
    MOST_MISSPELT,
    Answer,
    ask,
    days_asked_for,
)

FRIENDS = ["Caroline", "Melanie"]


@pytest.mark.parametrize(
    ("text", "people", "about", "bare"),
    [
        ("When did Caroline run?", FRIENDS, {"Caroline"}, "When did run?"),
        ("What is Melanie's dog called?", FRIENDS, {"Melanie"}, "What is dog called?"),
        ("What is Melanie\u2019s dog called?", FRIENDS, {"Melanie"}, "What is dog called?"),
        ("what did caroline say", FRIENDS, {"Caroline"}, "what did say"),
        ("Did Caroline meet Melanie?", FRIENDS, set(FRIENDS), "Did meet ?"),
        ("Did Carolyne run?", FRIENDS, {"Caroline"}, "Did run?"),
        ("Did carolyne run?", FRIENDS, set(), "Did carolyne run?"),
        ("When was Muhhamed here?", ["Muhammad"], {"Muhammad"}, "When was here?"),
        ("Where does Mr Khan live?", ["Fahim Khan"], set(), "Where does Mr live?"),
        ("Where is Fahim Khan?", ["Fahim Khan"], {"Fahim Khan"}, "Where is ?"),
        ("Where is Jean-Luc?", ["Jean-Luc"], {"Jean-Luc"}, "Where is -?"),
        ("Did John call?", ["Jon", "John"], {"John"}, "Did call?"),
        ("Did Will call?", ["Will"], {"Will"}, "Did call?"),
        ("What will happen?", ["Will"], set(), "What will happen?"),
        ("What did Kate do?", ["Emi", "elise"], set(), "What did Kate do?"),
        ("Did Ann call?", ["Anna B", "Anna C"], set(), "Did Ann call?"),
        ("Did Anna call?", ["Anna B", "Anna C"], {"Anna B", "Anna C"}, "Did call?"),
        ("Caroline?", FRIENDS, {"Caroline"}, "Caroline?"),
        ("Did Christopherson call?", ["Chris"], set(), "Did Christopherson call?"),
        ("Where is it?", ["🦊"], set(), "Where is it?"),
        ("Where is it?", [], set(), "Where is it?"),
    ],
)
def test_a_question_is_about_people(
    text: str, people: list[str], about: set[str], bare: str
) -> None:
    question = ask(text, people)
    assert (question.text, set(question.about), question.bare) == (text, about, bare)


SPELLINGS = some.text("abcd", min_size=4, max_size=12)


@given(SPELLINGS, SPELLINGS)
def test_a_misspelt_name_is_one_that_has_most_letters_in_order(word: str, name: str) -> None:
    alike = SequenceMatcher(None, word, name).ratio() >= ALIKE
    assert ask(f"Did {word.capitalize()} run?", [name]).about == ({name} if alike else set())


class Counting(SequenceMatcher[str]):
    """A matcher that counts how many pairs it is made for."""

    pairs = 0

    def __init__(self, junk: None, word: str, name: str) -> None:
        Counting.pairs += 1
        super().__init__(junk, word, name)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> type[Counting]:
    monkeypatch.setattr(Counting, "pairs", 0)
    monkeypatch.setattr(module, "SequenceMatcher", Counting)
    return Counting


def test_words_that_share_few_letters_with_a_name_are_not_compared(
    counting: type[Counting],
) -> None:
    people = [f"{'klmnop'[at % 6] * 3}{at}" for at in range(240)]
    words = " ".join(f"{'Abcdef'[at % 6] * 3}ghij".capitalize() for at in range(500))
    assert ask(f"Who is in {words}?", people).about == set()
    assert counting.pairs == 0


def test_however_many_words_and_people_there_are_few_pairs_are_compared(
    counting: type[Counting],
) -> None:
    spelled = ["".join(one) for one in islice(permutations("qrstuvwx"), 1000)]
    ask(" ".join(one.capitalize() for one in spelled[500:]), spelled[:500])
    assert 0 < counting.pairs <= MOST_COMPARED


def test_in_a_pasted_text_names_are_recognised_as_they_are_spelled() -> None:
    pasted = " ".join(f"Word{at}" for at in range(MOST_MISSPELT))
    assert ask(f"{pasted} and Carolyne", FRIENDS).about == set()
    assert ask(f"{pasted} and Caroline", FRIENDS).about == {"Caroline"}
    assert ask(f"{pasted[5:]} and Carolyne", FRIENDS).about == {"Caroline"}


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("What did I say?", True),
        ("what did i say", True),
        ("What is my name?", True),
        ("Our plans?", True),
        ("Who told me?", True),
        ("What is it, i.e. the thing?", False),
        ("What is the meaning of it?", False),
    ],
)
def test_a_question_may_be_about_who_asks(text: str, own: bool) -> None:  # noqa: FBT001 a table's column
    assert ask(text, []).first_person is own


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("When did she leave?", Answer.TIME),
        ("Which year was it?", Answer.TIME),
        ("Where does she live?", Answer.PLACE),
        ("What country is it in?", Answer.PLACE),
        ("Who was there?", Answer.PERSON),
        ("How many cats when she left?", Answer.NUMBER),
        ("What should I cook?", Answer.ADVICE),
        ("Can you help with the plan for when he comes?", Answer.ADVICE),
        ("What did she eat?", Answer.ANY),
    ],
)
def test_a_question_wants_a_kind_of_answer(text: str, answer: Answer) -> None:
    assert ask(text, []).answer is answer


def test_a_question_names_dates() -> None:
    assert ask("What did Ann do in May 2023?", ["Ann"]).dates == (PartialDate(2023, 5, None),)


@pytest.mark.parametrize(
    ("text", "course"),
    [
        ("Can you give me a summary of my project?", True),
        ("In what order did I bring up the topics?", True),
        ("How have my grades evolved?", True),
        ("What did we discuss across our conversations?", True),
        ("Walk me through it", True),
        ("What did I order for lunch?", False),
        ("How did you get across the river?", False),
    ],
)
def test_a_question_may_be_about_the_course_of_things(text: str, course: bool) -> None:  # noqa: FBT001 a table's column
    assert ask(text, []).course is course


def test_who_asks_how_something_went_asks_for_no_advice() -> None:
    assert ask("Can you give me some tips?", []).answer is Answer.ADVICE
    assert ask("Can you give me an overview of the tips?", []).answer is Answer.ANY
    assert ask("Can you give me a summary of who was there?", []).answer is Answer.PERSON


def days(text: str, *years: int) -> list[date]:
    """The first day of each span that a question means, asked on the third of May 2026."""
    asked = days_asked_for(ask(text, []), years, datetime(2026, 5, 3, 12, tzinfo=UTC))
    return [date.fromordinal(span.first) for span in asked]


def test_a_day_without_a_year_is_that_day_of_every_year_told_in() -> None:
    assert days("What did I do on 7 June?", 2024, 2025) == [date(2024, 6, 7), date(2025, 6, 7)]
    assert days("And on 7 June 2023?", 2024, 2025) == [date(2023, 6, 7)]
    assert days("And on 29 February?", 2024, 2025) == [date(2024, 2, 29)]
    assert days("What did I do yesterday?", 2024) == [date(2026, 5, 2)]


def test_many_years_are_not_all_looked_through() -> None:
    assert len(days("On 7 June, 8 June, or yesterday?", *range(1900, 2100))) == MOST
