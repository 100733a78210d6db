"""Socket.IO: what happens, told as it happens, in rooms that only their owner may join."""

from memweaver.interfaces.socketio.routes import router
from memweaver.interfaces.socketio.sockets import Sockets
from memweaver.interfaces.socketio.wire import SCHEMAS

__all__ = ["SCHEMAS", "Sockets", "router"]
