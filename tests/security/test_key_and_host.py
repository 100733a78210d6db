"""Addresses that operators name: what is sent there, and the key with it, goes nowhere else."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import httpx
import pytest
from tests.sockets.receiver import Receiver, a_receiver

from memweaver.adapters.http.endpoint import Endpoint
from memweaver.adapters.ollama import open_ollama, open_ollama_chat, open_ollama_upstream
from memweaver.adapters.openai import open_openai, open_openai_chat, open_openai_upstream
from memweaver.adapters.otel.spans import sending
from memweaver.app.doctor import Failed, asked
from memweaver.app.house_sections import TraceSettings
from memweaver.app.tracing import open_tracing
from memweaver.domain.conversation import Message, Role
from memweaver.errors import ConfigurationError, MemweaverError

KEY = "sk-for-one-host-only"
REDIRECTS = (301, 302, 303, 307, 308)
PROXIES = ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy")
HELLO = [Message(Role.USER, "Hello")]
FORMS = [
    "file:///etc/passwd",
    "file://127.0.0.1:{port}/",
    "gopher://127.0.0.1:{port}/",
    "ftp://127.0.0.1:{port}/",
    "unix:///var/run/x.sock",
    "http+unix://127.0.0.1:{port}/",
    "dict://127.0.0.1:{port}/",
    "ldap://127.0.0.1:{port}/",
    "ws://127.0.0.1:{port}/",
    "jar:http://127.0.0.1:{port}/!/",
    "data:text/plain,x",
    "javascript:x",
    "//127.0.0.1:{port}/",
    "127.0.0.1:{port}",
    "http:127.0.0.1:{port}/",
    "http:///127.0.0.1:{port}/",
    "http://",
    "http://:{port}/",
    "http://127.0.0.1:99999/",
    "http://127.0.0.1:{port}/\r\nHost: x",
    "http://user@127.0.0.1:{port}/",
    "http://user:word@127.0.0.1:{port}/",
    "http://example.com@127.0.0.1:{port}/",
]
"""Loopback is where operators have their models: how an address is written is what counts."""

Use = Callable[[str], Awaitable[object]]


async def openai_embedder(url: str) -> None:
    async with open_openai(url=url, api_key=KEY, retries=0) as embedder:
        await embedder.embed(["Hello"])


async def ollama_embedder(url: str) -> None:
    async with open_ollama(url=url, retries=0) as embedder:
        await embedder.embed(["Hello"])


async def openai_chat(url: str) -> None:
    async with open_openai_chat(url=url, api_key=KEY, retries=0) as chat:
        await chat.complete(HELLO, schema=None, tokens=9)


async def ollama_chat(url: str) -> None:
    async with open_ollama_chat(url=url, retries=0) as chat:
        await chat.complete(HELLO, schema=None, tokens=9)


async def openai_upstream(url: str) -> None:
    async with open_openai_upstream(url=url, model="m", api_key=KEY) as upstream:
        await upstream.chat({"messages": []})


async def openai_models(url: str) -> None:
    async with open_openai_upstream(url=url, model="m", api_key=KEY) as upstream:
        await upstream.models()


async def ollama_upstream(url: str) -> None:
    async with open_ollama_upstream(url=url, model="m") as upstream:
        await upstream.chat({"messages": []})


async def doctor(url: str) -> None:
    await asked("upstream", url, {"Authorization": f"Bearer {KEY}"})


OPENED: list[Use] = [
    openai_embedder,
    ollama_embedder,
    openai_chat,
    ollama_chat,
    openai_upstream,
    openai_models,
    ollama_upstream,
]
USES: list[Use] = [*OPENED, doctor]


@asynccontextmanager
async def a_house_and_a_canary(status: int) -> AsyncGenerator[tuple[Receiver, Receiver]]:
    async with a_receiver(*[status] * 9) as named, a_receiver() as canary:
        named.elsewhere = f"http://127.0.0.1:{canary.port}/v1/chat/completions"
        yield named, canary


@pytest.mark.parametrize("use", USES)
async def test_no_redirect_leads_elsewhere(use: Use) -> None:
    for status in REDIRECTS:
        async with a_house_and_a_canary(status) as (named, canary):
            with suppress(MemweaverError, Failed):
                await use(f"http://127.0.0.1:{named.port}/v1")
            assert (named.connected, canary.connected) == (1, 0)


@pytest.mark.parametrize("use", USES)
async def test_no_proxy_is_taken_from_the_environment(
    use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house_and_a_canary(500) as (named, canary):
        for name in PROXIES:
            monkeypatch.setenv(name, f"http://127.0.0.1:{canary.port}")
        with suppress(MemweaverError, Failed):
            await use(f"http://127.0.0.1:{named.port}/v1")
        assert (named.connected, canary.connected) == (1, 0)


@pytest.mark.parametrize("form", FORMS)
async def test_what_is_no_plain_address_is_refused_at_the_start(form: str) -> None:
    async with a_receiver() as canary:
        url = form.format(port=canary.port)
        for use in OPENED:
            with pytest.raises(ConfigurationError):
                await use(url)
        assert canary.connected == 0


@pytest.mark.parametrize("form", [form for form in FORMS if "@" not in form])
def test_traces_go_to_plain_addresses_only(form: str) -> None:
    settings = TraceSettings(url=form.format(port=9))
    with pytest.raises(ConfigurationError, match="traces"), open_tracing(settings):
        pass


async def test_the_proxy_that_is_named_is_used() -> None:
    async with a_receiver(500) as proxy:
        through = f"http://127.0.0.1:{proxy.port}"
        opening = open_openai(url="http://model.example/v1", proxy=through, retries=0)
        with pytest.raises(MemweaverError):
            async with opening as embedder:
                await embedder.embed(["Hello"])
        assert proxy.connected == 1
    with pytest.raises(ConfigurationError, match="the proxy's URL"):
        Endpoint("http://model.example", 1, proxy="socks://x").client()


async def test_were_redirects_followed_the_canary_would_hear(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def client(self: Endpoint, *_: object) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.url, follow_redirects=True, trust_env=False)

    monkeypatch.setattr(Endpoint, "client", client)
    async with a_house_and_a_canary(307) as (named, canary):
        with pytest.raises(MemweaverError):
            await openai_chat(f"http://127.0.0.1:{named.port}/v1")
        assert canary.connected == 1


def traced(url: str) -> None:
    with sending(url, {"x-key": KEY}, 1.0) as spans, spans.within("hello", {}):
        pass


async def test_traces_are_sent_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_house_and_a_canary(307) as (named, canary):
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{canary.port}")
        await asyncio.to_thread(traced, f"http://127.0.0.1:{named.port}")
        assert named.connected >= 1
        assert canary.connected == 0
