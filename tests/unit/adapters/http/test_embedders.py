"""Embedders over HTTP, against a real service that answers well and badly."""

import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from tests.unit.adapters.http.service import DIMENSIONS, Reply, Service, unit_vector

from memweaver.adapters.http import Endpoint, HttpEmbedder, Retries, embedder
from memweaver.adapters.ollama import open_ollama
from memweaver.adapters.ollama.embedder import OllamaDialect
from memweaver.adapters.openai import open_openai
from memweaver.adapters.openai.embedder import OpenAIDialect
from memweaver.errors import (
    ConfigurationError,
    ModelError,
    ModelOutputInvalid,
    ModelRefused,
    ModelUnavailable,
)

KEY = "sk-canary-4711-do-not-show"
TEXT = "My sister Giulia moved to Oslo."

Opening = Callable[[Service], AbstractAsyncContextManager[HttpEmbedder]]


async def no_pause(_: float) -> None:
    """Tests do not wait."""


def by_openai(service: Service) -> AbstractAsyncContextManager[HttpEmbedder]:
    dialect = OpenAIDialect("text-embedding-3-small", DIMENSIONS)
    return opened(Endpoint(service.url, 5, KEY), dialect)


def by_ollama(service: Service) -> AbstractAsyncContextManager[HttpEmbedder]:
    return opened(Endpoint(service.url.removesuffix("/v1"), 5), OllamaDialect("nomic-embed-text"))


@asynccontextmanager
async def opened(
    endpoint: Endpoint, dialect: OpenAIDialect | OllamaDialect, retries: int = 2
) -> AsyncGenerator[HttpEmbedder]:
    async with embedder.open_embedder(
        endpoint,
        dialect,
        model="some-model",
        dimensions=DIMENSIONS,
        retries=Retries(retries, pause=no_pause),
    ) as opened:
        yield opened


@pytest.fixture(params=[by_openai, by_ollama])
def opening(request: pytest.FixtureRequest) -> Opening:
    chosen: Opening = request.param
    return chosen


async def test_vectors_are_made_unit_vectors_in_the_order_of_the_texts(
    opening: Opening, service: Service
) -> None:
    texts = [f"{TEXT} {number}" for number in range(5)]
    async with opening(service) as embedder:
        assert await embedder.embed(texts) == [unit_vector(text) for text in texts]


async def test_openai_is_asked_in_its_own_way(service: Service) -> None:
    async with by_openai(service) as embedder:
        await embedder.embed([TEXT])
    assert service.paths == ["/v1/embeddings"]
    assert service.keys == [f"Bearer {KEY}"]
    assert service.bodies == [
        {
            "model": "text-embedding-3-small",
            "encoding_format": "float",
            "dimensions": DIMENSIONS,
            "input": [TEXT],
        }
    ]


async def test_a_length_is_asked_for_only_of_models_that_can_choose(service: Service) -> None:
    endpoint = Endpoint(service.url, 5)
    async with opened(endpoint, OpenAIDialect("bge-small-en", DIMENSIONS)) as embedder:
        await embedder.embed([TEXT])
    assert "dimensions" not in service.bodies[0]
    assert service.keys == [None]


async def test_ollama_is_asked_in_its_own_way(service: Service) -> None:
    async with by_ollama(service) as embedder:
        await embedder.embed([TEXT])
    assert service.paths == ["/api/embed"]
    assert service.bodies == [{"model": "nomic-embed-text", "input": [TEXT], "truncate": True}]


@pytest.mark.requirement("C6")
async def test_a_text_is_cut_to_8000_characters(opening: Opening, service: Service) -> None:
    async with opening(service) as embedder:
        await embedder.embed(["é" * 20_000])
    assert service.bodies[0]["input"] == ["é" * 8000]


async def test_many_texts_go_in_requests_of_limited_size(
    opening: Opening, service: Service
) -> None:
    texts = [str(number) for number in range(70)]
    async with opening(service) as embedder:
        assert await embedder.embed(texts) == [unit_vector(text) for text in texts]
    assert [len(body["input"]) for body in service.bodies] == [32, 32, 6]


async def test_nothing_is_sent_for_no_text(opening: Opening, service: Service) -> None:
    async with opening(service) as embedder:
        assert await embedder.embed([]) == []
    assert service.bodies == []


async def test_an_empty_text_is_sent_as_something(opening: Opening, service: Service) -> None:
    async with opening(service) as embedder:
        await embedder.embed(["", "  \n", "\ud800"])
    assert service.bodies[0]["input"] == [".", ".", "?"]


async def test_a_text_too_long_for_the_model_is_cut_until_it_fits(
    opening: Opening, service: Service
) -> None:
    service.longest = 1500
    async with opening(service) as embedder:
        vectors = await embedder.embed([TEXT, "x" * 8000, "tea"])
    assert vectors == [unit_vector(text) for text in (TEXT, "x" * 1000, "tea")]


async def test_a_short_text_that_is_refused_is_given_up(opening: Opening, service: Service) -> None:
    service.longest = 10
    async with opening(service) as embedder:
        with pytest.raises(ModelRefused, match="400"):
            await embedder.embed(["tea", TEXT])
    assert len(service.bodies) == 3


PASSING = [
    Reply(429, {"error": {"code": "rate_limit_exceeded"}}),
    Reply(500, b"oh"),
    Reply(502, b""),
    Reply(503, b"<html>"),
    Reply(408, b""),
    Reply(529, b""),
    Reply(hangs_up=True),
]


@pytest.mark.parametrize("reply", PASSING)
async def test_a_failure_that_passes_is_tried_again(
    opening: Opening, service: Service, reply: Reply
) -> None:
    service.replies = [reply, reply]
    async with opening(service) as embedder:
        assert await embedder.embed([TEXT]) == [unit_vector(TEXT)]
    assert len(service.bodies) == 3


@pytest.mark.parametrize("reply", PASSING)
async def test_a_failure_that_does_not_pass_is_model_unavailable(
    opening: Opening, service: Service, reply: Reply
) -> None:
    service.replies = [reply] * 3
    async with opening(service) as embedder:
        with pytest.raises(ModelUnavailable):
            await embedder.embed([TEXT])
    assert len(service.bodies) == 3


async def test_a_service_that_is_not_there_is_model_unavailable(opening: Opening) -> None:
    nowhere = Service(url="http://127.0.0.1:9/v1")
    async with opening(nowhere) as embedder:
        with pytest.raises(ModelUnavailable, match="ConnectError"):
            await embedder.embed([TEXT])


async def test_a_service_that_does_not_answer_is_given_up(service: Service) -> None:
    service.replies = [Reply(stalls=True)]
    dialect = OpenAIDialect("m", DIMENSIONS)
    async with opened(Endpoint(service.url, 0.05), dialect, retries=0) as embedder:
        with pytest.raises(ModelUnavailable, match="ReadTimeout"):
            await embedder.embed([TEXT])


DATE = "Sun, 15 Nov 2026 10:00:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "120"}, 120.0),
        ({"Retry-After": "90.5"}, 90.5),
        ({"Retry-After": "Sun, 15 Nov 2026 10:01:30 GMT"}, 90.0),
        ({"Retry-After": "Sun, 15 Nov 2026 09:00:00 GMT"}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-5"}, None),
        ({}, None),
    ],
)
async def test_the_pause_a_service_asks_for_is_told(
    service: Service, headers: dict[str, str], seconds: float | None
) -> None:
    service.replies = [Reply(429, {}, {"Date": DATE, **headers})]
    dialect = OpenAIDialect("m", DIMENSIONS)
    async with opened(Endpoint(service.url, 5), dialect, retries=0) as embedder:
        with pytest.raises(ModelUnavailable) as caught:
            await embedder.embed([TEXT])
    assert caught.value.retry_after == seconds


@pytest.mark.parametrize(
    ("reply", "remedy"),
    [
        (Reply(401, {"error": {"code": "invalid_api_key"}}), "invalid_api_key.*check its API key"),
        (Reply(403, {"error": "no"}), "check its API key"),
        (Reply(404, {"error": {"code": "model_not_found"}}), "model's name|ollama pull"),
        (Reply(429, {"error": {"code": "insufficient_quota"}}), "no credit left"),
        (Reply(301, b"", {"Location": "/elsewhere"}), "check its URL"),
        (Reply(405, b""), "check its URL"),
    ],
)
async def test_a_refusal_is_told_at_once_with_the_remedy(
    opening: Opening, service: Service, reply: Reply, remedy: str
) -> None:
    service.replies = [reply]
    async with opening(service) as embedder:
        with pytest.raises(ModelRefused, match=remedy):
            await embedder.embed([TEXT])
    assert len(service.bodies) == 1


def both(vectors: object) -> dict[str, object]:
    """An answer with `vectors` in either dialect."""
    data = (
        [{"index": place, "embedding": one} for place, one in enumerate(vectors)]
        if isinstance(vectors, list)
        else vectors
    )
    return {"data": data, "embeddings": vectors}


GOOD = [1.0] * DIMENSIONS


@pytest.mark.parametrize(
    "body",
    [
        b"<html>not json</html>",
        b"\xff\xfe",
        b"",
        [],
        {},
        {"data": None, "embeddings": None},
        {"data": [{"embedding": GOOD}], "embeddings": GOOD},
        {"data": [{"index": 1, "embedding": GOOD}], "embeddings": [GOOD, GOOD]},
        both([]),
        both([GOOD, GOOD]),
        both([GOOD[1:]]),
        both([[*GOOD, 1.0]]),
        both([[]]),
        both([["x"] * DIMENSIONS]),
        both([[None] * DIMENSIONS]),
        both([[0.0] * DIMENSIONS]),
        both([[1e999] * DIMENSIONS]),
        both(["a vector"]),
    ],
)
async def test_an_answer_of_another_shape_is_invalid(
    opening: Opening, service: Service, body: object
) -> None:
    service.replies = [Reply(body=body)] * 3
    async with opening(service) as embedder:
        with pytest.raises(ModelOutputInvalid):
            await embedder.embed([TEXT])
    assert len(service.bodies) == 3


@pytest.mark.parametrize(
    "reply",
    [
        Reply(401, {"error": {"message": f"Incorrect API key {KEY}", "code": KEY + " shown"}}),
        Reply(400, {"error": {"message": f"cannot embed {TEXT}", "type": TEXT}}),
        Reply(500, f"{KEY} {TEXT}".encode()),
        Reply(200, {"data": f"{KEY} {TEXT}", "embeddings": f"{KEY} {TEXT}"}),
        Reply(hangs_up=True),
    ],
)
async def test_neither_the_key_nor_a_text_is_in_errors_or_logs(
    opening: Opening, service: Service, reply: Reply, caplog: pytest.LogCaptureFixture
) -> None:
    service.replies = [reply] * 3
    with caplog.at_level(logging.DEBUG):
        async with opening(service) as embedder:
            with pytest.raises(ModelError) as caught:
                await embedder.embed(["tea" if "Giulia" not in str(reply) else TEXT])
    shown = " ".join([*map(str, causes(caught.value)), caplog.text, repr(vars(embedder))])
    assert "canary" not in shown
    assert "Giulia" not in shown


def causes(error: BaseException | None) -> Sequence[BaseException]:
    return [error, *causes(error.__cause__)] if error else []


@pytest.mark.parametrize(
    "url", ["", "nonsense", "ftp://host", "http://", "http://host:port", "file:///"]
)
@pytest.mark.parametrize("open_it", [open_openai, open_ollama])
async def test_a_url_that_cannot_be_one_is_refused_before_anything_is_sent(
    url: str, open_it: Callable[..., AbstractAsyncContextManager[HttpEmbedder]]
) -> None:
    with pytest.raises(ConfigurationError, match="URL"):
        async with open_it(url=url):
            pass


@pytest.mark.parametrize("key", ["sk-é", "sk-1\n", "sk 1", "\x00"])
async def test_a_key_that_cannot_be_sent_is_refused_unshown(key: str) -> None:
    with pytest.raises(ConfigurationError, match="API key") as caught:
        async with open_openai(api_key=key):
            pass
    assert key not in str(caught.value)


async def test_the_defaults_are_those_of_the_services() -> None:
    async with open_openai() as openai, open_ollama() as ollama:
        assert (openai.model, openai.dimensions) == ("text-embedding-3-small@1536", 1536)
        assert (ollama.model, ollama.dimensions) == ("nomic-embed-text@768", 768)


def test_an_endpoint_does_not_show_its_key() -> None:
    assert KEY not in repr(Endpoint("http://127.0.0.1", 5, KEY))
