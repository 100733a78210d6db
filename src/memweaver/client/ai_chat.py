"""`AIChatClient`: a chat with one AI that remembers, for programs that do not await."""

from contextlib import AbstractContextManager
from typing import TypedDict

from memweaver.client.blocking import BlockingClient, connect
from memweaver.client.client import URL
from memweaver.client.results import Turn
from memweaver.domain.collection import collection_names
from memweaver.domain.conversation import Role
from memweaver.errors import NotFound

RECENT = 20
"""Messages of the running conversation that go along; what was before is left to memory."""


class Exchange(TypedDict):
    user: str
    ai: str


class AIChatClient:
    """Keep `ai_uuid` and give it again: the AI remembers what was said in every session.

    `memory_paths` are the names of its collections by memory type, once it is registered. Every
    call opens a connection of its own, so there is nothing to close.
    """

    def __init__(
        self,
        ai_name: str,
        ai_uuid: str | None = None,
        *,
        base_url: str = URL,
        api_key: str = "",
        model: str | None = None,
    ) -> None:
        self.ai_name = ai_name
        self.ai_uuid = ai_uuid
        self.session_id: str | None = None
        self.memory_paths: dict[str, str] = {}
        self._base_url = base_url
        self._api_key = api_key
        self._model = model
        self._recent: list[dict[str, str]] = []

    def register(self) -> str:
        """Make the AI known, or find the one with the saved UUID, and begin a session.

        Answers the UUID. Raises `NotFound` if there is no AI of that UUID and name.
        """
        with self._connected() as client:
            self.ai_uuid, self.session_id = (
                self._reconnected(client, self.ai_uuid) if self.ai_uuid else self._met(client)
            )
        self.memory_paths = collection_names(self.ai_uuid, self.ai_name)
        return self.ai_uuid

    def chat(self, text: str) -> str:
        """What the AI answers; it is registered first if that was not done yet."""
        if self.session_id is None:
            self.register()
        said = {"role": "user", "content": text}
        with self._connected() as client:
            answer = client.chat(
                [*self._recent, said],
                model=self._model,
                session=self.session_id,
                ai=self.ai_uuid,
                ai_name=self.ai_name,
            )
        spoken = {"role": "assistant", "content": answer.text}
        self._recent = [*self._recent, said, spoken][-RECENT:]
        return answer.text

    def get_chat_history(self) -> list[Exchange]:
        """All that was said to this AI and what it answered, in every session, oldest first."""
        if self.ai_uuid is None:
            return []
        with self._connected() as client:
            turns = list(client.turns.all(ai=self.ai_uuid))
        return [exchange(turn) for turn in reversed(turns)]

    def _met(self, client: BlockingClient) -> tuple[str, str]:
        met = client.ais.handshake(self.ai_name).session
        return met.ai_uuid, met.session_id

    def _reconnected(self, client: BlockingClient, ai_uuid: str) -> tuple[str, str]:
        if client.ais.read(ai_uuid).name != self.ai_name:
            raise NotFound("there is no AI of that UUID and name")
        return ai_uuid, client.sessions.create(self.ai_name, ai=ai_uuid).id

    def _connected(self) -> AbstractContextManager[BlockingClient]:
        return connect(self._base_url, self._api_key)


def exchange(turn: Turn) -> Exchange:
    return Exchange(user=said_by(Role.USER, turn), ai=said_by(Role.ASSISTANT, turn))


def said_by(role: Role, turn: Turn) -> str:
    return "\n".join(message.text for message in turn.messages if message.role is role)
