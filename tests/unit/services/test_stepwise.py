"""Ports for background work: the same as the ports they stand for, but step by step."""

from asyncio import create_task, sleep

import pytest
from tests.unit.services.test_courtesy import crowd_of

from memweaver.services.courtesy import Courtesy
from memweaver.services.stepwise import TEXTS, StepwiseEmbedder, pieces, stepwise
from memweaver.testing.doubles import HashEmbedder


@pytest.mark.parametrize("many", range(4 * TEXTS + 2))
def test_no_text_is_left_out_and_none_is_alone(many: int) -> None:
    texts = [f"text {number}" for number in range(many)]
    given = list(pieces(texts))
    assert [text for piece in given for text in piece] == texts
    assert all(TEXTS <= len(piece) <= TEXTS + 1 for piece in given) or many == 1
    assert len(given) == max(many // TEXTS, min(many, 1))


class Port:
    name = "a port"

    def told(self) -> str:
        return "told"

    async def asked(self, *words: str, loud: bool) -> str:
        return f"{' '.join(words)}{'!' * loud}"

    async def broken(self) -> None:
        raise LookupError


async def test_whatever_a_port_has_it_has_step_by_step_too() -> None:
    courtesy = Courtesy()
    port = stepwise(Port(), courtesy)
    async with crowd_of(courtesy, "ann"):
        async with courtesy.step():
            waiting = create_task(port.asked("who", loud=False))
            await sleep(0.001)
            assert not waiting.done()
        assert await waiting == "who"
        assert (port.name, port.told()) == ("a port", "told")
        assert await port.asked("who", "is it", loud=True) == "who is it!"
        with pytest.raises(LookupError):
            await port.broken()
        assert await port.asked("and now", loud=False) == "and now"


async def test_an_embedder_gives_the_same_vectors_step_by_step() -> None:
    courtesy, whole = Courtesy(), HashEmbedder()
    embedder, texts = StepwiseEmbedder(whole, courtesy), [f"text {one}" for one in range(7)]
    assert (embedder.model, embedder.dimensions) == (whole.model, whole.dimensions)
    async with crowd_of(courtesy, "ann"):
        assert await embedder.embed(texts) == await whole.embed(texts)
        assert await embedder.embed([]) == []
