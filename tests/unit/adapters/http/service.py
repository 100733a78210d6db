"""An embedding service on loopback that answers as told: a real server, real sockets."""

import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, ClassVar

import numpy as np

from memweaver.testing.doubles import direction

DIMENSIONS = 8


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer; without a body, the right one. One that `stalls` does not come by itself."""

    status: int = 200
    body: object = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    stalls: bool = False
    hangs_up: bool = False


@dataclass(slots=True)
class Service:
    """What was asked, and what will be replied: first the given replies, then the right ones."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list[Reply])
    paths: list[str] = field(default_factory=list[str])
    bodies: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    keys: list[str | None] = field(default_factory=list[str | None])
    let_go: Event = field(default_factory=Event)
    longest: int | None = None
    """Characters above which a text is refused."""

    def reply(self, path: str, body: dict[str, Any], key: str | None) -> Reply:
        self.paths.append(path)
        self.bodies.append(body)
        self.keys.append(key)
        if self.replies:
            return self.replies.pop(0)
        if self.longest and any(len(text) > self.longest for text in body["input"]):
            return Reply(400, {"error": {"code": "context_length_exceeded"}})
        return Reply()


def right_answer(path: str, texts: Sequence[str]) -> object:
    """Vectors three times too long, and in OpenAI's dialect in no order, as the protocol allows."""
    vectors = [(3 * direction(text, DIMENSIONS)).tolist() for text in texts]
    if path.endswith("/embeddings"):
        numbered = [{"index": place, "embedding": one} for place, one in enumerate(vectors)]
        return {"object": "list", "data": numbered[::-1]}
    return {"embeddings": vectors}


def unit_vector(text: str) -> bytes:
    vector = direction(text, DIMENSIONS)
    unit: bytes = (vector / np.linalg.norm(vector)).astype("<f4").tobytes()
    return unit


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer in one piece, or each waits for an acknowledgement
    service: ClassVar[Service]

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = self.service.reply(self.path, asked, self.headers["Authorization"])
        if reply.stalls:
            self.service.let_go.wait()
        if reply.hangs_up or reply.stalls:
            self.close_connection = True
            return
        body = right_answer(self.path, asked["input"]) if reply.body is None else reply.body
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response_only(reply.status)
        for name, value in {**reply.headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Tests need no access log."""


@contextmanager
def serving() -> Generator[Service]:
    service = Service()
    handler = type("ServiceHandler", (Handler,), {"service": service})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        service.url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield service
        finally:
            service.let_go.set()
            server.shutdown()
            thread.join()
