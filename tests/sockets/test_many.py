"""Five hundred clients at once: every event reaches its room, and no other."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest
from tests.sockets.many import AIS, EACH, KINDS, Trial, tried

USERS, ROUNDS = 25, 4


@pytest.mark.requirement("B14")
async def test_every_event_reaches_its_room_and_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trial = await tried(tmp_path, users=USERS, rounds=ROUNDS)
    with capsys.disabled():
        print(json.dumps(asdict(trial)))  # noqa: T201 - the one line to read
    everybody = USERS * AIS * EACH
    assert (trial.clients, trial.astray, trial.lost) == (everybody, 0, 0)
    assert trial.deliveries == everybody * ROUNDS * len(KINDS)


def test_what_comes_to_another_room_is_noticed() -> None:
    trial = Trial(clients=1, rooms=1)
    trial.note(Counter([("message", "mine"), ("message", "another's")]), Counter())
    trial.note(Counter(), Counter([("message", "mine")]))
    assert (trial.deliveries, trial.astray, trial.lost) == (2, 2, 1)
    assert trial.examples == ["('message', 'mine')", "('message', \"another's\")"]
