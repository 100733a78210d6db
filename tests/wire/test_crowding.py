"""A user who asks for much at once is let in some at a time, and nobody waits behind them."""

from asyncio import Barrier, TaskGroup, get_running_loop
from collections.abc import Sequence
from math import inf
from pathlib import Path

import httpx
import pytest
from tests.sockets.house import a_house

from memweaver.app.house_sections import AccessSettings
from memweaver.app.sections import InMemoryStore
from memweaver.app.settings import Settings
from memweaver.app.wiring import open_services
from memweaver.domain.memory import Vector
from memweaver.interfaces import door
from memweaver.services.turnstile import PLACES, Turnstile
from memweaver.testing.doubles import HashEmbedder

ONE = {"requests_per_minute": 1}


async def test_a_user_is_let_in_some_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, inside, most, embed = Barrier(PLACES), set[str](), 0, HashEmbedder.embed

    async def counted(self: HashEmbedder, texts: Sequence[str]) -> Sequence[Vector]:
        nonlocal most
        inside.update(texts)
        most = max(most, len(inside))
        await full.wait()
        inside.difference_update(texts)
        return await embed(self, texts)

    monkeypatch.setattr(HashEmbedder, "embed", counted)
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        headers = {"Authorization": f"Bearer {await house.key('ann')}"}
        async with (
            httpx.AsyncClient(base_url=house.url, headers=headers, trust_env=False) as client,
            TaskGroup() as tasks,
        ):
            asked = [
                tasks.create_task(client.post("/v1/recall", json={"query": f"tea {number}"}))
                for number in range(4 * PLACES)
            ]
    assert {one.result().status_code for one in asked} == {200}
    assert most == PLACES


@pytest.mark.parametrize("lot", [0.0, 1.0])
async def test_who_asks_too_often_is_refused_after_a_while_that_the_lot_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lot: float
) -> None:
    held, loop = 0.2, get_running_loop()
    monkeypatch.setattr(door, "HELD", held)
    monkeypatch.setattr(door, "random", lambda: lot)
    async with a_house(tmp_path, store={"kind": "memory"}, access=ONE) as house:
        headers = {"X-API-Key": await house.key("ann")}
        async with httpx.AsyncClient(base_url=house.url, headers=headers, trust_env=False) as web:
            while (began := loop.time()) and (await web.get("/v1/turns")).is_success:
                pass
            assert loop.time() - began >= held * (1 + lot)


async def test_the_limit_of_a_minute_says_who_is_in_a_hurry(tmp_path: Path) -> None:
    for limit, paces in ((60, 1), (0, inf)):
        access = AccessSettings(requests_per_minute=limit)
        settings = Settings(data=tmp_path, store=InMemoryStore(), access=access)
        async with open_services(settings, working=False) as services:
            assert services.turnstile.pace == paces


async def test_a_crowd_has_whoever_chats_for_a_neighbour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = list[str]()
    monkeypatch.setattr(Turnstile, "seen", lambda _self, user: seen.append(user))
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        headers = {"X-API-Key": await house.key("ann")}
        async with httpx.AsyncClient(base_url=house.url, headers=headers, trust_env=False) as web:
            body = {"messages": [{"role": "user", "content": "Hello!"}]}
            assert (await web.post("/v1/chat/completions", json=body)).status_code == 503
    assert seen == ["ann"]
