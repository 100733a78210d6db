"""The socket that the server listens on."""

import socket

import pytest

from memweaver.app.house_sections import ServerSettings
from memweaver.cli.serve import listening


@pytest.mark.requirement("D1")
def test_answers_are_sent_at_once() -> None:
    with (
        listening(ServerSettings(port=0)) as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
