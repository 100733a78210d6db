"""One text for a caller who would rather go on without a vector than fail."""

import logging
from collections.abc import Sequence

import pytest
from tests.unit.adapters.http.service import Reply, serving

from memweaver.adapters.openai import open_openai
from memweaver.domain.memory import Vector
from memweaver.errors import ModelOutputInvalid, ModelRefused, ModelUnavailable
from memweaver.ports.models import Embedder
from memweaver.services.embed_text import embed_text
from memweaver.testing.doubles import FailingEmbedder, HashEmbedder

pytestmark = pytest.mark.requirement("C6")


class Listening(HashEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.heard += texts
        return await super().embed(texts)


class Silent(HashEmbedder):
    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return []


class Crashing(HashEmbedder):
    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        raise RuntimeError("not one of ours")


async def test_a_text_becomes_a_list_of_numbers() -> None:
    vector = await embed_text(HashEmbedder(dimensions=16), "Giulia moved to Oslo")
    assert vector is not None
    assert len(vector) == 16
    assert sum(number * number for number in vector) == pytest.approx(1, abs=1e-5)


async def test_no_more_than_8000_characters_are_read() -> None:
    embedder = Listening()
    assert await embed_text(embedder, "x" * 8001)
    assert embedder.heard == ["x" * 8000]


async def test_the_literal_model_gives_1536_numbers() -> None:
    vectors = {"data": [{"index": 0, "embedding": [0.5] * 1536}]}
    with serving() as service:
        service.replies = [Reply(body=vectors)]
        async with open_openai(url=service.url) as embedder:
            vector = await embed_text(embedder, "x" * 9000)
    assert vector is not None
    assert len(vector) == 1536
    assert service.bodies[0]["model"] == "text-embedding-3-small"
    assert service.bodies[0]["input"] == ["x" * 8000]


@pytest.mark.parametrize(
    "embedder",
    [
        FailingEmbedder(ModelUnavailable("away")),
        FailingEmbedder(ModelRefused("no")),
        FailingEmbedder(ModelOutputInvalid("odd")),
        Silent(),
        Crashing(),
    ],
)
async def test_any_failure_is_none_and_one_warning_without_the_text(
    embedder: Embedder, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        assert await embed_text(embedder, "Giulia moved to Oslo") is None
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "Giulia" not in caplog.text


async def test_a_service_with_another_idea_of_the_key_is_none(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with serving() as service:
        service.replies = [Reply(401, {"error": {"message": "Incorrect key sk-canary"}})]
        async with open_openai(url=service.url, api_key="sk-canary") as embedder:
            assert await embed_text(embedder, "Giulia moved to Oslo") is None
    assert "canary" not in caplog.text
