"""The service from the first start to the doctor, as a person would walk through it.

    python -m tests.story.walk http://127.0.0.1:8080/v1 [MODEL]

The argument is a chat model that speaks OpenAI's protocol. Every step says what came of it.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import socketio
from openai import AsyncOpenAI

PROGRAM = str(Path(sys.executable).with_name("memweaver"))
EMAIL, PASSWORD = "ada@example.org", "a long sentence nobody guesses"
PATIENCE = 120
TOLD = "My sister Ada moved to Lisbon. Please say in one short sentence that you heard it."
ASKED = "In which city does my sister Ada live? Answer with the city only."


@contextmanager
def started(folder: Path, upstream: str) -> Generator[tuple[str, Mapping[str, str]]]:
    """`memweaver serve` in front of `upstream`: where it is, and its environment."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "ADMIN_EMAIL": EMAIL,
        "MEMWEAVER_UPSTREAM__URL": upstream,
        "MEMWEAVER_LOG__LEVEL": "warning",
    }
    command = [PROGRAM, "serve", "--port", "0", "--json"]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        try:
            yield json.loads(process.stdout.readline())["url"], environment
        finally:
            process.terminate()
            assert process.wait(PATIENCE) == 0


@dataclass
class Walk:
    url: str
    model: str
    steps: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    reflected: asyncio.Event = field(default_factory=asyncio.Event)

    def say(self, step: str, came: object) -> None:
        self.steps.append(f"{step}: {came}")
        sys.stdout.write(f"{step:>12}  {came}\n")
        sys.stdout.flush()

    async def __call__(self) -> None:
        async with httpx.AsyncClient(base_url=self.url, trust_env=False, timeout=PATIENCE) as http:
            http.headers["Authorization"] = f"Bearer {await self.signed_up(http)}"
            ai = await self.shaken_hands(http)
            sockets = await self.listening(http.headers["Authorization"].split()[1], ai)
            await self.chatted(http.headers["Authorization"].split()[1], ai)
            await self.looked_at(http, ai)
            await sockets.disconnect()

    async def signed_up(self, http: httpx.AsyncClient) -> str:
        person = {"name": "Ada", "email": EMAIL, "password": PASSWORD, "confirm": PASSWORD}
        made = await http.post("/signup", json=person)
        self.say("sign up", f"{made.status_code} {made.json()}")
        entered = await http.post("/login", json={"email": EMAIL, "password": PASSWORD})
        self.say("log in", f"{entered.status_code} {entered.json()['name']}")
        return str(entered.json()["token"])

    async def shaken_hands(self, http: httpx.AsyncClient) -> str:
        answer = (await http.post("/v1/handshake", json={"ai_name": "Athena"})).json()
        self.say("handshake", f"{answer['message']}, {answer['dbPaths']['working_memory']}")
        return str(answer["sessionData"]["ai_uuid"])

    async def listening(self, secret: str, ai: str) -> socketio.AsyncClient:
        client = socketio.AsyncClient()
        for event in ("turn_recorded", "memory_update", "reflection"):
            client.on(event, self._hearing(event))
        await client.connect(self.url, auth={"api_key": secret}, transports=["websocket"])
        joined = await client.call("join", {"ai_uuid": ai})
        self.say("socket", f"joined the room of the AI: {joined['room'] == ai}")
        return client

    def _hearing(self, event: str) -> Any:
        def hear(told: Mapping[str, Any]) -> None:
            self.heard.append(f"{event} {told.get('action') or told.get('status') or ''}".strip())
            if told.get("status") == "done":
                self.reflected.set()

        return hear

    async def chatted(self, secret: str, ai: str) -> None:
        async with AsyncOpenAI(base_url=f"{self.url}/v1", api_key=secret) as client:
            for session, text in (("monday", TOLD), ("tuesday", ASKED)):
                self.say("asked", f"[{session}] {text}")
                self.say("answered", await self._streamed(client, ai, session, text))
                async with asyncio.timeout(PATIENCE):
                    await self.reflected.wait()
                self.reflected.clear()
        self.say("socket", f"heard {', '.join(self.heard)}")

    async def _streamed(self, client: AsyncOpenAI, ai: str, session: str, text: str) -> str:
        stream = await client.chat.completions.create(
            model=self.model,
            messages=[{"role": "user", "content": text}],
            temperature=0,
            max_tokens=40,
            stream=True,
            extra_headers={"X-Memweaver-Session": session, "X-Memweaver-AI": ai},
        )
        said = [piece.choices[0].delta.content or "" async for piece in stream if piece.choices]
        return " ".join("".join(said).split())

    async def looked_at(self, http: httpx.AsyncClient, ai: str) -> None:
        memories = (await http.get("/v1/memories", params={"ai": ai})).json()["items"]
        self.say("memories", [memory["text"] for memory in memories])
        page = (await http.get("/metrics")).text
        wanted = ("memweaver_turns_recorded_total", "memweaver_chat_seconds_count")
        for line in page.splitlines():
            if line.startswith(wanted):
                self.say("metrics", line)
        self.say("ready", (await http.get("/ready")).status_code)


def doctor(folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, "doctor"],
        cwd=folder,
        env=dict(environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def walked(folder: Path, upstream: str, model: str) -> tuple[Walk, int]:
    """The walk, and how the doctor ended."""
    with started(folder, upstream) as (url, environment):
        walk = Walk(url, model)
        asyncio.run(walk())
        seen = doctor(folder, environment)
        walk.say("doctor", f"exit {seen.returncode}\n{seen.stdout}{seen.stderr}")
    return walk, seen.returncode


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        _, code = walked(Path(temporary), sys.argv[1], (sys.argv[2:] or ["small"])[0])
    sys.exit(code)
