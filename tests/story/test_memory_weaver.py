"""Many AIs, each with four collections."""

from collections.abc import Generator
from pathlib import Path

import pytest

from memweaver import sync
from memweaver.domain.collection import MEMORY_TYPES, collection_name
from memweaver.domain.scope import Scope
from memweaver.errors import Conflict, InvalidInput, NotFound
from memweaver.weaver import MemoryWeaver

AI = ("1234", "Assistant AI")


@pytest.fixture
def weaver(tmp_path: Path) -> Generator[MemoryWeaver]:
    with MemoryWeaver.open(tmp_path) as opened:
        opened.create_ai_memory_space(*AI)
        yield opened


@pytest.mark.requirement("B2", "B4")
def test_an_ai_gets_its_four_collections(tmp_path: Path) -> None:
    with MemoryWeaver.open(tmp_path) as weaver:
        assert weaver.create_ai_memory_space("1234", "Assistant AI") == {
            "working_memory": "working_memory_1234_Assistant_AI",
            "long_term_memory": "long_term_memory_1234_Assistant_AI",
            "personal_logs": "personal_logs_1234_Assistant_AI",
            "archive": "archive_1234_Assistant_AI",
        }


@pytest.mark.requirement("B4")
@pytest.mark.parametrize(
    ("ai_name", "name"),
    [
        ("assistant", "working_memory_1234_assistant"),
        ("Assistant AI", "working_memory_1234_Assistant_AI"),
        ("A \t b", "working_memory_1234_A_b"),
    ],
)
def test_a_collection_is_named_after_type_and_ai(ai_name: str, name: str) -> None:
    assert collection_name("working_memory", "1234", ai_name) == name


@pytest.mark.requirement("B2", "B3")
@pytest.mark.parametrize("memory_type", MEMORY_TYPES)
def test_what_is_stored_is_retrieved_from_its_collection_only(
    memory_type: str, weaver: MemoryWeaver
) -> None:
    kept = weaver.store_memory(*AI, memory_type, "The user likes tea.", {"importance": "high"})

    for other in MEMORY_TYPES:
        found = weaver.retrieve_memories(*AI, other)
        assert [it["id"] for it in found] == ([kept] if other == memory_type else [])
    [memory] = weaver.retrieve_memories(*AI, memory_type)
    assert memory["content"] == "The user likes tea."
    assert memory["metadata"] == {"importance": "high"}
    assert memory["collection"] == f"{memory_type}_1234_Assistant_AI"


@pytest.mark.requirement("X5")
@pytest.mark.parametrize(
    ("word", "number"), [("high", 0.9), ("medium", 0.6), ("low", 0.3), ("who knows", 0.5)]
)
def test_importance_in_words_is_kept_as_a_number(word: str, number: float, tmp_path: Path) -> None:
    with MemoryWeaver.open(tmp_path) as weaver:
        weaver.create_ai_memory_space(*AI)
        kept = weaver.store_memory(*AI, "archive", "The user likes tea.", {"importance": word})
    with sync.open(tmp_path) as memory:
        assert memory.curate.memory(Scope("owner", "1234"), kept).importance == number


@pytest.mark.requirement("B2")
def test_the_latest_come_first_and_five_unless_told_otherwise(weaver: MemoryWeaver) -> None:
    for number in range(7):
        weaver.store_memory(*AI, "working_memory", f"Note {number}")

    latest = weaver.retrieve_memories(*AI, "working_memory")
    assert [it["content"] for it in latest] == [f"Note {number}" for number in (6, 5, 4, 3, 2)]
    assert len(weaver.retrieve_memories(*AI, "working_memory", limit=2)) == 2


@pytest.mark.requirement("B2")
def test_a_query_finds_what_answers_it_within_the_collection(weaver: MemoryWeaver) -> None:
    weaver.store_memory(*AI, "long_term_memory", "The user's sister lives in Lisbon.")
    weaver.store_memory(*AI, "long_term_memory", "The user plays chess on Sundays.")
    weaver.store_memory(*AI, "archive", "The user's sister lived in Rome.")

    found = weaver.retrieve_memories(*AI, "long_term_memory", 1, "Where does the sister live?")

    assert [it["content"] for it in found] == ["The user's sister lives in Lisbon."]


@pytest.mark.requirement("B2", "X1")
def test_a_moved_memory_keeps_its_id_and_is_in_one_collection(weaver: MemoryWeaver) -> None:
    kept = weaver.store_memory(*AI, "working_memory", "The user likes tea.")

    weaver.move_memory(*AI, kept, "working_memory", "long_term_memory")

    assert weaver.retrieve_memories(*AI, "working_memory") == []
    assert [it["id"] for it in weaver.retrieve_memories(*AI, "long_term_memory")] == [kept]
    with pytest.raises(NotFound):
        weaver.move_memory(*AI, kept, "working_memory", "archive")


@pytest.mark.requirement("B3")
@pytest.mark.parametrize("memory_type", ["semantic", "core", "Archive", "", "short_term"])
def test_an_unknown_memory_type_is_refused(memory_type: str, weaver: MemoryWeaver) -> None:
    kept = weaver.store_memory(*AI, "archive", "The user likes tea.")

    with pytest.raises(InvalidInput, match="memory_type"):
        weaver.store_memory(*AI, memory_type, "x")
    with pytest.raises(InvalidInput, match="memory_type"):
        weaver.retrieve_memories(*AI, memory_type)
    with pytest.raises(InvalidInput, match="memory_type"):
        weaver.move_memory(*AI, kept, "archive", memory_type)
    with pytest.raises(InvalidInput, match="memory_type"):
        weaver.move_memory(*AI, kept, memory_type, "archive")


@pytest.mark.requirement("B1")
def test_an_ai_sees_nothing_of_another(weaver: MemoryWeaver) -> None:
    weaver.create_ai_memory_space("5678", "Other")
    kept = weaver.store_memory(*AI, "archive", "The user likes tea.")

    assert weaver.retrieve_memories("5678", "Other", "archive") == []
    with pytest.raises(NotFound):
        weaver.move_memory("5678", "Other", kept, "archive", "working_memory")


@pytest.mark.parametrize("stranger", [("9999", "Assistant AI"), ("1234", "Somebody else")])
def test_an_ai_without_a_space_has_no_collections(
    stranger: tuple[str, str], weaver: MemoryWeaver
) -> None:
    with pytest.raises(NotFound):
        weaver.store_memory(*stranger, "archive", "x")
    with pytest.raises(NotFound):
        weaver.retrieve_memories(*stranger, "archive")


def test_a_uuid_belongs_to_one_name(weaver: MemoryWeaver) -> None:
    assert weaver.create_ai_memory_space("1234", "Assistant_AI")
    with pytest.raises(Conflict):
        weaver.create_ai_memory_space("1234", "Somebody else")
