"""A program beside the server: what it asks for is done once, whatever happens to the server."""

import signal
import socket
from collections.abc import Generator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import anyio
import httpx
import pytest
from tests.story.server import Serving, serving

from memweaver.client import MemweaverClient, Message, Role
from memweaver.client.blocking import connect
from memweaver.domain.job import Patience
from memweaver.errors import Conflict, NotFound, Unauthenticated

pytestmark = pytest.mark.anyio

UNTIL_IT_IS_BACK = Patience(
    retries=200, delay=timedelta(milliseconds=50), longest=timedelta(milliseconds=400)
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[Serving]:
    with serving(tmp_path_factory.mktemp("client")) as server:
        yield server


async def test_a_memory_is_kept_corrected_found_and_erased(server: Serving) -> None:
    async with MemweaverClient(server.welcome["url"], server.welcome["api_key"]) as client:
        said = [Message(Role.USER, "My sister Ada moved to Lisbon.")]
        turn = await client.turns.record(*said, session="monday")
        tea = await client.memories.add("Ann drinks tea.", metadata={"cup": "blue"})
        honey = await client.memories.correct(tea.id, text="Ann drinks tea with honey.")

        assert (await client.turns.read(turn.id)).messages == tuple(said)
        assert (honey.revision, honey.metadata) == (2, {"cup": "blue"})
        with pytest.raises(Conflict):
            await client.memories.correct(tea.id, text="Coffee.", expected=tea.revision)
        assert (await client.recall("Where does my sister live?")).hits[0].text == said[0].text
        assert [one.id async for one in client.turns.all(session="monday")] == [turn.id]

        await client.memories.erase(tea.id)
        with pytest.raises(NotFound):
            await client.memories.read(tea.id)


async def test_a_list_is_walked_page_by_page(server: Serving) -> None:
    async with MemweaverClient(server.welcome["url"], server.welcome["api_key"]) as client:
        kept = [(await client.memories.add(f"Shelf {n}", tier="archive")).id for n in range(7)]

        found = [one.id async for one in client.memories.all(tiers=["archive"], at_once=3)]

    assert found == kept[::-1]


async def test_whoever_has_no_key_is_told_so(server: Serving) -> None:
    async with MemweaverClient(server.welcome["url"]) as client:
        assert (await client.health()).status == "ok"
        with pytest.raises(Unauthenticated):
            await client.recall("Where does my sister live?")


def test_a_program_that_does_not_await_has_the_same(server: Serving) -> None:
    with connect(server.welcome["url"], server.welcome["api_key"]) as client:
        kept = client.memories.add("The blue cup is Ann's.")

        assert kept in list(client.memories.all(at_once=1))


async def test_what_is_sent_while_the_server_is_killed_is_recorded_once(tmp_path: Path) -> None:
    port = free_port()
    recorded = anyio.Event()

    async def record(client: MemweaverClient, number: int) -> None:
        await client.turns.record(Message(Role.USER, f"Line {number}"), session="storm")
        recorded.set()

    with ExitStack() as servers:
        first = servers.enter_context(serving(tmp_path, "--port", port))
        key, url = first.welcome["api_key"], first.welcome["url"]
        async with (
            MemweaverClient(url, key, patience=UNTIL_IT_IS_BACK) as client,
            anyio.create_task_group() as storm,
        ):
            for number in range(300):
                storm.start_soon(record, client, number)
            await recorded.wait()
            first.stop(signal.SIGKILL)
            again = serving(tmp_path, "--port", port)
            await anyio.to_thread.run_sync(servers.enter_context, again)
        async with MemweaverClient(url, key) as client:
            said = [turn.messages[0].text async for turn in client.turns.all(session="storm")]

    assert sorted(said) == sorted(f"Line {number}" for number in range(300))


class Losing(httpx.AsyncHTTPTransport):
    """A way to the server on which the first answer to every POST is lost."""

    def __init__(self, *, nameless: bool = False) -> None:
        super().__init__()
        self._lost: set[bytes] = set()
        self._nameless = nameless

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self._nameless:
            request.headers.pop("Idempotency-Key", None)
        response = await super().handle_async_request(request)
        if request.method == "POST" and request.content not in self._lost:
            self._lost.add(request.content)
            await response.aclose()
            raise httpx.ReadError("lost")
        return response


@pytest.mark.parametrize(("nameless", "times"), [(False, 1), (True, 2)])
async def test_what_is_sent_again_is_known_by_its_name_alone(
    server: Serving, *, nameless: bool, times: int
) -> None:
    losing = Losing(nameless=nameless)
    url, key = server.welcome["url"], server.welcome["api_key"]
    async with MemweaverClient(url, key, patience=UNTIL_IT_IS_BACK, transport=losing) as client:
        kept = await client.memories.add(f"Said {times} times", tier="episodic")
        found = [one.text async for one in client.memories.all(tiers=["episodic"])]

    assert found.count(kept.text) == times


def free_port() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])
