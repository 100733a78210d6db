"""The benchmark of extraction: what it counts, and what it compares with."""

from pathlib import Path

import pytest
from benchmarks.dataset import BadData
from benchmarks.dialogs import load, naive, third_person
from benchmarks.extract import first_turns, scored, turns_of
from benchmarks.vectors import cached

from memweaver.domain.conversation import Role
from memweaver.testing.doubles import HashEmbedder

LINE = (
    '{"id": 1, "turns": [{"speaker": "a", "text": "Hi. I am Ann.", "facts": "I am Ann. I talk."},'
    ' {"speaker": "b", "text": "Hello!", "facts": ""}]}\n'
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "dialogs.jsonl"
    file.write_text(LINE * 2, encoding="utf-8")
    return file


def test_facts_are_told_apart(data: Path) -> None:
    assert [each.facts for each in load(data)[0].utterances] == [["I am Ann.", "I talk."], []]


@pytest.mark.parametrize("text", ["{", "[]", '{"id": 1}', '{"id": 1, "turns": [{}]}'])
def test_what_is_no_dialog_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadData, match=r"bad\.jsonl"):
        load(file)


def test_the_naive_way_takes_each_first_person_sentence_that_is_no_question() -> None:
    said = "Hi there. I am Ann. Do I know you? You like my dog. He is fine."

    assert naive(said) == ["I am Ann.", "You like my dog."]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I'm Ann.", "User is Ann."),
        ("I've two dogs and my cat likes me.", "User has two dogs and their cat likes them."),
        ("We like it; I do too.", "We like it; User does too."),
        ("i swim by myself, I'd say", "User swim by themselves, User would say"),
    ],
)
def test_only_the_words_for_the_speaker_change(said: str, told: str) -> None:
    assert third_person(said) == told


def test_who_speaks_is_the_user_and_the_other_is_not(data: Path) -> None:
    before, turn = turns_of(load(data)[0], 1)

    assert [each.messages[0].role for each in (before, turn)] == [Role.ASSISTANT, Role.USER]


def test_only_so_many_turns_are_taken(data: Path) -> None:
    assert [len(each.utterances) for each in first_turns(load(data), 3)] == [2, 1]


async def test_scores_count_memories_facts_and_silence(tmp_path: Path) -> None:
    gold = [["a fact", "another"], ["a third"], [], []]
    found = [["a fact", "nonsense"], [], [], ["noise"]]
    with cached(HashEmbedder(), tmp_path / "vectors.db") as vectors:
        scores = await scored(found, gold, vectors)

    assert scores.as_dict() == {"precision": 0.3333, "recall": 0.3333, "f1": 0.3333, "quiet": 0.5}
