"""A scripted model behind HTTP, in OpenAI's and in Ollama's dialect.

`python -m memweaver.testing.model_server --latency 0.2 --faults 0.3 --seed 7` listens on a free
port of this machine, says its address on a line, and answers every question as `testing.echo`
does: late, and wrongly as often as told. It ends when its input does. Whoever asks for a stream,
for the models there are or for embeddings, gets that.
"""

import argparse
import asyncio
import json
import random
import sys
from asyncio import IncompleteReadError, StreamReader, StreamWriter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from memweaver.testing.echo import echo
from memweaver.testing.faults import FAULTS, PASSING, Fault
from memweaver.testing.speaking import (
    Reply,
    embedded,
    listed,
    ollama_lines,
    ollama_whole,
    openai_events,
    openai_whole,
)

FOR_EVER, TRICKLE = 3600.0, 0.1
"""Seconds before an answer that does not come, and between the bytes of one that hardly does."""
Asked = Mapping[str, Any]


@dataclass(slots=True)
class Script:
    """How questions are answered: after `latency` seconds, and a share of them with a fault.

    `first` are names of faults that come before all else; `asked` are the questions so far, and
    `heads` their headers. `replies` are said in their order where no shape is asked for, and then
    `reply` for ever. A stream stops after `hold` pieces until whoever listens has `left`; `pace`
    seconds lie between pieces.
    """

    latency: float = 0.0
    faults: float = 0.0
    among: Sequence[str] = PASSING
    seed: int = 0
    first: list[str] = field(default_factory=list[str])
    asked: list[Asked] = field(default_factory=list[Asked])
    heads: list[Mapping[str, str]] = field(default_factory=list[Mapping[str, str]])
    replies: list[Reply] = field(default_factory=list[Reply])
    reply: Reply = field(default_factory=Reply)
    hold: int | None = None
    pace: float = 0.0
    left: asyncio.Event = field(default_factory=asyncio.Event)
    url: str = ""
    conversations: set[asyncio.Task[Any]] = field(default_factory=set[asyncio.Task[Any]])
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)  # noqa: S311 - the same each time, no secret

    def fault(self) -> Fault | None:
        if self.first:
            return FAULTS[self.first.pop(0)]
        if self.chance.random() < self.faults:
            return FAULTS[self.chance.choice(self.among)]
        return None

    async def converse(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Answer the questions of one connection, until either side has enough."""
        if conversation := asyncio.current_task():
            self.conversations.add(conversation)
            conversation.add_done_callback(self.conversations.discard)
        try:
            while await self._answered(reader, writer):
                pass
        except (IncompleteReadError, ConnectionError):
            pass  # whoever asked has left
        finally:
            writer.close()

    async def _answered(self, reader: StreamReader, writer: StreamWriter) -> bool:
        path, headers, asked = await question(reader)
        self.asked.append(asked)
        self.heads.append(headers)
        fault = self.fault()
        if fault is None and asked.get("stream"):
            return await self._streamed(path, asked, reader, writer)
        fault = fault or self._right(path, asked)
        await asyncio.sleep(FOR_EVER if fault.stalls else self.latency)
        if fault.hangs_up:
            return False
        body = said(path, fault) if fault.body is None else fault.body
        for piece in pieces(response(fault, body), trickling=fault.trickles):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(TRICKLE if fault.trickles else 0)
        return True

    def _right(self, path: str, asked: Asked) -> Fault:
        """No fault at all."""
        if path.endswith(("/models", "/api/tags")):
            return Fault(body=listed(path))
        if path.endswith(("/embeddings", "/api/embed")):
            return Fault(body=embedded(path, asked))
        if "response_format" in asked or "format" in asked:
            return Fault(text=right_answer(asked))
        reply = self._reply()
        whole = ollama_whole if path.endswith("/api/chat") else openai_whole
        return Fault(body=whole(reply, asked))

    def _reply(self) -> Reply:
        return self.replies.pop(0) if self.replies else self.reply

    async def _streamed(
        self, path: str, asked: Asked, reader: StreamReader, writer: StreamWriter
    ) -> bool:
        spoken = ollama_lines if path.endswith("/api/chat") else openai_events
        kind = "application/x-ndjson" if path.endswith("/api/chat") else "text/event-stream"
        await asyncio.sleep(self.latency)
        writer.write(STREAM % kind.encode())
        for number, piece in enumerate(spoken(self._reply(), asked)):
            if number == self.hold:
                await reader.read(1)  # nothing comes: it ends when whoever listens leaves
                self.left.set()
                return False
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await writer.drain()
            if self.pace:
                await asyncio.sleep(self.pace)
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True


STREAM = b"HTTP/1.1 200 -\r\nContent-Type: %b\r\nTransfer-Encoding: chunked\r\n\r\n"


async def question(reader: StreamReader) -> tuple[str, Mapping[str, str], Asked]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return head[0].split()[1], headers, json.loads(body or b"{}")


def response(fault: Fault, body: object) -> bytes:
    content = (body if isinstance(body, str) else json.dumps(body)).encode()
    kind = "text/plain" if isinstance(body, str) else "application/json"
    headers = {"Content-Type": kind, "Content-Length": str(len(content)), **fault.headers}
    lines = [f"HTTP/1.1 {fault.status} -", *(f"{name}: {headers[name]}" for name in headers)]
    return "\r\n".join([*lines, "", ""]).encode() + content


def pieces(answer: bytes, *, trickling: bool) -> Sequence[bytes]:
    return [bytes([byte]) for byte in answer] if trickling else [answer]


def right_answer(asked: Asked) -> str:
    match asked:
        case {"response_format": {"json_schema": {"name": str(purpose)}}}:
            pass
        case {"format": {"title": str(purpose)}}:
            pass
        case _:
            return "Fine, thank you."
    return json.dumps(echo(purpose, asked["messages"][-1]["content"]), ensure_ascii=False)


def said(path: str, fault: Fault) -> object:
    """The model's words as the service at `path` wraps them."""
    ended = "length" if fault.cut else "stop"
    message = {"role": "assistant", "content": fault.text}
    if path.endswith("/api/chat"):
        return {"message": message, "done": True, "done_reason": ended, "eval_count": 7}
    refusal = {"refusal": "I'm sorry."} if fault.refused else {}
    choice = {"index": 0, "message": {**message, **refusal}, "finish_reason": ended}
    usage = {"prompt_tokens": 40, "completion_tokens": 7}
    return {"object": "chat.completion", "choices": [choice], "usage": usage}


@asynccontextmanager
async def serving(script: Script) -> AsyncGenerator[Script]:
    """Serve on a free port of this machine; `script.url` is where, as OpenAI's clients want it."""
    server = await asyncio.start_server(script.converse, "127.0.0.1", 0, limit=2**24)
    async with server:
        port = server.sockets[0].getsockname()[1]
        script.url = f"http://127.0.0.1:{port}/v1"
        try:
            yield script
        finally:
            server.close()
            for conversation in script.conversations:
                conversation.cancel()
            await asyncio.gather(*script.conversations, return_exceptions=True)


async def serve(script: Script) -> None:
    async with serving(script):
        sys.stdout.write(f"{script.url}\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--faults", type=float, default=0.0, help="share of wrong answers, 0 to 1")
    parser.add_argument("--seed", type=int, default=0, help="of the choice of wrong answers")
    parser.add_argument("--words", type=int, help="of an answer for which no shape is asked")
    given = parser.parse_args()
    reply = Reply(" ".join(["word"] * given.words)) if given.words else Reply()
    asyncio.run(serve(Script(given.latency, given.faults, seed=given.seed, reply=reply)))


if __name__ == "__main__":
    main()
