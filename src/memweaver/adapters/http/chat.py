"""A chat model behind HTTP, whichever dialect it speaks."""

from asyncio import timeout
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Protocol

from httpx import AsyncClient, Response

from memweaver.adapters.http.answers import JSON, InputRefused, result, translated
from memweaver.adapters.http.endpoint import Endpoint
from memweaver.adapters.http.packing import UNPACKED, unread
from memweaver.adapters.http.retries import Retries
from memweaver.domain.conversation import Message
from memweaver.errors import ModelOutputInvalid, ModelRefused, ModelUnavailable
from memweaver.ports.models import ChatModel, Completion, Schema

LARGEST = 4 * 1024 * 1024
"""Bytes read of an answer. None that was asked for is nearly as large."""

KEPT = ("Retry-After", "Date")
"""What the headers of an answer tell that is asked for later."""


class ChatDialect(Protocol):
    """How a service wants to be asked."""

    path: str
    missing: str
    """What to do about a model the service does not have."""

    def question(self, messages: Sequence[Mapping[str, str]], tokens: int) -> JSON: ...

    def formats(self, schema: Schema) -> Sequence[JSON]:
        """What to add to a question for an answer of that shape: best first, nothing at last."""
        ...

    def completion(self, answer: JSON) -> Completion:
        """What was said, if the answer is as it should be.

        Raises:
            ModelRefused: the answer is a refusal.
            LookupError, TypeError, ValueError: it is not as it should be.
        """
        ...


class HttpChat(ChatModel):
    """Asks for a format as well as the service can, and tries again what may pass."""

    def __init__(
        self,
        client: AsyncClient,
        dialect: ChatDialect,
        *,
        model: str,
        patience: float,
        retries: Retries,
    ) -> None:
        self._client = client
        self._dialect = dialect
        self._model = model
        self._patience = patience
        self._retries = retries
        self._format = 0
        """The first of the dialect's formats that this service is not known to refuse."""

    @property
    def model(self) -> str:
        return self._model

    async def complete(
        self, messages: Sequence[Message], *, schema: Schema | None, tokens: int
    ) -> Completion:
        question = self._dialect.question([sendable(message) for message in messages], tokens)
        if schema is None:
            return await self._retries(partial(self._ask, question))
        *formats, plainest = enumerate(self._dialect.formats(schema))
        for place, form in formats[self._format :]:
            with suppress(InputRefused):
                return await self._asked(question, place, form)
        return await self._asked(question, *plainest)

    async def _asked(self, question: JSON, place: int, form: JSON) -> Completion:
        """Only what is answered is remembered: perhaps it was not the format that was refused."""
        completion = await self._retries(partial(self._ask, {**question, **form}))
        self._format = max(self._format, place)
        return completion

    async def _ask(self, question: JSON) -> Completion:
        response = await self._answer(question)
        answer = result(response, self._model, self._dialect.missing)
        try:
            return self._dialect.completion(answer)
        except (LookupError, TypeError, ValueError):
            # The cause would carry the answer.
            raise ModelOutputInvalid(
                f"the model {self._model} answered with something else than a message"
            ) from None

    async def _answer(self, question: JSON) -> Response:
        """The whole answer within the time for it; a service may also trickle without end."""
        try:
            async with timeout(self._patience):
                with translated(f"the model {self._model}"):
                    return await self._read(question)
        except TimeoutError:
            raise ModelUnavailable(
                f"the model {self._model} took longer than {self._patience:g} s"
            ) from None

    async def _read(self, question: JSON) -> Response:
        async with self._client.stream(
            "POST", self._dialect.path, json=question, headers=UNPACKED
        ) as response:
            if packing := unread(response):
                raise ModelRefused(
                    f"the model {self._model} packs its answers ({', '.join(packing)}) though "
                    "asked not to: switch that off at its URL, or in the proxy before it"
                )
            content = bytearray()
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) > LARGEST:
                    raise ModelOutputInvalid(
                        f"the model {self._model} answered with more than {LARGEST} bytes"
                    )
        headers = [(name, value) for name in KEPT if (value := response.headers.get(name))]
        return Response(response.status_code, headers=headers, content=bytes(content))


@asynccontextmanager
async def open_chat(
    endpoint: Endpoint, dialect: ChatDialect, *, model: str, retries: Retries
) -> AsyncGenerator[HttpChat]:
    """Raises `ConfigurationError` if the endpoint cannot be one."""
    async with endpoint.client() as client:
        yield HttpChat(client, dialect, model=model, patience=endpoint.timeout, retries=retries)


def sendable(message: Message) -> Mapping[str, str]:
    """A message as services take it: half characters cannot be sent."""
    text = message.text.encode("utf-8", "replace").decode()
    return {"role": message.role.value, "content": text}
