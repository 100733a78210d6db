"""The port to the chat model that requests are passed on to."""

from abc import abstractmethod
from collections.abc import AsyncIterator, Mapping
from typing import Protocol

Json = Mapping[str, object]
"""A JSON object."""


class Passage(Protocol):
    """An answer on its way, in OpenAI's protocol. Whoever gets one closes it."""

    @property
    @abstractmethod
    def status(self) -> int:
        """As HTTP counts them. A failure's whole content has OpenAI's shape of an error."""
        ...

    @property
    @abstractmethod
    def headers(self) -> Mapping[str, str]:
        """Those that the caller may see, the content's type among them; names in lower case."""
        ...

    @abstractmethod
    def __aiter__(self) -> AsyncIterator[bytes]:
        """The content, each piece as soon as it is there; nobody reads ahead of whoever listens.

        Raises:
            ModelUnavailable: it broke off, or nothing came for too long.
        """
        ...

    @abstractmethod
    async def aclose(self) -> None:
        """Stop the model if it still speaks. Again changes nothing."""
        ...


class Upstream(Protocol):
    """A chat model behind its protocol. Where it is, and its key, follow from settings alone.

    Every method raises:
        NoUpstream: none is configured.
        ModelUnavailable: it could not be reached, or answered nothing for too long.
        ModelRefused: it refuses us, not the request: wrong key, wrong address.
    """

    @property
    @abstractmethod
    def model(self) -> str:
        """The model of requests that name none."""
        ...

    @abstractmethod
    async def chat(self, request: Json) -> Passage:
        """Pass on a request for `/chat/completions`, with every field that the other side knows.

        With `stream` true the answer comes as events, as the model speaks.
        """
        ...

    @abstractmethod
    async def embeddings(self, request: Json) -> Passage:
        """The same for `/embeddings`."""
        ...

    @abstractmethod
    async def models(self) -> Passage:
        """The models there are, as `/models` lists them."""
        ...
