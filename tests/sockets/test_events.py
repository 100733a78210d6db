"""What happens, told by Socket.IO as it happens."""

from pathlib import Path

import httpx
import jsonschema_rs
import pytest
from tests.sockets.house import a_house

from memweaver.domain.memory import Draft, Tier


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
