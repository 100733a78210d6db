"""The socket that the server listens on, and what it is served by."""

import gc
import socket
import sys
from pathlib import Path

import pytest

from memweaver.app.house_sections import ServerSettings
from memweaver.app.sections import InMemoryStore
from memweaver.app.serving import Server
from memweaver.app.settings import Settings
from memweaver.cli.serve import TURN, listening, serve_on


@pytest.mark.requirement("D1")
def test_answers_are_sent_at_once() -> None:
    with (
        listening(ServerSettings(port=0)) as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_nothing_holds_up_the_event_loop_for_long_once_it_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[float, bool]] = []

    async def served(_server: Server, **_listening: object) -> None:
        seen.append((round(sys.getswitchinterval(), 6), gc.get_freeze_count() > 0))

    monkeypatch.setattr(Server, "serve", served)
    before = sys.getswitchinterval()
    settings = Settings(data=tmp_path, store=InMemoryStore(), server=ServerSettings(port=0))
    try:
        with listening(settings.server) as listener:
            await serve_on(listener, settings, as_json=True)
    finally:
        sys.setswitchinterval(before)
        gc.unfreeze()
    assert seen == [(TURN, True)]
