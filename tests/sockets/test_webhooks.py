"""Webhooks, from what happens to a receiver on a real port."""

import hmac
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.sockets.house import House, a_house
from tests.sockets.receiver import HANG, Receiver, a_receiver

from memweaver.domain import webhook
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.scope import Scope

HERE = {"events": {"webhook_hosts": ("127.0.0.1",), "webhook_attempts": 4, "webhook_timeout": 0.5}}
ANN = Scope("ann")
HELLO = Said((Message(Role.USER, "Hello"),))


async def ask(house: House, key: str, request: str, body: object = None) -> httpx.Response:
    method, path = request.split(" ", 1)
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=house.url, headers=headers, trust_env=False) as client:
        return await client.request(method, path, json=body)


async def added(house: House, key: str, receiver: Receiver) -> dict[str, Any]:
    asked = {"url": receiver.url, "kinds": ["turn.recorded"]}
    answer = await ask(house, key, "POST /v1/webhooks", asked)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "FIRST_PAUSE", webhook.FIRST_PAUSE / 5000)


async def test_a_receiver_is_told_what_happened_signed(tmp_path: Path) -> None:
    async with a_receiver() as receiver, a_house(tmp_path, **HERE) as house:
        key = await house.key("ann")
        made = await added(house, key, receiver)
        turn = await house.services.record(ANN, HELLO)
        headers, body = await receiver.next()
        [told] = (await ask(house, key, "GET /v1/events?limit=1")).json()["items"]
    assert b"Hello" not in body
    at = headers["memweaver-signature"].split(",")[0].removeprefix("t=")
    signed = hmac.new(made["secret"].encode(), f"{at}.".encode() + body, sha256).hexdigest()
    assert headers["memweaver-signature"] == f"t={at},v1={signed}"
    assert headers["memweaver-delivery"].startswith(made["webhook"]["id"])
    assert (told["kind"], told["id"]) == ("turn.recorded", turn.id)


async def test_where_a_receiver_was_is_where_asking_and_a_socket_go_on(tmp_path: Path) -> None:
    async with a_receiver() as receiver, a_house(tmp_path, **HERE) as house:
        key = await house.key("ann")
        await added(house, key, receiver)
        turns = [await house.services.record(ANN, HELLO) for _ in range(2)]
        cursor = (await receiver.events(2))[0]["cursor"]
        found = await ask(house, key, f"GET /v1/events?cursor={cursor}")
        foreign = await ask(house, await house.key("bob"), f"GET /v1/events?cursor={cursor}")
        async with house.client({"api_key": key}) as client:
            await client.ask("join", {"cursor": cursor})
            heard = (await client.next("turn_recorded"))[1]
    kinds = {one["id"] for one in found.json()["items"] if one["kind"] == "turn.recorded"}
    assert (kinds, heard["turn_id"]) == ({turns[1].id}, turns[1].id)
    assert (foreign.status_code, foreign.json()["error"]["field"]) == (400, "cursor")


async def test_what_fails_is_tried_again_in_order(tmp_path: Path) -> None:
    answers = (500, 301, HANG)
    async with a_receiver(*answers) as receiver, a_house(tmp_path, **HERE) as house:
        await added(house, await house.key("ann"), receiver)
        turns = [await house.services.record(ANN, HELLO) for _ in range(3)]
        told = await receiver.events(3)
    assert [one["subject"] for one in told] == [turn.id for turn in turns]
    assert receiver.connected == 6


async def test_what_is_given_up_is_shown_and_others_follow(tmp_path: Path) -> None:
    async with a_receiver(500, 500, 500, 500) as receiver, a_house(tmp_path, **HERE) as house:
        key = await house.key("ann")
        made = await added(house, key, receiver)
        turns = [await house.services.record(ANN, HELLO) for _ in range(2)]
        [told] = await receiver.events(1)
        name = made["webhook"]["id"]
        [failure] = (await ask(house, key, f"GET /v1/webhooks/{name}/failures")).json()["items"]
        after = await ask(house, key, f"GET /v1/events?cursor={failure['event']['cursor']}")
    assert told["subject"] == turns[1].id
    assert failure["event"]["id"] == turns[0].id
    assert turns[1].id in {one["id"] for one in after.json()["items"]}
    assert (failure["attempts"], failure["failure"]) == (4, "it answered 500")


async def test_a_webhook_can_be_tested_listed_and_removed_by_its_owner_only(
    tmp_path: Path,
) -> None:
    async with a_receiver() as receiver, a_house(tmp_path, **HERE) as house:
        ann, bob = await house.key("ann"), await house.key("bob")
        name = (await added(house, ann, receiver))["webhook"]["id"]
        assert (await ask(house, ann, f"POST /v1/webhooks/{name}/test")).status_code == 204
        assert (await receiver.events(1))[0]["kind"] == "test"
        listed = (await ask(house, ann, "GET /v1/webhooks")).json()["items"]
        assert [one["id"] for one in listed] == [name]
        assert "secret" not in str(listed)
        for request in ("POST {}/test", "GET {}/failures", "DELETE {}"):
            foreign = await ask(house, bob, request.format(f"/v1/webhooks/{name}"))
            missing = await ask(house, ann, request.format("/v1/webhooks/none"))
            assert foreign.status_code == missing.status_code == 404
            assert foreign.text.replace(name, "none") == missing.text
        assert (await ask(house, ann, f"DELETE /v1/webhooks/{name}")).status_code == 204
        assert (await ask(house, ann, "GET /v1/webhooks")).json()["items"] == []


async def test_a_receiver_that_is_private_is_not_reached(tmp_path: Path) -> None:
    async with a_receiver() as receiver, a_house(tmp_path) as house:
        key = await house.key("ann")
        name = (await added(house, key, receiver))["webhook"]["id"]
        answer = await ask(house, key, f"POST /v1/webhooks/{name}/test")
    assert (answer.status_code, receiver.connected) == (502, 0)
    assert "WEBHOOK_HOSTS" in answer.text
