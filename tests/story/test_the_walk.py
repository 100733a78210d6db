"""From the first start to the doctor, with a real model behind and the clients people use."""

import asyncio
from pathlib import Path

import pytest
from tests.servers.llama import private_llama
from tests.story.walk import ASKED, TOLD, Walk, walked

from memweaver.testing.model_server import Script, serving


@pytest.mark.model
@pytest.mark.requirement("B7", "B13", "B16")
def test_a_person_signs_up_chats_with_a_real_model_and_is_remembered(tmp_path: Path) -> None:
    with private_llama() as upstream:
        walk, code = walked(tmp_path, upstream, "small")
    check(walk, code)


@pytest.mark.requirement("B7", "B13", "B16")
async def test_what_was_told_on_monday_reaches_the_model_on_tuesday(tmp_path: Path) -> None:
    script = Script()
    async with serving(script):
        walk, code = await asyncio.to_thread(walked, tmp_path, script.url, "small")
    check(walk, code)
    monday, tuesday = (asked for asked in script.asked if asked.get("stream"))
    assert [one["content"] for one in monday["messages"]] == [TOLD]
    told = "\n".join(one["content"] for one in tuesday["messages"])
    assert told.endswith(ASKED)
    assert "sister Ada moved to Lisbon." in told.removesuffix(ASKED)


def check(walk: Walk, code: int) -> None:
    told = "\n".join(walk.steps)
    assert all(step != "answered: " for step in walk.steps)
    assert "sign up: 201 {'msg': 'User created successfully'}" in told
    assert "Handshake successful" in told
    assert {"turn_recorded", "memory_update create", "reflection done"} <= set(walk.heard)
    assert "Ada moved to Lisbon" in next(step for step in walk.steps if step.startswith("memories"))
    assert "memweaver_turns_recorded_total 2.0" in told
    assert code == 0, told
