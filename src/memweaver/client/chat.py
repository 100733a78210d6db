"""`client.chat`, `client.stream`, `client.models`: the model behind the server, which remembers."""

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

from memweaver.client.connection import Connection
from memweaver.client.failures import told_failure
from memweaver.client.results import ChatAnswer, Json
from memweaver.errors import ModelOutputInvalid

Said = str | Iterable[Mapping[str, Any]]
"""What the user says, or the whole conversation as OpenAI's API has it."""
DONE = "[DONE]"
"""How a stream says that it has ended."""


@dataclass(frozen=True, slots=True)
class Chat:
    """`options` are fields of OpenAI's API, passed on to the model as they are."""

    server: Connection

    async def answer(
        self,
        said: Said,
        *,
        model: str | None = None,
        session: str | None = None,
        ai: str | None = None,
        recall: bool = True,
        record: bool = True,
        **options: object,
    ) -> ChatAnswer:
        """The model's answer, given with what is remembered; the turn is recorded."""
        body = request(said, model, session, ai, recall=recall, record=record, options=options)
        answer = await self.server.ask(dict[str, Any], "POST /v1/chat/completions", body=body)
        return ChatAnswer(spoken(answer, "message"), answer)

    async def stream(
        self,
        said: Said,
        *,
        model: str | None = None,
        session: str | None = None,
        ai: str | None = None,
        recall: bool = True,
        record: bool = True,
        **options: object,
    ) -> AsyncGenerator[str]:
        """The same, piece by piece as the model speaks."""
        body = request(said, model, session, ai, recall=recall, record=record, options=options)
        body["stream"] = True
        async with self.server.lines("POST /v1/chat/completions", body=body) as lines:
            async for line in lines:
                if piece := spoken(event(line), "delta"):
                    yield piece


@dataclass(frozen=True, slots=True)
class Models:
    server: Connection

    async def names(self) -> Sequence[str]:
        """Of the models there are to talk to."""
        listed = await self.server.ask(dict[str, Any], "GET /v1/models")
        return [str(model["id"]) for model in listed.get("data", ())]

    async def read(self, name: str) -> Json:
        """One of them, as its server describes it."""
        return await self.server.ask(dict[str, Any], "GET /v1/models/{}", name)

    async def embed(
        self, texts: str | Sequence[str], *, model: str | None = None, **options: object
    ) -> Sequence[Sequence[float]]:
        """The vectors of texts."""
        body = {"input": texts, "model": model, **options}
        answer = await self.server.ask(dict[str, Any], "POST /v1/embeddings", body=body)
        return [item["embedding"] for item in answer.get("data", ())]


def request(
    said: Said,
    model: str | None,
    session: str | None,
    ai: str | None,
    *,
    recall: bool,
    record: bool,
    options: Mapping[str, object],
) -> dict[str, object]:
    messages = [{"role": "user", "content": said}] if isinstance(said, str) else list(said)
    wishes = {
        "memweaver_session": session,
        "memweaver_recall": None if recall else "off",
        "memweaver_record": None if record else "off",
    }
    given = options.get("metadata")
    metadata = {
        **(given if isinstance(given, Mapping) else {}),
        **{name: value for name, value in wishes.items() if value is not None},
    }
    return {
        **options,
        "messages": messages,
        "model": model,
        "ai_uuid": ai,
        "metadata": metadata or None,
    }


def event(line: str) -> Json:
    """What one line of a stream tells; most tell nothing. Raises what it says went wrong."""
    field, _, text = line.partition(":")
    if field != "data" or text.strip() == DONE:
        return {}
    try:
        told = from_json(text)
    except ValueError as error:
        raise ModelOutputInvalid("a piece of the answer is not JSON") from error
    match told:
        case {"error": {}}:
            raise told_failure(told)
        case dict():
            return told
        case _:
            return {}


def spoken(answer: Json, part: str) -> str:
    """The words in the first choice of an answer or a piece of one; none if it has none."""
    match answer:
        case {"choices": [{**choice}, *_]}:
            return words(choice.get(part))
        case _:
            return ""


def words(said: object) -> str:
    match said:
        case {"content": str(text)}:
            return text
        case _:
            return ""
