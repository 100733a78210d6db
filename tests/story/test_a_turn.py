"""What was said is kept, found, and shown word for word."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

import memweaver
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter, Kind
from memweaver.errors import InvalidInput, NotFound, TooLarge

ANN = Scope("ann")
SAID = Said(
    (
        Message(Role.USER, "My sister Ada moved to Lisbon,\n\tand she loves the trams! 🚋"),
        Message(Role.ASSISTANT, "How lovely. Does she work there?"),
    ),
    session="monday",
    at=datetime(2026, 5, 1, 9, 30, tzinfo=UTC),
    metadata={"client": "test"},
)


async def test_a_turn_recorded_is_recalled_at_once_and_word_for_word(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        turn = await memory.record(ANN, SAID)
        found = await memory.recall(ANN, "Where does my sister Ada live?")

    best = found.hits[0]
    assert (best.ref.kind, best.ref.id, best.ordinal) == (Kind.TURN, turn.id, 0)
    assert (best.text, best.speaker, best.session) == (SAID.messages[0].text, "User", "monday")
    assert best.at == SAID.at
    assert "My sister Ada moved to Lisbon," in found.context
    assert sum(best.explanation.values()) == pytest.approx(best.score)


async def test_a_turn_is_read_as_it_was_recorded(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        turn = await memory.record(ANN, SAID)

        assert await memory.curate.turn(ANN, turn.id) == turn
        assert turn.messages == SAID.messages
        assert (turn.session, turn.at, turn.metadata) == ("monday", SAID.at, SAID.metadata)


async def test_a_turn_is_found_by_meaning_once_it_is_embedded(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        turn = await memory.record(ANN, Said((Message(Role.USER, "I purchased an automobile."),)))
        await memory.record(ANN, Said((Message(Role.USER, "It rained the whole day."),)))
        await memory.maintain.settled()
        found = await memory.recall(ANN, "Did I buy a car?")

    assert found.by_meaning
    assert found.hits[0].ref.id == turn.id
    assert (found.hits[0].cosine or 0.0) > 0.4


async def test_a_question_may_keep_to_one_session(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        await memory.record(ANN, SAID)
        await memory.record(ANN, Said((Message(Role.USER, "My sister called."),), "tuesday"))
        found = await memory.recall(ANN, "my sister", where=Filter(session="tuesday"))

    assert {hit.session for hit in found.hits} == {"tuesday"}


async def test_an_error_reaches_the_caller_as_itself(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        async with memweaver.open(tmp_path) as memory:
            await memory.curate.turn(ANN, "nothing")


async def test_bad_input_is_refused_before_anything_is_kept(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        with pytest.raises(InvalidInput, match="`messages`"):
            await memory.record(ANN, Said(()))
        with pytest.raises(TooLarge, match="64000"):
            await memory.record(ANN, Said((Message(Role.USER, "x" * 64_001),)))
        with pytest.raises(InvalidInput, match="`query`"):
            await memory.recall(ANN, "  ")
        with pytest.raises(InvalidInput, match="`user`"):
            await memory.record(Scope(" "), SAID)

        assert (await memory.curate.turns(ANN)).items == []
