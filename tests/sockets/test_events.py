"""What happens, told by Socket.IO as it happens."""

from datetime import UTC, datetime
from pathlib import Path

import httpx
import jsonschema_rs
import pytest
from tests.sockets.house import House, a_house

from memweaver.domain.memory import Draft, Tier
from memweaver.domain.scope import Scope


@pytest.mark.requirement("B13")
async def test_a_client_joins_by_uuid_and_hears_of_its_memories(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        key, scope = await house.key("ann"), await house.ai("ann", "1234")
        async with house.client() as client:
            assert await client.ask("authenticate", {"api_key": key}) == {"status": "ok"}
            joined = await client.ask("join", {"ai_uuid": "1234"})
            assert (joined["room"], joined["missed"]) == ("1234", False)
            curate = house.services.curate
            kept = await curate.add(scope, Draft("Ann likes tea."))
            await curate.move(scope, kept.id, Tier.ARCHIVE)
            await curate.erase(scope, kept.id)
            told = [(await client.next("memory_update"))[1] for _ in range(3)]
    assert [(one["action"], one["memory_type"]) for one in told] == [
        ("create", "long_term_memory"),
        ("move", "archive"),
        ("delete", "archive"),
    ]
    assert {(one["ai_uuid"], one["memory_id"]) for one in told} == {("1234", kept.id)}


async def test_what_goes_over_a_socket_is_told_as_json_schema(tmp_path: Path) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        key, scope = await house.key("ann"), await house.ai("ann", "1234")
        headers = {"Authorization": f"Bearer {key}"}
        async with (
            httpx.AsyncClient(base_url=house.url, headers=headers, trust_env=False) as asking,
            house.client({"api_key": key}) as client,
        ):
            schemas = (await asking.get("/v1/events/schema")).json()
            await client.ask("join", {})
            await house.services.curate.add(scope, Draft("Ann likes tea."))
            name, payload = await client.next("memory_update")
    assert set(schemas["send"]) == {"authenticate", "join", "leave", "message", "heartbeat"}
    schema = jsonschema_rs.validator_for(schemas["receive"][name])
    assert schema.is_valid(payload)
    assert not schema.is_valid({**payload, "action": "burn"})


async def asked(house: House, key: str, cursor: str, **more: str) -> httpx.Response:
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=house.url, headers=headers, trust_env=False) as client:
        return await client.get("/v1/events", params={"cursor": cursor, **more})


async def test_a_cursor_that_is_made_up_or_of_another_room_is_refused(tmp_path: Path) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        key, now = await house.key("ann"), datetime.now(UTC)
        for user, ai in (("ann", "hers"), ("ann", "another"), ("bob", "his")):
            await house.ai(user, ai)
        async with house.client({"api_key": key}) as client:
            right = (await client.ask("join", {"ai_uuid": "hers"}))["cursor"]
            assert "code" not in await client.ask("join", {"ai_uuid": "hers", "cursor": right})
            for wrong in (
                "1.1",
                f"0.{int(now.timestamp())}",
                right[:-1] + ("A" if right[-1] != "A" else "Q"),
                (await client.ask("join", {}))["cursor"],
                (await client.ask("join", {"ai_uuid": "another"}))["cursor"],
                await house.cursor(Scope("bob"), 0, now),
                await house.cursor(Scope("bob", "hers"), 0, now),
            ):
                told = await client.ask("join", {"ai_uuid": "hers", "cursor": wrong})
                assert (told["code"], told["field"]) == ("invalid_input", "cursor")
                answer = await asked(house, key, wrong, ai="hers")
                assert (answer.status_code, answer.json()["error"]["field"]) == (400, "cursor")


async def test_a_cursor_from_a_socket_and_one_from_asking_are_the_same(tmp_path: Path) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        key, scope = await house.key("ann"), await house.ai("ann", "hers")
        async with house.client({"api_key": key}) as client:
            joined = await client.ask("join", {"ai_uuid": "hers"})
            kept = [await house.services.curate.add(scope, Draft(f"Tea {n}.")) for n in range(2)]
            told = [(await client.next("memory_update"))[1] for _ in kept]
            found = (await asked(house, key, joined["cursor"], ai="hers")).json()
            [last] = (await asked(house, key, told[0]["cursor"], ai="hers")).json()["items"]
            client.waiting()
            await client.ask("join", {"ai_uuid": "hers", "cursor": found["items"][0]["cursor"]})
            again = (await client.next("memory_update"))[1]
    assert [one["id"] for one in found["items"]] == [one.id for one in kept]
    assert (last["id"], again["memory_id"]) == (kept[1].id, kept[1].id)
    assert (again["room"], again["number"]) == ("hers", told[1]["number"])
