"""The client for programs that do not await: the same names, which wait."""

import inspect
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest
from tests.unit.client.scripted import Scripted, refused

from memweaver.client import MemweaverClient
from memweaver.client.blocking import BlockingClient, blocking, connect
from memweaver.errors import NotFound

KEY = {
    "id": "1",
    "label": "laptop",
    "permissions": ["read"],
    "ai": None,
    "realm": None,
    "created_at": "2026-05-01T09:31:00Z",
    "expires_at": None,
    "revoked_at": None,
}


def names(thing: object, before: str = "") -> Iterator[str]:
    """What can be called on a client, with what can be called on its parts."""
    for name, value in inspect.getmembers(thing):
        if name.startswith("_") or name == "server":
            continue
        if callable(value):
            yield before + name
        else:
            yield from names(value, f"{before}{name}.")


def missing(whole: MemweaverClient, twin: BlockingClient) -> set[str]:
    return set(names(whole)) - set(names(twin)) - {"close"}


def test_whatever_can_be_awaited_can_be_waited_for() -> None:
    client = Scripted([]).client()

    with blocking(client) as twin:
        assert missing(client, twin) == set()


def test_a_name_that_is_missing_is_noticed() -> None:
    client = Scripted([]).client()

    with blocking(client) as twin:
        del twin.memories.confirm
        assert missing(client, twin) == {"memories.confirm"}


def test_an_answer_is_waited_for_and_an_error_raised() -> None:
    me = {"user": "ann", "organisation": "home", "permissions": ["read"], "ai": None}
    server = Scripted([httpx.Response(200, json=me), refused(404, "not_found")])

    with blocking(server.client()) as client:
        assert client.me.read().user == "ann"
        with pytest.raises(NotFound):
            client.memories.read("1")


def test_a_list_is_read_as_far_as_it_is_wanted() -> None:
    pages = [{"items": [KEY, KEY], "next": "2"}, {"items": [KEY], "next": None}]
    server = Scripted([httpx.Response(200, json=page) for page in pages])

    with blocking(server.client()) as client:
        with closing(client.keys.all()) as keys:
            assert next(keys).label == "laptop"
        assert len(server.asked) == 1
        assert [key.id for key in client.keys.all()] == ["1"]


def test_a_client_that_waits_is_opened_by_url_and_key() -> None:
    with connect("http://127.0.0.1:1", "mw_key", timeout=1.0) as client:
        assert callable(client.recall)
