"""Packets as they are read: text, and whatever is no event of a client's is an unknown one."""

from typing import Any

import socketio
from socketio import packet

UNKNOWN = "unknown"
"""The event that stands for whatever is none."""
READ = (packet.CONNECT, packet.DISCONNECT, packet.EVENT, packet.ACK)


class TextPacket(packet.Packet):  # type: ignore[misc] # the library has no types
    """Never fails to be read, so that whoever sends something odd is answered, not logged.

    The library would also wait for as many attachments as it is told to, and let a client send
    the events by which it tells us that somebody came or left.
    """

    def __init__(self, *given: Any, encoded_packet: str | bytes | None = None, **more: Any) -> None:
        read = str(packet.EVENT) if encoded_packet in {"", b""} else encoded_packet
        super().__init__(*given, encoded_packet=read, **more)

    def decode(self, encoded_packet: str | bytes) -> int:
        """How many attachments belong to it: of an event in bytes we see where they would be."""
        try:
            super().decode(encoded_packet)
        except (ValueError, TypeError, RecursionError):
            self.packet_type, self.data = packet.EVENT, None
        if self.packet_type not in READ:
            self.packet_type = packet.EVENT
        if self.packet_type == packet.EVENT and not sendable(self.data):
            self.data = [UNKNOWN]
        return 0


def sendable(data: object) -> bool:
    """Whether it is an event that a client may send, known or not."""
    if not isinstance(data, list) or not data or not isinstance(data[0], str):
        return False
    return data[0] not in socketio.AsyncServer.reserved_events
