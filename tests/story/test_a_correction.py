"""A memory is corrected, and what was believed before can still be asked for."""

from pathlib import Path

import pytest

import memweaver
from memweaver.domain.memory import Correction, Draft, Tier
from memweaver.domain.scope import Scope
from memweaver.domain.search import EVERYTHING, Filter
from memweaver.errors import Conflict
from memweaver.services import Services

ANN = Scope("ann")


async def texts(memory: Services, where: Filter = EVERYTHING) -> list[str]:
    found = await memory.recall(ANN, "Where does Ada live?", where=where)
    return [hit.text for hit in found.hits]


@pytest.mark.requirement("X2", "X4")
async def test_a_correction_is_recalled_and_what_was_known_before_too(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        first = await memory.curate.add(ANN, Draft("Ada lives in Lisbon."))
        second = await memory.curate.correct(ANN, first.id, Correction("Ada lives in Porto."))

        assert (second.id, second.revision) == (first.id, 2)
        assert await texts(memory) == ["Ada lives in Porto."]
        assert await texts(memory, Filter(as_of=first.validity.known_from)) == [
            "Ada lives in Lisbon."
        ]


async def test_a_correction_of_what_somebody_else_corrected_meanwhile_is_refused(
    tmp_path: Path,
) -> None:
    async with memweaver.open(tmp_path) as memory:
        first = await memory.curate.add(ANN, Draft("Ada lives in Lisbon."))
        await memory.curate.correct(ANN, first.id, Correction("Ada lives in Porto."), expected=1)

        with pytest.raises(Conflict):
            await memory.curate.correct(ANN, first.id, Correction("Ada moved."), expected=1)
        assert (await memory.curate.memory(ANN, first.id)).text == "Ada lives in Porto."


@pytest.mark.requirement("X1")
async def test_moving_a_memory_keeps_its_id_and_hides_it_in_the_archive(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        kept = await memory.curate.add(ANN, Draft("Ada lives in Lisbon."))
        moved = await memory.curate.move(ANN, kept.id, Tier.ARCHIVE)

        assert (moved.id, moved.tier) == (kept.id, Tier.ARCHIVE)
        assert await texts(memory) == []
        assert await texts(memory, Filter(tiers=frozenset({Tier.ARCHIVE}))) == [kept.text]
        assert (await memory.curate.memories(ANN, tiers=[Tier.SEMANTIC])).items == []
