"""`MemweaverClient`: all of `/v1` for programs that talk to a server."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self

import anyio
import httpx

from memweaver.client.access import Keys, Myself, Users
from memweaver.client.admin import Administration
from memweaver.client.ais import Ais
from memweaver.client.chat import Chat, Models
from memweaver.client.connection import Connection
from memweaver.client.events import Events, Webhooks
from memweaver.client.memories import Memories
from memweaver.client.relations import Relations
from memweaver.client.results import Health, Login, Recollection
from memweaver.client.sessions import Sessions
from memweaver.client.turns import Turns
from memweaver.domain.job import Patience
from memweaver.errors import ConfigurationError

URL = "http://127.0.0.1:8765"
"""Where `memweaver serve` listens if nothing else is said."""
PATIENCE = Patience(retries=4, delay=timedelta(milliseconds=200), longest=timedelta(seconds=10))
LONGEST_ANSWER = 600.0
"""Seconds that a model may take, at least."""
LONGEST_CONNECT = 5.0
"""Seconds to wait for a connection, whatever an answer may take."""


class MemweaverClient:
    """One server and one credential; `async with` keeps the connections open and ends them.

    What fails in passing is tried again as `patience` says, and is done once all the same.
    `acting` is for service keys: it makes the header that names the end user. `transport` is for
    proxies and certificates, as httpx has them; the environment is not looked at. Raises
    `ConfigurationError` if the URL is not one or the key cannot be sent.
    """

    def __init__(
        self,
        url: str = URL,
        api_key: str = "",
        *,
        timeout: float = 30.0,
        patience: Patience = PATIENCE,
        acting: Callable[[], str] | None = None,
        pause: Callable[[float], Awaitable[None]] = anyio.sleep,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._http = httpx.AsyncClient(
            base_url=checked_url(url),
            headers=authorization(api_key),
            transport=transport,
            trust_env=False,
        )
        self._server = Connection(self._http, patience, within(timeout), acting, pause)
        self.turns = Turns(self._server)
        self.memories = Memories(self._server)
        self.relations = Relations(self._server)
        self.ais = Ais(self._server)
        self.sessions = Sessions(self._server)
        self.events = Events(self._server)
        self.webhooks = Webhooks(self._server)
        patient = replace(self._server, timeout=within(max(timeout, LONGEST_ANSWER)))
        self.chat = Chat(patient).answer
        self.stream = Chat(patient).stream
        self.models = Models(patient)
        self.me = Myself(self._server)
        self.keys = Keys(self._server)
        self.users = Users(self._server)
        self.admin = Administration(self._server)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def log_in(self, email: str, password: str) -> Login:
        """Get a token by password, and use it from now on."""
        body = {"email": email, "password": password}
        login = await self._server.ask(Login, "POST /login", body=body)
        self.use(login.token)
        return login

    def use(self, credential: str) -> None:
        """Ask with this API key or token from now on. Raises `ConfigurationError`."""
        self._http.headers.update(authorization(credential))

    async def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        tiers: Iterable[str] | None = None,
        turns: bool = True,
        session: str | None = None,
        as_of: datetime | None = None,
        valid_at: datetime | None = None,
        ai: str | None = None,
    ) -> Recollection:
        """What is worth knowing for what is being said, best first, and a block within `budget`."""
        return await self._server.ask(
            Recollection,
            "POST /v1/recall",
            body={
                "query": query,
                "limit": limit,
                "budget": budget,
                "tiers": None if tiers is None else list(tiers),
                "turns": turns,
                "session": session,
                "as_of": as_of,
                "valid_at": valid_at,
                "ai": ai,
            },
        )

    async def forget_everything(self) -> None:
        """Erase all turns, memories, sessions and AIs of yours. The account and its keys stay."""
        await self._server.tell("POST /v1/forget", headers={"X-Confirm": "true"})

    async def health(self) -> Health:
        """Whether each part of the server answers."""
        return await self._server.ask(Health, "GET /health")


def within(seconds: float) -> httpx.Timeout:
    return httpx.Timeout(seconds, connect=min(seconds, LONGEST_CONNECT))


def checked_url(text: str) -> httpx.URL:
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as error:
        raise ConfigurationError("the server's URL is not one") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise ConfigurationError("the server's URL must begin with http:// or https:// and a host")
    return url


def authorization(api_key: str) -> dict[str, str]:
    if not api_key:
        return {}
    if not (api_key.isascii() and api_key.isprintable()) or " " in api_key:
        raise ConfigurationError("the API key has characters that cannot be sent")
    return {"Authorization": f"Bearer {api_key}"}
