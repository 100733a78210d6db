"""Who may connect, send and join: every way in, for everybody who might try."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import socketio
from tests.sockets.house import Client, House, a_house

from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.memory import Draft
from memweaver.domain.principal import Permission, Principal
from memweaver.domain.scope import Scope
from memweaver.interfaces.socketio import sockets
from memweaver.ports.access import ApiKey
from memweaver.services.access import Access, digest

HELLO = Said((Message(Role.USER, "Hello"),))
ASKING: list[tuple[str, dict[str, Any]]] = [
    ("join", {"ai_uuid": "hers"}),
    ("join", {}),
    ("leave", {"ai_uuid": "hers"}),
    ("message", {"ai_uuid": "hers", "content": "psst"}),
    ("heartbeat", {}),
]


async def a_key(house: House, secret: str, user: str = "ann", **more: Any) -> str:
    clock = house.services.access.clock
    key = ApiKey(clock.new_id(), user, digest(secret), "test", clock.now(), **more)
    await house.services.access.store.add_key(key)
    return secret


async def refused(client: Client, event: str, payload: object) -> str:
    """The code of what the server has against it."""
    answer = await client.ask(event, payload)
    return str(answer.get("code"))


@pytest.mark.requirement("B14", "B18")
@pytest.mark.parametrize(("event", "payload"), ASKING)
async def test_a_socket_that_did_not_say_who_it_is_can_do_nothing(
    tmp_path: Path, event: str, payload: dict[str, Any]
) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        scope = await house.ai("ann", "hers")
        async with house.client() as client:
            acknowledged = await client.ask(event, payload)
            name, told = await client.next("error")
            assert (name, told["code"]) == ("error", "unauthenticated")
            assert acknowledged == told
            await client.next("disconnect")
            await house.services.curate.add(scope, Draft("Ann likes tea."))
            assert client.waiting() == []


@pytest.mark.requirement("B14")
@pytest.mark.parametrize(
    "auth", [{"api_key": "mw_guessed"}, {"token": "x.y.z"}, {"api_key": ""}, {"user": "ann"}, {}]
)
async def test_nobody_connects_with_a_credential_that_is_none(
    tmp_path: Path, auth: dict[str, str]
) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        if not auth:  # nothing at all is for those who authenticate later
            return
        with pytest.raises(socketio.exceptions.ConnectionError):
            async with house.client(auth):
                pass


@pytest.mark.requirement("B14")
async def test_foreign_and_missing_ais_are_refused_alike(tmp_path: Path) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        await house.ai("bob", "his")
        await house.ai("ann", "hers")
        async with house.client({"api_key": await house.key("ann")}) as client:
            for event, more in (("join", {}), ("message", {"content": "psst"})):
                foreign = await client.ask(event, {"ai_uuid": "his", **more})
                missing = await client.ask(event, {"ai_uuid": "nil", **more})
                assert str(foreign).replace("his", "nil") == str(missing)
                assert foreign["code"] == "not_found"


async def test_a_key_for_one_ai_hears_of_that_one_only(tmp_path: Path) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        work, home = await house.ai("ann", "work"), await house.ai("ann", "home")
        key = await a_key(house, "mw_work", ai="work")
        async with house.client({"api_key": key}) as client:
            assert await refused(client, "join", {"ai_uuid": "home"}) == "not_found"
            assert (await client.ask("join", {}))["room"] == "work"
            for scope in (home, Scope("ann"), work):
                await house.services.curate.add(scope, Draft("Ann likes tea."))
            assert (await client.next("memory_update"))[1]["ai_uuid"] == "work"
            assert "memory_update" not in [name for name, _ in client.waiting()]


@pytest.mark.requirement("B14")
@pytest.mark.parametrize(
    ("second", "kept"),
    [
        ({"ai": "work"}, ["work"]),
        ({"permissions": frozenset({Permission.WRITE})}, []),
        ({}, ["*", "home", "work"]),
    ],
)
async def test_who_comes_in_by_another_key_keeps_only_the_rooms_which_that_may_enter(
    tmp_path: Path, second: dict[str, Any], kept: list[str]
) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        work, home = await house.ai("ann", "work"), await house.ai("ann", "home")
        async with (
            house.client({"api_key": await house.key("ann")}) as client,
            house.client({"api_key": await house.key("ann")}) as other,
        ):
            for asked in ({}, {"ai_uuid": "work"}, {"ai_uuid": "home"}):
                await client.ask("join", asked)
            await client.ask("authenticate", {"api_key": await a_key(house, "mw_2", **second)})
            left = [told["room"] for name, told in client.waiting() if name == "left"]
            assert sorted({"*", "home", "work"} - set(left)) == kept

            for scope in (home, Scope("ann"), work):
                await house.services.curate.add(scope, Draft("Ann likes tea."))
                if scope.ai in kept:
                    await client.next("memory_update")
            for ai in ("home", "work"):
                await other.ask("message", {"ai_uuid": ai, "content": ai})
            await client.ask("heartbeat", {})
            heard = {told["ai_uuid"] for name, told in client.waiting() if name == "message"}
            assert heard == set(kept) - {"*"}


async def test_rooms_are_looked_at_again_from_time_to_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if a key had been bound to one AI meanwhile."""
    monkeypatch.setattr(sockets, "RECHECK", 0.05)
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        await house.ai("ann", "work")
        async with house.client({"api_key": await house.key("ann")}) as client:
            for asked in ({}, {"ai_uuid": "work"}):
                await client.ask("join", asked)
            bound = Principal("ann", "key", ai="work")

            async def principal(*_: object) -> Principal:
                return bound

            monkeypatch.setattr(Access, "principal", principal)
            assert (await client.next("left"))[1] == {"room": "*"}
            assert (await client.ask("join", {}))["room"] == "work"


async def test_who_may_only_read_says_nothing_and_who_may_only_write_hears_nothing(
    tmp_path: Path,
) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        await house.ai("ann", "hers")
        said = {"ai_uuid": "hers", "content": "psst"}
        reading = await a_key(house, "mw_r", permissions=frozenset({Permission.READ}))
        async with house.client({"api_key": reading}) as client:
            assert (await client.ask("join", {"ai_uuid": "hers"}))["room"] == "hers"
            assert await refused(client, "message", said) == "forbidden"
        writing = await a_key(house, "mw_w", permissions=frozenset({Permission.WRITE}))
        async with house.client({"api_key": writing}) as client:
            assert await refused(client, "join", {"ai_uuid": "hers"}) == "forbidden"
            assert (await client.ask("message", said))["content"] == "psst"


@pytest.mark.requirement("B14")
async def test_each_hears_of_the_own_room_and_of_no_other(tmp_path: Path) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        scopes = [await house.ai(user, ai) for user in ("ann", "bob") for ai in ("one", "two")]
        keys = {user: await house.key(user) for user in ("ann", "bob")}
        heard: dict[Scope, list[Any]] = {}
        for scope in scopes:
            async with house.client({"api_key": keys[scope.user]}) as client:
                await client.ask("join", {"ai_uuid": scope.ai})
                kept = {s: await house.services.curate.add(s, Draft("Tea.")) for s in scopes}
                await client.next("memory_update")
                await client.ask("heartbeat", {})
                heard[scope] = [one for one in client.waiting() if one[0] == "memory_update"]
                assert kept[scope].id
        assert heard == {scope: [] for scope in scopes}


async def test_messages_reach_the_room_and_no_other(tmp_path: Path) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        for user in ("ann", "bob"):
            for ai in ("one", "two"):
                await house.ai(user, ai)
        ann, bob = {"api_key": await house.key("ann")}, {"api_key": await house.key("bob")}
        async with (
            house.client(ann) as sender,
            house.client(ann) as one,
            house.client(ann) as two,
            house.client(ann) as every,
            house.client(bob) as his,
        ):
            for client, ai in ((one, "one"), (two, "two"), (his, "one")):
                await client.ask("join", {"ai_uuid": ai})
            await every.ask("join", {})
            await every.ask("join", {"ai_uuid": "one"})
            await sender.ask("message", {"ai_uuid": "one", "content": "psst"})
            for client in (one, every):
                assert (await client.next("message"))[1]["content"] == "psst"
            for client in (one, two, every, his):
                await client.ask("heartbeat", {})
                assert "message" not in [name for name, _ in client.waiting()]


async def test_a_message_has_its_limit(tmp_path: Path) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        await house.ai("ann", "hers")
        async with house.client({"api_key": await house.key("ann")}) as client:
            for size, code in ((65_536, "None"), (65_537, "too_large")):
                said = {"ai_uuid": "hers", "content": "x" * size}
                assert await refused(client, "message", said) == code
            await client.io.emit("message", {"ai_uuid": "hers", "content": "x" * 200_000})
            await client.next("disconnect")


@pytest.mark.parametrize("how", ["revoked", "expired", "asking"])
async def test_who_may_no_longer_come_in_is_sent_away(
    tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "RECHECK", 0.2 if how != "asking" else 600)
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        await house.ai("ann", "hers")
        now = house.services.access.clock.now()
        until = now + timedelta(seconds=1) if how == "expired" else None
        key = await a_key(house, "mw_short", expires_at=until)
        async with house.client({"api_key": key}) as client:
            await client.ask("join", {"ai_uuid": "hers"})
            if how != "expired":
                [kept] = await house.services.access.keys("ann")
                await house.services.access.revoke(kept.id)
            if how == "asking":
                assert await refused(client, "heartbeat", {}) == "unauthenticated"
            await client.next("disconnect")


async def test_events_count_against_the_requests_of_their_user(tmp_path: Path) -> None:
    access = {"requests_per_minute": 12}
    async with a_house(tmp_path, store={"kind": "memory"}, access=access) as house:
        await house.ai("ann", "hers")
        said = {"ai_uuid": "hers", "content": "psst"}
        key = await house.key("ann")
        async with house.client({"api_key": key}) as client:
            asking = [("join", {}), ("message", said), ("authenticate", {"api_key": key})]
            asking += [("leave", {}), ("heartbeat", {}), ("join", {"room": "hers"})]
            codes = [await refused(client, *one) for _ in range(8) for one in asking]
            assert codes[:6] == ["None"] * 5 + ["invalid_input"]
            assert codes[-6:] == ["rate_limited"] * 6
            async with httpx.AsyncClient(base_url=house.url, trust_env=False) as web:
                answer = await web.get("/v1/turns", headers={"X-API-Key": key})
            assert answer.status_code == 429
        async with house.client({"api_key": await house.key("bob")}) as his:
            assert "timestamp" in await his.ask("heartbeat", {})


async def test_who_says_nothing_is_sent_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "RECHECK", 0.05)
    monkeypatch.setattr(sockets, "PATIENCE", 0.1)
    async with a_house(tmp_path, store={"kind": "memory"}) as house, house.client() as client:
        await client.next("disconnect")


CONSOLE = "https://console.example"
ALLOWED: dict[str, Any] = {"store": {"kind": "memory"}, "server": {"origins": (CONSOLE,)}}
FOREIGN = ("https://evil.example", "http://127.0.0.1", "null")


async def test_pages_of_other_origins_stay_outside_unless_allowed(tmp_path: Path) -> None:
    async with a_house(tmp_path, **ALLOWED) as house:
        auth = {"api_key": await house.key("ann")}
        for origin in FOREIGN:
            with pytest.raises(socketio.exceptions.ConnectionError):
                async with house.client(auth, Origin=origin):
                    pass
        for origin in (CONSOLE, house.url):
            async with house.client(auth, Origin=origin) as client:
                assert "timestamp" in await client.ask("heartbeat", {})


async def test_so_do_those_that_poll_and_a_page_is_told_once_that_it_may_read(
    tmp_path: Path,
) -> None:
    polling = "/socket.io/?EIO=4&transport=polling"
    async with (
        a_house(tmp_path, **ALLOWED) as house,
        httpx.AsyncClient(base_url=house.url, trust_env=False) as page,
    ):
        for origin in FOREIGN:
            assert (await page.get(polling, headers={"Origin": origin})).status_code == 403
        answer = await page.get(polling, headers={"Origin": CONSOLE})
    assert answer.status_code == 200
    assert answer.headers.get_list("access-control-allow-origin") == [CONSOLE]


@pytest.mark.parametrize(
    ("event", "payload", "field"),
    [
        ("join", {"room": "hers"}, "room"),
        ("join", {"ai_uuid": 7}, "ai_uuid"),
        ("join", {"cursor": "soon"}, "cursor"),
        ("join", {"cursor": "9" * 40}, "cursor"),
        ("join", ["hers"], "payload"),
        ("message", {"ai_uuid": "hers"}, "content"),
        ("authenticate", {}, "api_key"),
        ("authenticate", "key", "payload"),
        ("authenticate", b"key", "api_key"),
        ("authenticate", {"api_key": b"key"}, "api_key"),
        ("sing", {"ai_uuid": "hers"}, "event"),
        (["join"], {"ai_uuid": "hers"}, "event"),
        (7, {}, "event"),
        ("connect", {}, "event"),
        ("disconnect", {}, "event"),
    ],
)
async def test_bad_input_is_named(tmp_path: Path, event: str, payload: object, field: str) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        key = await house.key("ann")
        async with house.client({"api_key": key}) as client:
            answer = await client.ask(event, payload)
        assert (answer["code"], answer["field"]) == ("invalid_input", field)
